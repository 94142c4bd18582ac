"""Compare: two sentences, or two models on one sentence, side by side, with the difference."""

from typing import Any

import streamlit as st

from explorer.catalogue.ability import Ability
from explorer.catalogue.manifest import manifests
from explorer.locale import N_, _, localised, translate
from explorer.views import kit
from explorer.views.attention import examples
from explorer.views.attention.alignment import AlignedPatterns, aligned_patterns
from explorer.views.attention.sentence import hide_special, layers_and_heads
from explorer.views.attention.settings import (
    COMPARE,
    COMPARE_CELL,
    COMPARE_HEAD,
    COMPARE_LAYER,
    COMPARE_MODEL,
    COMPARE_TEXT,
    HEAD,
    HIDE,
    LAYER,
    MODEL,
    TEXT,
)
from explorer.views.types import LanguageModel, Tensor, Trace
from explorer.views.widgets.token_text import MERGED

KEY = "attention/compare"
KINDS = {"texts": N_("Sentences"), "models": N_("Models")}
SECOND = {  # of what there are two, one of them in a notebook alone
    "sentence": N_("in the second sentence"),
    "model": N_("in the second model"),
    "pattern": "in the second pattern",
}


def controls(page: "kit.OpenPage[Trace]") -> None:
    """Two sentences or two models; the layer and the head."""
    settings, trace = page.settings, page.data
    kit.segments(settings, COMPARE, _("Compare"), translate(KINDS), width="content")
    layers, heads = layers_and_heads(trace)
    kit.numbered(settings, LAYER, _("Layer"), layers, width=112)
    if settings[COMPARE] == "texts":
        kit.numbered(settings, HEAD, _("Head"), heads, width=112)


def draw(page: "kit.OpenPage[Trace]") -> kit.Saves:
    """Both patterns with the difference between them; a click selects a cell."""
    settings, trace = page.settings, page.data
    two_texts = settings[COMPARE] == "texts"
    other = page.model if two_texts else _second_model(settings, trace)
    if two_texts:
        if settings[TEXT] != TEXT.default and settings[COMPARE_TEXT] == COMPARE_TEXT.default:
            settings.show_instead(COMPARE_TEXT.to(settings[TEXT]))  # a copy, to change a word of it
        with st.container(key="compare-text", horizontal=True, vertical_alignment="center"):
            reset = [COMPARE_CELL.to(None)]
            label, placeholder = _("The other sentence"), _("Type another sentence")
            kit.text_box(settings, COMPARE_TEXT, label, placeholder, resets=reset)
            hide_special(settings, trace)
    if not settings[TEXT].strip() or (two_texts and not settings[COMPARE_TEXT].strip()):
        kit.instruction(_("Type two sentences above.") if two_texts else _("Type a sentence above."))
        return []
    patterns = aligned_patterns(settings, page.model, other)
    count = len(patterns.words)
    selected: list[int] | None = None
    match settings[COMPARE_CELL]:
        case [int(row), int(column)] if 0 <= row < count and 0 <= column < count:
            selected = [row, column]

    def select() -> None:
        clicked = kit.component_value(KEY, "lock", {"cell": [None, (range(count), range(count))]})
        if clicked:
            settings.set(COMPARE_CELL.to(clicked["cell"]))

    def choose_head() -> None:
        if choice := kit.component_value(KEY, "head", {"layer": LAYER.takes, "head": HEAD.takes}):
            settings.set(LAYER.to(choice["layer"]), HEAD.to(choice["head"]))

    with st.container(key="compare-picture"):
        kit.component("attention/compare")(
            key=KEY,
            data=picture_data(patterns, "sentence" if two_texts else "model")
            | {
                "locked": selected,
                "presenting": kit.on_stage(),
                "heads": [
                    {
                        "layer": i,
                        "head": j,
                        "moved": moved,
                        "chosen": (i, j) == (settings[LAYER], settings[HEAD]),
                    }
                    for i, j, moved in patterns.changed
                ],
            },
            on_lock_change=select,
            on_head_change=choose_head,
        )
    if fine_print := _fine_print(settings, patterns, page.model, other):
        kit.note_html(fine_print)
    file = "two-sentences" if two_texts else "two-models"
    return [
        kit.Picture("compare-picture", file),
        kit.Export(N_("Both patterns and the difference"), f"{file}.csv", lambda: _cells_table(patterns)),
    ]


def picture_data(patterns: AlignedPatterns, where: str) -> dict[str, Any]:
    """The data of the component; `where` is what there are two of."""
    return {
        "words": patterns.words,
        "first": _plain(patterns.comparison.first),
        "second": _plain(patterns.comparison.second),
        "titles": {
            "first": translate(patterns.titles[0]),
            "second": translate(patterns.titles[1]),
            "difference": _("second minus first"),
        },
        "notes": patterns.notes,
        "locked": None,
        "summary": summary(patterns, where),
        "most": cell_of_most_change(patterns),
        "presenting": False,
        "heads": [],
    }


def _fine_print(
    settings: kit.Settings, patterns: AlignedPatterns, model: "LanguageModel", other: "LanguageModel"
) -> str:
    """What was done to the tokens; on stage only what the picture leaves out."""
    explains, notes = not kit.on_stage(), []
    if explains:
        notes.append(_(MERGED))
    if settings[HIDE]:
        notes.append(_("Special tokens are hidden and rows rescaled."))
    elif not explains and any(word["first"] == "[CLS]" for word in patterns.words):
        notes.append(_("Not drawn: [CLS] and [SEP], where the rest of the attention lies."))
    if patterns.cut:
        notes.append(
            _("Cut at {most} tokens. {count} more are not shown.", most=kit.LIVE_TOKENS, count=patterns.cut)
        )
    if explains and settings[COMPARE] == "models":
        notes.append(_kinship(settings, model, other))
    return " ".join(notes)


def _kinship(settings: kit.Settings, model: "LanguageModel", other: "LanguageModel") -> str:
    """What heads of the same number have in common: nothing, unless one model was made from the other."""
    from explorer.views.attention.same_head import SAME, head_cosines

    layer, head = settings[COMPARE_LAYER], settings[COMPARE_HEAD]
    cosines = head_cosines(model, other, layer)
    least = 0.0 if cosines is None else float((cosines if head < 0 else cosines[head]).min())
    if least <= SAME:
        return _("Heads of two models have only their number in common. Compare averages instead.")
    cosine = localised(f"{least:.2f}")
    if head < 0:
        return _(
            "The heads of layer {layer} are the same in both models, before and after more training: the "
            "weights have a cosine of {cosine} or more, and those of separate trainings about 0.",
            layer=layer + 1,
            cosine=cosine,
        )
    return _(
        "Head {head} is the same in both models, before and after more training: the weights have a cosine "
        "of {cosine}, and those of separate trainings about 0.",
        head=kit.head_name(layer, head),
        cosine=cosine,
    )


def cell_of_most_change(patterns: AlignedPatterns) -> tuple[int, int] | None:
    """The cell that differs most, in a row where more than one word is read; None without a difference."""
    first, second = patterns.comparison.first, patterns.comparison.second
    choice = ((first > 0).sum(-1) > 1) & ((second > 0).sum(-1) > 1)
    difference = patterns.comparison.difference.nan_to_num() * choice[:, None]
    if not difference.any():
        return None
    row, column = divmod(int(difference.abs().argmax()), len(patterns.words))
    return row, column


def summary(patterns: AlignedPatterns, where: str) -> str:
    """The cell that differs most, in words."""
    if (cell := cell_of_most_change(patterns)) is None:
        return _("No difference: every word that both have attends in the same way.")
    value = float(patterns.comparison.difference[cell])
    reader, read = (patterns.words[at]["name"] for at in cell)
    fields = {
        "where": _(SECOND[where]),
        "reader": reader,
        "value": localised(f"{abs(value):.2f}"),
        "read": read,
    }
    if value > 0:
        return _("Largest difference: {where}, “{reader}” attends {value} more to “{read}”.", **fields)
    return _("Largest difference: {where}, “{reader}” attends {value} less to “{read}”.", **fields)


def _second_model(settings: kit.Settings, trace: "Trace") -> "LanguageModel":
    """Draw the choice of the other model, its layer and the head of both; returns the model.

    Raises AbilityError for a model without attention.
    """
    chosen = settings[COMPARE_MODEL]
    if chosen in manifests() and not manifests()[chosen].abilities & Ability.ATTENTION:
        settings.show_instead(COMPARE_MODEL.to("gpt"))
    with st.container(key="compare-models", horizontal=True, vertical_alignment="center"):
        words = {"caption": _("Second model"), "before": _("with ")}
        model = kit.picker.pick(settings, Ability.ATTENTION, setting=COMPARE_MODEL, width=320, **words)
        model.require(Ability.ATTENTION, "show attention")
        layers = model.config.layers
        heads = min(layers_and_heads(trace)[1], model.config.heads)
        kit.numbered(settings, COMPARE_LAYER, _("Its layer"), layers, width=132)
        kit.numbered(settings, COMPARE_HEAD, _("Head"), heads, width=132, every=_("All heads"))
        hide_special(settings, trace)
    return model


def _plain(pattern: "Tensor") -> list[list[float | None]]:
    return [
        [None if value != value else value for value in row]
        for row in pattern.double().round(decimals=4).tolist()
    ]


def example(page: "kit.OpenPage[Trace]") -> kit.Example:
    """How much of every word's attention has moved, from Python."""
    settings = page.settings
    two_texts, model = settings[COMPARE] == "texts", kit.Load(settings[MODEL])
    head = settings[HEAD if two_texts else COMPARE_HEAD]
    return kit.Example(
        examples.difference,
        model=model,
        text=settings[TEXT],
        layer=settings[LAYER],
        other_model=model if two_texts else kit.Load(settings[COMPARE_MODEL]),
        other_text=settings[COMPARE_TEXT if two_texts else TEXT],
        other_layer=settings[LAYER if two_texts else COMPARE_LAYER],
        head=None if head < 0 else head,
        hide_special=settings[HIDE],
        limit=kit.LIVE_TOKENS,
    )


def _cells_table(patterns: AlignedPatterns) -> str:
    names, comparison = [word["name"] for word in patterns.words], patterns.comparison
    cells = [
        (
            names[i],
            names[j],
            *(float(p[i, j]) for p in (comparison.first, comparison.second, comparison.difference)),
        )
        for i in range(len(names))
        for j in range(len(names))
    ]
    return kit.table(["reads", "read", *patterns.titles, "difference"], cells)


VIEW = kit.View(
    text=kit.view_text("attention", "compare"),
    settings=(COMPARE, COMPARE_TEXT, COMPARE_MODEL, COMPARE_LAYER, COMPARE_HEAD, COMPARE_CELL),
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(
        covered=(".line, .text small, .board, .heads",),
        plain=".text :is(.token, .token span)",
        desk=".hint",
        text=lambda page: page.settings[COMPARE_TEXT if page.settings[COMPARE] == "texts" else TEXT],
    ),
)
