"""Guesses in a cell: the words for a blank, layer by layer, and with heads switched off."""

from explorer.analysis.heads.ablation import Changes
from explorer.analysis.prediction.fill import Guesses, ranked
from explorer.analysis.prediction.logit_lens import Lens
from explorer.catalogue.manifest import label
from explorer.models.base import Model
from explorer.notebook.cell import Cell, Component, cell_of
from explorer.text.letters import is_letters
from explorer.views.heads import guess
from explorer.views.look import blocklist
from explorer.views.masked.layer_panels import TICKS, height, panel
from explorer.views.widgets.bars import FULL_BAR, bars_data

TOP = 10
SIDE_BY_SIDE = 3
FOLLOWED = 3  # words that the chart of the layers follows
AROUND = 40  # characters of the text on either side of a blank


@cell_of.register
def _guesses(guesses: Guesses) -> Cell | None:
    """The likeliest words of the first blanks beside each other."""
    if not any(guesses):
        return None
    blanks = guesses.blanks
    text = blanks.encoding.text
    blocked = blocklist.over("", text)
    components = []
    for which, position in enumerate(blanks.positions[:SIDE_BY_SIDE]):
        start, end = blanks.encoding.spans[position]
        before, after = text[:start], text[end:]
        rows = [
            {
                "token": token.strip(),
                "probability": probability,
                "covered": blocklist.covers(blocked, before, token, after),
            }
            for token, probability in guesses[which]
        ]
        heading = f"{_end(before)}___{_start(after)}"
        data = bars_data(rows, f"Guesses for blank {which + 1}", visible=len(rows))
        components.append(Component("widgets/bars", data, heading=heading))
    more = len(blanks.positions) - SIDE_BY_SIDE
    notes = FULL_BAR + (f" The text has {more} more blanks." if more > 0 else "")
    return Cell(components, "What is expected", notes, beside=True)


def lens_cell(lens: Lens, model: Model) -> Cell:
    """The likeliest words after every layer, with the model whose tokens they are."""
    blocked = blocklist.over(str(model.checkpoint), lens.before, lens.after)
    candidates = ranked(model, lens.probabilities[-1], TOP)
    words = [
        candidate.token.strip()
        for candidate in candidates
        if is_letters(candidate.token.strip())
        and not blocklist.covers(blocked, lens.before, candidate.token, lens.after)
    ]
    title = f"{label(str(model.checkpoint))}, layer by layer"
    last = len(lens.probabilities) - 1
    data = {
        "text": f"{lens.before}_{lens.after}",
        "tight": False,
        "layer": last,
        "layers": last,
        "panels": [panel(model, lens, words[:FOLLOWED], blocked, lens.before, lens.after, title)],
        "ticks": [{"height": height(10.0**-n), "text": text} for n, text in TICKS.items()],
    }
    notes = "A logit lens: the output head was trained on the last layer and is applied to every layer."
    return Cell([Component("masked/lens", data)], notes=notes)


@cell_of.register
def _changes(changes: Changes) -> Cell | None:
    blocked = blocklist.over("")
    rows = [guess.row(change, None, True, blocklist.covers(blocked, "", change.token)) for change in changes]
    data = guess.picture_data(rows, "with heads switched off")
    return Cell([Component("widgets/before_after", data)]) if rows else None


def _end(text: str) -> str:
    return text if len(text) <= AROUND else f"… {text[-AROUND:].partition(' ')[2]}"


def _start(text: str) -> str:
    return text if len(text) <= AROUND else f"{text[:AROUND].rpartition(' ')[0]} …"
