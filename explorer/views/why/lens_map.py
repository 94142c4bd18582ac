"""The logit lens as the component draws it: in each cell a word, coloured by a number of its state."""

from collections.abc import Collection
from math import ceil, log, log2
from typing import Any

from explorer.locale import N_, _, format_number, localised, translate
from explorer.views import kit
from explorer.views.types import Encoding, Model, TextLens
from explorer.views.why.prompts import surface
from explorer.views.widgets.quoted import isolated

# What cells are coloured by, and what the ends of the scale are called.
COLOURS = {
    "rank": (N_("Rank"), N_("1,000th"), N_("first")),
    "probability": (N_("Probability"), "0%", "100%"),
    "entropy": (N_("Uncertainty"), N_("certain"), N_("any word")),
}
NO_COLOUR = 1000  # the first rank without colour
MOST_ROWS = 12  # layers between the embedding and the last one, all in view at once


def picture(
    model: "Model",
    lens: "TextLens",
    blocked: kit.blocklist.Blocklist,
    colour: str,
    followed: str = "",
    chosen: tuple[int, int] | None = None,
    drawn: Collection[int] = (),
) -> dict[str, Any]:
    """Layers by tokens, the last layer first; `followed` is the word that the lens was asked for.

    Without `drawn`, all layers are.
    """
    positions, settled = columns_of(lens), lens.settled()
    outlined, right = _("“{word}”", word=followed), lens.targets.tolist()
    if not followed:  # a model that fills blanks has all words of the text before it
        outlined = _("the text’s next word") if model.causal else ""
        right = [*lens.encoding.ids[1:].tolist(), -1] if model.causal else [-1] * len(right)
    names = {at: surface(lens.encoding, at) for at in positions}
    best, probability = lens.ids[..., 0].tolist(), lens.probabilities[..., 0].tolist()
    entropy, rank = lens.entropy.tolist(), lens.rank.tolist()
    share = shares(lens, colour, bool(followed), model.config.d_vocab)
    words = {
        (at, id): shown_word(model, lens, at, id, blocked)
        for at in positions
        for id in lens.ids[:, at, 0].tolist()
    }
    target = _("“{word}”", word=followed) if followed else _("the answer")
    of = {"rank": target, "probability": target if followed else _("the word shown")}
    name, low, high = translate(COLOURS[colour])
    if colour in of:
        name = _("{measure} of {word}", measure=name, word=of[colour])
    layers = [layer for layer in range(lens.first, lens.first + len(best)) if layer in drawn or not drawn]
    starts = {
        at: min((layer for layer in layers if layer >= settled[at] > 0), default=None) for at in positions
    }

    def cell(row: int, at: int) -> dict[str, Any]:
        layer, word = lens.first + row, words[at, best[row][at]]
        parts = [
            _(
                "{layer}, at “{token}”: “{word}” {probability}",
                layer=layer_name(layer),
                token=isolated(names[at]),
                word=isolated(word),
                probability=kit.short(probability[row][at]),
            )
        ]
        parts += (
            []
            if kit.for_class()
            else [_("uncertainty {bits} bits", bits=localised(f"{entropy[row][at]:.1f}"))]
        )
        parts += [_("{word} has rank {rank}", word=target, rank=format_number(rank[row][at]))]
        looks = {
            "right": best[row][at] == right[at],
            "settled": layer >= settled[at],
            "first": layer == starts[at] and (row > 0 or not lens.first),
            "chosen": chosen == (layer, at),
        }
        look = " ".join(name for name in looks if looks[name])
        return {"text": word, "tip": ", ".join(parts), "share": round(share[row][at], 4), "look": look}

    return {
        "label": _("The word that each state would say: layers down from the last one, tokens across"),
        "tokens": list(names.values()),
        "columns": positions,
        "rows": [
            {"layer": layer, "cells": [cell(layer - lens.first, at) for at in positions]}
            for layer in reversed(layers)
        ],
        "tone": "--rb-accent" if colour == "entropy" else "--rb-probability-1",
        "scale": {"name": name, "low": low, "high": high},
        "outlined": outlined,
        "run": 0,
        "count": 0,
    }


def layers_in_view(layers: int) -> range:
    """As many of a model's layers as are in view at once, evenly, the last one first."""
    return range(layers + 1)[:: -ceil(layers / MOST_ROWS)]


def columns_of(lens: "TextLens") -> list[int]:
    """The positions that are drawn: those of the text."""
    return text_columns(lens.encoding)


def text_columns(encoding: "Encoding") -> list[int]:
    """The positions of the text, without those of the frame."""
    return [at for at, frame in enumerate(encoding.frame.tolist()) if not frame]


def answer_place(model: "Model", encoding: "Encoding") -> int:
    """The position of the text's first gap, or its last one."""
    columns = text_columns(encoding)
    return next((at for at in columns if int(encoding.ids[at]) == model.tokenizer.mask), columns[-1])


def shares(lens: "TextLens", colour: str, followed: bool, words: int) -> list[list[float]]:
    """How much colour each cell has, 0 to 1; `words` are those of the vocabulary."""
    if colour == "entropy":
        share = lens.entropy / log2(words)
    elif colour == "rank":
        share = 1 - lens.rank.log() / log(NO_COLOUR)
    else:
        share = lens.chance if followed else lens.probabilities[..., 0]
    numbers: list[list[float]] = share.clamp(0, 1).tolist()
    return numbers


def shown_word(model: "Model", lens: "TextLens", at: int, id: int, blocked: kit.blocklist.Blocklist) -> str:
    """A token at a position as it is shown: dots for one that is not to be shown."""
    start, end = lens.encoding.spans[at]
    text = lens.encoding.text
    before, after = (text[:end], "") if model.causal else (text[:start], text[end:])
    token = model.tokenizer.readable_after(id, before)
    if kit.blocklist.covers(blocked, before, token, after):
        return kit.blocklist.DOTS
    return model.tokenizer.whole_or_bytes(id, kit.visible(token))


def layer_name(layer: int) -> str:
    """A layer in a sentence, where 0 is the embedding."""
    return _("after layer {number}", number=layer) if layer else _("at the embedding")
