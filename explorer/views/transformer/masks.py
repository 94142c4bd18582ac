"""Who may look at whom: one model under three masks, and three models as their papers draw them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import blocklist, caching
from explorer.views.frame.blocklist import DOTS
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.presenter import presenting
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves
from explorer.views.transformer import mask_charts
from explorer.views.transformer import order_presets as presets
from explorer.views.transformer.plots import unseen
from explorer.views.transformer.settings import (
    MASKS_LAYER,
    MASKS_PAIR,
    MASKS_PART,
    MASKS_PLACE,
    MASKS_TEXT,
    MODEL,
)
from explorer.views.transformer.transformer_view import Computed, TransformerView
from explorer.views.widgets.bars import bars, short
from explorer.views.widgets.notes import note
from explorer.views.widgets.numbered import numbered
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.token_text import label

if TYPE_CHECKING:
    from explorer.analysis.visibility.masks import MaskResult
    from explorer.models import LanguageModel, Model
    from explorer.trace import Encoding


PARTS = {"masks": "One model, three masks", "readers": "BERT, GPT and ELMo"}
TOKENS, PLACES = 20, 7
GUESSES = 3
TRAINED = (
    "BERT was trained under the first mask alone: under the other two its weights meet what they have never "
    "seen, and its guesses show it. UniLM was trained under all three."
)
SCHEMATIC = (
    "A drawing with two layers; the bundled models, except ELMo, have more. That their states depend on "
    "these words and no others is tested on the models themselves."
)


@dataclass(frozen=True, eq=False)
class UnderMasks:
    """A text as the model reads it, and what comes out under each mask."""

    encoding: "Encoding"
    found: "list[MaskResult]"


def texts(settings: Settings, model: "LanguageModel | None") -> None:
    """The text with a blank, and a second one where the model reads pairs."""
    assert model is not None
    both = model.reads_pairs
    row = st.columns(2 if both else 1, gap="small")
    with row[0]:
        text_box(settings, MASKS_TEXT, "First sentence", "Type a sentence", blanks=True)
    if both:
        with row[1]:
            text_box(settings, MASKS_PAIR, "Second sentence", "A second sentence, or nothing", blanks=True)


def compute(settings: Settings, model: "LanguageModel | None") -> UnderMasks:
    """The text under each mask. Raises TextError where nothing is to be guessed."""
    assert model is not None
    pair = settings[MASKS_PAIR].strip() if model.reads_pairs else ""
    return _under_masks(model, settings[MASKS_TEXT], pair or None)


def controls(page: "Page[Computed[UnderMasks]]") -> None:
    """What is looked at; then the layer, or the word."""
    settings = page.settings
    if settings[MASKS_PART] not in PARTS:
        settings.adjust(MASKS_PART.to("masks"))
    st.segmented_control(
        "Look at",
        list(PARTS),
        key=settings.key(MASKS_PART, "Look at", PARTS.get),
        format_func=lambda name: PARTS[name],
        required=True,
        label_visibility="collapsed",
        width="content",
    )
    if settings[MASKS_PART] == "masks":
        layers = page.model.config.layers
        numbered(settings, MASKS_LAYER, "Layer", layers)
    else:
        most = max(2, len(_words(settings)))
        settings.adjust(MASKS_PLACE.to(min(max(settings[MASKS_PLACE], 1), most)))
        st.slider("Word", 1, most, key=settings.key(MASKS_PLACE, "Word"), width=200)


def draw(page: "Page[Computed[UnderMasks]]") -> Saves:
    """Three panels side by side."""
    if page.settings[MASKS_PART] == "readers":
        return _draw_readers(page.settings)
    under, layer = page.data.result, page.settings[MASKS_LAYER]
    tokens = [label(under.encoding, at) for at in range(len(under.encoding))]
    drawn = mask_charts.patterns(tokens, under.encoding.special, under.found, layer, palette())
    chart(drawn, "transformer/masks")
    blocked = blocklist.over(str(page.model.checkpoint), under.encoding.text, under.encoding.pair or "")
    guesses = [_guesses(page.model, one, blocked) for one in under.found]
    for column, one, rows in zip(st.columns(3, gap="medium"), under.found, guesses):
        with column:
            _show(rows, one.name)
    if under.encoding.truncated:
        note(f"The first {len(under.encoding)} tokens are read; {under.encoding.truncated:,} were cut.")
    return [
        Picture("picture", "masks"),
        Export("Patterns", "masks.csv", lambda: _weights(tokens, under.found)),
        Export("Guesses", "masked-guesses.csv", lambda: _guessed(under.found, guesses)),
    ]


def reading(page: "Page[Computed[UnderMasks]]") -> Reading:
    """How to read the part that is drawn."""
    if page.settings[MASKS_PART] == "readers":
        return Reading(
            "A state is made of those that a line leads up from. The strong lines are all the ways that lead "
            "to the chosen word’s top; the words where they begin are what it has read.",
            SCHEMATIC,
        )
    return Reading(
        "A row is a word that reads; its columns are the same words in the same order, in a stronger colour "
        "where it reads more (mean over the heads), shaded where it may not look. Below, the guesses for the "
        "last [MASK]. “Moved” is how much probability went from some words to others, compared with both "
        "ways. The scale ends at the largest weight on a word; [CLS] and [SEP] may take more.",
        TRAINED,
    )


def example(page: "Page[Computed[UnderMasks]]") -> Example:
    """The guesses, or the words that have been read, from Python."""
    settings = page.settings
    if settings[MASKS_PART] == "readers":
        return Example(words_read, words=_words(settings), place=_place(settings))
    pair = settings[MASKS_PAIR].strip() if page.model.reads_pairs else ""
    return Example(
        guesses_under_masks,
        model=Load(settings[MODEL]),
        text=settings[MASKS_TEXT],
        pair=pair or None,
        limit=TOKENS,
    )


def guesses_under_masks(
    model: "Model", text: str, pair: str | None, limit: int
) -> dict[str, list[tuple[str, float]]]:
    """The three likeliest words for the blank under each mask, with their probabilities."""
    from explorer.analysis import prediction
    from explorer.analysis.visibility import masks

    return {
        one.name: [(c.token, c.probability) for c in prediction.ranked(model, one.probabilities, 3)]
        for one in masks.compare(model, text, pair, limit)
    }


def words_read(words: list[str], place: int) -> dict[str, list[str]]:
    """Which words the topmost state at a place (counted from 0) has read, in each model."""
    from explorer.analysis.visibility import readers

    found = {}
    for kind in readers.KINDS:
        drawing = readers.drawing(kind, len(words))
        read = readers.read_by(drawing, readers.Node(drawing.rows, place))
        found[kind] = [words[at] for at in sorted(read)]
    return found


@caching.resource(max_entries=64)
def _under_masks(model: "LanguageModel", text: str, pair: str | None) -> UnderMasks:
    from explorer.analysis.visibility import masks

    return UnderMasks(model.encode(text, pair, TOKENS), masks.compare(model, text, pair, TOKENS))


def _words(settings: Settings) -> list[str]:
    """The words of the drawing: the text's own, as many as fit."""
    from explorer.analysis.positions.shuffling import split

    return split(settings[MASKS_TEXT])[:PLACES] or ["a", "word"]


def _place(settings: Settings) -> int:
    return min(max(settings[MASKS_PLACE], 1), len(_words(settings))) - 1


def _draw_readers(settings: Settings) -> Saves:
    words, place = _words(settings), _place(settings)
    chart(mask_charts.readers(words, place, palette()), "transformer/readers")
    read = words_read(words, place)
    unseen(" ".join(f"{kind} at “{words[place]}” has read {', '.join(some)}." for kind, some in read.items()))
    rows = [[kind, word] for kind, some in read.items() for word in some]
    return [
        Picture("picture", "who-reads-whom"),
        Export("Words read", "who-reads-whom.csv", lambda: table(["model", "word"], rows)),
    ]


def _guesses(model: "Model", one: "MaskResult", blocked: blocklist.Blocklist) -> list[dict[str, object]]:
    from explorer.analysis import prediction

    return [
        {
            "token": c.token,
            "probability": c.probability,
            "covered": blocklist.covers(blocked, "", c.token, ""),
        }
        for c in prediction.ranked(model, one.probabilities, GUESSES)
    ]


def _show(rows: list[dict[str, Any]], name: str) -> None:
    """The guesses as bars; in a line where presenter mode leaves no room for more."""
    if presenting():
        words = (f"{DOTS if row['covered'] else row['token']} {short(row['probability'])}" for row in rows)
        note(" · ".join(words))
    else:
        bars(
            rows, f"transformer/masks/{name}", f"What is expected: {mask_charts.NAMES[name]}", visible=GUESSES
        )


def _weights(tokens: list[str], found: "list[MaskResult]") -> str:
    rows = [
        [one.name, layer, tokens[query], tokens[key], weight]
        for one in found
        for layer, pattern in enumerate(one.pattern.tolist())
        for query, row in enumerate(pattern)
        for key, weight in enumerate(row)
    ]
    return table(["mask", "layer", "from", "to", "weight (mean over heads)"], rows)


def _guessed(found: "list[MaskResult]", guesses: list[list[dict[str, Any]]]) -> str:
    rows = [
        [one.name, one.moved, rank, DOTS if row["covered"] else row["token"], row["probability"]]
        for one, some in zip(found, guesses)
        for rank, row in enumerate(some, 1)
    ]
    return table(["mask", "moved", "rank", "word", "probability"], rows)


VIEW = TransformerView(
    label="Masks",
    first=Hints(
        "One BERT under three masks: what is shaded is hidden from a word, and the guesses below change.",
        "Choose “BERT, GPT and ELMo”: who reads in which direction?",
    ),
    settings=(MASKS_PART, MASKS_TEXT, MASKS_PAIR, MASKS_LAYER, MASKS_PLACE),
    presets=presets.MASKS,
    needs=("FILL",),
    texts=texts,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
    compute=compute,
)
