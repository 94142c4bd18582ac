"""Training `elmo` from random weights: the next word from the left, the previous word from the right.

Peters et al. 2018, section 3.1, at a size for a CPU. A row is a part of running text with sentences between
`<S>` and `</S>`, read in both directions. The characters of a word that occurs often in a step are read
once, and the softmax is estimated from a part of the vocabulary.
"""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int
from tokenizers import Tokenizer as Backend
from tokenizers import trainers
from torch import Tensor, nn

from explorer.models.elmo import Elmo, ElmoConfig, Reader
from explorer.tokenizers.characters import BEGIN_TEXT, END_TEXT, MARKS, spelled, word_row, words_backend
from training.elmo.lstm import Scan
from training.elmo.softmax import Proposal, sampled_nats
from training.metrics.both_ways import both_ways
from training.metrics.figure import values
from training.metrics.live import live
from training.run.schedule import Schedule
from training.run.task import Task, log_frequencies, stored_tokenizer, write_settings
from training.text.corpus import Corpus
from training.text.rows import Rows, stream
from training.text.shards import Shard, Shards, sentences

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


def read(reader: Reader, x: Float[Tensor, "pos batch half"], keep: Float[Tensor, "pos batch 1"]) -> Tensor:
    """Outputs of a reader at every position, first to last."""
    assert reader.projection is not None, "only readers that project are trained"
    device = x.device.type
    kind = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else x.dtype
    clips = (math.inf if clip is None else clip for clip in (reader.cell_clip, reader.half_clip))
    entering, recurrent = reader.kernel.to(kind).split(x.shape[-1])
    flat = torch.addmm(reader.bias.to(kind), x.to(kind).flatten(0, 1), entering)
    entered = flat.view(*x.shape[:2], -1)
    projection = reader.projection.to(kind)
    outputs: Tensor = Scan.apply(entered, recurrent, projection, keep.to(kind), *clips)  # type: ignore[no-untyped-call]  # by torch
    return outputs


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
    """ELMo's rows, loss, held-out measure and files (see `run.task.Task`)."""

    name = "elmo"
    curve_figure = "nats"

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        schedule: Schedule = SCHEDULE,
        config: ElmoConfig = CONFIG,
        rate: float = RATE,
        first: Sequence[str] = MARKS,
    ) -> None:
        lexicon = stored_tokenizer(folder / "lexicon.json", lambda: train_lexicon(corpus, first))
        vocabulary = lexicon.get_vocab()
        words = sorted(vocabulary, key=vocabulary.__getitem__)
        self.words = words[: config.d_vocab]
        self.network = Elmo(ElmoConfig(**(vars(config) | {"d_vocab": len(self.words)})))
        self.spelling = spelling(words, config.characters)
        self._shards = Shards(corpus, lexicon, sentences, folder / "tokens")
        self._held_out = held_out
        self.schedule, self._rate = schedule, rate
        counts = self.counts()
        self.proposal = Proposal.of(counts)
        initialise(self.network, counts)

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
        return [
            torch.optim.AdamW(
                parameters, lr=self._rate, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.0, fused=True
            )
        ]

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        return stream(marked(self._shards[shard]), length)

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        generator = torch.Generator().manual_seed(step)
        ids = rows.ids.T.contiguous()  # pos batch
        chance = torch.rand(ids.shape, generator=generator).to(ids.device)
        ahead, back = self.halves(ids, chance < RESET)
        words, log_expected = (t.to(ids.device) for t in self.proposal.draw(generator))
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
        x = self.network.words(self.spelling[kinds.cpu()].to(ids.device))[which]
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

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Bits per word both ways (see `metrics.both_ways`)."""
        if self._held_out is None:
            return {}
        model = live(self.network, words_backend(self.words))
        return values(both_ways(model, self._held_out, limit))

    def write_tokenizer(self, folder: Path) -> None:
        words_backend(self.words).save(str(folder / "tokenizer.json"))
        write_settings(
            folder,
            tokenizer_class="PreTrainedTokenizerFast",
            bos_token=MARKS[START],
            eos_token=MARKS[END],
            unk_token=MARKS[UNKNOWN],
            model_max_length=self.network.config.positions,
        )


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
