"""The parts of the overview: what each drawing is made of, and which view explains a part."""

import json
from typing import Any, NamedTuple

from explorer import assets


class DrawnPart(NamedTuple):
    """A part of a drawing: its name, what it does, its kind, and the view that explains it.

    The kind (attention, forward, norm, base or output) decides how it is drawn.
    """

    name: str
    does: str
    kind: str
    page: str
    link: dict[str, str]


SELF = DrawnPart(
    "Self-attention",
    "Every word takes in information from all words, to its left and to its right.",
    "attention",
    "attention",
    {},
)
MASKED = DrawnPart(
    "Masked self-attention",
    "Every word takes in information from the words before it. Later words are masked.",
    "attention",
    "transformer",
    {"view": "masks"},
)
CROSS = DrawnPart(
    "Cross-attention",
    "Each French word asks with its query. The keys and values come from the encoder.",
    "attention",
    "transformer",
    {"view": "translator"},
)
POSITION = DrawnPart(
    "+ position",
    "Attention has no order of its own, so each word’s position is added to its vector.",
    "base",
    "transformer",
    {"view": "positions"},
)
NEXT_FRENCH = DrawnPart(
    "Next French word",
    "A probability for every French word that could come next.",
    "output",
    "transformer",
    {"view": "translator", "translator_part": "beams"},
)
MASKED_WORD = DrawnPart(
    "Word behind [MASK]", "A probability for every word, at each [MASK].", "output", "masked", {}
)
NEXT_WORD = DrawnPart(
    "Next word", "A probability for every word that could come next.", "output", "continuations", {}
)
LETTERS = DrawnPart(
    "Letters → vectors",
    "Each word’s first vector is computed from its letters.",
    "base",
    "sides",
    {"view": "characters"},
)
FORWARD = DrawnPart(
    "Forward →",
    "An LSTM reads from the left, word by word, and predicts the next word.",
    "reader",
    "sides",
    {},
)
BACKWARD = DrawnPart(
    "← Backward",
    "Another LSTM reads from the right. The two never see each other’s states.",
    "reader",
    "sides",
    {},
)
WEIGHTED_SUM = DrawnPart(
    "Weighted sum of layers",
    "The states of all layers, added up by weight, are a word’s vector in its sentence.",
    "output",
    "senses",
    {"view": "four"},
)


def drawings() -> list[dict[str, Any]]:
    """The drawings from left to right, with the sizes of the bundled models."""
    elmo, bert, gpt = map(_config, ("elmo", "bert", "gpt"))
    reads = {"model": "translator", "side": "encoder"}
    writes = {"model": "translator", "side": "decoder"}
    of_bert, of_gpt = {"model": "bert"}, {"model": "gpt"}
    before = "Each vector is normalised first. What the next part computes is added to it."
    return [
        {
            "name": "encoder",
            "title": "Encoder",
            "size": "Transformer: 6 layers",
            "input": "the English words",
            "base": [_vectors(reads), POSITION],
            "block": [SELF, _add("add-1", reads), _forward(reads), _add("add-2", reads)],
            "output": None,
            "layers": 6,
        },
        {
            "name": "decoder",
            "title": "Decoder",
            "size": "Transformer: 6 layers",
            "input": "the French words so far",
            "base": [_vectors(writes), POSITION],
            "block": [
                *(MASKED, _add("add-1", writes)),
                *(CROSS, _add("add-cross", writes)),
                *(_forward(writes), _add("add-2", writes)),
            ],
            "output": NEXT_FRENCH,
            "layers": 6,
        },
        {
            "name": "elmo",
            "title": "ELMo: two LSTMs",
            "size": f"{elmo['num_hidden_layers']} layers each way",
            "input": "the words",
            "base": [LETTERS],
            "block": [FORWARD, BACKWARD],
            "output": WEIGHTED_SUM,
            "layers": elmo["num_hidden_layers"],
        },
        {
            "name": "bert",
            "title": "BERT: encoder",
            "size": _sizes(bert["num_hidden_layers"], bert["num_attention_heads"]),
            "input": "words, some masked",
            "base": [_vectors(of_bert), POSITION],
            "block": [SELF, _add("add-1", of_bert), _forward(of_bert), _add("add-2", of_bert)],
            "output": MASKED_WORD,
            "layers": bert["num_hidden_layers"],
        },
        {
            "name": "gpt",
            "title": "GPT: decoder",
            "size": _sizes(gpt["n_layer"], gpt["n_head"]),
            "input": "the words so far",
            "base": [_vectors(of_gpt), POSITION],
            "block": [
                *(DrawnPart("Normalise", before, "norm", "transformer", _steps("norm", of_gpt)), MASKED),
                *(
                    DrawnPart("Normalise", before, "norm", "transformer", _steps("mlp-norm", of_gpt)),
                    _forward(of_gpt),
                ),
            ],
            "output": NEXT_WORD,
            "layers": gpt["n_layer"],
        },
    ]


def _steps(step: str, whose: dict[str, str]) -> dict[str, str]:
    return {"view": "steps", "step": step, "way": "all", **whose}


def _vectors(whose: dict[str, str]) -> DrawnPart:
    does = "Each word, or piece of a word, is looked up in a table of vectors."
    return DrawnPart("Vectors", does, "base", "transformer", _steps("input", whose))


def _add(step: str, whose: dict[str, str]) -> DrawnPart:
    does = "What was computed is added to what came in, and the sum is normalised."
    return DrawnPart("Add and normalise", does, "norm", "transformer", _steps(step, whose))


def _forward(whose: dict[str, str]) -> DrawnPart:
    does = "Each word’s vector passes, on its own, through a small network of two layers."
    return DrawnPart("Feed-forward", does, "forward", "transformer", _steps("up-projection", whose))


def _sizes(layers: int, heads: int) -> str:
    return f"{layers} layers, {heads} heads"


def _config(name: str) -> dict[str, Any]:
    """The sizes of a bundled model, from its configuration."""
    config: dict[str, Any] = json.loads(assets.text(assets.CHECKPOINTS / name / "config.json"))
    return config
