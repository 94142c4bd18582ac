"""Skip-gram: the scores of word2vec's two matrices beside those of a head's queries and keys."""

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer import assets
from explorer.assets import TEXTS
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.transformer import layer_and_head
from explorer.views.transformer.presets import BESIDE as PRESETS
from explorer.views.transformer.settings import HEAD, LAYER, TEXT, WORDS
from explorer.views.widgets.notes import instruction
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.token_names import token_labels

if TYPE_CHECKING:
    from explorer.analysis.transformer.readings import Readings


TOKENS, MOST_WORDS = 9, 9
SMALL_TEXT = TEXTS / "kingdom.txt"
DIMENSIONS, EPOCHS, RATE, SUBSAMPLE = 50, 30, 0.05, 0.01  # as on the page that trains it live


def controls(page: OpenPage[None]) -> None:
    """The words, and the sentence; layer and head are beside them."""
    with st.container(key="transformer-texts", horizontal=True, vertical_alignment="top", gap="small"):
        text_box(page.settings, WORDS, "Words of the small text", "Type words, separated by commas")
        text_box(page.settings, TEXT, "Your sentence", "Type a sentence")
        layer_and_head.controls(page)


def draw(page: OpenPage[None]) -> Saves:
    """The two tables side by side. Raises TextError for words that the small text does not have."""
    from explorer.analysis.transformer import walk
    from explorer.analysis.transformer.readings import head_readings

    settings = page.settings
    if not settings[TEXT].strip():
        instruction()
        return []
    skipgram = _train(assets.text(SMALL_TEXT), tuple(_split(settings[WORDS])))
    steps = walk(page.model, settings[TEXT], None, settings[LAYER], settings[HEAD], TOKENS)
    head = head_readings(steps, [token["text"] for token in token_labels(steps.encoding)])
    component("transformer/score_maps")(
        key="transformer/beside",
        data={
            "maps": [
                _map(
                    skipgram,
                    "skip-gram: W and W′",
                    "S_{co} = v_{c} · u_{o},  v of W, u of W′",
                    "Of words, the same in every sentence. Trained here on a small text of our own: the "
                    "bundled word2vec ships with W only, as most word vectors do.",
                ),
                _map(
                    head,
                    f"head L{steps.layer}H{steps.head}: Q and K",
                    "S_{ij} = q_{i} · k_{j} / √d,  q = x W_{Q}, k = x W_{K}",
                    "Of tokens, made anew for each sentence: x holds what the layers below have read.",
                ),
            ],
            "rows": 0,
        },
    )
    layer_and_head.note_unread(steps.encoding)
    return [
        Picture("picture", "two-readings"),
        Export("skip-gram’s scores", "skip-gram.csv", partial(_table, skipgram)),
        Export("The head’s scores", "head.csv", partial(_table, head)),
    ]


def reading(page: OpenPage[None]) -> Reading:
    """How to read it."""
    return Reading(
        "A row asks, a column is asked; the number is the dot product of the row’s first reading and the "
        "column’s second. Neither table is symmetric, for a word has two readings in both.",
        "Skip-gram learns its scores to say which words stand near which; nobody tells a head what its "
        "scores are for.",
    )


def example(page: OpenPage[None]) -> Example:
    """Skip-gram's scores from Python."""
    return Example(skipgram_scores, words=_split(page.settings[WORDS]))


def skipgram_scores(words: list[str]) -> list[list[float]]:
    """The dot products of the words' rows of W with their rows of W', after a short training."""
    from explorer import assets
    from explorer.analysis.transformer.readings import train_skipgram_readings
    from explorer.analysis.vectors.train import Settings

    text = assets.text(assets.TEXTS / "kingdom.txt")
    settings = Settings(dimensions=50, epochs=30, rate=0.05, subsample=0.01)
    return train_skipgram_readings(text, words, settings).scores.tolist()


@st.cache_resource(max_entries=16, show_spinner=False)
def _train(text: str, words: tuple[str, ...]) -> "Readings":
    """Skip-gram on the small text, trained once for all visitors: it takes a second or two."""
    from explorer.analysis.transformer.readings import train_skipgram_readings
    from explorer.analysis.vectors.train import Settings

    settings = Settings(dimensions=DIMENSIONS, epochs=EPOCHS, rate=RATE, subsample=SUBSAMPLE)
    return train_skipgram_readings(text, words, settings)


def _split(words: str) -> list[str]:
    return [word for word in words.casefold().replace(",", " ").split() if word][:MOST_WORDS]


def _map(readings: "Readings", title: str, formula: str, note: str) -> dict[str, Any]:
    return {
        "title": title,
        "formula": formula,
        "note": note,
        "rows": readings.words,
        "columns": readings.words,
        "digits": 1,
        "numbers": readings.scores.tolist(),
        "most": float(readings.scores.abs().max().clamp_min(1e-9)),
    }


def _table(readings: "Readings") -> str:
    return table(
        ["from", *readings.words], [[w, *row] for w, row in zip(readings.words, readings.scores.tolist())]
    )


VIEW = View(
    label="Skip-gram",
    audience="For those who know word2vec’s two vectors for each word.",
    first=Hints(
        "Both multiply two readings of a word: skip-gram its two matrices, a head its queries and keys.",
        "Change the words, and compare the two tables.",
    ),
    settings=(WORDS, LAYER, HEAD),
    presets=PRESETS,
    needs=("ATTENTION",),
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
