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

from typing import Any, ClassVar

import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from explorer import load
from explorer.analysis.prediction.drawing import draw
from explorer.models.electra import Electra, ElectraConfig
from explorer.models.encoder import MlmHead
from explorer.models.language_model import LanguageModel
from training.loop import Schedule
from training.metrics.replaced import verdicts
from training.optimiser import initialise_normal, log_frequencies, muon_and_adamw
from training.recipes import Sources
from training.recipes.bert_mini import ADAMW, MUON
from training.recipes.masked import WordPieceTask, sample_texts, train_wordpieces, word_loss
from training.rows import Rows, hide, layout
from training.text import Corpus, Shards

GENERATOR, DISCRIMINATOR = "-generator", "-discriminator"
SHARED = ("tokens", "positions", "segments", "norm")
DETECTED = 50.0  # weight of the discriminator's loss, which is far smaller for each word
HELPED = 5.0  # its weight while it also predicts the words
HELP_ENDS = (0.3, 0.5)  # progress from which the help decreases, and from which there is none
# A token's vector is as wide as the generator's layers; the discriminator maps it to its own width.
SIZES: dict[str, Any] = {"width": 128, "positions": 512}
CONFIGS = (
    ElectraConfig(8192, **SIZES, d_model=128, layers=3, heads=4, d_mlp=512),
    ElectraConfig(8192, **SIZES, d_model=256, layers=6, heads=8, d_mlp=1024),
)
# Rows have 128 tokens before the middle: the weights stored there are compared with other models.
SCHEDULE = Schedule(
    lengths=((0.0, 64), (0.4, 128), (0.9, 256)), batch=(4096, 4096), short=0.2, copy_positions=True
)


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


class ElectraTask(WordPieceTask):
    """The pair in training. A pair that has already learnt (`start`) is not helped again."""

    name = "electra"
    network: Pair
    curves: ClassVar = {GENERATOR: "masked", DISCRIMINATOR: "detected"}

    def __init__(
        self,
        corpus: Corpus,
        start: tuple[LanguageModel, LanguageModel] | None,
        schedule: Schedule,
        configs: tuple[ElectraConfig, ElectraConfig],
    ) -> None:
        if start:
            backend = start[0].tokenizer.backend
        else:
            backend = train_wordpieces(sample_texts(corpus), configs[0].d_vocab)
        super().__init__(backend, corpus, schedule)
        self.from_zero = start is None
        d_vocab = backend.get_vocab_size()  # a small text may have fewer tokens
        generator, discriminator = (ElectraConfig(**(vars(c) | {"d_vocab": d_vocab})) for c in configs)
        self.network = Pair(generator, discriminator, self.counts())
        if start:  # the pair shared its embeddings in training: the discriminator's are used
            self.network.generator.load_state_dict(start[0].network.state_dict())
            self.network.discriminator.load_state_dict(start[1].network.state_dict())

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return muon_and_adamw(self.network, MUON, ADAMW, ("generator.blocks.", "discriminator.blocks."))

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        random = Generator().manual_seed(step)
        generator, discriminator = self.network.generator, self.network.discriminator
        d_vocab, rate = generator.config.d_vocab, self.masked_share(progress)
        allowed, segments, candidates = layout(rows, self.frame)
        masked, chosen = hide(rows.ids, candidates, self.mask, d_vocab, random, 1.0, 0.0, rate)
        written = generator.unembed(generator(masked, segments=segments, mask=allowed).last[chosen])
        words, figures = word_loss(written, rows.ids[chosen])
        read = rows.ids.clone()
        read[chosen] = draw(written.detach(), random)
        replaced = (read != rows.ids)[candidates]
        last = discriminator(read, segments=segments, mask=allowed).last
        scores = discriminator.detect(last[candidates]).float()
        detected = F.binary_cross_entropy_with_logits(scores, replaced.float())
        help_ = help_weight(progress) if self.from_zero else 0.0
        total = words + (DETECTED + help_ * (HELPED - DETECTED)) * detected
        if help_:
            guesses = self.network.corrected(last[chosen], generator.tokens.weight)
            total = total + help_ * word_loss(guesses, rows.ids[chosen])[0]
        return total, figures | {"detected": detected.detach()}

    def networks(self) -> dict[str, nn.Module]:
        return {GENERATOR: self.network.generator, DISCRIMINATOR: self.network.discriminator}

    def held_out(self, model: LanguageModel, corpus: Corpus | None, limit: int | None) -> dict[str, float]:
        """Masked words for the generator; for the discriminator, replacements by the one beside it."""
        name = str(model.checkpoint)
        if not name.endswith(DISCRIMINATOR):
            return super().held_out(model, corpus, limit)
        if corpus is None:
            return {}
        generator = load(name.removesuffix(DISCRIMINATOR) + GENERATOR)
        judged = verdicts(generator, model, Shards(corpus, self.backend), limit)
        return {"replaced_nats": judged.nats, "replaced_f1": judged.f1}


def help_weight(progress: float) -> float:
    """Weight of the help for the discriminator: 1 at first, then decreasing to 0.

    >>> [round(help_weight(progress), 2) for progress in (0.0, 0.3, 0.4, 0.5, 1.0)]
    [1.0, 1.0, 0.5, 0.0, 0.0]
    """
    since, until = HELP_ENDS
    return min(1.0, max(0.0, (until - progress) / (until - since)))


def begin(sources: Sources) -> ElectraTask:
    """The task; of a pair to start from, `start` is the common beginning of its two folders' names."""
    if not sources.start:
        return ElectraTask(sources.corpus, None, SCHEDULE, CONFIGS)
    generator, discriminator = (load(f"folder:{sources.start}{half}") for half in (GENERATOR, DISCRIMINATOR))
    return ElectraTask(sources.corpus, (generator, discriminator), SCHEDULE, CONFIGS)
