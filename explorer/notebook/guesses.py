"""Guesses in a cell: the words for a blank, layer by layer, and with heads switched off."""

from explorer.analysis.heads.ablation import Changes
from explorer.analysis.prediction.fill import Guesses
from explorer.analysis.prediction.text_lens import TextLens
from explorer.catalogue.manifest import label
from explorer.locale import _
from explorer.models.base import Model
from explorer.notebook.cell import Cell, cell_of
from explorer.views.frame.saving.web_page import Component
from explorer.views.heads import guess
from explorer.views.look import blocklist
from explorer.views.why import lens_map
from explorer.views.widgets.bars import FULL_BAR, bars_data

SIDE_BY_SIDE = 3
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
        data = bars_data(rows, _("Guesses for blank {number}", number=which + 1), visible=len(rows))
        components.append(Component("widgets/bars", data, heading=heading))
    more = len(blanks.positions) - SIDE_BY_SIDE
    notes = _(FULL_BAR) + (f" {_('The text has {count} more blanks.', count=more)}" if more > 0 else "")
    return Cell(components, _("What is expected"), notes, beside=True)


def lens_cell(lens: TextLens, model: Model) -> Cell:
    """The word that every state would say, with the model whose tokens they are."""
    name = str(model.checkpoint)
    data = lens_map.picture(model, lens, blocklist.over(name, lens.encoding.text), "rank")
    notes = _("A logit lens: the output head was trained on the last layer and is applied to every layer.")
    return Cell(
        [Component("why/lens", data, heading=_("{name}, layer by layer", name=label(name)))], notes=notes
    )


@cell_of.register
def _changes(changes: Changes) -> Cell | None:
    blocked = blocklist.over("")
    rows = [guess.row(change, None, True, blocklist.covers(blocked, "", change.token)) for change in changes]
    data = guess.picture_data(rows, _("with heads switched off"))
    return Cell([Component("widgets/before_after", data)]) if rows else None


def _end(text: str) -> str:
    return text if len(text) <= AROUND else f"… {text[-AROUND:].partition(' ')[2]}"


def _start(text: str) -> str:
    return text if len(text) <= AROUND else f"{text[:AROUND].rpartition(' ')[0]} …"
