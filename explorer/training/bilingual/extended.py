"""A trained BERT that stays as it is, with more tokens and a small difference to each of its matrices.

The new tokens' vectors are learnt under the old body (Artetxe, Ruder and Yogatama 2020, "On the
Cross-lingual Transferability of Monolingual Representations"). Each matrix W of the layers becomes W + U D
with U and D of low rank (Hu et al. 2022, "LoRA"), so that what was learnt anew is small.
"""

from dataclasses import replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.func import functional_call

from explorer.models.bert import HEADS, Bert

RANK = 16
STEM = "."  # in a parameter's name; a dictionary of parameters takes no dots
JOINT = "/"


class Extended(nn.Module):
    """The body, frozen, and what is learnt: vectors and biases of the new tokens, and the differences."""

    def __init__(self, base: Bert, counts: Float[Tensor, "d_vocab"], rank: int = RANK, seed: int = 0) -> None:
        super().__init__()
        random = torch.Generator().manual_seed(seed)
        self.old, width = base.config.d_vocab, base.config.width
        self.config = replace(base.config, d_vocab=len(counts))
        self.body = Bert(base.config, HEADS)
        self.body.load_state_dict(base.state_dict())
        self.body.requires_grad_(False)
        self.rows = nn.Parameter(torch.randn(len(counts) - self.old, width, generator=random) * 0.02)
        logs = ((counts + 0.5) / (counts.sum() + 0.5 * len(counts))).log()
        self.bias = nn.Parameter(logs[self.old :].clone())
        matrices = {n: p for n, p in self.body.named_parameters() if n.startswith("blocks.") and p.ndim == 2}
        self.down, self.up = nn.ParameterDict(), nn.ParameterDict()
        for name, matrix in matrices.items():
            rows, columns = matrix.shape
            key = name.replace(STEM, JOINT)
            self.down[key] = nn.Parameter(torch.randn(rank, columns, generator=random) * columns**-0.5)
            self.up[key] = nn.Parameter(torch.zeros(rows, rank))  # at first there is no difference

    def weights(self) -> dict[str, Tensor]:
        """The parameters that differ from the body's, by the body's names."""
        fill = self.body.mlm_head
        assert fill is not None, "a network in training has its heads"
        found = {
            "tokens.weight": torch.cat([self.body.tokens.weight, self.rows]),
            "mlm_head.bias": torch.cat([fill.bias, self.bias]),
        }
        for key, down in self.down.items():
            name = key.replace(JOINT, STEM)
            found[name] = self.body.get_parameter(name) + self.up[key] @ down
        return found

    def forward(
        self,
        ids: Int[Tensor, "batch pos"],
        segments: Int[Tensor, "batch pos"],
        mask: Bool[Tensor, "batch pos"],
        weights: dict[str, Tensor],
    ) -> Float[Tensor, "batch pos d_model"]:
        """The last hidden states under these `weights` (see `weights`)."""
        last: Tensor = functional_call(self.body, weights, (ids,), {"segments": segments, "mask": mask}).last
        return last

    def difference(self) -> dict[str, Tensor]:
        """What is learnt, as `checkpoints.difference` stores it."""
        found: dict[str, Tensor] = {"tokens.weight": self.rows, "mlm_head.bias": self.bias}
        for side, parts in (("up", self.up), ("down", self.down)):
            found |= {f"{key.replace(JOINT, STEM)}.{side}": part for key, part in parts.items()}
        return found

    @torch.no_grad()
    def merged(self) -> Bert:
        """The same as one plain BERT."""
        network = Bert(self.config, HEADS).to(self.rows.device)
        network.load_state_dict(self.body.state_dict() | self.weights())
        return network.eval()
