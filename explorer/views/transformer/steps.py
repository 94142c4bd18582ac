"""Step by step: one layer of a model on a short text, from the vectors that enter to those that leave."""

from functools import partial
from typing import Any

from explorer.catalogue.ability import Ability
from explorer.locale import N_, _, translate
from explorer.views import kit
from explorer.views.frame.polls.poll import token_poll
from explorer.views.transformer import layer_and_head
from explorer.views.transformer.settings import (
    CELLS,
    HEAD,
    LAYER,
    LAYOUT,
    MODEL,
    NUMBER,
    PADDING,
    SIDE,
    STEP,
    TEXT,
    TRANSLATOR_TEXT,
    WORD,
)
from explorer.views.transformer.written import search_translation
from explorer.views.types import LanguageModel, Walk
from explorer.views.widgets import two_texts

TOKENS = 12
LONGEST_TRAIL = 12
KEY = "transformer/steps"
RESETS = [CELLS.to([])]  # another text resets this
NETWORKS = {"encoder": N_("Encoder"), "decoder": N_("Decoder")}
ELSEWHERE = {"x2": "add-2", "m": "cross-project"}  # what leads from one side to the other, and its step there
OLD_NAMES = {  # of steps, in links that were made before these were renamed
    "input-widen": "input-projection",
    "mix": "weighted-sum",
    "cross-mix": "cross-weighted-sum",
    "widen": "up-projection",
    "narrow": "down-projection",
}


def chosen_walk(settings: kit.Settings, model: "LanguageModel") -> "Walk":
    """The walk through the chosen layer."""
    from explorer.analysis.transformer import walk, walk_decoder

    text, layer, head = settings[TEXT], settings[LAYER], settings[HEAD]
    if decoder(settings, model):
        ids = search_translation(model, text, TOKENS)[0].ids
        return walk_decoder(model, text, ids, layer, head, TOKENS)
    pair = two_texts.pair(settings, model) or None
    return walk(model, text, pair, layer, head, TOKENS, TOKENS if settings[PADDING] else 0)


def decoder(settings: kit.Settings, model: "LanguageModel") -> bool:
    """Whether the steps are those of a translator's decoder."""
    return settings[SIDE] == "decoder" and _translates(model)


def _translates(model: "LanguageModel") -> bool:
    return Ability.TRANSLATE in model.abilities


def controls(page: kit.OpenPage[None]) -> None:
    """The texts; network, layer and head; padding for a model that can read it."""
    settings, model = page.settings, page.model
    _end_at_the_blank(settings, model)
    row = two_texts.first_text(settings, RESETS)
    two_texts.second_text(settings, row, model, RESETS)
    with row:
        if _translates(model):
            reset = partial(settings.set, *RESETS)
            networks = translate(NETWORKS)
            kit.segments(settings, SIDE, _("Network"), networks, width="content", on_change=reset)
        layer_and_head.controls(page, decoder(settings, model))
        if not decoder(settings, model) and not model.layer_parameters(0).causal:
            kit.switch(
                settings,
                PADDING,
                _("Padding"),
                help=_("Pad the text, as happens when it is batched with longer ones"),
            )


def _end_at_the_blank(settings: kit.Settings, model: "LanguageModel") -> None:
    """Show GPT the text up to its [MASK], as it guesses what is next, and a translator a whole sentence."""
    start, blank, _ = settings[TEXT].partition("[MASK]")
    if blank and start.strip() and Ability.FILL not in model.abilities:
        sentence = settings[TRANSLATOR_TEXT] if _translates(model) else start.rstrip()
        settings.show_instead(TEXT.to(sentence))


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The step in view; arrow keys, a slider and clicks change the step."""
    from explorer.views.transformer.step_data import packed, program, table_of
    from explorer.views.transformer.step_guess import guesses

    settings = page.settings
    if not (settings[TEXT].strip() or two_texts.pair(settings, page.model)):
        kit.instruction()
        return []
    walk = chosen_walk(settings, page.model)
    place = _fit(settings, walk)
    kit.component("transformer/steps")(
        key=KEY,
        data=packed(walk, place, _side(page), _layers(page), guesses(page.model, walk)),
        on_place_change=lambda: _take(settings, walk),
        on_ask_change=lambda: _ask(settings, walk),
        on_follow_change=lambda: _follow(settings, walk),
        on_back_change=lambda: _back(settings, walk),
        on_free_change=lambda: settings.set(CELLS.to([])),
    )
    layer_and_head.note_unread(walk.source or walk.encoding)
    if walk.source and walk.encoding.truncated:
        count = len(walk.encoding)
        kit.note_html(_("Of the translation the first {count} tokens are shown.", count=count))
    step = next((s for s in walk.steps if s.name == place["step"]), walk.steps[-1])
    file = f"{settings[MODEL]}{'-decoder' if walk.source else ''}-L{walk.layer}H{walk.head}-{step.name}"
    return [
        kit.Picture("picture", file),
        kit.Export(N_("This step, number by number"), f"{file}.csv", lambda: table_of(walk, step)),
        kit.Export(N_("The PyTorch of all steps"), f"{file}.py", lambda: program(walk)),
    ]


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Which token the chosen one attends to most in this head."""
    from explorer.views.transformer.step_data import tokens_of

    settings = page.settings
    if not settings[TEXT].strip():
        return []
    walk = chosen_walk(settings, page.model)
    words, at = [token["text"] for token in tokens_of(walk)[0]], _fit(settings, walk)["word"]
    question = _("Which token does “{word}” attend to most in this head?", word=words[at])
    who = _("Head {name}", name=kit.head_name(walk.layer, walk.head))
    return [token_poll(question, walk.encoding.text, words, walk.value("weights")[at].tolist(), who)]


def code_and_shapes(
    model: "LanguageModel", text: str, pair: str | None, layer: int, head: int, limit: int, of_decoder: bool
) -> list[tuple[str, dict[str, list[int]]]]:
    """The PyTorch code of each step, with the shapes of its results."""
    from explorer.analysis.transformer import walk, walk_decoder

    if of_decoder:
        result = walk_decoder(model, text, None, layer, head, limit)
    else:
        result = walk(model, text, pair, layer, head, limit)
    return [
        (step.code, {name: list(result.value(name).shape) for name in step.gives}) for step in result.steps
    ]


def _side(page: kit.OpenPage[None]) -> str:
    """The name of the network, for a model with two."""
    if not _translates(page.model):
        return ""
    return _(NETWORKS["decoder" if decoder(page.settings, page.model) else "encoder"])


def _layers(page: kit.OpenPage[None]) -> int:
    """How many layers the network in view has."""
    config = page.model.config
    return int(config.decoder_layers if decoder(page.settings, page.model) else config.layers)


def _fit(settings: kit.Settings, walk: "Walk") -> dict[str, Any]:
    """The settings that fit this walk: a link may name any step, word or number."""
    count = len(walk.encoding)
    name = OLD_NAMES.get(settings[STEP], settings[STEP])
    step = name if any(step.name == name for step in walk.steps) else "whole"
    cells = settings[CELLS] if _is_cell(settings[CELLS][-1:], walk) else []
    return {
        "step": step,
        "way": "all" if settings[LAYOUT] == "all" else "one",
        "word": min(max(settings[WORD], 0), count - 1),
        "number": min(settings[NUMBER], walk.result.shape[1] - 1),
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
    """The last item of a decoder's cell in a link, which tells it from one of the encoder."""
    return ["decoder"] if walk.source else []


def _take(settings: kit.Settings, walk: "Walk") -> None:
    """Keep the step, the way and the word that the visitor has reached."""
    words = range(len(walk.encoding))
    shape = {STEP: STEP.takes, LAYOUT: LAYOUT.takes, WORD: words, NUMBER: NUMBER.takes}
    if place := kit.component_value(KEY, "place", shape):
        settings.update({name: place[name] for name in (STEP, LAYOUT, WORD, NUMBER)})


def _ask(settings: kit.Settings, walk: "Walk") -> None:
    """Show why, for a clicked number of the figure; the step in view stays."""
    from explorer.analysis.transformer.tensors import LABELS

    if cell := kit.component_value(KEY, "ask", ([*LABELS], int, int)):
        from explorer.views.transformer.step_data import of_source

        name, row, column = cell
        word = [] if of_source(name) else [WORD.to(row)]
        settings.set(CELLS.to([[name, row, column, walk.layer, walk.head, *_half(walk)]]), *word)


def _follow(settings: kit.Settings, walk: "Walk") -> None:
    """Go to one of the causes of the present number, where it was computed."""
    from explorer.analysis.transformer.tensors import LABELS

    cell = ([*LABELS], int, int, [int, None], [int, None])
    if followed := kit.component_value(KEY, "follow", [cell, (*cell, "encoder")]):
        name, row, column, layer, head, *other = followed
        layer, head = (walk.layer if layer is None else layer), (walk.head if head is None else head)
        half = [] if other else _half(walk)
        _show(settings, walk, [*settings[CELLS][-LONGEST_TRAIL:], [name, row, column, layer, head, *half]])


def _back(settings: kit.Settings, walk: "Walk") -> None:
    """Go back to the number from which the present one was reached."""
    if before := settings[CELLS][:-1]:
        _show(settings, walk, before)


def _show(settings: kit.Settings, walk: "Walk", cells: list[list[Any]]) -> None:
    from explorer.views.transformer.step_data import of_source

    name, row, _, layer, head, *half = cells[-1]
    makers = [step.name for step in walk.steps if name in step.gives]
    step = makers[0] if makers else ELSEWHERE.get(name, "whole")
    word = [] if of_source(name) else [WORD.to(row)]
    side = [SIDE.to("decoder" if half else "encoder")] if walk.source or half else []
    settings.set(CELLS.to(cells), LAYER.to(layer), HEAD.to(head), STEP.to(step), *word, *side)


VIEW = kit.View(
    text=kit.view_text("transformer", "steps"),
    settings=(LAYER, HEAD, PADDING, SIDE, STEP, LAYOUT, WORD, NUMBER, CELLS),
    needs=("ATTENTION",),
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(
        code_and_shapes,
        model=kit.Load(page.settings[MODEL]),
        text=page.settings[TEXT],
        pair=two_texts.pair(page.settings, page.model) or None,
        layer=page.settings[LAYER],
        head=page.settings[HEAD],
        limit=TOKENS,
        of_decoder=decoder(page.settings, page.model),
    ),
    stage=kit.Stage(beyond_course=".rail, .code, .follow, .why, .ways", polls=asks),
)
