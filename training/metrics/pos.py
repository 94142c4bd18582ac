"""Part of speech by layer: accuracy of a linear classifier on each layer's vectors.

Trained on a treebank in CoNLL-U (UD English EWT), Penn tags. The network is frozen; the accuracy shows
how accessible the tag is in a layer (Belinkov et al. 2017). In Peters et al. 2018, Table 6, ELMo's first
layer is better than its second; for senses it is the other way round.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.analysis.probing.fitting import TrainingConfig, fit
from explorer.analysis.senses.occurrences import token_positions
from explorer.errors import NotFoundError, TextError
from explorer.models.language_model import LanguageModel
from explorer.models.layer_mix import LayerMix
from explorer.trace import Ability, Capture, captured
from training.metrics.figure import Figure, Inputs, by_layer

TRAIN, TEST = "train.conllu", "dev.conllu"
WORDS = 50_000  # of the training part
EPOCHS, BATCH, RATE, MIX_RATE = 12, 256, 2e-3, 3e-2


@dataclass(frozen=True)
class Tagged:
    """A sentence with its words' spans and tags."""

    text: str
    spans: tuple[tuple[int, int], ...]
    tags: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Sample:
    """Words with their vectors at each layer and their tags."""

    vectors: Float[Tensor, "depth word d_model"]
    tags: Int[Tensor, "word"]
    words: list[str]


def tags(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Part of speech, classified at each layer."""
    return part_of_speech(model, inputs.folder("ud_ewt"), inputs.limits["pos"])


def part_of_speech(model: LanguageModel, folder: Path, limit: int | None = WORDS) -> list[Figure]:
    """Accuracy of a linear classifier on each layer, of one on a learnt mix of all, and without vectors.

    A word of several tokens has the mean of their vectors; a tag that is not in the training part counts as
    wrong. Raises AbilityError for a model without hidden states, NotFoundError without the files.
    """
    model.require(Ability.CONTEXT, "tell parts of speech apart")
    learned, judged = (read_treebank(file_ending(folder, name)) for name in (TRAIN, TEST))
    names = sorted({tag for sentence in learned for tag in sentence.tags})
    train, test = sample(model, learned, names, limit), sample(model, judged, names, limit)
    if not train.words or not test.words:
        raise TextError("The treebank holds no words.", "Give the whole of it.")
    mean, spread = train.vectors.mean(1, keepdim=True), train.vectors.std(1, keepdim=True) + 1e-5
    train, test = (Sample((part.vectors - mean) / spread, part.tags, part.words) for part in (train, test))
    layers = [
        accuracy(fit_classifier(vectors[None], train.tags, len(names)), other[None], test.tags)
        for vectors, other in zip(train.vectors, test.vectors, strict=True)
    ]
    probe = fit_classifier(train.vectors, train.tags, len(names))
    mixed = accuracy(probe, test.vectors, test.tags)
    weights = "weights from layer 0: " + " ".join(f"{weight:.2f}" for weight in probe[1].weights.tolist())
    return [
        by_layer("pos", f"Penn tags ({len(names)}), last layer", layers, len(test.words), "words"),
        Figure("pos_mix", "a learned mix of the layers", mixed, note=weights),
        Figure("pos_by_word", "each word's most frequent tag", by_word(train, test)),
    ]


def read_treebank(path: Path) -> list[Tagged]:
    """Sentences of a CoNLL-U file with Penn tags."""
    sentences = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = block.splitlines()
        text = next((line[len("# text = ") :] for line in lines if line.startswith("# text = ")), None)
        if text is None:
            continue
        spans, tags, at = [], [], 0
        for line in lines:
            number, *columns = line.split("\t")
            # 3-4 stands for the whole of "don't", 5.1 for a word that is not written.
            if not number.isdecimal():
                continue
            form, tag = columns[0], columns[3]
            if (start := text.find(form, at)) >= 0:
                at = start + len(form)
                spans.append((start, at))
                tags.append(tag)
        sentences.append(Tagged(text, tuple(spans), tuple(tags)))
    return sentences


def file_ending(folder: Path, ending: str) -> Path:
    """File of a treebank with this ending. Raises NotFoundError."""
    paths = sorted(folder.glob(f"*{ending}"))
    if not paths:
        raise NotFoundError(f"{folder} has no …{ending}.", "Unpack UD English EWT there.")
    return paths[0]


def sample(model: LanguageModel, sentences: Sequence[Tagged], names: list[str], limit: int | None) -> Sample:
    """First `limit` words that the model reads, or all; -1 for a tag not among `names`."""
    number = {name: i for i, name in enumerate(names)}
    vectors, tags, words = [], [], []
    for vector, tag, word in islice(_words(model, sentences), limit):
        vectors.append(vector)
        tags.append(number.get(tag, -1))
        words.append(word)
    if not words:
        return Sample(torch.empty(0, 0, 0), torch.empty(0, dtype=torch.long), [])
    return Sample(torch.stack(vectors, dim=1), torch.tensor(tags), words)


def fit_classifier(
    vectors: Float[Tensor, "depth word d_model"], tags: Int[Tensor, "word"], kinds: int, seed: int = 0
) -> tuple[nn.Linear, LayerMix]:
    """Linear classifier on a mix of the given layers, trained with the mix; one layer is used as it is."""
    classifier, mix = nn.Linear(vectors.shape[-1], kinds), LayerMix(len(vectors))
    with torch.no_grad():
        for parameter in classifier.parameters():
            parameter.zero_()

    def loss(batch: Tensor) -> Tensor:
        return F.cross_entropy(classifier(mix(vectors[:, batch])), tags[batch], ignore_index=-1)

    # The few weights of the mix need larger steps than the classifier's.
    groups: list[dict[str, Any]] = [
        {"params": classifier.parameters()},
        {"params": mix.parameters(), "lr": MIX_RATE},
    ]
    fit(groups, loss, len(tags), TrainingConfig(EPOCHS, BATCH, RATE, seed))
    return classifier, mix


def accuracy(
    probe: tuple[nn.Linear, LayerMix],
    vectors: Float[Tensor, "depth word d_model"],
    tags: Int[Tensor, "word"],
) -> float:
    """Share of tags that a classifier on a mix of layers predicts."""
    classifier, mix = probe
    with torch.no_grad():
        return float((classifier(mix(vectors)).argmax(-1) == tags).float().mean())


def by_word(train: Sample, test: Sample) -> float:
    """Accuracy of each word's most frequent tag, and of the most frequent of all for unknown words."""
    counts: dict[str, Counter[int]] = {}
    for word, tag in zip(train.words, train.tags.tolist(), strict=True):
        counts.setdefault(word, Counter())[tag] += 1
    usual = Counter(train.tags.tolist()).most_common(1)[0][0]
    guess = [counts[w].most_common(1)[0][0] if w in counts else usual for w in test.words]
    return float((torch.tensor(guess) == test.tags).float().mean())


def _words(model: LanguageModel, sentences: Sequence[Tagged]) -> Iterator[tuple[Tensor, str, str]]:
    """Vectors, tag and form of every word that the model reads."""
    traces = model.trace_many((sentence.text for sentence in sentences), Capture.HIDDEN)
    for sentence, trace in zip(sentences, traces, strict=True):
        for span, tag in zip(sentence.spans, sentence.tags, strict=True):
            if positions := token_positions(trace.encoding, span):
                yield captured(trace.hidden_states)[:, positions].mean(1), tag, sentence.text[slice(*span)]
