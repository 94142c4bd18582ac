"""Two readers: one sentence, filled by a model that sees both sides at once and by one that reads on."""

from functools import partial
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame import unreadable
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving.saving import Export, Picture
from explorer.views.frame.server import memory
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.look import blocklist
from explorer.views.masked import candidates, presets
from explorer.views.masked.blank_bars import bars_of
from explorer.views.masked.blanks import MASK
from explorer.views.masked.sentence import PageText, invite, strip, text_line, tokens_of, what_was_cut
from explorer.views.widgets.bars import FULL_BAR
from explorer.views.widgets.notes import note

if TYPE_CHECKING:
    from explorer.analysis.prediction.fill import Blanks
    from explorer.models import Model


def draw(page: OpenPage[PageText]) -> Saves:
    """Draw the bars of both models for the chosen blank, each under what it cost."""
    sentence, settings = page.data.sentence, page.settings
    what_was_cut(sentence)
    if not sentence.numbers:
        invite(sentence)
        return []
    saves: list[Export | Picture] = [Picture("picture", "two-readers")]
    for model, column in zip((page.model, memory.get(WRITER)), st.columns(2, gap="large")):
        name, checkpoint = memory.short_label(str(model.checkpoint)), str(model.checkpoint)
        blocked = blocklist.over(checkpoint, sentence.text, *sentence.hidden)
        part = candidates.until(model, sentence.read, sentence.blank)
        with column, st.container(gap="xxsmall"):
            heading = f'{escape(name)} <span class="rb-quiet">{cost(*candidates.timed(model, part))}</span>'
            st.html(f'<p class="rb-blank chosen">{heading}</p>')
            hidden = sentence.hidden[sentence.blank]
            blank = candidates.for_blank(model, settings, sentence.read, sentence.blank, hidden)
            bars_of(settings, blank, blocked, f"masked/two/{checkpoint}", sentence, {})
        as_table = partial(candidates.as_table, [blank], blocked)
        saves.append(Export(f"Words by {name}", f"two-readers-{name.lower()}.csv", as_table))
    note(f"{FULL_BAR} {memory.short_label(WRITER)}’s probabilities are among the words that it tried.")
    plain = sentence.read.replace(MASK, " ")
    if unread := unreadable.notice(WRITER, [plain]):
        st.warning(unread)
    for model in (page.model, memory.get(WRITER)):
        if marks := marks_in(model, plain):
            name = memory.short_label(str(model.checkpoint))
            note(f"{' and '.join(marks)}: a mark to {name}, one special token, and no part of the sentence.")
    return saves


def marks_in(model: "Model", text: str) -> list[str]:
    """The special tokens that somebody has typed into a text, in quotes."""
    encoding = model.encode(text)
    marks = [
        f"“{text[start:end]}”"
        for (start, end), special in zip(encoding.spans, encoding.special.tolist(), strict=True)
        if special and start < end
    ]
    return list(dict.fromkeys(marks))


def reading(page: OpenPage[PageText]) -> Reading:
    """How to compare both lists."""
    return Reading(
        f"The left model was trained to fill blanks: it sees both sides of a blank in a single pass. "
        f"{memory.short_label(WRITER)} was trained to continue texts: it puts in one word after another and "
        "reads the sentence to its end. The more words it tries, the longer that takes.",
        "They differ in size and in training text too, not only in what they see of the sentence.",
    )


def example(page: OpenPage[PageText]) -> Example:
    """The same lists from Python."""
    if not page.data.sentence.numbers:
        return tokens_of(page)
    return Example(
        by_both,
        model=Load(str(page.model.checkpoint)),
        reader=Load(WRITER),
        text=page.data.sentence.read,
        top=10,
    )


def by_both(model: "Model", reader: "Model", text: str, top: int) -> list[list[list[tuple[str, float]]]]:
    """The likeliest words in every [MASK], by each of two models."""
    from explorer.analysis import prediction

    return [prediction.fill_mask(each, text, top) for each in (model, reader)]


def cost(predictions: "Blanks", seconds: float) -> str:
    """What a model did for its answer, in words, and the time that it took."""
    took = f"{1000 * seconds:,.0f} ms"
    if not predictions.readings:
        return f"one pass over both sides, {took}"
    passes = sum(reading.passes for reading in predictions.readings)
    tries = sum(len(reading.words) for reading in predictions.readings)
    return f"{tries} words tried in {passes} passes, {took}"


VIEW = View(
    label="Two readers",
    first=Hints(
        "Both name “hospital” first. One sees “by helicopter” at once, the other tries words and reads on.",
        "Click another word to hide it. Where do the two differ?",
    ),
    presets=presets.presets_for("two"),
    needs=("FILL",),
    ask=text_line,
    controls=strip,
    draw=draw,
    reading=reading,
    example=example,
)
