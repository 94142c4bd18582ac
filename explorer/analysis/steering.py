"""Steering: a direction among a layer's states, made of two lists of texts, and added while a model computes.

    direction  =  mean state of the texts toward  -  mean state of the texts away
    state      =  state + strength * direction        at every position, after one layer

Turner et al., "Steering Language Models With Activation Engineering" (2023); Rimsky et al., "Steering Llama 2
via Contrastive Activation Addition" (ACL 2024).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.errors import ExplorerError, TextError
from explorer.models.interventions import Interventions, after_layer
from explorer.models.language_model import LanguageModel
from explorer.short_text import WithShortText
from explorer.trace import Capture, Edit, captured

EQUAL = 1e-4  # the share of its length by which a mean differs between two batches
WORDS = 0.02  # the share of the vocabulary that counts as the words of a list


@dataclass(frozen=True, eq=False, repr=False)
class Direction(WithShortText):
    """What a strength of 1 adds to the states after `layer` (0 is the embedding) of a model.

    `middle` is the state halfway between the two lists.
    """

    checkpoint: str
    layer: int
    vector: Float[Tensor, "d_model"]
    middle: Float[Tensor, "d_model"]

    def place(self, state: Float[Tensor, "*row d_model"]) -> Float[Tensor, "*row"]:
        """Where states lie along the direction: at 1 is the mean of the texts toward, at -1 the others'."""
        return 2 * ((state - self.middle) @ self.vector) / self.vector.square().sum()


Steer = Sequence[tuple[Direction, float]]  # directions, each with its strength


@dataclass(frozen=True)
class Effect:
    """What a strength does to the next word along a text, on average over its places.

    `bits` is the surprisal of the steered model's next word for the model as it is; `toward` and `away` are
    the probabilities that it is a word of either list.
    """

    strength: float
    bits: float
    toward: float
    away: float


def directions(model: LanguageModel, toward: Sequence[str], away: Sequence[str]) -> list[Direction]:
    """The direction from the texts `away` to those `toward` after each layer, the embedding first.

    A text's state is the mean over its tokens, without those around it; without its first one in a model that
    reads from left to right, whose state is many times as large as all others. Raises TextError for an empty
    list, for two that are equal, and for a text of which no token is left.

    >>> made = directions(explorer.load("bert"), ["What a lovely day."], ["What an awful day."])
    >>> len(made), made[3].layer, made[3].vector.shape
    (7, 3, torch.Size([384]))
    """
    means = mean_states(model, toward), mean_states(model, away)
    if (means[0] - means[1]).norm() < EQUAL * means[0].norm():
        raise TextError("Both lists say the same.", "Change a sentence in one of them.")
    pairs = zip(means[0] - means[1], (means[0] + means[1]) / 2, strict=True)
    return [Direction(str(model.checkpoint), layer, *pair) for layer, pair in enumerate(pairs)]


def direction(model: LanguageModel, toward: Sequence[str], away: Sequence[str], layer: int) -> Direction:
    """The direction after one layer. Raises TextError as `directions` does, ExplorerError for no such layer.

    >>> gpt = explorer.load("gpt")
    >>> summer = direction(gpt, ["It was a hot summer day."], ["It was a cold winter day."], layer=3)
    >>> from explorer.analysis.generation import Sampling, generate
    >>> steered = generate(gpt, "They saw", Sampling(greedy=True, max_new_tokens=5), steer=[(summer, 1.5)])
    >>> len(list(steered))
    5
    """
    if not 0 <= layer <= model.config.layers:
        raise ExplorerError(
            f"{model.checkpoint} has no layer {layer}.", f"Choose one from 0 to {model.config.layers}."
        )
    return directions(model, toward, away)[layer]


def mean_states(model: LanguageModel, texts: Sequence[str]) -> Float[Tensor, "depth d_model"]:
    """The mean state of texts after each layer, in which every text counts alike."""
    if not texts:
        raise TextError("A list has no text in it.", "Write a sentence for either side.")
    means = []
    for trace in model.trace_many(texts):
        own = ~trace.encoding.frame
        own[: int(model.causal)] = False
        if not own.any():
            raise TextError(f"“{trace.encoding.text:.40}” is too short.", "Write a sentence of a few words.")
        means.append(captured(trace.hidden_states)[:, own].mean(1))
    return torch.stack(means).mean(0)


def additions(model: LanguageModel, steer: Steer) -> list[tuple[int, Float[Tensor, "d_model"]]]:
    """What is added after which layer; a strength of 0 adds nothing.

    Raises ExplorerError for a direction of a model with other sizes.
    """
    for one, _ in steer:
        if one.layer > model.config.layers or len(one.vector) != model.config.d_model:
            raise ExplorerError(
                f"A direction of {one.checkpoint} does not fit the states of {model.checkpoint}.",
                "Make it with the same model.",
            )
    return [(one.layer, (one.vector * strength).to(model.device)) for one, strength in steer if strength]


def place_of_text(
    model: LanguageModel, prompt: Sequence[int], written: Sequence[int], direction: Direction
) -> float:
    """The `place` of a written text's mean state, as the unsteered model reads it after its prompt.

    Both are ids; what is written has one at least.
    """
    result = model.run(torch.tensor([[*prompt, *written]]), capture=Capture.HIDDEN)
    return float(direction.place(captured(result.hidden_states)[direction.layer][0, len(prompt) :].mean(0)))


def words_of_lists(model: LanguageModel, last: Direction) -> tuple[Int[Tensor, "word"], Int[Tensor, "word"]]:
    """The ids whose logits rise and fall most along the direction after the last layer: toward, away."""
    logits = [model.unembed(last.middle + side * last.vector) for side in (0.5, -0.5)]
    order, count = (logits[0] - logits[1]).argsort(), max(int(len(logits[0]) * WORDS), 1)
    return order[-count:], order[:count]


def effects(
    model: LanguageModel,
    prompt: Sequence[int],
    written: Sequence[int],
    steer: tuple[Direction, Direction],
    strengths: Sequence[float],
) -> list[Effect]:
    """What each strength does to the next word at every place of what is written after a prompt, both ids.

    `steer` is the direction that is added, and that after the last layer, which tells the words of the lists.
    Nothing is drawn by chance: expected values over the whole vocabulary, one pass for each strength.
    """
    direction, last = steer
    toward, away = words_of_lists(model, last)

    def logs(strength: float) -> Float[Tensor, "pos d_vocab"]:
        ids = torch.tensor([[*prompt, *written]])
        states = model.run(ids, edit=edit(model, [(direction, strength)])).last[0, -len(written) - 1 : -1]
        return model.unembed(states).log_softmax(-1)

    plain, measured = logs(0.0) / log(2), []
    for strength in strengths:
        shares = logs(strength).exp()
        sums = -(shares * plain).sum(-1), shares[:, toward].sum(-1), shares[:, away].sum(-1)
        measured.append(Effect(strength, *(float(each.mean()) for each in sums)))
    return measured


def edit(model: LanguageModel, steer: Steer) -> Edit | None:
    """The same as an edit of a forward pass, None if nothing is added. Raises as `additions` does.

    >>> from explorer.analysis.prediction import fill
    >>> bert = explorer.load("bert")
    >>> summer = direction(bert, ["It was a hot summer day."], ["It was a cold winter day."], layer=4)
    >>> steered = fill.blanks(bert, "It is [MASK] today.", edit=edit(bert, [(summer, 2.0)]))
    >>> steered.probabilities.shape == (1, bert.config.d_vocab)
    True
    """
    added = additions(model, steer)
    return Interventions([after_layer(layer, vector) for layer, vector in added]) if added else None
