"""What a model makes of our English and Chinese sentences: read once for all visitors, a bar meanwhile."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.views.frame import caching

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.projection.methods import Projection
    from explorer.analysis.two_languages.zero_shot import ZeroShotResult
    from explorer.finetuning.transfer import Transfer
    from explorer.models import LanguageModel

PAIRS = "pairs"
CHUNK = 40  # texts that are read, and kept, together: how often the bar moves
PATIENCE_S = 0.15  # after which the page says what it is waiting for
Tell = Callable[[float, str], None]


@dataclass(frozen=True, eq=False)
class Seen:
    """A task's sentences in one model, the English ones first.

    `asked` has a classifier for each layer; for translations it is empty, and `nearest` says by layer of
    each text whether its own translation is the nearest.
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    english: int
    places: "list[Projection]"
    transfer: "Transfer | None"
    asked: "list[ZeroShotResult]"
    nearest: "Tensor | None"
    without_means: bool

    @property
    def depth(self) -> int:
        """Layers, the embedding among them."""
        return len(self.places)

    def wrong(self, layer: int) -> list[bool]:
        """Of each text whether it is wrong at a layer; English ones are learnt from, and never are."""
        if self.nearest is not None:
            return [not one for one in self.nearest[layer].tolist()]
        return [False] * self.english + [not one for one in self.asked[layer].right]


def look(model: "LanguageModel", task: str, without_means: bool, busy: Any) -> Seen:
    """Everything about a task, or about the translations; `busy` shows how far it is, if it takes long."""
    from explorer.finetuning import transfer

    tell = _patient(busy)
    known = None if task == PAIRS else transfer.read(task)
    if known is None:
        texts = [tuple(pair[side] for pair in transfer.pairs()) for side in (0, 1)]
    else:
        texts = [tuple(one.text for one in side) for side in (known.english, known.chinese)]
    english, chinese = _read(model, texts, known.words if known else ("", ""), tell)
    which = (model, task, without_means)
    asked: list[ZeroShotResult] = []
    nearest = None
    if known is None:
        nearest = _nearest(*which, english, chinese)
    else:
        depth = english.shape[1]
        for layer in range(depth):
            tell(layer / depth, f"{layer} of {depth} classifiers trained")
            asked.append(_asked(*which, layer, known, english, chinese))
    tell(1.0, "Drawing the map")
    places = _places(*which, english, chinese)
    busy.empty()
    labels = tuple(one.label for one in (*known.english, *known.chinese)) if known else ()
    return Seen((*texts[0], *texts[1]), labels, len(texts[0]), places, known, asked, nearest, without_means)


def _read(
    model: "LanguageModel", texts: Sequence[Sequence[str]], words: Sequence[str], tell: Tell
) -> "tuple[Tensor, Tensor]":
    """The vectors of both languages; what another visitor has waited for is there at once."""
    import torch

    whole, done, vectors = sum(map(len, texts)), 0, []
    for language, word in zip(texts, words, strict=True):
        parts = []
        for start in range(0, len(language), CHUNK):
            tell(done / whole, f"{done} of {whole} sentences read")
            parts.append(_chunk(model, language[start : start + CHUNK], word))
            done += len(parts[-1])
        vectors.append(torch.cat(parts))
    return vectors[0], vectors[1]


@caching.resource(max_entries=4)
def shared_alone(task: str) -> float:
    """What the digits and Latin words of a task tell, without any model."""
    from explorer.finetuning import transfer

    return transfer.shared_alone(transfer.read(task))


def _patient(busy: Any) -> Tell:
    """What shows a bar once a visitor has waited for a moment."""
    started = time.monotonic()

    def tell(share: float, said: str) -> None:
        if time.monotonic() - started > PATIENCE_S:
            busy.progress(share, said)

    return tell


@caching.resource(max_entries=64)
def _chunk(model: "LanguageModel", texts: Sequence[str], word: str) -> "Tensor":
    from explorer.finetuning import transfer

    return transfer.vectors(model, texts, word)


@caching.resource(max_entries=256)
def _asked(
    model: "LanguageModel",
    task: str,
    without_means: bool,
    layer: int,
    _known: "Transfer",
    _english: "Tensor",
    _chinese: "Tensor",
) -> "ZeroShotResult":
    from explorer.analysis.two_languages.vectors import centre
    from explorer.analysis.two_languages.zero_shot import classify

    one, other = _english[:, layer], _chinese[:, layer]
    if without_means:
        one, other = centre(one), centre(other)
    labels, truth = ([example.label for example in side] for side in (_known.english, _known.chinese))
    return classify(one, labels, other, truth, _known.groups)


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
def _places(
    model: "LanguageModel", task: str, without_means: bool, _english: "Tensor", _chinese: "Tensor"
) -> "list[Projection]":
    from explorer.analysis.two_languages.places import places

    return places(_english, _chinese, without_means)
