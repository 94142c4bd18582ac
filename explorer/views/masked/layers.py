"""Layer by layer: the blank read out after every layer, and GPT's next token at the same place."""

from collections.abc import Sequence
from math import log10
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import blocklist, memory
from explorer.views.frame.page import picture
from explorer.views.frame.presenter import presenting
from explorer.views.frame.saving import Export, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.masked import blanks
from explorer.views.masked.blanks import Sentence
from explorer.views.masked.line import invite, listed, quiet, read_line, strip, text_line, what_was_cut
from explorer.views.widgets.bars import short
from explorer.views.widgets.marks import mark
from explorer.views.widgets.registry import component, text_box

if TYPE_CHECKING:
    from explorer.analysis.prediction.logit_lens import Lens, Watched
    from explorer.models import LanguageModel

GPT = "gpt"
WORDS = 4  # of each layer
WATCHED = 4
FLOOR = 1e-6  # the foot of the charts
TICKS = {0: "1", 2: "0.01", 4: "1e−4", 6: "1e−6"}
START, END = 30, 16  # characters of the sentence that are shown around a layer's word
LAST = -1  # the setting `layer`: the model's last one


def ask(settings: Settings) -> None:
    """The text box."""
    text_line(settings)


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The sentence, the words to watch, and the two models' layers."""
    line = read_line(model, settings)
    strip(model, settings, line)
    if not line.numbers:
        with picture():
            what_was_cut(line)
            invite(line)
        return
    with st.container(key="masked-followed"):
        text_box(settings, "watched", "Words to follow through the layers",
                 f"Follow up to {WATCHED} words: hospital, school")  # fmt: skip
    name = str(model.checkpoint)
    before, after = blanks.around(line.read, line.blank)
    prompt = before.rstrip()
    ours, theirs = at_mask(name, line.read, line.blank), at_end(GPT, prompt)
    words = followed(model, settings, line)
    cover = blocklist.over(name, line.text, *line.hidden, *words)
    panels = [
        _panel(model, ours, words, cover, before, after,
               f"{memory.short_label(name)}, which reads both sides of the blank", True),
        _panel(memory.get(GPT), theirs, words, blocklist.over(GPT, line.text, *line.hidden, *words), prompt,
               "", "GPT, which reads the words before it and says what comes next", bool(prompt)),
    ]  # fmt: skip
    last = max(len(panel["layers"]) for panel in panels) - 1
    layer = settings["layer"] if 0 <= settings["layer"] <= last else last

    def moved() -> None:
        at = st.session_state["masked/lens"].layer
        if at is not None:
            settings.set(layer=LAST if at >= last else int(at))

    with picture():
        what_was_cut(line)
        component("masked/lens")(
            key="masked/lens",
            data={
                "text": f"{line.blank} {line.read}",
                "tight": presenting(),
                "layer": layer,
                "layers": last,
                "panels": panels,
                "ticks": [{"height": height(10.0**-n), "text": text} for n, text in TICKS.items()],
            },
            on_layer_change=moved,
        )
        quiet(" ".join(_notes(model, words)))
    offer(settings, Export("Layers", "layer-by-layer.csv", lambda: _table(panels)))


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "Each row is a layer and its first words, from the embedding down to the answer; the line under a "
        "word is as long as it is probable. The charts follow single words, on a scale of powers of ten.",
        "A raw read-out (logit lens): the head was trained on the last layer only, and is laid over the "
        "others as they are. What an early layer seems to say may be the head’s misreading.",
    )


def code(settings: Settings, model: "LanguageModel") -> str:
    """The same numbers from Python."""
    line = read_line(model, settings)
    lines = ["import explorer", "from explorer.analysis import lens, prediction", ""]
    if line.numbers:
        prompt = blanks.around(line.read, line.blank)[0].rstrip()
        lines += [
            f"bert, gpt = explorer.load({str(model.checkpoint)!r}), explorer.load({GPT!r})",
            "for model, found in (",
            f"    (bert, logit_lens.at_mask(bert, {line.read!r}, {line.blank})),",
            f"    (gpt, logit_lens.at_end(gpt, {prompt!r})),",
            "):",
            "    for layer, row in enumerate(found.probabilities):",
            f"        words = prediction.ranked(model, row, {WORDS})",
            '        print(layer, *(f"{c.token} {c.probability:.3f}" for c in words))',
        ]
    return "\n".join(lines)


@st.cache_resource(max_entries=16, show_spinner=False)
def at_mask(name: str, text: str, which: int) -> "Lens":
    """A blank through the layers, kept for all visitors."""
    from explorer.analysis.prediction import logit_lens

    return logit_lens.at_mask(memory.get(name), text, which)


@st.cache_resource(max_entries=16, show_spinner=False)
def at_end(name: str, text: str) -> "Lens":
    """The next token through the layers, kept for all visitors."""
    from explorer.analysis.prediction import logit_lens

    return logit_lens.at_end(memory.get(name), text)


def followed(model: "LanguageModel", settings: Settings, line: Sentence) -> list[str]:
    """The words that are watched: those typed, or else the hidden one and the last layer's first."""
    if typed := listed(settings["watched"], WATCHED):
        return typed
    from explorer.analysis import prediction

    name = str(model.checkpoint)
    last = at_mask(name, line.read, line.blank).probabilities[-1]
    before, after = blanks.around(line.read, line.blank)
    cover = blocklist.over(name, line.text, *line.hidden)
    best = [
        c.token
        for c in prediction.ranked(model, last, 12)
        if c.token.isalpha() and not blocklist.covers(cover, before, c.token, after)
    ]
    hidden = line.hidden[line.blank].lower()
    return list(dict.fromkeys([*([hidden] if hidden else []), *best]))[:3]


def height(probability: float) -> float:
    """Where a probability stands in the chart: 0 at FLOOR and below, 1 at 1, powers of ten evenly.

    >>> height(1), height(0.001), height(0)
    (1.0, 0.5, 0.0)
    """
    return 1 - log10(max(min(probability, 1.0), FLOOR)) / log10(FLOOR)


def _panel(
    model: "LanguageModel",
    found: "Lens",
    words: Sequence[str],
    cover: blocklist.Veil,
    before: str,
    after: str,
    title: str,
    spaced: bool,
) -> dict[str, Any]:
    from explorer.analysis import prediction
    from explorer.analysis.prediction import logit_lens

    layers = []
    for number, row in enumerate(found.probabilities):
        cells = []
        for c in prediction.ranked(model, row, WORDS):
            hidden = blocklist.covers(cover, before, c.token, after)
            text = blocklist.DOTS if hidden else _shown(c.token)
            tip = f"{text}: probability {c.probability:.6g}, rank {c.rank}, {_layer(number)}"
            cells.append(
                {"text": text, "probability": round(c.probability, 6), "number": short(c.probability),
                 "tip": f"{tip}, {blocklist.WHY}" if hidden else tip}
            )  # fmt: skip
        layers.append({"name": str(number) if number else "emb", "words": cells})
    lines = []
    for group, word in enumerate(words):
        if token := logit_lens.watched(model, word, spaced):
            lines.append(_line(found, token, group))
    return {
        "title": title,
        "label": f"{title}: the first words of each layer",
        "says": f"{title}: probability by layer of {', '.join(words)}",
        "before": _start(before) + (" " if before and not before.endswith(" ") else ""),
        "after": _end(after),
        "layers": layers,
        "lines": lines,
    }


def _line(found: "Lens", token: "Watched", group: int) -> dict[str, Any]:
    probabilities = found.probabilities[:, token.id].tolist()
    piece = f" (its first piece, {token.pieces[0].strip()})" if len(token.pieces) > 1 else ""
    points = [
        {"height": round(height(p), 4), "short": short(p), "probability": p, "rank": rank,
         "tip": f"{token.word}{piece}: probability {p:.6g}, rank {rank:,}, {_layer(layer)}"}
        for layer, (p, rank) in enumerate(zip(probabilities, found.ranks(token.id)))
    ]  # fmt: skip
    name = f"{token.word} ({token.pieces[0].strip()}…)" if piece else token.word
    return {"name": name, **mark(group), "points": points}


def _layer(number: int) -> str:
    return f"after layer {number}" if number else "at the embedding"


def _shown(token: str) -> str:
    """A token in a cell: spaces at its ends are left out, a line break is a sign."""
    text = token.strip(" ").replace("\n", "↵") or "␣"
    return text if text.isprintable() else ascii(text)[1:-1]


def _start(before: str) -> str:
    """The end of a long text before the blank, from the beginning of a word."""
    if len(before) <= START:
        return before
    cut = before[-START:]
    return f"… {cut.partition(' ')[2] or cut}"


def _end(after: str) -> str:
    """The beginning of a long text after the blank, to the end of a word."""
    if len(after) <= END:
        return after
    cut = after[:END]
    return f"{cut.rpartition(' ')[0] or cut} …"


def _notes(model: "LanguageModel", words: Sequence[str]) -> list[str]:

    from explorer.analysis.prediction import logit_lens

    notes = ["Raw read-out: the last layer’s head, laid over every layer."]
    for one in (model, memory.get(GPT)):
        name = memory.short_label(str(one.checkpoint))
        split = [(w, t) for w in words if (t := logit_lens.watched(one, w)) and len(t.pieces) > 1]
        notes += [f"{name} spells {w} in {len(t.pieces)} pieces; its first is followed." for w, t in split]
        lost = [word for word in words if logit_lens.watched(one, word) is None]
        notes += [f"{name} cannot spell {', '.join(lost)}."] if lost else []
    return notes


def _table(panels: Sequence[dict[str, Any]]) -> str:
    rows = [
        [panel["title"], layer["name"], rank, word["text"], word["probability"]]
        for panel in panels
        for layer in panel["layers"]
        for rank, word in enumerate(layer["words"], 1)
    ]
    rows += [
        [panel["title"], panel["layers"][at]["name"], point["rank"], line["name"], point["probability"]]
        for panel in panels
        for line in panel["lines"]
        for at, point in enumerate(line["points"])
    ]
    return table(["model", "layer", "rank", "word", "probability"], rows)
