"""From both sides: what each of two one-way readers expects at a place of a sentence."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.elmo.presets import PRESETS
from explorer.views.elmo.settings import MODEL, PLACE, SEPARATED, TEXT, K
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.server import caching
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.look import blocklist
from explorer.views.look.blocklist import DOTS
from explorer.views.settings.settings import Settings
from explorer.views.widgets.bars import FULL_BAR, bars, short
from explorer.views.widgets.notes import instruction, note
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.token_strip import word_strip

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.prediction.one_side import Sides
    from explorer.models import Model
    from explorer.models.base import Text
    from explorer.trace import Encoding


MIDDLE = 0  # until a word is clicked, the middle one is chosen: both readers have something to read
COUNTS = (5, 10, 20, 50)
MARKS = {"<S>": "the start of the sentence", "</S>": "its end"}


@dataclass(frozen=True, eq=False)
class Line:
    """The part of a text that is read, its words, and which of them is chosen (counted from 1).

    `read` is a text for the model to split, or the words as they were separated by spaces.
    """

    read: "str | tuple[str, ...]"
    encoding: "Encoding"
    place: int

    @property
    def text(self) -> str:
        """The part that is read, as one text."""
        return self.read if isinstance(self.read, str) else " ".join(self.read)

    def around(self) -> "tuple[str | list[str], str | list[str]]":
        """The text before the chosen word and the text after it, as the Python example takes them."""
        if not isinstance(self.read, str):
            return list(self.read[: self.place - 1]), list(self.read[self.place :])
        start, end = self.encoding.spans[self.place] if self.words else (0, 0)
        return self.read[:start], self.read[end:]

    @property
    def words(self) -> list[str]:
        """The words between the two marks."""
        return self.encoding.tokens[1:-1]


def read_line(model: "Model", settings: Settings) -> Line:
    """The text as the model reads it. Raises AbilityError for one that does not read from both sides."""
    from explorer.trace import Ability

    model.require(Ability.NEXT_WORD, "guess the next word")
    model.require(Ability.PREVIOUS_WORD, "guess the word before")
    text = settings[TEXT]
    own = tuple(text.split()) if settings[SEPARATED] else None
    encoding = model.encode(text if own is None else own, limit=LIVE_TOKENS)
    end = encoding.spans[-2][1] if len(encoding) > 2 else 0
    last = max(len(encoding) - 2, 1)
    return Line(
        read=(text[:end] if encoding.truncated else text) if own is None else own[: len(encoding) - 2],
        encoding=encoding,
        place=(last + 1) // 2 if settings[PLACE] == MIDDLE else min(max(settings[PLACE], 1), last),
    )


def controls(page: OpenPage[None]) -> None:
    """The sentence, and below it word by word; how many candidates, and who separates the words."""
    settings = page.settings
    text_box(settings, TEXT, "A sentence", "Type a sentence", resets=[PLACE.to(MIDDLE)])
    line = read_line(page.model, settings)
    title, spans = "click a word to see what both sides expect there", line.encoding.spans[1:-1]
    word_strip(settings, PLACE, line.words, line.place - 1, "sides/strip", title, spans)
    if line.encoding.truncated:
        note(f"The first {len(line.words)} words are read; {line.encoding.truncated:,} were cut.")
    settings.nearest(K, COUNTS)
    counts, words = st.columns(2, gap="medium", vertical_alignment="center")
    counts.segmented_control(
        "How many candidates",
        COUNTS,
        key=settings.key(K, "How many candidates"),
        required=True,
        format_func=lambda count: f"Top {count}" if count == COUNTS[0] else str(count),
        label_visibility="collapsed",
    )
    words.toggle(
        "Split at spaces only",
        key=settings.key(SEPARATED, "Split at spaces only"),
        help="Each word is what is between two spaces, so that “U.S.” and “mid-October” stay whole.",
    )


def draw(page: OpenPage[None]) -> Saves:
    """Both lists side by side, on one scale; below each, the word in the sentence."""
    settings, model = page.settings, page.model
    line = read_line(model, settings)
    if not line.words:
        instruction("Type a sentence, and click a word of it.")
        return []
    predictions = expected(model, line.read, line.place)
    start, end = line.encoding.spans[line.place]
    before, after = line.text[:start], line.text[end:]
    blocked = blocklist.over(settings[MODEL], line.text)
    lists = {
        "left": (f"{_tail(before)} <b>…</b>", predictions.left, (before, "")),
        "right": (f"<b>…</b> {_head(after)}", predictions.right, ("", after)),
    }
    rows = {side: _rows(model, p, settings[K], blocked, *near) for side, (_, p, near) in lists.items()}
    notes = [FULL_BAR]
    for column, (side, (heading, probabilities, _)) in zip(st.columns(2, gap="medium"), lists.items()):
        with column, st.container(gap="xxsmall"):
            st.html(f'<p class="rb-quiet" style="margin:0;font-size:18px">From the {side}: {heading}</p>')
            candidates = [*rows[side], _own(model, probabilities, line)]
            bars(candidates, f"sides/bars/{side}", f"What is expected from the {side}")
        notes += [f"{row['token']} is {MARKS[row['token']]}." for row in rows[side] if row["token"] in MARKS]
    lost = [short(float(p[model.tokenizer.unknown])) for p in (predictions.left, predictions.right)]
    notes.append(f"Words outside the vocabulary share {lost[0]} on the left and {lost[1]} on the right.")
    note(" ".join(dict.fromkeys(notes)))
    return [
        Picture("picture", "from-both-sides"),
        Export(
            "Both lists",
            "from-both-sides.csv",
            lambda: table(
                ["side", "word", "probability", "rank"],
                [
                    [side, DOTS if row.get("covered") else row["token"], row["probability"], rank]
                    for side, some in rows.items()
                    for rank, row in enumerate(some, 1)
                ],
            ),
        ),
    ]


READING = Reading(
    "Neither LSTM has seen the chosen word. The left list is predicted only from the words before it, "
    "the right list only from those after it. The word itself is below, with its rank.",
    "The two never exchange what they know. On the page Masked words, BERT looks at both sides at once.",
)


def example(page: OpenPage[None]) -> Example:
    """The same lists from Python."""
    line = read_line(page.model, page.settings)
    before, after = line.around()
    return Example(
        both_sides,
        model=Load(page.settings[MODEL]),
        before=before,
        after=after,
        top=page.settings[K],
    )


def both_sides(model: "Model", before: "Text", after: "Text", top: int) -> dict[str, list[tuple[str, float]]]:
    """The words that each reader expects between two pieces of a sentence, with their probabilities."""
    from explorer.analysis import prediction

    return {
        "from the left": prediction.next_words(model, before, top),
        "from the right": prediction.previous_words(model, after, top),
    }


@caching.resource(max_entries=64)
def expected(model: "Model", text: "str | tuple[str, ...]", place: int) -> "Sides":
    """One forward pass, kept for all visitors."""
    from explorer.analysis import prediction

    return prediction.sides(model, text, place)


def _rows(
    model: "Model",
    probabilities: "Tensor",
    k: int,
    blocked: blocklist.Blocklist,
    before: str,
    after: str,
) -> list[dict[str, object]]:
    from explorer.analysis.prediction.one_side import words_of

    return [
        {
            "token": c.token,
            "probability": c.probability,
            "tip": MARKS.get(c.token, ""),
            "covered": blocklist.covers(blocked, before, c.token, after),
        }
        for c in words_of(model, probabilities, k)
    ]


def _own(model: "Model", probabilities: "Tensor", line: Line) -> dict[str, object]:
    """The word in the sentence with its rank, or without one if the vocabulary lacks it."""
    word, id = line.encoding.tokens[line.place], int(line.encoding.ids[line.place])
    row = {"token": word, "state": "highlight", "pinned": True}
    if id == model.tokenizer.unknown:
        tip = "not in the vocabulary of the predictions; it is read by its letters"
        return row | {"probability": None, "rank": None, "instead": "unknown", "tip": tip}
    likelier = probabilities > probabilities[id]
    likelier[model.tokenizer.unknown] = False
    return row | {"probability": float(probabilities[id]), "rank": int(likelier.sum()) + 1}


def _tail(text: str, letters: int = 34) -> str:
    """The end of a text that is too long for a heading, ready for HTML."""
    text = text.strip()
    return quoted(text if len(text) <= letters else f"… {text[-letters:].split(' ', 1)[-1]}")


def _head(text: str, letters: int = 34) -> str:
    text = text.strip()
    return quoted(text if len(text) <= letters else f"{text[:letters].rsplit(' ', 1)[0]} …")


VIEW = View(
    label="From both sides",
    first=Hints(
        "“They were on the other …” suggests “side”, and so does “… of the river”. Neither list comes "
        "from both.",
        "Click another word: which side knows more there?",
    ),
    settings=(TEXT, SEPARATED, PLACE, K),
    presets=PRESETS,
    controls=controls,
    draw=draw,
    reading=READING,
    example=example,
)
