"""Step by step: one layer of a model on a short text, from the vectors that enter to those that leave."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.example import Example, Load
from explorer.views.frame.first import First
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves
from explorer.views.transformer import chinese_presets, layer_and_head, presets
from explorer.views.transformer.settings import (
    CELLS,
    HEAD,
    LAYER,
    MODEL,
    PADDING,
    SIDE,
    STEP,
    TEXT,
    WAY,
    WORD,
)
from explorer.views.transformer.step_data import packed, tokens_of
from explorer.views.transformer.step_figures import OF_SOURCE
from explorer.views.transformer.transformer_view import Computed, TransformerView
from explorer.views.transformer.written import searched
from explorer.views.widgets import two_texts
from explorer.views.widgets.invite import invite
from explorer.views.widgets.notes import note_html
from explorer.views.widgets.registry import component, sent

if TYPE_CHECKING:
    from explorer.analysis.transformer import Walk
    from explorer.analysis.transformer.program import Step
    from explorer.models import LanguageModel


TOKENS = 12
LONGEST_TRAIL = 12
KEY = "transformer/steps"
RESETS = [CELLS.to([])]  # what points into the text
UNWRITTEN = "Of the translation the first {} tokens are shown."
NETWORKS = {"encoder": "Encoder", "decoder": "Decoder"}
ELSEWHERE = {"x2": "add-2", "m": "cross-project"}  # what leads from one side to the other, and its step there


def texts(settings: Settings, model: "LanguageModel | None") -> Any:
    """The sentence, and a second one where the model reads pairs; layer and head stand beside them."""
    assert model is not None
    row = two_texts.first_text(settings, RESETS)
    two_texts.second_text(settings, row, model, RESETS)
    return row


def compute(settings: Settings, model: "LanguageModel | None") -> "Walk":
    """The walk through the chosen layer."""
    from explorer.analysis.transformer import walk, walk_decoder

    assert model is not None
    if decoder(settings, model):
        layer, head = settings[LAYER], settings[HEAD]
        ids = searched(model, settings[TEXT], TOKENS)[0].ids
        return walk_decoder(model, settings[TEXT], ids, layer, head, TOKENS)
    return walk(
        model,
        settings[TEXT],
        two_texts.pair(settings, model) or None,
        settings[LAYER],
        settings[HEAD],
        TOKENS,
        TOKENS if settings[PADDING] else 0,
    )


def decoder(settings: Settings, model: "LanguageModel") -> bool:
    """Whether it is a decoder that is walked through, and reads an encoder."""
    return settings[SIDE] == "decoder" and _translates(model)


def _translates(model: "LanguageModel") -> bool:
    from explorer.trace import Ability

    return Ability.TRANSLATE in model.abilities


def controls(page: "Page[Computed[Walk]]") -> None:
    """Layer and head, which network of a model with two, and padding for a model that could read it."""
    settings, model = page.settings, page.model
    if _translates(model):
        if settings[SIDE] not in NETWORKS:
            settings.adjust(SIDE.to("encoder"))
        st.segmented_control(
            "Network",
            list(NETWORKS),
            key=settings.key(SIDE, "Network", NETWORKS.get),
            format_func=lambda name: NETWORKS[name],
            on_change=lambda: settings.set(CELLS.to([])),
            required=True,
            label_visibility="collapsed",
            width="content",
        )
    layer_and_head.controls(page, decoder(settings, model))
    if decoder(settings, model):
        return
    if not model.layer_parameters(0).causal:
        st.toggle(
            "Padding",
            key=settings.key(PADDING, "Padding"),
            help="Fill the row up, as beside longer texts of a batch",
        )


def draw(page: "Page[Computed[Walk]]") -> Saves:
    """The step in view; arrow keys, a slider and clicks walk."""
    settings = page.settings
    if not (settings[TEXT].strip() or two_texts.pair(settings, page.model)):
        invite()
        return []
    walk = page.data.result
    shown = _fit(settings, walk)
    component("transformer/steps")(
        key=KEY,
        data=packed(walk, shown, _side(page)),
        on_place_change=lambda: _take(settings, walk),
        on_ask_change=lambda: _ask(settings, walk),
        on_follow_change=lambda: _follow(settings, walk),
        on_back_change=lambda: _back(settings, walk),
        on_free_change=lambda: settings.set(CELLS.to([])),
    )
    layer_and_head.say_unread(walk.source or walk.encoding)
    if walk.source and walk.encoding.cut:
        note_html(UNWRITTEN.format(len(walk.encoding)))
    step = next((s for s in walk.steps if s.name == shown["step"]), walk.steps[-1])
    file = f"{settings[MODEL]}{'-decoder' if walk.source else ''}-L{walk.layer}H{walk.head}-{step.name}"
    return [
        Picture("picture", file),
        Export("This step, number by number", f"{file}.csv", lambda: _table(walk, step)),
        Export("The PyTorch of all steps", f"{file}.py", lambda: _program(walk)),
    ]


def reading(page: "Page[Computed[Walk]]") -> Reading:
    """How to read it."""
    return Reading(
        "A row is a token, a cell is a number: in colour above 0, in grey below, full from the largest "
        "hundredth on. Arrow keys walk: left and right from step to step, up and down from word to word. "
        "Click a number to see what made it, and follow that back.",
        "Of a large learnt matrix the picture shows, for each block, the number farthest from 0. "
        "A single number of a vector says little by itself.",
    )


def example(page: "Page[Computed[Walk]]") -> Example:
    """The walk from Python."""
    settings = page.settings
    if decoder(settings, page.model):
        return Example(
            walked_across,
            model=Load(settings[MODEL]),
            text=settings[TEXT],
            layer=settings[LAYER],
            head=settings[HEAD],
            limit=TOKENS,
        )
    return Example(
        walked,
        model=Load(settings[MODEL]),
        text=settings[TEXT],
        pair=two_texts.pair(settings, page.model) or None,
        layer=settings[LAYER],
        head=settings[HEAD],
        limit=TOKENS,
    )


def walked(
    model: "LanguageModel", text: str, pair: str | None, layer: int, head: int, limit: int
) -> list[tuple[str, dict[str, list[int]]]]:
    """Each step's lines of PyTorch, and the shapes of what they give."""
    from explorer.analysis.transformer import walk

    found = walk(model, text, pair, layer, head, limit)
    return [(step.code, {name: list(found.value(name).shape) for name in step.gives}) for step in found.steps]


def walked_across(
    model: "LanguageModel", text: str, layer: int, head: int, limit: int
) -> list[tuple[str, dict[str, list[int]]]]:
    """Each step of a decoder as lines of PyTorch, and the shapes of what they give."""
    from explorer.analysis.transformer import walk_decoder

    found = walk_decoder(model, text, None, layer, head, limit)
    return [(step.code, {name: list(found.value(name).shape) for name in step.gives}) for step in found.steps]


def _side(page: "Page[Computed[Walk]]") -> str:
    """Which network is walked through, of a model with two."""
    if not _translates(page.model):
        return ""
    return NETWORKS["decoder" if decoder(page.settings, page.model) else "encoder"]


def _fit(settings: Settings, walk: "Walk") -> dict[str, Any]:
    """What of the settings this walk has: a link may name any step, word or number."""
    count = len(walk.encoding)
    step = settings[STEP] if any(step.name == settings[STEP] for step in walk.steps) else "whole"
    cells = settings[CELLS] if _is_cell(settings[CELLS][-1:], walk) else []
    return {
        "step": step,
        "way": "all" if settings[WAY] == "all" else "one",
        "word": min(max(settings[WORD], 0), count - 1),
        "cells": cells,
    }


def _is_cell(last: list[Any], walk: "Walk") -> bool:
    """Whether the last number that was followed is one of this walk."""
    match last:
        case [[str(name), int(row), int(column), walk.layer, walk.head, *half]] if half == _half(walk):
            rows, columns = walk.value(name).shape if any(name in s.gives for s in walk.steps) else (0, 0)
            return 0 <= row < rows and 0 <= column < columns
    return False


def _half(walk: "Walk") -> list[str]:
    """What stands behind a number of a decoder, so that it is not taken for one of the encoder."""
    return ["decoder"] if walk.source else []


def _take(settings: Settings, walk: "Walk") -> None:
    """Where the visitor has walked to: a step, a way, a word."""
    place = sent(KEY, "place")
    if place and place["word"] < len(walk.encoding):
        settings.update({name: place[name] for name in (STEP, WAY, WORD)})


def _ask(settings: Settings, walk: "Walk") -> None:
    """A number of the figure was clicked: the step in view stays."""
    if asked := sent(KEY, "ask"):
        name, row, column = asked
        word = [] if name in OF_SOURCE else [WORD.to(row)]
        settings.set(CELLS.to([[name, row, column, walk.layer, walk.head, *_half(walk)]]), *word)


def _follow(settings: Settings, walk: "Walk") -> None:
    """One of the numbers that made the present one: the walk goes to where it was made."""
    if followed := sent(KEY, "follow"):
        name, row, column, layer, head, *other = followed
        layer, head = (walk.layer if layer is None else layer), (walk.head if head is None else head)
        half = [] if other else _half(walk)
        _show(settings, walk, [*settings[CELLS][-LONGEST_TRAIL:], [name, row, column, layer, head, *half]])


def _back(settings: Settings, walk: "Walk") -> None:
    """The number from which the present one was reached."""
    if before := settings[CELLS][:-1]:
        _show(settings, walk, before)


def _show(settings: Settings, walk: "Walk", cells: list[list[Any]]) -> None:
    name, row, _, layer, head, *half = cells[-1]
    makers = [step.name for step in walk.steps if name in step.gives]
    step = makers[0] if makers else ELSEWHERE.get(name, "whole")
    word = [] if name in OF_SOURCE else [WORD.to(row)]
    side = [SIDE.to("decoder" if half else "encoder")] if walk.source or half else []
    settings.set(CELLS.to(cells), LAYER.to(layer), HEAD.to(head), STEP.to(step), *word, *side)


def _program(walk: "Walk") -> str:
    """All steps as one text; what it is given is named above them."""
    made = {name for step in walk.steps for name in step.gives}
    given = dict.fromkeys(name for step in walk.steps for name in step.takes if name not in made)
    imports = "import math\n\nimport torch\nimport torch.nn.functional as F"
    parts = [imports, f"# Given: {', '.join(given)}"]
    return "\n\n".join([*parts, *(f"# {step.title}\n{step.code}" for step in walk.steps)]) + "\n"


def _table(walk: "Walk", step: "Step") -> str:
    """A line for each row of what a step gives."""
    own, source = ([token["name"] for token in some] for some in tokens_of(walk))
    rows = [
        [name, token, *row]
        for name in step.gives
        for token, row in zip(source if name in OF_SOURCE else own, walk.value(name).tolist())
    ]
    widest = max(len(row) for row in rows) - 2
    return table(["tensor", "token", *map(str, range(1, widest + 1))], rows)


VIEW = TransformerView(
    label="Step by step",
    first=First(
        "One layer on a short text, from the vectors that enter to those that leave.",
        "Press the right arrow key, and go through it step by step.",
    ),
    settings=(LAYER, HEAD, PADDING, SIDE, STEP, WAY, WORD, CELLS),
    presets=[*presets.STEPS, *presets.SINCE_2017, *chinese_presets.STEPS],
    needs=("ATTENTION",),
    texts=texts,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
    compute=compute,
)
