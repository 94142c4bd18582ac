"""Training a generator and a discriminator together, from zero (Clark et al. 2020, section 2).

    loss = cross-entropy of the masked words (generator)
         + 50 x cross-entropy of "replaced or not", over all words (discriminator)

This is no adversarial training: the generator learns to fill blanks and nothing else, since no gradient
passes through a word that was drawn.

A small discriminator on little text does not get off the ground by that: after 11 M tokens it told words put
in at random from others hardly better than by chance (area under the curve 0.60; the generator's own 0.60,
where word frequency alone gives 0.56). So in its first half it is also asked which word stood where one was
drawn (the corrective language modeling of COCO-LM, Meng et al. 2021, section 3.2), through a head that does
not ship, and its verdicts weigh less; the second half is ELECTRA's alone.
"""

from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from tokenizers import Tokenizer as Backend
from torch import Generator, Tensor

from explorer.analysis.prediction.drawing import draw
from explorer.models.electra import ElectraConfig
from explorer.training.bert.masking import hide
from explorer.training.bert.mini import ADAMW, D_VOCAB, MUON
from explorer.training.bert.vocabulary import sample, wordpieces
from explorer.training.bert.word_loss import PIECE, PIECE_ON_GPU, word_loss
from explorer.training.bert.wordpieces import WordPieceTask, write_wordpieces
from explorer.training.electra.pair import Pair, initialised
from explorer.training.metrics.live import live
from explorer.training.metrics.masked import masked_words
from explorer.training.metrics.replaced import verdicts
from explorer.training.run.optimiser import muon_and_adamw
from explorer.training.run.task import Recipe
from explorer.training.text.corpus import Corpus
from explorer.training.text.rows import Rows, layout

DETECTED = 50.0  # weight of the discriminator's loss, which is far smaller a word
HELPED = 5.0  # its weight while it is also asked for the words
HELP_ENDS = (0.3, 0.5)  # from this progress on the help becomes less; from that on there is none
# A token's vector is as wide as the generator's layers; the discriminator maps it to its own width.
GENERATOR: dict[str, Any] = {
    "width": 128,
    "d_model": 128,
    "layers": 3,
    "heads": 4,
    "d_mlp": 512,
    "positions": 512,
}
DISCRIMINATOR: dict[str, Any] = {
    "width": 128,
    "d_model": 256,
    "layers": 6,
    "heads": 8,
    "d_mlp": 1024,
    "positions": 512,
}
# Rows are 128 tokens long before the middle: what is kept there is compared with other models.
LENGTHS = ((0.0, 64), (0.4, 128), (0.9, 256))
RECIPE = Recipe(LENGTHS, batch=(4096, 4096), masked=(0.15, 0.15), short=0.2, copied=True)
BLOCKS = ("generator.blocks.", "discriminator.blocks.")


class ElectraTask(WordPieceTask):
    """The pair's loss, held-out measures and files (see `task.Task`)."""

    name = "electra"
    watched = "detected"

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        recipe: Recipe = RECIPE,
        configs: tuple[ElectraConfig, ElectraConfig] | None = None,
        begins: bool = True,
    ) -> None:
        """`begins`: from zero; a pair that has learnt already is not helped again."""
        path = folder / "tokenizer.json"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            size = configs[0].d_vocab if configs else D_VOCAB
            wordpieces(sample(corpus), size).save(str(path))
        super().__init__(Backend.from_file(str(path)), corpus, held_out, folder, recipe)
        self.begins = begins
        d_vocab = self.backend.get_vocab_size()
        generator, discriminator = configs or (
            ElectraConfig(d_vocab, **GENERATOR),
            ElectraConfig(d_vocab, **DISCRIMINATOR),
        )
        self.network = initialised(Pair(generator, discriminator), self.counts())

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return muon_and_adamw(self.network, MUON, ADAMW, BLOCKS)

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        random = Generator(rows.ids.device).manual_seed(step)
        generator, discriminator = self.network.generator, self.network.discriminator
        fill = generator.mlm_head
        assert fill is not None, "a generator has its head"
        allowed, segments, candidates = layout(rows, self.frame)
        hidden, chosen = hide(
            rows.ids,
            candidates,
            self.mask,
            len(fill.bias),
            random,
            hidden=1.0,
            random=0.0,
            rate=self.rate(progress),
        )
        made = generator(hidden, segments=segments, mask=allowed).last
        states, vectors = fill.state(made[chosen]), fill.vectors(generator.tokens.weight)
        truth = rows.ids[chosen]
        words, hits = word_loss(states, vectors, fill.bias, truth)
        read = rows.ids.clone()
        read[chosen] = drawn(states, vectors, fill.bias, random)
        replaced = (read != rows.ids)[candidates]
        last = discriminator(read, segments=segments, mask=allowed).last
        scores = discriminator.detect(last[candidates]).float()
        detected = F.binary_cross_entropy_with_logits(scores, replaced.float())
        aid = helped(progress) if self.begins else 0.0
        total = words + (DETECTED + aid * (HELPED - DETECTED)) * detected
        if aid:
            corrected = self.network.corrected
            asked = corrected.state(last[chosen])
            total = total + aid * word_loss(asked, vectors, corrected.bias, truth)[0]
        said = scores > 0
        found = 2 * (said & replaced).sum() / (said.sum() + replaced.sum()).clamp(min=1)
        return total, {
            "masked": words.detach(),
            "top1": hits / max(1, len(truth)),
            "detected": detected.detach(),
            "f1": found,
        }

    def held_out(self, limit: int | None) -> dict[str, float]:
        """The generator's masked words (see `metrics.masked`), and what the discriminator finds of them."""
        held = self.held_out_shards()
        if held is None:
            return {}
        generator = live(self.network.generator, self.backend)
        discriminator = live(self.network.discriminator, self.backend)
        words = masked_words(generator, (held[i] for i in range(len(held))), limit)
        judged = verdicts(generator, discriminator, (held[i] for i in range(len(held))), limit)
        return {
            **words.guessed,
            "replaced_nats": judged.nats,
            "replaced_f1": judged.f1,
            "measured": float(words.tokens),
        }

    def write_tokenizer(self, folder: Path) -> None:
        write_wordpieces(self.backend, self.network.discriminator.config.positions, folder)


def helped(progress: float) -> float:
    """How much the discriminator is helped: 1 at first, less and less, then not at all.

    >>> [round(helped(progress), 2) for progress in (0.0, 0.3, 0.4, 0.5, 1.0)]
    [1.0, 1.0, 0.5, 0.0, 0.0]
    """
    since, until = HELP_ENDS
    return min(1.0, max(0.0, (until - progress) / (until - since)))


@torch.no_grad()
def drawn(
    states: Float[Tensor, "word width"],
    vectors: Float[Tensor, "d_vocab width"],
    bias: Float[Tensor, "d_vocab"],
    random: Generator,
) -> Int[Tensor, "word"]:
    """The generator's words for its blanks, some at a time: all scores at once would be large."""
    some = states.split(PIECE_ON_GPU if states.is_cuda else PIECE)
    return torch.cat([draw(F.linear(part, vectors, bias), random) for part in some])
