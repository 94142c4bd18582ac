"""Colour a text: how surprising every word of it is to the model, beside a second model's line."""

from contextlib import nullcontext
from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.continuations import write
from explorer.views.continuations.files import tokens_csv, words_csv
from explorer.views.continuations.presets import COLOUR as PRESETS
from explorer.views.continuations.run import Run
from explorer.views.continuations.shades import (
    coloured,
    mean,
    numbers,
    place,
    said,
    shades,
    smooth,
    span,
    tip,
)
from explorer.views.frame import blocklist, memory
from explorer.views.frame.page import palette, show_error
from explorer.views.frame.saving import Export, offer
from explorer.views.frame.settings import Settings
from explorer.views.widgets.registry import component
from explorer.views.widgets.steps import spelled
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.prediction.surprisal import Piece, Reading
    from explorer.models import LanguageModel

__all__ = ["PRESETS", "code", "draw", "how"]

SOURCES = {"typed": "My text", "written": "What was written"}
WAYS = {"bands": "Rank bands", "probability": "Probability", "surprisal": "Surprise in bits"}
MOST_TOKENS = 20_000  # of one text
SECOND_TOKENS = {"FILL": 160, "NEXT_WORD": 500}  # a second model that fills blanks reads once for every token
TOP = 8
WAIT = 10_000  # characters that take more than a moment


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The text, how it is to be coloured, and the picture."""
    _controls(settings)
    if settings["source"] == "written":
        run = finished(settings, model)
        text, typed = run.generation.text, run.generation.prompt
    else:
        text = typed = text_box(settings, "passage", "A text to colour", "Type or paste a text", lines=3)
    with st.container(key="picture"):
        if not text.strip():
            st.html('<p class="rb-how" style="font-size:22px">Type or paste a text: each word is coloured '
                    "by how the model expected it.</p>")  # fmt: skip
            return
        with st.spinner("Reading a long text") if len(text) > WAIT else nullcontext():
            reading = read(settings["model"], text)
        _picture(settings, reading, blocklist.over(settings["model"], typed))


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    way = {
        "bands": "Underlines and shades say where each token stood in the model’s list: first, among ten, "
        "among a hundred, beyond.",
        "probability": "The stronger the colour, the more probable the token was to the model.",
        "surprisal": "The stronger the colour, the more bits of surprise: each bit halves the probability.",
    }[settings["way"]]
    return (
        f"{way} Perplexity is 2 to the mean bits of a token; bits per byte compare models of any tokens.",
        "Predictable text is no proof that a machine wrote it. The first words have little before them.",
    )


def code(settings: Settings) -> str:
    """The same numbers from Python."""
    if settings["source"] == "written":
        return f"""\
{write.code(settings)}
from explorer.analysis.prediction import surprisal

text = generate(model, {settings["text"]!r}, sampling)
text = "".join([text.prompt, *(step.text for step in text)])
reading = surprisal.read(model, text)
print(f"perplexity {{reading.perplexity:.1f}}, {{reading.per_byte:.2f}} bits per byte")
"""
    text = settings["passage"]
    given = repr(text if len(text) <= 400 else text[:400])
    note = "" if len(text) <= 400 else "  # the text's first 400 characters"
    return f"""\
import explorer
from explorer.analysis.prediction import surprisal

reading = surprisal.read(explorer.load({settings["model"]!r}), {given}){note}
print(f"perplexity {{reading.perplexity:.1f}}, {{reading.per_byte:.2f}} bits per byte")
for word in surprisal.most_surprising(reading, {TOP}):
    print(f"{{word.bits:5.1f}} bits  {{reading.encoding.text[word.start : word.end]}}")
"""


@st.cache_resource(max_entries=16, show_spinner=False)
def read(name: str, text: str) -> "Reading":
    """A text's surprisals, kept for all visitors. Raises AbilityError."""
    from explorer.analysis.prediction import surprisal

    return surprisal.read(memory.get(name), text, limit=MOST_TOKENS)


@st.cache_resource(max_entries=16, show_spinner=False)
def read_by(second: str, name: str, text: str) -> "tuple[list[float | None], str]":
    """A second model's bits for every word of the first one's reading, and from where it looks."""
    from explorer.analysis.prediction import surprisal
    from explorer.trace import Ability

    words, model = surprisal.of_words(read(name, text)), memory.get(second)
    if Ability.GENERATE in model.abilities:
        other = read(second, text)
        return surprisal.in_words(words, other.encoding, other.bits.tolist()), "from the left"
    if Ability.FILL in model.abilities:
        found = surprisal.read_both_sides(model, text, SECOND_TOKENS["FILL"])
        return surprisal.in_words(words, *found), "from both sides"
    found = surprisal.read_words(model, text, SECOND_TOKENS["NEXT_WORD"])
    return surprisal.in_words(words, *found), "from the left, listed words"


def finished(settings: Settings, model: "LanguageModel") -> Run:
    """What stands under Write, written to its end."""
    run = write.current(settings, model)
    while run.going and run.grow():
        pass
    return run


def _controls(settings: Settings) -> None:
    """Whose text, how to colour it, and the second model."""
    import explorer
    from explorer.trace import Ability

    for setting, choices in (("way", WAYS), ("source", SOURCES)):
        if settings[setting] not in choices:
            settings.set(**{setting: next(iter(choices))})
    able = Ability.GENERATE | Ability.FILL | Ability.NEXT_WORD
    names = [str(c) for c in explorer.available() if c.abilities is not None and c.abilities & able]
    names = ["", *(name for name in names if name != settings["model"])]
    if settings["second"] not in names:
        settings.set(second="")
    with st.container(key="colour-controls", horizontal=True, vertical_alignment="center", gap="small"):
        for setting, label, choices in (("source", "Text", SOURCES), ("way", "Colour by", WAYS)):
            st.segmented_control(
                label, list(choices), key=settings.key(setting), format_func=choices.get, required=True,
                label_visibility="collapsed",
            )  # fmt: skip
        st.selectbox(
            "A second model", names, key=settings.key("second"), label_visibility="collapsed", width=230,
            format_func=lambda name: f"beside {memory.LABELS.get(name, name)}" if name else "no second model",
        )  # fmt: skip


def _picture(settings: Settings, reading: "Reading", cover: blocklist.Blocklist) -> None:
    from explorer.analysis.prediction import surprisal

    text, second = reading.encoding.text, settings["second"]
    pieces, words = surprisal.pieces(reading), surprisal.of_words(reading)
    lines = [{"name": _label(settings["model"]), "values": [word.bits for word in words]}]
    if second:
        try:
            values, side = read_by(second, settings["model"], text)
            lines.append({"name": f"{_label(second)} {side}", "values": values})
        except ExplorerError as error:
            show_error(error)
    top = surprisal.most_surprising(reading, TOP)
    names, values = [line["name"] for line in lines], [line["values"] for line in lines[1:]]
    offer(
        settings,
        Export("Words", "surprisal.csv", lambda: words_csv(reading, names, values)),
        Export("Tokens", "tokens.csv", lambda: tokens_csv(reading)),
    )
    component("continuations/colour")(
        key="continuations.coloured",
        data={
            "pieces": coloured(pieces, text, settings["way"], cover),
            "shades": shades(settings["way"], palette()),
            "legend": settings["way"],
            "numbers": numbers(reading),
            "top": [[_word(text, w, cover), round(w.bits, 1), place(pieces, w.start), tip(w)] for w in top],
            "lines": [
                line | {"values": smooth(line["values"]), "says": mean(line["values"])} for line in lines
            ],
            "words": [[_word(text, w, cover)[:24], place(pieces, w.start)] for w in words],
            "smoothed": span(len(words)),
            "says": said(reading),
        },
    )


def _word(text: str, word: "Piece", cover: blocklist.Blocklist) -> str:
    return spelled("".join(blocklist.written(cover, [text[word.start : word.end]])))


def _label(name: str) -> str:
    return memory.short_label(name).removeprefix("hub:")
