"""A generator and a discriminator that share one embedding (Clark et al. 2020, section 3.2).

The generator's blanks train the vectors of all tokens; the discriminator alone would change only those of the
tokens that it reads.
"""

from torch import Tensor, nn

from explorer.models.electra import Electra, ElectraConfig
from explorer.models.encoder import MlmHead
from training.run.task import initialise_normal, log_frequencies

SHARED = ("tokens", "positions", "segments", "norm")


class Pair(nn.Module):
    """Both networks with one embedding, whose parameters have the generator's names.

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
