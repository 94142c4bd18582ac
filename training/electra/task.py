"""Training a generator and a discriminator together from random weights (Clark et al. 2020, section 2).

    loss = cross-entropy of the masked words (generator)
         + 50 x cross-entropy of "replaced or not", over all words (discriminator)

The training is not adversarial: the generator learns only to fill blanks, since no gradient passes through
a sampled word.

A small discriminator on little text does not learn from that loss: after 11 M tokens it found random
replacements hardly better than chance (area under the curve 0.60; 0.60 for the generator's, where word
frequency alone gives 0.56). So in its first half it also predicts the original word of each blank (the
corrective language modeling of COCO-LM, Meng et al. 2021, section 3.2), with a head that does not ship, and
its verdicts weigh less; the second half has ELECTRA's loss alone.
"""

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Generator, Tensor, nn

from explorer.analysis.prediction.drawing import draw
from explorer.models.electra import Electra, ElectraConfig
from explorer.models.encoder import MlmHead
from training.bert.mini import ADAMW, D_VOCAB, MUON
from training.bert.word_loss import PIECE, PIECE_ON_GPU, word_loss
from training.bert.wordpieces import WordPieceTask, sample_texts, train_wordpieces, write_wordpieces
from training.metrics.live import live
from training.metrics.replaced import verdicts
from training.run.optimiser import muon_and_adamw
from training.run.schedule import Schedule
from training.run.task import Exportable, initialise_normal, log_frequencies, stored_tokenizer
from training.text.corpus import Corpus
from training.text.rows import Rows, hide, layout

SHARED = ("tokens", "positions", "segments", "norm")


class Pair(nn.Module):
    """Both networks with one embedding, whose parameters have the generator's names (section 3.2).

    The generator's blanks train the vectors of all tokens; the discriminator alone would change only those of
    the tokens that it reads.
    `corrected` predicts the original word from the discriminator's last layer: a help in training.
    """

    def __init__(self, generator: ElectraConfig, discriminator: ElectraConfig, counts: Tensor) -> None:
        super().__init__()
        self.generator = Electra(generator, frozenset({"mlm_head"}))
        self.discriminator = Electra(discriminator, frozenset({"discriminator_head"}))
        for name in SHARED:
            setattr(self.discriminator, name, getattr(self.generator, name))
        self.corrected = MlmHead(discriminator, discriminator.activation)
        initialise_normal(self)
        assert self.generator.mlm_head is not None, "a generator has its head"
        for bias in (self.generator.mlm_head.bias, self.corrected.bias):
            bias.data.copy_(log_frequencies(counts))


DETECTED = 50.0  # weight of the discriminator's loss, which is far smaller for each word
HELPED = 5.0  # its weight while it also predicts the words
HELP_ENDS = (0.3, 0.5)  # progress from which the help decreases, and from which there is none
# A token's vector is as wide as the generator's layers; the discriminator maps it to its own width.
SIZES: dict[str, Any] = {"width": 128, "positions": 512}
GENERATOR = SIZES | {"d_model": 128, "layers": 3, "heads": 4, "d_mlp": 512}
DISCRIMINATOR = SIZES | {"d_model": 256, "layers": 6, "heads": 8, "d_mlp": 1024}
# Rows have 128 tokens before the middle: the weights stored there are compared with other models.
SCHEDULE = Schedule(
    lengths=((0.0, 64), (0.4, 128), (0.9, 256)), batch=(4096, 4096), short=0.2, copy_positions=True
)
BLOCKS = ("generator.blocks.", "discriminator.blocks.")


class ElectraTask(WordPieceTask):
    """The pair's loss, held-out measures and files (see `run.task.Task`)."""

    name = "electra"
    curve_figure = "detected"

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        schedule: Schedule = SCHEDULE,
        configs: tuple[ElectraConfig, ElectraConfig] | None = None,
        from_zero: bool = True,
    ) -> None:
        """A pair that has already learnt (not `from_zero`) is not helped again."""
        size = configs[0].d_vocab if configs else D_VOCAB
        path = folder / "tokenizer.json"
        backend = stored_tokenizer(path, lambda: train_wordpieces(sample_texts(corpus), size))
        super().__init__(backend, corpus, held_out, folder, schedule)
        self.from_zero = from_zero
        d_vocab = self.backend.get_vocab_size()
        generator, discriminator = configs or (
            ElectraConfig(d_vocab, **GENERATOR),
            ElectraConfig(d_vocab, **DISCRIMINATOR),
        )
        self.network = Pair(generator, discriminator, self.counts())

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return muon_and_adamw(self.network, MUON, ADAMW, BLOCKS)

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        random = Generator(rows.ids.device).manual_seed(step)
        generator, discriminator = self.network.generator, self.network.discriminator
        fill, rate = generator.mlm_head, self.rate(progress)
        assert fill is not None, "a generator has its head"
        allowed, segments, candidates = layout(rows, self.frame)
        masked, chosen = hide(rows.ids, candidates, self.mask, len(fill.bias), random, 1.0, 0.0, rate)
        generated = generator(masked, segments=segments, mask=allowed).last
        states, vectors = fill.state(generated[chosen]), fill.vectors(generator.tokens.weight)
        truth = rows.ids[chosen]
        words, hits = word_loss(states, vectors, fill.bias, truth)
        read = rows.ids.clone()
        read[chosen] = sample_words(states, vectors, fill.bias, random)
        replaced = (read != rows.ids)[candidates]
        last = discriminator(read, segments=segments, mask=allowed).last
        scores = discriminator.detect(last[candidates]).float()
        detected = F.binary_cross_entropy_with_logits(scores, replaced.float())
        help_ = help_weight(progress) if self.from_zero else 0.0
        total = words + (DETECTED + help_ * (HELPED - DETECTED)) * detected
        if help_:
            head = self.network.corrected
            total = total + help_ * word_loss(head.state(last[chosen]), vectors, head.bias, truth)[0]
        positive = scores > 0
        f1 = 2 * (positive & replaced).sum() / (positive.sum() + replaced.sum()).clamp(min=1)
        return total, {
            "masked": words.detach(),
            "top1": hits / max(1, len(truth)),
            "detected": detected.detach(),
            "f1": f1,
        }

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Masked words of the generator, and replaced words that the discriminator finds."""
        generator, discriminator = self.checkpoints()
        return discriminator.held_out(limit) | generator.held_out(limit)

    def checkpoints(self) -> "Sequence[Half]":
        """Generator and discriminator, `electra-generator` and `electra-discriminator`."""
        return (
            Half(self, "generator", "masked", self.network.generator),
            Half(self, "discriminator", "detected", self.network.discriminator),
        )

    def write_tokenizer(self, folder: Path) -> None:
        write_wordpieces(self.backend, self.network.discriminator.config.positions, folder)


class Half(Exportable):
    """One network of a pair as a checkpoint of its own.

    The networks are copies with separate embeddings, so that one can be set to earlier weights. The
    replacements always come from the generator as it is now: all discriminators get the same questions.
    """

    def __init__(self, pair: ElectraTask, half: str, curve_figure: str, network: nn.Module) -> None:
        self.name, self.curve_figure = f"{pair.name}-{half}", curve_figure
        self.pair, self.network = pair, copy.deepcopy(network)
        self._generator = live(copy.deepcopy(pair.network.generator), pair.backend)

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Figures on masked words for the generator, on replaced words for the discriminator."""
        model = live(self.network, self.pair.backend)
        if self.curve_figure == "masked":
            return self.pair.held_out_words(model, limit)
        shards = self.pair.held_out_shards()
        if shards is None:
            return {}
        judged = verdicts(self._generator, model, shards, limit)
        return {"replaced_nats": judged.nats, "replaced_f1": judged.f1}

    def write_tokenizer(self, folder: Path) -> None:
        self.pair.write_tokenizer(folder)


def help_weight(progress: float) -> float:
    """Weight of the help for the discriminator: 1 at first, then decreasing to 0.

    >>> [round(help_weight(progress), 2) for progress in (0.0, 0.3, 0.4, 0.5, 1.0)]
    [1.0, 1.0, 0.5, 0.0, 0.0]
    """
    since, until = HELP_ENDS
    return min(1.0, max(0.0, (until - progress) / (until - since)))


@torch.no_grad()
def sample_words(
    states: Float[Tensor, "word width"],
    vectors: Float[Tensor, "d_vocab width"],
    bias: Float[Tensor, "d_vocab"],
    random: Generator,
) -> Int[Tensor, "word"]:
    """The generator's words for its blanks, sampled in groups: all scores at once would be large."""
    groups = states.split(PIECE_ON_GPU if states.is_cuda else PIECE)
    return torch.cat([draw(F.linear(group, vectors, bias), random) for group in groups])
