"""A model’s layers as one vector a token, by weights that a task learns (Peters et al. 2018, equation 1)."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class LayerMix(nn.Module):
    """The layers of a trace as one vector a token: gamma * sum over j of softmax(s)_j h_j (equation 1).

    A task learns s and gamma, the network stays as it is. At first all layers weigh the same.
    """

    def __init__(self, states: int) -> None:
        super().__init__()
        self.s = nn.Parameter(torch.zeros(states))
        self.gamma = nn.Parameter(torch.ones(()))

    @property
    def weights(self) -> Float[Tensor, "depth"]:
        """How much each layer counts; they sum to 1."""
        return self.s.softmax(0)

    def forward(self, hidden_states: Float[Tensor, "depth *pos d_model"]) -> Float[Tensor, "*pos d_model"]:
        mixed: Tensor = self.gamma * torch.tensordot(self.weights, hidden_states, dims=1)
        return mixed
