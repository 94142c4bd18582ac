"""Masks: which words BERT, GPT and ELMo may look at, as diagrams; and one model under three masks."""

from typing import Any

import streamlit as st

from explorer import analysis
from explorer.locale import N_, _, translate
from explorer.views import kit
from explorer.views.look.blocklist import DOTS
from explorer.views.transformer import mask_charts
from explorer.views.transformer.layer_and_head import note_unread
from explorer.views.transformer.settings import (
    MASKS_LAYER,
    MASKS_PAIR,
    MASKS_PART,
    MASKS_PLACE,
    MASKS_TEXT,
    MODEL,
)
from explorer.views.types import Encoding, LanguageModel, MaskResult, Model

PARTS = {"readers": N_("BERT, GPT and ELMo"), "masks": N_("One model, three masks")}
TOKENS, PLACES = 20, 7
GUESSES = 3

VIEW_TEXT = kit.view_text("transformer", "masks")


def controls(page: kit.OpenPage[None]) -> None:
    """The sentence, for the maps a second one where the model reads pairs; then the layer, or the word."""
    settings = page.settings
    if settings[MASKS_PART] not in PARTS:
        settings.show_instead(MASKS_PART.to("masks" if _is_about_blanks(settings) else "readers"))
    with st.container(horizontal=True, gap="small"):
        kit.text_box(settings, MASKS_TEXT, _("First sentence"), _("Type a sentence"), blanks=True)
        if settings[MASKS_PART] == "masks" and page.model.reads_pairs:
            label, invitation = _("Second sentence"), _("A second sentence, or nothing")
            kit.text_box(settings, MASKS_PAIR, label, invitation, blanks=True)
    with st.container(horizontal=True, vertical_alignment="center"):
        kit.segments(settings, MASKS_PART, _("Look at"), translate(PARTS), width="content")
        if settings[MASKS_PART] == "masks":
            kit.numbered(settings, MASKS_LAYER, _("Layer"), page.model.config.layers)
        else:
            most = max(2, len(_words(settings)))
            kit.slider(settings, MASKS_PLACE, _("Word"), 1, most, width=200)


def _is_about_blanks(settings: kit.Settings) -> bool:
    """Whether a link without a part is about the maps, with which the view once opened."""
    changed = settings[MASKS_PAIR] != MASKS_PAIR.default or settings[MASKS_LAYER] != MASKS_LAYER.default
    return changed or "[MASK]" in settings[MASKS_TEXT]


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Three panels side by side."""
    if page.settings[MASKS_PART] == "readers":
        return _draw_readers(page.settings)
    encoding, results = _under_masks(page.model, page.settings[MASKS_TEXT], _pair(page))
    layer = page.settings[MASKS_LAYER]
    tokens = [kit.label(encoding, at) for at in range(len(encoding))]
    figure = mask_charts.patterns(tokens, encoding.special, results, layer, kit.palette())
    kit.chart(figure, "transformer/masks", least=820)
    blocked = kit.blocklist.over(str(page.model.checkpoint), encoding.text, encoding.pair or "")
    guesses = [_guesses(page.model, result, blocked) for result in results]
    for column, result, rows in zip(st.columns(3, gap="medium"), results, guesses):
        with column:
            _show(rows, result.name)
    note_unread(encoding)
    return [
        kit.Picture("picture", "masks"),
        kit.Export(N_("Patterns"), "masks.csv", lambda: _weights_table(tokens, results)),
        kit.Export(N_("Guesses"), "masked-guesses.csv", lambda: _guesses_table(results, guesses)),
    ]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The guesses, or the words that have been read, from Python."""
    settings = page.settings
    if settings[MASKS_PART] == "readers":
        return kit.Example(words_read, words=_words(settings), place=_place(settings))
    return kit.Example(
        guesses_under_masks,
        model=kit.Load(settings[MODEL]),
        text=settings[MASKS_TEXT],
        pair=_pair(page),
        limit=TOKENS,
    )


def guesses_under_masks(
    model: "Model", text: str, pair: str | None, limit: int
) -> dict[str, list[tuple[str, float]]]:
    """The three most probable words for the blank under each mask, with their probabilities."""
    from explorer.analysis import prediction
    from explorer.analysis.visibility import masks

    return {
        result.name: [(c.token, c.probability) for c in prediction.ranked(model, result.probabilities, 3)]
        for result in masks.compare(model, text, pair, limit)
    }


def words_read(words: list[str], place: int) -> dict[str, list[str]]:
    """The words that the top state at a place (counted from 0) has read, in each model."""
    from explorer.analysis.visibility import readers

    words_by_model = {}
    for kind in readers.KINDS:
        drawing = readers.drawing(kind, len(words))
        read = readers.read_by(drawing, readers.Node(drawing.rows, place))
        words_by_model[kind] = [words[at] for at in sorted(read)]
    return words_by_model


def _pair(page: kit.OpenPage[None]) -> str | None:
    return page.settings[MASKS_PAIR].strip() or None if page.model.reads_pairs else None


@kit.kept(64)
def _under_masks(model: "LanguageModel", text: str, pair: str | None) -> "tuple[Encoding, list[MaskResult]]":
    """A text as the model reads it, and the result under each mask."""
    from explorer.analysis.visibility import masks

    return model.encode(text, pair, TOKENS), masks.compare(model, text, pair, TOKENS)


def _words(settings: kit.Settings) -> list[str]:
    """The words of the diagrams: the first words of the text."""
    from explorer.analysis.positions.shuffling import split

    return split(settings[MASKS_TEXT])[:PLACES] or ["a", "word"]


def _place(settings: kit.Settings) -> int:
    return min(max(settings[MASKS_PLACE], 1), len(_words(settings))) - 1


def _draw_readers(settings: kit.Settings) -> kit.Saves:
    words, place = _words(settings), _place(settings)
    kit.chart(mask_charts.readers(words, place, kit.palette()), "transformer/readers", least=820)
    read = words_read(words, place)
    kit.spoken(
        " ".join(
            _("{model} at “{word}” has read {words}.", model=kind, word=words[place], words=", ".join(some))
            for kind, some in read.items()
        )
    )
    rows = [[kind, word] for kind, some in read.items() for word in some]
    return [
        kit.Picture("picture", "who-reads-whom"),
        kit.Export(N_("Words read"), "who-reads-whom.csv", lambda: kit.table(["model", "word"], rows)),
    ]


def _guesses(
    model: "Model", result: "MaskResult", blocked: kit.blocklist.Blocklist
) -> list[dict[str, object]]:
    return [
        {
            "token": c.token,
            "probability": c.probability,
            "covered": kit.blocklist.covers(blocked, "", c.token, ""),
        }
        for c in analysis.prediction.ranked(model, result.probabilities, GUESSES)
    ]


def _show(rows: list[dict[str, Any]], name: str) -> None:
    """Draw the guesses as bars, or in presenter mode, which has less room, as a line."""
    if kit.presenting():
        words = (
            f"{DOTS if row['covered'] else row['token']} {kit.short(row['probability'])}" for row in rows
        )
        kit.note(" · ".join(words))
    else:
        title = _(mask_charts.NAMES[name])
        kit.heading(title, stacked=True)
        kit.bars(
            rows, f"transformer/masks/{name}", _("What is expected: {mask}", mask=title), visible=GUESSES
        )


def _weights_table(tokens: list[str], results: "list[MaskResult]") -> str:
    rows = [
        [result.name, layer, tokens[query], tokens[key], weight]
        for result in results
        for layer, pattern in enumerate(result.pattern.tolist())
        for query, row in enumerate(pattern)
        for key, weight in enumerate(row)
    ]
    return kit.table(["mask", "layer", "from", "to", "weight (mean over heads)"], rows)


def _guesses_table(results: "list[MaskResult]", guesses: list[list[dict[str, Any]]]) -> str:
    rows = [
        [result.name, result.moved, rank, DOTS if row["covered"] else row["token"], row["probability"]]
        for result, some in zip(results, guesses)
        for rank, row in enumerate(some, 1)
    ]
    return kit.table(["mask", "moved", "rank", "word", "probability"], rows)


VIEW = kit.View(
    text=VIEW_TEXT.of_page(
        reading=lambda page: VIEW_TEXT.readings.get(page.settings[MASKS_PART], VIEW_TEXT.reading)
    ),
    settings=(MASKS_PART, MASKS_TEXT, MASKS_PAIR, MASKS_LAYER, MASKS_PLACE),
    needs=("FILL",),
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(covered=(".scatterlayer",), covers_most=True),
)
