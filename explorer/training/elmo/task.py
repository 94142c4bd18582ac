"""Training `elmo` from zero: the next word from the left, the word before from the right.

Peters et al. 2018, section 3.1, at a size for a CPU. A row is a stretch of running text between
`<S>` and `</S>`, read by both directions. A word that a step reads often is spelled out once, and
the softmax over all words is estimated from a part of them.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int
from tokenizers import Tokenizer as Backend
from tokenizers import trainers
from torch import Tensor, nn

from explorer.models.elmo import Elmo, ElmoConfig, Reader
from explorer.tokenizers.characters import BEGIN_TEXT, END_TEXT, MARKS, spelled, word_row, words_backend
from explorer.training.elmo.lstm import Scan
from explorer.training.metrics.both_ways import both_ways
from explorer.training.metrics.live import live
from explorer.training.run.task import Recipe
from explorer.training.text.corpus import Corpus
from explorer.training.text.rows import Rows
from explorer.training.text.shards import Shard, Shards, sentences

START, END, UNKNOWN = range(len(MARKS))
LEXICON = 65_535  # words read by their spelling while training; shards hold 16 bits per word
FORGET = 0.5  # sentences that are read with nothing in mind, as single sentences are in the app

D_VOCAB = 25_000
FILTERS = ((1, 32), (2, 64), (3, 96), (4, 128), (5, 128))
CONFIG = ElmoConfig(
    d_vocab=D_VOCAB, d_half=128, d_hidden=512, layers=2, d_char=16, filters=FILTERS, highways=1
)
# Position follows position, so that a step's products grow with its rows, not with their length:
# short rows first. The last part is read with more words in mind.
RECIPE = Recipe(lengths=((0.0, 32), (0.6, 64)), batch=(1024, 3072))
RATE = 3e-3

HEAD = 1000  # the most frequent words are always in the softmax ...
DRAWN = 1000  # ... and of the others so many, drawn for each step


@dataclass(frozen=True)
class Proposal:
    """Which words stand for all others in a step's softmax.

    The first `head` words take part in every step, the others with a probability that goes with
    their frequency to the power 0.75.
    """

    head: int
    drawn: int
    chances: Float[Tensor, "d_vocab"]

    @classmethod
    def of(cls, counts: Float[Tensor, "d_vocab"], head: int = HEAD, drawn: int = DRAWN) -> "Proposal":
        """From how often each word was seen."""
        chances = (counts + 1) ** 0.75
        chances[:head] = 0
        return cls(min(head, len(counts)), drawn, chances / chances.sum().clamp_min(1e-9))

    def draw(self, generator: torch.Generator) -> tuple[Int[Tensor, "word"], Float[Tensor, "word"]]:
        """The words of a step, and for each the logarithm of how often it is expected among them."""
        head = torch.arange(self.head)
        if self.head == len(self.chances):
            return head, torch.zeros(self.head)
        drawn = torch.multinomial(self.chances, self.drawn, replacement=True, generator=generator)
        expected = (self.chances[drawn] * self.drawn).log()
        return torch.cat([head, drawn]), torch.cat([torch.zeros(self.head), expected])


def sampled_nats(
    half: Float[Tensor, "pos half"],
    truth: Int[Tensor, "pos"],
    softmax: nn.Linear,
    words: Int[Tensor, "word"],
    log_expected: Float[Tensor, "word"],
) -> Float[Tensor, "pos"]:
    """The cross-entropy of each position, its normaliser estimated from a part of the vocabulary.

        log (e^s_t + sum over the words w != t of e^s_w / expected(w)) - s_t

    The sum is the full one on average (importance sampling: Bengio and Senécal 2003), so that the
    figure is near the true one from the first step on: ln(d_vocab) where all scores are alike.
    """
    scores = half @ softmax.weight[words].T + (softmax.bias[words] - log_expected)
    own = (half * softmax.weight[truth]).sum(-1).float() + softmax.bias[truth]
    others = scores.float().masked_fill(words == truth[:, None], -torch.inf).logsumexp(-1)
    return torch.logaddexp(own, others) - own


def read(reader: Reader, x: Float[Tensor, "pos batch half"], keep: Float[Tensor, "pos batch 1"]) -> Tensor:
    """What a reader puts out at every position, first to last."""
    assert reader.projection is not None, "only readers that project are trained"
    device = x.device.type
    kind = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else x.dtype
    clips = (math.inf if clip is None else clip for clip in (reader.cell_clip, reader.half_clip))
    entering, recurrent = reader.kernel.to(kind).split(x.shape[-1])
    flat = torch.addmm(reader.bias.to(kind), x.to(kind).flatten(0, 1), entering)
    entered = flat.view(*x.shape[:2], -1)
    projection = reader.projection.to(kind)
    put_out: Tensor = Scan.apply(entered, recurrent, projection, keep.to(kind), *clips)  # type: ignore[no-untyped-call]  # by torch
    return put_out


def train_lexicon(
    corpus: Corpus, first: Sequence[str] = MARKS, size: int = LEXICON, blocks: int = 8
) -> Backend:
    """The words `first`, in their order, then the most frequent others of a sample of the text.

    A checkpoint that goes on with other text brings the words of its softmax as `first`.
    """
    backend = words_backend(MARKS)
    trainer = trainers.WordLevelTrainer(vocab_size=size, special_tokens=list(MARKS), show_progress=False)
    count = len(corpus.blocks())
    sample = sorted({i * count // blocks for i in range(blocks)})
    backend.train_from_iterator(("\n".join(d) for b in sample for d in corpus.documents(b)), trainer)
    vocabulary = backend.get_vocab()
    others = sorted(vocabulary.keys() - set(first), key=vocabulary.__getitem__)
    # `words_backend` makes one without the marks that a trainer takes out of a text.
    return words_backend([*first, *others][:size])


def stream(shard: Shard, length: int) -> Rows:
    """Sentences between their marks, cut every `length` words; a row's last word is a target only."""
    sizes = np.diff(shard.pieces)
    ids = np.full(len(shard.ids) + 2 * len(sizes), START, dtype=np.int32)
    begins = shard.pieces[:-1] + 2 * np.arange(len(sizes))
    ends = begins + sizes + 1
    ids[ends] = END
    inside = np.ones(len(ids), dtype=bool)
    inside[begins] = inside[ends] = False
    ids[inside] = shard.ids
    tensor = torch.from_numpy(ids)
    return Rows(
        tensor.unfold(0, length + 1, length) if len(ids) > length else tensor.new_zeros(0, length + 1)
    )


class ElmoTask:
    """ELMo's rows, loss, held-out measure and files (see `task.Task`)."""

    name = "elmo"
    watched = "nats"

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        recipe: Recipe = RECIPE,
        config: ElmoConfig = CONFIG,
        rate: float = RATE,
        first: Sequence[str] = MARKS,
    ) -> None:
        path = folder / "lexicon.json"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            train_lexicon(corpus, first).save(str(path))
        lexicon = Backend.from_file(str(path))
        vocabulary = lexicon.get_vocab()
        words = sorted(vocabulary, key=vocabulary.__getitem__)
        self.words = words[: config.d_vocab]
        self.network = Elmo(ElmoConfig(**(vars(config) | {"d_vocab": len(self.words)})))
        self.spelling = spelling(words, config.characters)
        self._shards = Shards(corpus, lexicon, sentences, folder / "tokens")
        self._held_out = held_out
        self.recipe, self._rate = recipe, rate
        counts = self.counts()
        self.proposal = Proposal.of(counts)
        initialised(self.network, counts)

    def counts(self) -> Float[Tensor, "d_vocab"]:
        """How often each word of the softmax is to be predicted in the first shard."""
        shard = self._shards[0]
        seen = torch.bincount(torch.from_numpy(shard.ids.astype("int64")), minlength=len(self.spelling))
        counts = seen[: len(self.words)].float()
        counts[UNKNOWN] += seen[len(self.words) :].sum()
        counts[[START, END]] = float(len(shard.pieces) - 1) / 2  # each is a target in one direction only
        return counts

    def optimisers(self) -> list[torch.optim.Optimizer]:
        parameters = self.network.parameters()
        return [
            torch.optim.AdamW(
                parameters, lr=self._rate, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.0, fused=True
            )
        ]

    def shards(self) -> int:
        return len(self._shards)

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        return stream(self._shards[shard], length)

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        generator = torch.Generator().manual_seed(step)
        ids = rows.ids.T.contiguous()  # pos batch
        chance = torch.rand(ids.shape, generator=generator).to(ids.device)
        ahead, back = self.halves(ids, chance < FORGET)
        words, log_expected = (t.to(ids.device) for t in self.proposal.draw(generator))
        targets = torch.where(ids < len(self.words), ids, UNKNOWN)
        nats = []
        softmax = self.network.softmax
        assert softmax is not None, "a network in training has its softmax"
        # After </S> always comes <S>, and before <S> always </S>: there is nothing to be learned there.
        for half, truth, trivial in (
            (ahead[:-1], targets[1:], ids[:-1] == END),
            (back[1:], targets[:-1], ids[1:] == START),
        ):
            asked = ~trivial
            nats.append(sampled_nats(half[asked], truth[asked], softmax, words, log_expected).mean())
        loss = (nats[0] + nats[1]) / 2
        return loss, {"nats": loss.detach(), "next": nats[0].detach(), "previous": nats[1].detach()}

    def halves(self, ids: Int[Tensor, "pos batch"], forgets: Tensor) -> tuple[Tensor, Tensor]:
        """The last layer's two halves, as the network gives them (a test compares).

        A reader forgets all where a sentence begins for it and `forgets` is true.
        """
        kinds, which = ids.unique(return_inverse=True)
        x = self.network.words(self.spelling[kinds.cpu()].to(ids.device))[which]
        result = []
        for backwards in (False, True):
            order = (0,) if backwards else ()
            begins = forgets & (ids == (END if backwards else START))
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
        found = both_ways(live(self.network, words_backend(self.words)), self._held_out, limit)
        return {
            "bits_next": found.next_word,
            "bits_previous": found.previous_word,
            "measured": float(found.words),
        }

    def write_tokenizer(self, folder: Path) -> None:
        words_backend(self.words).save(str(folder / "tokenizer.json"))
        settings = {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "bos_token": MARKS[START],
            "eos_token": MARKS[END],
            "unk_token": MARKS[UNKNOWN],
            "model_max_length": self.network.config.positions,
        }
        path = folder / "tokenizer_config.json"
        path.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")


def spelling(words: Sequence[str], room: int) -> Int[Tensor, "word char"]:
    """The characters of every word of the lexicon; the first three are the marks."""
    marks = [word_row([BEGIN_TEXT], room), word_row([END_TEXT], room)]
    return torch.tensor(marks + [spelled(word, room) for word in words[len(marks) :]])


def initialised(network: Elmo, counts: Float[Tensor, "d_vocab"], seed: int = 0) -> Elmo:
    """bilm-tf's start, but for the softmax's bias, which begins as each word's log-frequency."""
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
        softmax.bias.copy_(((counts + 0.5) / (counts.sum() + 0.5 * len(counts))).log())
    return network
