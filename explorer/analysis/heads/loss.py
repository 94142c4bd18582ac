"""How much each single head contributes: the loss on our sentences without it.

Michel, Levy, Neubig, "Are Sixteen Heads Really Better than One?" (NeurIPS 2019), section 3.2, with
the model's own loss instead of a translation score.

    loss      mean over 50 sentences of the loss per scored token, in nats
    change    loss without one head - loss with all of them
    error     of the change: standard deviation over the sentences / sqrt(50)
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer import assets
from explorer.analysis.heads.ablation import METHODS, mean_outputs, switch_off
from explorer.analysis.heads.relations import library
from explorer.analysis.prediction.likelihood import (
    Row,
    batch_tokens,
    batches,
    left_to_right,
    log_probabilities,
)
from explorer.analysis.senses import chinese_words
from explorer.assets import HEADS
from explorer.errors import AbilityError
from explorer.models.base import Model
from explorer.trace import Ability, Edit, Encoding

FOLDER = HEADS / "alone"
SENTENCES = 50
EVERY, READINGS = (
    6,
    2,
)  # BERT: every sixth token is masked at once, nearly the 15 % of its training, in two passes
DIGITS = 5


@dataclass(frozen=True, eq=False)
class HeadLoss:
    """The loss of a model with all heads on, and how much switching off each single head adds to it."""

    method: str
    loss: float
    change: Float[Tensor, "layer head"]
    error: Float[Tensor, "layer head"]
    sentences: int


@dataclass(frozen=True, eq=False)
class Exam:
    """Sentences as rows of tokens to predict, with each head's mean output on them."""

    rows: list[Row]
    means: Float[Tensor, "layer head d_head"]
    sentences: int


def sentences(languages: Collection[str] = ("en",)) -> list[str]:
    """Fifty evenly spread sentences of our own; in Chinese for a tokenizer without English.

    >>> sentences({"zh"})[0]
    '他背著包袱，一個人離開了村子。'
    """
    if "en" in languages or "zh" not in languages:
        written = [parse.text for parse in library("written")]
    else:
        written = [
            sentence.text for word in chinese_words.words() for sentence in chinese_words.sentences(word)
        ]
    return written[:: len(written) // SENTENCES][:SENTENCES]


def exam(model: Model, texts: Sequence[str] | None = None) -> Exam:
    """The tokens to predict: for GPT all of every sentence, for BERT every third one, masked.

    Raises AbilityError for a model that has no heads or predicts no tokens.
    """
    if Ability.ATTENTION not in model.abilities:
        raise AbilityError(f"{model.checkpoint} has no heads to switch off.")
    model.require(Ability.FILL | Ability.GENERATE, "predict words")
    texts = sentences(model.tokenizer.languages) if texts is None else texts
    questions = left_to_right if Ability.GENERATE in model.abilities else masked
    rows = [row for i, text in enumerate(texts) for row in questions(model, model.encode(text), i)]
    return Exam(rows, mean_outputs(model, texts), len(texts))


def masked(model: Model, encoding: Encoding, text: int) -> list[Row]:
    """Two rows, each with every sixth ordinary token masked; the first mask shifts with each sentence."""
    ordinary = (~encoding.special).nonzero().flatten().tolist()
    rows = []
    for reading in range(READINGS):
        chosen = ordinary[(text + reading * EVERY // READINGS) % EVERY :: EVERY]
        if chosen or (ordinary and not reading):
            chosen = chosen or ordinary[-1:]
            ids = encoding.ids.clone()
            ids[chosen] = model.tokenizer.special_id("mask")
            rows.append(Row(text, ids.tolist(), chosen, encoding.ids[chosen].tolist()))
    return rows


def losses(model: Model, questions: Exam, edit: Edit | None = None) -> Float[Tensor, "sentence"]:
    """Each sentence's mean loss in nats, with an `edit` of the forward pass."""
    total = torch.zeros(questions.sentences, dtype=torch.float64)
    count = torch.zeros_like(total)
    for batch in batches(questions.rows, batch_tokens(model)):
        whose = torch.tensor([row.text for row in batch for _ in row.positions])
        values = -log_probabilities(model, batch, edit).cpu().double()
        total.index_add_(0, whose, values)
        count.index_add_(0, whose, torch.ones_like(values))
    return total / count


def without(model: Model, questions: Exam, layer: int, head: int, method: str) -> Float[Tensor, "sentence"]:
    """Each sentence's loss without one head."""
    return losses(model, questions, switch_off([(layer, head)], method, questions.means))


def head_loss(
    method: str, before: Float[Tensor, "sentence"], after: Float[Tensor, "layer head sentence"]
) -> HeadLoss:
    """The mean change and its error, from each sentence's loss with all heads and without each one."""
    difference = after - before
    count = len(before)
    error = difference.std(-1) / count**0.5
    return HeadLoss(method, float(before.mean()), difference.mean(-1).float(), error.float(), count)


def measure(model: Model, method: str, progress: Callable[[int, int], None] | None = None) -> HeadLoss:
    """Switch off every head in turn; `progress(done, total)` is called after each."""
    questions = exam(model)
    layers, heads = model.config.layers, model.config.heads
    after = torch.empty(layers, heads, questions.sentences, dtype=torch.float64)
    for number in range(layers * heads):
        layer, head = divmod(number, heads)
        after[layer, head] = without(model, questions, layer, head, method)
        if progress is not None:
            progress(number + 1, layers * heads)
    return head_loss(method, losses(model, questions), after)


def stored(name: str) -> Mapping[str, HeadLoss] | None:
    """The stored losses of a bundled checkpoint, by method; None if there are none."""
    # A name may be any checkpoint's, even a path: only files of this folder are opened.
    files = {file.stem: file for file in FOLDER.glob("*.json")}
    return read(assets.text(files[name])) if name in files else None


def write(maps: Mapping[str, HeadLoss]) -> str:
    """Losses by method, as JSON."""
    data = {
        method: {
            "sentences": head_loss.sentences,
            "loss": round(head_loss.loss, DIGITS),
            "change": _rounded(head_loss.change),
            "error": _rounded(head_loss.error),
        }
        for method, head_loss in maps.items()
    }
    return json.dumps(data, separators=(",", ":")) + "\n"


def read(text: str) -> dict[str, HeadLoss]:
    """The inverse of `write`."""
    return {
        method: HeadLoss(
            method,
            values["loss"],
            torch.tensor(values["change"]),
            torch.tensor(values["error"]),
            values["sentences"],
        )
        for method, values in json.loads(text).items()
        if method in METHODS
    }


def _rounded(grid: Float[Tensor, "layer head"]) -> list[list[float]]:
    return [[round(value, DIGITS) for value in row] for row in grid.tolist()]
