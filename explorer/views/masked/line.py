"""The sentence of the masked-words page: typed in a box, drawn word by word, hidden by clicks."""

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.settings import Settings
from explorer.views.masked import blanks
from explorer.views.masked.blanks import MASK, Sentence
from explorer.views.widgets.registry import text_box, token_strip

if TYPE_CHECKING:
    from explorer.models import LanguageModel

SHORT, LONG = 12, 40  # words: up to SHORT they are set larger, over LONG they scroll
CSS = """<style>
.rb-blank { margin: 0; font-size: 18px; line-height: 28px; white-space: nowrap; }
.rb-blank { overflow: hidden; text-overflow: ellipsis; }
.rb-blank span { font-weight: 400; margin-left: 8px; }
.rb-blank i { font: 500 18px/1 var(--st-code-font, "Source Code Pro", monospace); }
.st-key-masked-strip-large { zoom: 1.2; }
.st-key-masked-strip-long { max-height: 124px; overflow-y: auto; }
</style>"""


def text_line(settings: Settings) -> None:
    """The text box. Typing in one part of the text does not forget the words hidden in another."""
    before, hidden = settings["text"], list(settings["words"])

    def retyped() -> None:
        settings.set(words=blanks.carry(before, hidden, settings["text"]))

    text_box(settings, "text", "A sentence with [MASK] in it", "Type a sentence", on_change=retyped)


def read_line(model: "LanguageModel", settings: Settings) -> Sentence:
    """The text as the model reads it. Raises AbilityError for a model that guesses no words."""
    from explorer.trace import Ability

    model.require(Ability.FILL, "guess masked words")
    return blanks.sentence(model, settings["text"], settings["words"], settings["blank"])


def strip(model: "LanguageModel", settings: Settings, line: Sentence) -> None:
    """The sentence, word by word; a click hides one, chooses a blank, or puts a word back."""

    def clicked(index: int) -> None:
        if index < len(line.words):
            settings.set(**blanks.click(line, index))

    # By the number of words, which no click changes: a second click finds the word where it was.
    size = "-large" if len(line.words) <= SHORT else "-long" if len(line.words) > LONG else ""
    st.html(CSS)
    with st.container(key=f"masked-strip{size}"):
        token_strip(
            [_token(model, line, index) for index in range(len(line.words))],
            "masked/strip",
            "The words of the sentence; click one to hide it",
            clicked,
        )


def invite(line: Sentence) -> None:
    """What to do where there is no blank to look at."""
    if line.beyond:
        said = (
            f"Every {MASK} stands after the part that is read. Shorten the text, or click a word to mask it."
        )
    elif line.words:
        said = f"Click a word to mask it, or write {MASK} into the text."
    else:
        said = f"Type a sentence, with {MASK} where a word is to be guessed."
    st.html(f'<p class="rb-how" style="font-size:22px">{said}</p>')


def what_was_cut(line: Sentence) -> None:
    """One line on what a long text lost."""
    if line.encoding.cut:
        beyond = f", with {line.beyond} {MASK} among them" if line.beyond else ""
        quiet(f"The first {len(line.encoding)} tokens are read; {line.encoding.cut:,} were cut{beyond}.")


def listed(text: str, most: int | None = None) -> list[str]:
    """Words separated by commas, each once, and no more than `most`.

    >>> listed("he, him,, he ", 2)
    ['he', 'him']
    """
    words = [word.strip() for word in text.split(",")]
    return list(dict.fromkeys(word for word in words if word))[:most]


def quiet(said: str) -> None:
    """A line in small, pale type."""
    st.html(f'<p class="rb-quiet" style="margin:0">{escape(said)}</p>')


def _token(model: "LanguageModel", line: Sentence, index: int) -> dict[str, Any]:
    word, number = line.words[index], line.numbers.get(index)
    glued = index > 0 and line.words[index - 1].end == word.start
    if number is not None:
        back = f"click to put “{line.hidden[number]}” back" if line.hidden[number] else "a blank of the text"
        return {
            "text": MASK if len(line.numbers) == 1 else f"{MASK} {number + 1}",
            "glued": glued,
            "mark": "dashed",
            "selected": number == line.blank,
            "title": back if number == line.blank else "click to look at this blank",
        }
    pieces = [line.encoding.tokens[position] for position in word.positions]
    if model.tokenizer.unknown in line.encoding.ids[word.positions]:
        return {"text": word.text, "glued": glued, "mark": "dotted", "title": "unknown: read as [UNK]"}
    title = f"{' '.join(pieces)}: click to hide" if len(pieces) > 1 else "click to hide"
    return {"text": word.text, "glued": glued, "title": title}
