"""A model's results on our English and Chinese sentences, computed once for all visitors."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.views.frame.server import caching

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.projection.methods import Projection
    from explorer.analysis.two_languages.zero_shot import ZeroShotResult
    from explorer.finetuning.transfer import Transfer
    from explorer.models import LanguageModel

PAIRS = "pairs"
CHUNK = 40  # texts that are read, and cached, together: after each the bar moves
PATIENCE_S = 0.15  # before the page shows a bar
Tell = Callable[[float, str], None]


@dataclass(frozen=True, eq=False)
class BilingualResult:
    """A task's sentences in one model, the English ones first.

    `english` counts these. `predictions` has a classifier for each layer; for translations it is empty, and
    `nearest` says for each layer and text whether its own translation is the nearest.
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    english: int
    projections: "list[Projection]"
    transfer: "Transfer | None"
    predictions: "list[ZeroShotResult]"
    nearest: "Tensor | None"
    without_means: bool

    def wrong(self, layer: int) -> list[bool]:
        """Whether each text is wrong at a layer; English ones, which are trained on, never are."""
        if self.nearest is not None:
            return [not nearest for nearest in self.nearest[layer].tolist()]
        return [False] * self.english + [not right for right in self.predictions[layer].right]


def compute(model: "LanguageModel", task: str, without_means: bool, busy: Any) -> BilingualResult:
    """The results for a task, or for the translations; `busy` shows the progress if it takes long."""
    from explorer.finetuning import transfer

    started = time.monotonic()

    def tell(share: float, text: str) -> None:
        """Show a bar once a visitor has waited for a moment."""
        if time.monotonic() - started > PATIENCE_S:
            busy.progress(share, text)

    sentences = None if task == PAIRS else transfer.read(task)
    if sentences is None:
        texts = [tuple(pair[side] for pair in transfer.pairs()) for side in (0, 1)]
    else:
        texts = [tuple(example.text for example in side) for side in (sentences.english, sentences.chinese)]
    english, chinese = _read(model, texts, sentences.words if sentences else ("", ""), tell)
    key = (model, task, without_means)
    predictions: list[ZeroShotResult] = []
    nearest = None
    if sentences is None:
        nearest = _nearest(*key, english, chinese)
    else:
        depth = english.shape[1]
        for layer in range(depth):
            tell(layer / depth, f"{layer} of {depth} classifiers trained")
            predictions.append(_predictions(*key, layer, sentences, english, chinese))
    tell(1.0, "Drawing the map")
    projections = _projections(*key, english, chinese)
    busy.empty()
    examples = (*sentences.english, *sentences.chinese) if sentences else ()
    return BilingualResult(
        texts=(*texts[0], *texts[1]),
        labels=tuple(example.label for example in examples),
        english=len(texts[0]),
        projections=projections,
        transfer=sentences,
        predictions=predictions,
        nearest=nearest,
        without_means=without_means,
    )


def _read(
    model: "LanguageModel", texts: Sequence[Sequence[str]], words: Sequence[str], tell: Tell
) -> "tuple[Tensor, Tensor]":
    """The vectors of both languages."""
    import torch

    total, count, vectors = sum(map(len, texts)), 0, []
    for language, word in zip(texts, words, strict=True):
        parts = []
        for start in range(0, len(language), CHUNK):
            tell(count / total, f"{count} of {total} sentences read")
            parts.append(_chunk(model, language[start : start + CHUNK], word))
            count += len(parts[-1])
        vectors.append(torch.cat(parts))
    return vectors[0], vectors[1]


@caching.resource(max_entries=4)
def shared_tokens_accuracy(task: str) -> float:
    """Accuracy in Chinese from digits and Latin words alone, without any model."""
    from explorer.finetuning import transfer

    return transfer.shared_tokens_accuracy(transfer.read(task))


@caching.resource(max_entries=64)
def _chunk(model: "LanguageModel", texts: Sequence[str], word: str) -> "Tensor":
    from explorer.finetuning import transfer

    return transfer.vectors(model, texts, word)


@caching.resource(max_entries=256)
def _predictions(
    model: "LanguageModel",
    task: str,
    without_means: bool,
    layer: int,
    _sentences: "Transfer",
    _english: "Tensor",
    _chinese: "Tensor",
) -> "ZeroShotResult":
    from explorer.analysis.two_languages.vectors import centre
    from explorer.analysis.two_languages.zero_shot import classify

    english, chinese = _english[:, layer], _chinese[:, layer]
    if without_means:
        english, chinese = centre(english), centre(chinese)
    labels, truth = ([example.label for example in side] for side in (_sentences.english, _sentences.chinese))
    return classify(english, labels, chinese, truth, _sentences.groups)


@caching.resource(max_entries=16)
def _nearest(
    model: "LanguageModel", task: str, without_means: bool, _english: "Tensor", _chinese: "Tensor"
) -> "Tensor":
    import torch

    from explorer.analysis.two_languages.retrieval import nearest
    from explorer.analysis.two_languages.vectors import centre

    languages = (centre(_english), centre(_chinese)) if without_means else (_english, _chinese)
    return torch.cat([nearest(*languages), nearest(*reversed(languages))], 1)


@caching.resource(max_entries=16)
def _projections(
    model: "LanguageModel", task: str, without_means: bool, _english: "Tensor", _chinese: "Tensor"
) -> "list[Projection]":
    from explorer.analysis.two_languages.vectors import places

    return places(_english, _chinese, without_means)
