"""The sentence of the masked-words page: a text box, and the words on which one clicks to hide them."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import streamlit as st

from explorer.catalogue.ability import Ability
from explorer.locale import _, format_number
from explorer.views import kit
from explorer.views.masked import blanks
from explorer.views.masked.blanks import MASK, Sentence
from explorer.views.masked.settings import BLANK, TEXT, WORDS
from explorer.views.types import Model
from explorer.views.widgets.unread_characters import unread_characters

SHORT, LONG = 12, 40  # words: a sentence of up to SHORT is drawn larger, one of more than LONG scrolls


@dataclass(frozen=True, eq=False)
class PageText:
    """The page's sentence, encoded by the model once, when a view first needs it."""

    model: "Model"
    settings: kit.Settings

    @cached_property
    def sentence(self) -> Sentence:
        """The sentence as the model reads it. Raises AbilityError for a model that predicts no words."""
        from explorer.analysis.prediction import masking

        self.model.require(Ability.FILL | Ability.GENERATE, "guess masked words")
        settings = self.settings
        text = masking.standard(settings[TEXT])  # a link may have another spelling
        return blanks.read(self.model, text, settings[WORDS], settings[BLANK])


def text_line(settings: kit.Settings) -> None:
    """Draw the text box. The words hidden in one part stay known while another part is edited."""
    before, hidden = settings[TEXT], list(settings[WORDS])

    def retyped() -> None:
        settings.set(WORDS.to(blanks.carry(before, hidden, settings[TEXT])))
        if settings[TEXT].count(blanks.MASK) != before.count(blanks.MASK):
            settings.set(BLANK.to(0))

    kit.text_box(
        settings,
        TEXT,
        _("A sentence with [MASK] in it"),
        _("Type a sentence"),
        on_change=retyped,
        blanks=True,
    )


def strip(page: kit.OpenPage[PageText]) -> None:
    """Draw the sentence word by word; a click hides a word, chooses a blank, or puts a word back."""
    settings, sentence = page.settings, page.data.sentence

    def clicked(index: int) -> None:
        if index < len(sentence.words):
            settings.update(blanks.click(sentence, index))

    # The size depends on the number of words, which no click changes: so no word moves under the mouse.
    size = "-large" if len(sentence.words) <= SHORT else "-long" if len(sentence.words) > LONG else ""
    with st.container(key=f"masked-strip{size}"):
        kit.token_strip(
            [_token(page.model, sentence, index) for index in range(len(sentence.words))],
            "masked/strip",
            _("The words of the sentence; press one to hide it"),
            clicked,
        )


def invite(sentence: Sentence) -> None:
    """Draw an instruction in place of the picture of a sentence without a blank."""
    if sentence.beyond:
        text = _(
            "Every [MASK] comes after the part that the model reads. "
            "Shorten the text, or press a word to mask it."
        )
    elif sentence.words:
        text = _("Press a word to mask it, or write [MASK] into the text.")
    else:
        text = _("Type a sentence, with [MASK] where a word is to be guessed.")
    kit.instruction(text)


def what_was_cut(sentence: Sentence) -> None:
    """Draw a note on the characters that the model cannot spell, and one on the tokens that were cut."""
    if unread := unread_characters(sentence.encoding):
        kit.note(unread)
    if sentence.encoding.truncated:
        length, cut = len(sentence.encoding), format_number(sentence.encoding.truncated)
        text = _("The first {length} tokens are read; {cut} were cut.", length=length, cut=cut)
        if masks := sentence.beyond:
            text = _(
                "The first {length} tokens are read; {cut} were cut, with {masks} [MASK] among them.",
                length=length,
                cut=cut,
                masks=masks,
            )
        kit.note(text)


def tokens(model: "Model", text: str) -> list[str]:
    """The tokens of a text."""
    return model.encode(text).tokens


def tokens_of(page: kit.OpenPage[PageText]) -> kit.Example:
    """The code that is shown for a sentence without a blank: its tokens."""
    return kit.Example(tokens, model=kit.Load(str(page.model.checkpoint)), text=page.data.sentence.read)


def listed(text: str, limit: int | None = None) -> list[str]:
    """The words of a list with commas, each once and at most `limit`; Chinese commas count too.

    >>> listed("he, him,, he ", 2), listed("他，她、它")
    (['he', 'him'], ['他', '她', '它'])
    """
    words = [word.strip() for word in re.split("[,，、]", text)]
    return list(dict.fromkeys(word for word in words if word))[:limit]


def _token(model: "Model", sentence: Sentence, index: int) -> dict[str, Any]:
    word, number = sentence.words[index], sentence.numbers.get(index)
    glued = index > 0 and sentence.words[index - 1].end == word.start
    if number is not None:
        back = (
            _("press to put “{word}” back", word=sentence.hidden[number])
            if sentence.hidden[number]
            else _("a blank in your text")
        )
        gap = kit.GAP if kit.for_class() else MASK
        return {
            "text": gap if len(sentence.numbers) == 1 else f"{gap} {number + 1}",
            "name": _("gap") if len(sentence.numbers) == 1 else _("gap {number}", number=number + 1),
            "glued": glued,
            "mark": "dashed",
            "selected": number == sentence.blank,
            "title": back if number == sentence.blank else _("press to look at this blank"),
        }
    pieces = [sentence.encoding.tokens[position] for position in word.positions]
    unknown = model.tokenizer.unknown
    if unknown is not None and unknown in sentence.encoding.ids[word.positions]:
        read = model.tokenizer.token(unknown)
        return {
            "text": word.text,
            "glued": glued,
            "mark": "dotted",
            "title": _("unknown: read as {token}", token=read),
        }
    title = _("press to hide")
    if len(pieces) > 1:
        title = _("{pieces}: press to hide", pieces=" ".join(pieces))
    return {"text": word.text, "glued": glued, "title": title, "quiet": word.special}
