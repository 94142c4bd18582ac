"""A frozen BERT with more tokens and a low-rank difference for each of its matrices.

The new tokens' vectors are learnt below the frozen layers (Artetxe, Ruder and Yogatama 2020, "On the
Cross-lingual Transferability of Monolingual Representations"). Each matrix W of the layers becomes W + U D
with U and D of low rank (Hu et al. 2022, "LoRA"), so that the difference is small.
"""

from dataclasses import replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.func import functional_call

from explorer.models.bert import HEADS, Bert
from training.run.task import log_frequencies

RANK = 16
STEM = "."  # in a parameter's name; a dictionary of parameters takes no dots
JOINT = "/"


class Extended(nn.Module):
    """The frozen body, and the trained parameters: vectors and biases of new tokens, and the differences."""

    def __init__(self, base: Bert, counts: Float[Tensor, "d_vocab"], rank: int = RANK, seed: int = 0) -> None:
        super().__init__()
        random = torch.Generator().manual_seed(seed)
        self.old, width = base.config.d_vocab, base.config.width
        self.config = replace(base.config, d_vocab=len(counts))
        self.body = Bert(base.config, HEADS)
        self.body.load_state_dict(base.state_dict())
        self.body.requires_grad_(False)
        self.rows = nn.Parameter(torch.randn(len(counts) - self.old, width, generator=random) * 0.02)
        self.bias = nn.Parameter(log_frequencies(counts)[self.old :].clone())
        matrices = {n: p for n, p in self.body.named_parameters() if n.startswith("blocks.") and p.ndim == 2}
        self.down, self.up = nn.ParameterDict(), nn.ParameterDict()
        for name, matrix in matrices.items():
            rows, columns = matrix.shape
            key = name.replace(STEM, JOINT)
            self.down[key] = nn.Parameter(torch.randn(rank, columns, generator=random) * columns**-0.5)
            self.up[key] = nn.Parameter(torch.zeros(rows, rank))  # at first there is no difference

    def weights(self) -> dict[str, Tensor]:
        """Parameters that differ from the body's, by the body's names."""
        fill = self.body.mlm_head
        assert fill is not None, "a network in training has its heads"
        parameters = {
            "tokens.weight": torch.cat([self.body.tokens.weight, self.rows]),
            "mlm_head.bias": torch.cat([fill.bias, self.bias]),
        }
        for key, down in self.down.items():
            name = key.replace(JOINT, STEM)
            parameters[name] = self.body.get_parameter(name) + self.up[key] @ down
        return parameters

    def forward(
        self,
        ids: Int[Tensor, "batch pos"],
        segments: Int[Tensor, "batch pos"],
        mask: Bool[Tensor, "batch pos"],
        weights: dict[str, Tensor],
    ) -> Float[Tensor, "batch pos d_model"]:
        """Last hidden states with the parameters of `weights`."""
        last: Tensor = functional_call(self.body, weights, (ids,), {"segments": segments, "mask": mask}).last
        return last

    def difference(self) -> dict[str, Tensor]:
        """Trained parameters as `checkpoints.difference` stores them."""
        parameters: dict[str, Tensor] = {"tokens.weight": self.rows, "mlm_head.bias": self.bias}
        for side, parts in (("up", self.up), ("down", self.down)):
            parameters |= {f"{key.replace(JOINT, STEM)}.{side}": part for key, part in parts.items()}
        return parameters

    @torch.no_grad()
    def merged(self) -> Bert:
        """Plain BERT with the same output."""
        network = Bert(self.config, HEADS).to(self.rows.device)
        network.load_state_dict(self.body.state_dict() | self.weights())
        return network.eval()
