"""Two readers of one blank: a model that reads from the left only, and BERT, which sees both sides."""

from functools import partial
from html import escape

import streamlit as st

from explorer.assets import CHINESE
from explorer.catalogue.ability import Ability
from explorer.locale import _, format_number
from explorer.views import kit
from explorer.views.frame import reading_turn, unreadable
from explorer.views.masked import candidates
from explorer.views.masked.blank_bars import bars_of, hidden_word, small_model
from explorer.views.masked.blanks import MASK
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import BESIDE, PINNED
from explorer.views.types import Blanks, Model
from explorer.views.widgets.bars import FULL_BAR
from explorer.views.widgets.first_guess import repetition_line, say_first


def offer(page: kit.OpenPage[PageText]) -> None:
    """Draw the switch for the second reader, if the page's model is not such a reader itself."""
    if not _has_a_second(page.model):
        return
    label = _("With {name}", name=kit.memory.short_label(kit.WRITER))
    kit.switch(
        page.settings,
        BESIDE,
        label,
        disabled=bool(page.settings[PINNED]),
        help=_(
            "Let a model that reads from the left only fill the same blank: it puts in one word after "
            "another and reads the sentence to its end"
        ),
    )


def is_beside(page: kit.OpenPage[PageText]) -> bool:
    """Whether the second reader's bars are drawn; a pinned sentence has their place."""
    settings = page.settings
    return settings[BESIDE] and not settings[PINNED] and _has_a_second(page.model)


def draw(page: kit.OpenPage[PageText]) -> kit.Saves:
    """Draw the bars of both models for the chosen blank, each under what it cost."""
    sentence, settings = page.data.sentence, page.settings
    name, own = kit.memory.short_label(kit.WRITER), str(page.model.checkpoint)
    saves: list[kit.Export | kit.Picture] = [kit.Picture("picture", "two-readers")]
    notes = [_(FULL_BAR), _("{name}’s probabilities are among the words that it tried.", name=name)]
    left, right = st.columns(2, gap="large")
    # The small model's bars do not wait for the large one's, nor for its weights.
    for checkpoint, column in ((own, right), (kit.WRITER, left)):
        label, is_own = kit.memory.short_label(checkpoint), checkpoint == own
        blocked = kit.blocklist.over(checkpoint, sentence.text, *sentence.hidden)
        part = sentence.read if is_own else reading_turn.up_to(sentence.read, sentence.blank)
        hidden = sentence.hidden[sentence.blank]
        with column, st.container(gap="xxsmall"):
            heading = st.empty()
            heading.html(f'<p class="rb-blank chosen">{escape(label)}</p>')
            if not (is_own or reading_turn.read(checkpoint, part) or reading_turn.wait(checkpoint, part)):
                continue
            model = page.model if is_own else kit.memory.get(checkpoint)
            words = f'{escape(label)} <span class="rb-quiet">{cost(*reading_turn.timed(model, part))}</span>'
            if is_own:
                words += hidden_word(model, sentence, sentence.blank, sentence.blank)
            heading.html(f'<p class="rb-blank chosen">{words}</p>')
            blank = candidates.for_blank(model, settings, sentence.read, sentence.blank, hidden)
            rows = bars_of(settings, blank, blocked, f"masked/bars/{checkpoint}", sentence, {})
            repetition_line(rows, small_model(page) if is_own else "")
            if is_own:
                say_first(rows)
        as_table = partial(candidates.as_table, [blank], blocked)
        # The menu of Save lists them as they stand, from the left.
        saves.insert(
            1, kit.Export(_("Words by {model}", model=label), f"two-readers-{label.lower()}.csv", as_table)
        )
    if not kit.memory.loaded(kit.WRITER):
        kit.note(" ".join(notes))
        return saves
    plain = sentence.read.replace(MASK, " ")
    if marks := marks_in(kit.memory.get(kit.WRITER), plain):
        every = _(" and ").join(marks)
        notes.append(_("{marks}: a mark to {name}, and no part of the sentence.", marks=every, name=name))
    kit.note(" ".join(filter(None, notes)))
    if unread := unreadable.notice(kit.WRITER, [plain], ["GENERATE"]).text:
        st.warning(unread)
    return saves


def marks_in(model: "Model", text: str) -> list[str]:
    """The special tokens that somebody has typed into a text, in quotes."""
    encoding = model.encode(text)
    marks = [
        _("“{word}”", word=text[start:end])
        for (start, end), special in zip(encoding.spans, encoding.special.tolist(), strict=True)
        if special and start < end
    ]
    return list(dict.fromkeys(marks))


def cost(predictions: "Blanks", seconds: float) -> str:
    """What a model did for its answer, in words, and outside of a class the time that it took."""
    took = "" if kit.for_class() else f", {format_number(round(1000 * seconds))} ms"
    if not predictions.readings:
        return _("one pass over both sides") + took
    passes = sum(reading.passes for reading in predictions.readings)
    tries = sum(len(reading.words) for reading in predictions.readings)
    return _("{words} words tried in {passes} passes", words=tries, passes=passes) + took


def _has_a_second(model: "Model") -> bool:
    """Whether a model sees both sides, and reads what the second reader reads."""
    return Ability.FILL in model.abilities and str(model.checkpoint) != CHINESE
