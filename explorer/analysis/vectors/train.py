"""word2vec trained on a pasted text, one step at a time.

    training = train(text, Settings(method="cbow", seed=1))
    for progress in training:   loss, the word it reads, that word's context, the vectors so far

Nothing runs between two steps, so training stops with the iteration. Random choices (which words are read,
how wide the windows are, which words are the negatives) are drawn as in `explorer.models.word2vec`, and each
pair draws its own negatives, as in the paper.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.analysis.vectors.table import Vectors
from explorer.errors import ExplorerError, TextError
from explorer.locale import _, format_number, ngettext
from explorer.models import word2vec
from explorer.models.word2vec import Word2Vec, Word2VecConfig
from explorer.text.letters import has_letters
from explorer.tokenizers.words import WordTokenizer, most_frequent

Method = Literal["skip-gram", "cbow"]
STEP = 32  # running words in a step; few enough to see the map move
FEWEST = 5  # different words below which there is nothing to learn
MOST = 50_000  # characters of text
# Larger than for millions of words, since few are read. A word of a window gets only its share of CBOW's
# gradient; word2vec.c gives each of them all of it.
RATES = {"skip-gram": 0.1, "cbow": 0.5}


@dataclass(frozen=True)
class Settings:
    """The hyperparameters of the two papers.

    `least_count` excludes rarer words; `subsample` thins out frequent ones (0: off). `rate` is the initial
    learning rate, which decays linearly to 0; None takes `RATES`. Raises ExplorerError for invalid values.
    """

    method: str = "skip-gram"
    window: int = 5
    dimensions: int = 50
    negatives: int = 5
    epochs: int = 20
    rate: float | None = None
    subsample: float = 1e-3
    least_count: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        def check(good: bool, name: str, value: object, hint: str) -> None:
            if not good:
                raise ExplorerError(f"{name} cannot be {value}.", hint)

        kinds = get_args(Method)
        check(self.method in kinds, "The method", f"“{self.method}”", f"Choose {' or '.join(kinds)}.")
        check(1 <= self.window <= 20, "The window", self.window, "Choose 1 to 20 words to each side.")
        check(2 <= self.dimensions <= 300, "Dimensions", self.dimensions, "Choose 2 to 300.")
        check(1 <= self.negatives <= 50, "Negatives", self.negatives, "Choose 1 to 50.")
        check(1 <= self.epochs <= 500, "Epochs", self.epochs, "Choose 1 to 500.")
        rate = self.rate is None or 0 < self.rate <= 1
        check(rate, "The learning rate", self.rate, "Choose a number above 0 and up to 1, or None.")
        check(0 <= self.subsample <= 1, "Subsampling", self.subsample, "Choose 0 (off) or about 0.001.")
        check(self.least_count >= 1, "The least count", self.least_count, "Choose 1 or more.")
        check(0 <= self.seed < 2**63, "The seed", self.seed, "Choose a whole number from 0 up.")


@dataclass(frozen=True, eq=False)
class Progress:
    """One step: `STEP` running words, or those that subsampling left of them.

    `loss` is the mean over the step's pairs, in nats (skip-gram's pairs are a word and one of its context,
    CBOW's a context and its word); None if subsampling left no pair. `centre` and `context` are indices of
    `Training.spans`: the last word that was read, and its context. `vectors` is a copy.
    """

    step: int
    steps: int
    epoch: int
    loss: float | None
    centre: int | None
    context: list[int]
    vectors: Vectors


class Training(Iterator[Progress]):
    """The steps of a training, computed one at a time.

    `words` and `counts` are the vocabulary, most frequent first; `spans` are the running words' characters in
    `text`, and `ids` their rows, -1 for a word that is too rare.
    """

    def __init__(self, text: str, settings: Settings) -> None:
        self.text, self.settings = text, settings
        lines = text.splitlines(keepends=True)
        vocabulary = most_frequent(lines, MOST, settings.least_count)
        if len(vocabulary) < FEWEST:
            raise TextError(
                ngettext(
                    "The text has {count} different word that occurs often enough.",
                    "The text has {count} different words that occur often enough.",
                    len(vocabulary),
                ),
                _("Paste a longer one: a few hundred words at least."),
            )
        self.words = [word for word, count in vocabulary]
        self.counts = torch.tensor([count for word, count in vocabulary])
        tokenizer = WordTokenizer(self.words)
        pieces = [piece for piece in tokenizer.split(text) if piece.id is not None or has_letters(piece.word)]
        self.spans = [piece.span for piece in pieces]
        self.ids = torch.tensor([-1 if piece.id is None else piece.id for piece in pieces])
        self._in_vocabulary = (self.ids >= 0).nonzero().flatten()
        ends = torch.tensor([len(line) for line in lines]).cumsum(0)
        starts = torch.tensor([start for start, end in self.spans])
        self._lines = torch.searchsorted(ends, starts, right=True)  # windows stay within a line
        self._per_epoch = math.ceil(len(self._in_vocabulary) / STEP)
        self.steps = self._per_epoch * settings.epochs
        self.step = 0
        self._rate = settings.rate or RATES[settings.method]
        self._generator = torch.Generator().manual_seed(settings.seed)
        config = Word2VecConfig(len(self.words), settings.dimensions, settings.method)
        self._network = word2vec.initialise(Word2Vec(config, frozenset({"contexts"})), self._generator)
        self._shares = word2vec.kept_share(self.counts, settings.subsample)
        self._odds = word2vec.negative_odds(self.counts)
        self._read = self._in_vocabulary

    @property
    def vectors(self) -> Vectors:
        """A copy of the current vectors."""
        return Vectors(self.words, self._network.tokens.weight.detach().clone())

    @property
    def contexts(self) -> Float[Tensor, "d_vocab d_model"]:
        """A copy of the current output vectors, the second matrix of the papers."""
        return self._network.contexts.weight.detach().clone()

    def __next__(self) -> Progress:
        if self.step == self.steps:
            raise StopIteration
        epoch, within = divmod(self.step, self._per_epoch)
        if within == 0:
            self._subsample()
        # Every epoch has the same number of steps, and each reads its share of the words that subsampling
        # left.
        share = len(self._read) / self._per_epoch
        start, end = round(within * share), round((within + 1) * share)
        near = self._near[start:end]
        loss = self._learn(start, near, self._rate * max(1 - self.step / self.steps, 1e-4))
        self.step += 1
        with_context = near.any(1).nonzero().flatten()
        centre, context = None, []
        if len(with_context):
            row = int(with_context[-1])
            offsets = near[row].nonzero().flatten() - self.settings.window
            centre = int(self._read[start + row])
            context = self._read[start + row + offsets].tolist()
        return Progress(self.step, self.steps, epoch + 1, loss, centre, context, self.vectors)

    def _subsample(self) -> None:
        """Draw the running words that this epoch reads, and the width of each window."""
        draws = torch.rand(len(self._in_vocabulary), generator=self._generator)
        self._read = self._in_vocabulary[draws < self._shares[self.ids[self._in_vocabulary]]]
        reach = word2vec.draw_reach(len(self._read), self.settings.window, self._generator)
        self._near = word2vec.neighbours(self._lines[self._read], reach, self.settings.window)

    def _learn(self, start: int, near: Bool[Tensor, "pos offset"], rate: float) -> float | None:
        """One step of gradient descent on the summed loss of the pairs, as in word2vec.c. Returns their mean
        loss."""
        inputs, targets = self._pairs(start, near)
        if not len(targets):
            return None
        shape = (len(targets), self.settings.negatives)
        negatives = word2vec.draw_negatives(self._odds, shape, self._generator)
        with torch.enable_grad():
            losses = self._network.loss(inputs, targets, negatives)
            tables = list(self._network.parameters())
            gradients = torch.autograd.grad(losses.sum(), tables)
        with torch.no_grad():
            for table, gradient in zip(tables, gradients, strict=True):
                # A row in many pairs of the step moves by no more than 1: see `skipgram`.
                table.sub_(gradient * (rate / (rate * gradient.norm(dim=1, keepdim=True)).clamp_min(1)))
        return float(losses.detach().mean())

    def _pairs(
        self, start: int, near: Bool[Tensor, "pos offset"]
    ) -> tuple[Int[Tensor, "pair word"], Int[Tensor, "pair"]]:
        """Inputs and targets: word and context word (skip-gram), or context and word (CBOW)."""
        ids, window = self.ids[self._read], self.settings.window
        row, column = near.nonzero().T
        context = ids[start + row + column - window]
        if self.settings.method == "skip-gram":
            return ids[start + row][:, None], context
        bags = torch.full(near.shape, -1)
        bags[row, column] = context
        with_context = near.any(1)
        return bags[with_context], ids[start : start + len(near)][with_context]


def train(text: str, settings: Settings) -> Training:
    """An iterator of training steps over a text. The same text and settings give the same vectors.

    Raises TextError for a text with too few different words, or one that is too long.
    """
    if len(text) > MOST:
        raise TextError(
            _(
                "The text has {count} characters; at most {most} are trained on here.",
                count=format_number(len(text)),
                most=format_number(MOST),
            ),
            _("Paste a part of it."),
        )
    return Training(text, settings)
