"""Score: the surprisal of each word of a sentence, and which of two sentences the model prefers."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.presenter import presenting
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.server import caching
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.masked import presets
from explorer.views.masked.blanks import MASK
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import BETTER, BLANK, PINNED, PROBE, TEXT, VIEW_NAME, WHOLE, WORDS, WORSE
from explorer.views.settings.settings import Settings
from explorer.views.widgets.notes import instruction, note
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.registry import component, component_value
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.prediction.pseudo_likelihood import SentenceScore
    from explorer.models import Model


TALL_PX, LOW_PX = 84, 76  # of a full bar, and in presenter mode
FULL_BARS = (4, 8, 12, 16, 24, 40, 64, 100, 160, 250)  # bits at the top: few, so that it seldom changes


def ask(settings: Settings) -> None:
    """Draw the boxes of the two sentences, and the switch that hides whole words."""
    text_box(settings, BETTER, "A sentence to score", "Type a sentence")
    left, right = st.columns([70, 30], gap="medium", vertical_alignment="center")
    with left:
        text_box(settings, WORSE, "A sentence to compare it with", "A second one to compare it with")
    right.toggle(
        "Hide a whole word",
        key=settings.key(WHOLE, "Hide a whole word"),
        help="In a word of several pieces, hide the pieces that follow too, so that they give nothing away",
    )


def draw(page: OpenPage[PageText]) -> Saves:
    """Draw each word with its surprisal as a bar; both sentences have the same scale."""
    settings, texts = page.settings, filled_texts(page.settings)
    if not texts:
        instruction("Type a sentence, or two to compare.")
        return []
    scores = [score(page.model, text, settings[WHOLE]) for text in texts]
    different = differing(scores) if len(scores) == 2 else [set(), set()]
    full = _full(scores)

    def clicked() -> None:
        places = [{"line": line, "word": range(len(score.words))} for line, score in enumerate(scores)]
        if at := component_value("masked/score", "click", places):
            word, text = scores[at["line"]].words[at["word"]], scores[at["line"]].text
            masked_text = text[: word.start] + MASK + text[word.start + len(word.text) :]
            before = text[: word.start].count(MASK)
            settings.set(
                VIEW_NAME.to("predict"),
                TEXT.to(masked_text),
                BLANK.to(before),
                PINNED.to(""),
                PROBE.to(""),
                WORDS.to([*[""] * before, word.text]),
            )

    component("masked/word_columns")(
        key="masked/score",
        data={
            "active": True,
            "tall": LOW_PX if presenting() else TALL_PX,
            "lines": [
                {
                    "title": f"{sentence.bits:.1f} bits",
                    "says": "in all, if each word is guessed from all the others",
                    "label": "Surprisal of each word, in bits",
                    "words": _columns(sentence, full, different[line], "one" if line == 0 else "other"),
                }
                for line, sentence in enumerate(scores)
            ],
        },
        on_click_change=clicked,
    )
    if len(scores) == 2:
        st.html(f'<p class="rb-how">{verdict(scores, different)}</p>')
    note(f"A full bar is {full:g} bits. Click a word to hide it and see what the model expects there.")
    return [
        Picture("picture", "sentence-score"),
        Export("Surprisal by word", "sentence-score.csv", lambda: as_table(scores)),
    ]


def reading(page: OpenPage[PageText]) -> Reading:
    """How to read the bars."""
    hidden = "together with the pieces of its word that follow it" if page.settings[WHOLE] else "alone"
    return Reading(
        f"Each token is hidden {hidden} and guessed from all the others. A bar is a word’s surprisal, −log₂ "
        "of its probability, summed over its pieces. The fewer bits a sentence has, the more the model "
        "prefers it.",
        "The sum, with a minus sign, is a pseudo-log-likelihood (Salazar et al. 2020). It is not the "
        "probability of the sentence, since each word is guessed from all the rest. Compare sentences of "
        "similar length.",
    )


def example(page: OpenPage[PageText]) -> Example:
    """The same numbers from Python."""
    return Example(
        bits_by_word,
        model=Load(str(page.model.checkpoint)),
        texts=filled_texts(page.settings),
        whole=page.settings[WHOLE],
    )


def bits_by_word(model: "Model", texts: list[str], whole: bool) -> list[list[tuple[str, float]]]:
    """The surprisal in bits of each word of some texts.

    `whole` hides a piece of a word together with the pieces that follow it in the word.
    """
    from explorer.analysis.prediction import pseudo_likelihood

    scores = pseudo_likelihood.score_sentences(model, texts, whole)
    return [[(word.text, word.bits) for word in score.words] for score in scores]


def filled_texts(settings: Settings) -> list[str]:
    """The sentences that are not empty."""
    return [text for text in (settings[BETTER], settings[WORSE]) if text.strip()]


@caching.resource(max_entries=32)
def score(model: "Model", text: str, whole: bool) -> "SentenceScore":
    """A sentence's score, cached for all visitors. Raises TextError for one too long to be scored live."""
    from explorer.analysis.prediction import pseudo_likelihood

    cut = model.encode(text, limit=LIVE_TOKENS).truncated
    if cut:
        raise TextError(
            f"The sentence is {cut:,} tokens too long: at most {LIVE_TOKENS} are scored here.",
            "Score it in parts.",
        )
    return pseudo_likelihood.score_sentences(model, [text], whole)[0]


def differing(scores: "Sequence[SentenceScore]") -> list[set[int]]:
    """The indices of the words in which two sentences differ, for each of the two."""
    first, second = ([word.text.lower() for word in sentence.words] for sentence in scores)
    different: list[set[int]] = [set(), set()]
    for kind, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind != "equal":
            different[0].update(range(a, b))
            different[1].update(range(c, d))
    return different


def verdict(scores: "Sequence[SentenceScore]", different: Sequence[set[int]]) -> str:
    """Which sentence the model prefers, and how much of that is due to the words that differ; as HTML."""
    first, second = scores
    gap = abs(first.bits - second.bits)
    if gap < 0.05:
        return "Both sentences have the same score."
    which = "first" if first.bits < second.bits else "second"
    sentence = f"The model prefers the <b>{which}</b> sentence by {gap:.1f} bits"
    costs = [sum(s.words[i].bits for i in indices) for s, indices in zip(scores, different)]
    words = [", ".join(quoted(s.words[i].text) for i in sorted(at)) for s, at in zip(scores, different)]
    if not all(words) or max(map(len, different)) > 3:
        return f"{sentence}."
    from_words = costs[1] - costs[0] if which == "first" else costs[0] - costs[1]
    return (
        f"{sentence}: {_signed(from_words)} of them from <b>{words[0]}</b> instead of <b>{words[1]}</b>, "
        f"{_signed(gap - from_words)} from the other words, which are guessed with that word visible."
    )


def _signed(bits: float) -> str:
    return f"{bits:.1f}".replace("-", "−")


def _full(scores: "Sequence[SentenceScore]") -> float:
    """The bits of a full bar: the first of FULL_BARS that is high enough."""
    highest = max((word.bits for score in scores for word in score.words), default=0.0)
    return next((float(full) for full in FULL_BARS if full >= highest), highest)


def _columns(score: "SentenceScore", full: float, different: set[int], tone: str) -> list[dict[str, Any]]:
    """A sentence's words as the component draws them; those that are `different` are painted in `tone`."""
    columns = []
    for i, word in enumerate(score.words):
        before = score.words[i - 1] if i else None
        each = ", ".join(f"{p} {bits:.2f}" for p, bits in zip(word.pieces, word.surprisals))
        columns.append(
            {
                "text": word.text,
                "glued": before is not None and before.start + len(before.text) == word.start,
                "tone": tone if i in different else "",
                "bar": word.bits / full,
                "number": f"{word.bits:.1f}",
                "tip": f"{word.bits:.4f} bits, probability {2**-word.bits:.6g}"
                + (f"\n{len(word.pieces)} pieces: {each}" if len(word.pieces) > 1 else ""),
            }
        )
    return columns


def as_table(scores: "Sequence[SentenceScore]") -> str:
    """The words of all sentences as a table to save."""
    rows = [
        [score.text, word.text, " ".join(word.pieces), word.bits] for score in scores for word in score.words
    ]
    return table(["sentence", "word", "pieces", "bits"], rows)


VIEW = View(
    label="Score",
    audience="For those who compare whole sentences: how many bits each word costs the model.",
    first=Hints(
        "The sentence with “is” costs more bits. Most of the difference is at the verb.",
        "Change “cabinet” to “cabinets” in both.",
    ),
    settings=(BETTER, WORSE, WHOLE),
    presets=presets.presets_for("score"),
    needs=("FILL",),
    ask=ask,
    draw=draw,
    reading=reading,
    example=example,
)
