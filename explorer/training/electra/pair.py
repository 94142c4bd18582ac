"""A generator and a discriminator that share one embedding (Clark et al. 2020, section 3.2).

The generator's blanks teach the table what every token is like; the discriminator alone would change
only the rows of what it reads.
"""

from typing import Any

import torch
from torch import Tensor, nn

from explorer.models.electra import Electra, ElectraConfig
from explorer.models.encoder import MlmHead

SHARED = ("tokens", "positions", "segments", "norm")


class Pair(nn.Module):
    """Both networks, with one embedding: its parameters are there once, under the generator's names.

    `corrected` reads from the discriminator's last layer which word stood there: a help for its training.
    """

    def __init__(self, generator: ElectraConfig, discriminator: ElectraConfig) -> None:
        super().__init__()
        self.generator = Electra(generator, frozenset({"mlm_head"}))
        self.discriminator = Electra(discriminator, frozenset({"discriminator_head"}))
        for name in SHARED:
            setattr(self.discriminator, name, getattr(self.generator, name))
        self.corrected = MlmHead(discriminator, discriminator.activation)

    def compile(self, *settings: Any, **named: Any) -> None:
        """Compile both: the pair itself is never called."""
        self.generator.compile(*settings, **named)
        self.discriminator.compile(*settings, **named)


def initialised(pair: Pair, counts: Tensor, seed: int = 0) -> Pair:
    """BERT's start: N(0, 0.02), biases 0, except the vocabulary's: each token's log-frequency."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in pair.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
        elif "norm" not in name:
            nn.init.normal_(parameter, std=0.02, generator=generator)
    fill = pair.generator.mlm_head
    assert fill is not None, "a generator has its head"
    with torch.no_grad():
        fill.bias.copy_(((counts + 0.5) / (counts.sum() + 0.5 * len(counts))).log())
        pair.corrected.bias.copy_(fill.bias)
    return pair
