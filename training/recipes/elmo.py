"""Training `elmo` from random weights: the next word from the left, the previous word from the right.

Peters et al. 2018, section 3.1, at a size for a CPU. A row is a part of running text with sentences between
`<S>` and `</S>`, read in both directions. The characters of a word that occurs often in a step are read
once, and the softmax is estimated from a part of the vocabulary.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Float, Int
from tokenizers import Tokenizer as Backend
from tokenizers import trainers
from torch import Tensor, nn

from explorer.models.elmo import Elmo, ElmoConfig, Reader
from explorer.models.language_model import LanguageModel
from explorer.tokenizers.characters import BEGIN_TEXT, END_TEXT, MARKS, spelled, word_row, words_backend
from training.loop import Schedule, Task
from training.metrics.both_ways import both_ways
from training.metrics.figure import values
from training.optimiser import log_frequencies
from training.recipes import Sources
from training.rows import Rows, stream
from training.text import Corpus, Shard, Shards

START, END, UNKNOWN = range(len(MARKS))
LEXICON = 65_535  # words that are read in training; shards hold 16 bits per word
RESET = 0.5  # share of sentences read with a new state, as single sentences are in the app

D_VOCAB = 25_000
FILTERS = ((1, 32), (2, 64), (3, 96), (4, 128), (5, 128))
CONFIG = ElmoConfig(
    d_vocab=D_VOCAB, d_half=128, d_hidden=512, layers=2, d_char=16, filters=FILTERS, highways=1
)
# Positions are read one after another, so short rows come first; the last part has longer contexts.
SCHEDULE = Schedule(lengths=((0.0, 32), (0.6, 64)), batch=(1024, 3072))
RATE = 3e-3
HEAD = 1000  # most frequent words, always in the softmax
SAMPLED = 1000  # other words, drawn for each step


def draw_words(
    counts: Float[Tensor, "d_vocab"], generator: torch.Generator, head: int = HEAD, sampled: int = SAMPLED
) -> tuple[Int[Tensor, "word"], Float[Tensor, "word"]]:
    """Words of a step's softmax, and the logarithm of each word's expected count among them.

    The first `head` words take part in every step, `sampled` others with a probability proportional to their
    frequency to the power 0.75.
    """
    always = torch.arange(min(head, len(counts)))
    chances = (counts + 1) ** 0.75
    chances[always] = 0
    if not chances.any():
        return always, torch.zeros(len(always))
    others = torch.multinomial(chances, sampled, replacement=True, generator=generator)
    expected = (chances[others] * sampled / chances.sum()).log()
    return torch.cat([always, others]), torch.cat([torch.zeros(len(always)), expected])


def sampled_nats(
    half: Float[Tensor, "pos half"],
    truth: Int[Tensor, "pos"],
    softmax: nn.Linear,
    words: Int[Tensor, "word"],
    log_expected: Float[Tensor, "word"],
) -> Float[Tensor, "pos"]:
    """Cross-entropy of each position, with a normaliser estimated from a part of the vocabulary.

        log (e^s_t + sum over the words w != t of e^s_w / expected(w)) - s_t

    On average the sum is the full one (importance sampling: Bengio and Senécal 2003), so the loss is near
    the true one from the first step on: ln(d_vocab) where all scores are equal.
    """
    scores = half @ softmax.weight[words].T + (softmax.bias[words] - log_expected)
    own = (half * softmax.weight[truth]).sum(-1).float() + softmax.bias[truth]
    others = scores.float().masked_fill(words == truth[:, None], -torch.inf).logsumexp(-1)
    return torch.logaddexp(own, others) - own


def read(reader: Reader, x: Float[Tensor, "pos batch half"], keep: Float[Tensor, "pos batch 1"]) -> Tensor:
    """Outputs of a reader at every position; its state is reset before a position where `keep` is 0."""
    h, c = x.new_zeros(x.shape[1:]), x.new_zeros(x.shape[1], len(reader.kernel[0]) // 4)
    outputs = []
    for word, memory in zip(x, keep, strict=True):
        _, h, c = reader(word[:, None], h * memory, c * memory, None, backwards=False)
        outputs.append(h)
    return torch.stack(outputs)


def train_lexicon(
    corpus: Corpus, first: Sequence[str] = MARKS, size: int = LEXICON, blocks: int = 8
) -> Backend:
    """Words `first` in their order, then the most frequent others of a sample of the text.

    A run that continues from a checkpoint passes the words of its softmax as `first`.
    """
    backend = words_backend(MARKS)
    trainer = trainers.WordLevelTrainer(vocab_size=size, special_tokens=list(MARKS), show_progress=False)
    backend.train_from_iterator(("\n".join(document) for document in corpus.sample(blocks)), trainer)
    vocabulary = backend.get_vocab()
    others = sorted(vocabulary.keys() - set(first), key=vocabulary.__getitem__)
    # The trainer's backend would find the marks in a text; a new one does not.
    return words_backend([*first, *others][:size])


def marked(shard: Shard) -> np.ndarray:
    """Ids of a shard's sentences, each between its marks."""
    sizes = np.diff(shard.pieces)
    begins = shard.pieces[:-1] + 2 * np.arange(len(sizes))
    ids = np.empty(len(shard.ids) + 2 * len(sizes), dtype=np.int32)
    inside = np.ones(len(ids), dtype=bool)
    for mark, places in ((START, begins), (END, begins + sizes + 1)):
        ids[places] = mark
        inside[places] = False
    ids[inside] = shard.ids
    return ids


class ElmoTask(Task):
    """ELMo's two language models; with a model to start from, its words come first."""

    name = "elmo"
    network: Elmo
    curves: ClassVar = {"": "nats"}

    def __init__(
        self, corpus: Corpus, start: LanguageModel | None, schedule: Schedule, config: ElmoConfig
    ) -> None:
        first = [start.tokenizer.token(id) for id in range(start.tokenizer.size)] if start else MARKS
        lexicon = train_lexicon(corpus, first)
        vocabulary = lexicon.get_vocab()
        words = sorted(vocabulary, key=vocabulary.__getitem__)
        self.words = words[: config.d_vocab]
        self.network = Elmo(ElmoConfig(**(vars(config) | {"d_vocab": len(self.words)})))
        self.spelling = spelling(words, config.characters)
        self._shards = Shards(corpus, lexicon)
        self.schedule = schedule
        self._counts = self.counts()
        initialise(self.network, self._counts)
        if start:
            self.network.load_state_dict(start.network.state_dict())

    def counts(self) -> Float[Tensor, "d_vocab"]:
        """Number of times that each word of the softmax is a target in the first shard."""
        shard = self._shards[0]
        ids = torch.from_numpy(shard.ids.astype("int64"))
        occurrences = torch.bincount(ids, minlength=len(self.spelling))
        counts = occurrences[: len(self.words)].float()
        counts[UNKNOWN] += occurrences[len(self.words) :].sum()
        counts[[START, END]] = float(len(shard.pieces) - 1) / 2  # each is a target in one direction only
        return counts

    def optimisers(self) -> list[torch.optim.Optimizer]:
        parameters = self.network.parameters()
        return [torch.optim.AdamW(parameters, lr=RATE, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.0)]

    def shards(self) -> int:
        return len(self._shards)

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        return stream(marked(self._shards[shard]), length)

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        generator = torch.Generator().manual_seed(step)
        ids = rows.ids.T.contiguous()  # pos batch
        ahead, back = self.halves(ids, torch.rand(ids.shape, generator=generator) < RESET)
        words, log_expected = draw_words(self._counts, generator)
        targets = torch.where(ids < len(self.words), ids, UNKNOWN)
        nats = []
        softmax = self.network.softmax
        assert softmax is not None, "a network in training has its softmax"
        # <S> always follows </S>: there is nothing to learn.
        for half, truth, trivial in (
            (ahead[:-1], targets[1:], ids[:-1] == END),
            (back[1:], targets[:-1], ids[1:] == START),
        ):
            targets_ = ~trivial
            nats.append(sampled_nats(half[targets_], truth[targets_], softmax, words, log_expected).mean())
        loss = (nats[0] + nats[1]) / 2
        return loss, {"nats": loss.detach(), "next": nats[0].detach(), "previous": nats[1].detach()}

    def halves(self, ids: Int[Tensor, "pos batch"], resets: Tensor) -> tuple[Tensor, Tensor]:
        """The last layer's two halves, as the network gives them (a test compares).

        A reader's state is reset where a sentence begins for it and `resets` is true.
        """
        kinds, which = ids.unique(return_inverse=True)
        x = self.network.words(self.spelling[kinds])[which]
        result = []
        for backwards in (False, True):
            order = (0,) if backwards else ()
            begins = resets & (ids == (END if backwards else START))
            keep = (~begins).float()[..., None].flip(order)
            hidden = x.flip(order)
            for i, layer in enumerate(self.network.layers):
                above = read(layer.backwards if backwards else layer.forwards, hidden, keep)
                hidden = above + hidden if self.network.config.skip and i > 0 else above
            result.append(hidden.flip(order))
        return result[0], result[1]

    def held_out(self, model: LanguageModel, corpus: Corpus | None, limit: int | None) -> dict[str, float]:
        """Bits per word both ways (see `metrics.both_ways`)."""
        return values(both_ways(model, corpus, limit)) if corpus else {}

    def write_tokenizer(self, folder: Path) -> None:
        words_backend(self.words).save(str(folder / "tokenizer.json"))
        self.write_settings(folder)


def spelling(words: Sequence[str], room: int) -> Int[Tensor, "word char"]:
    """Characters of every word of the lexicon; the first three words are the marks."""
    marks = [word_row([BEGIN_TEXT], room), word_row([END_TEXT], room)]
    return torch.tensor(marks + [spelled(word, room) for word in words[len(marks) :]])


def initialise(network: Elmo, counts: Float[Tensor, "d_vocab"], seed: int = 0) -> None:
    """bilm-tf's initial weights, in place; the softmax's bias starts as each word's log-frequency."""
    generator = torch.Generator().manual_seed(seed)
    softmax = network.softmax
    assert softmax is not None, "a network in training has its softmax"

    def normal(parameter: Tensor, spread: float) -> None:
        nn.init.normal_(parameter, std=spread, generator=generator)

    with torch.no_grad():
        network.words.characters.uniform_(-1, 1, generator=generator)
        for look in network.words.filters:
            look.weight.uniform_(-0.05, 0.05, generator=generator)
        for highway in network.words.highways:
            for gate, bias in ((highway.carry, -2.0), (highway.transform, 0.0)):
                normal(gate.weight, math.sqrt(1 / gate.in_features))
                gate.bias.fill_(bias)
        if isinstance(network.words.project, nn.Linear):
            normal(network.words.project.weight, math.sqrt(1 / network.words.project.in_features))
            network.words.project.bias.zero_()
        for layer in network.layers:
            for reader in (layer.forwards, layer.backwards):
                nn.init.xavier_uniform_(reader.kernel, generator=generator)
                assert reader.projection is not None, "only readers that project are trained"
                nn.init.xavier_uniform_(reader.projection, generator=generator)
        normal(softmax.weight, math.sqrt(1 / network.config.d_half))
        softmax.bias.copy_(log_frequencies(counts))


def begin(sources: Sources) -> ElmoTask:
    """The task on the given text."""
    return ElmoTask(sources.corpus, sources.model, SCHEDULE, CONFIG)
