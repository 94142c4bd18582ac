"""A linear model: its state is the sum of its tokens' vectors, so every attribution has a closed form."""

from dataclasses import replace

import torch
from torch import nn

from explorer.analysis.attribution.prediction import Prediction
from explorer.models.family import Pass
from explorer.models.parameters import InputParameters


class Sum(nn.Module):
    """A network whose state, at every position, is the sum of the tokens' vectors."""

    causal = False

    def __init__(self, tokens: nn.Embedding) -> None:
        super().__init__()
        self.tokens = tokens

    def forward(self, ids, segments=None, mask=None, capture=None, edit=None):
        x = edit("embedding", 0, self.tokens(ids)) if edit else self.tokens(ids)
        return Pass(last=x.sum(1, keepdim=True).expand_as(x))

    def input_parameters(self):
        return InputParameters(self.tokens.weight, None)

    def layer_parameters(self, layer):
        raise IndexError("It has no layers.")


def prediction(model, text: str) -> tuple[Prediction, torch.Tensor]:
    """A prediction of a linear model with a BERT's tokenizer, and the direction w: F = w . sum of x."""
    network = Sum(model.network.tokens)
    choices = torch.randn(5, model.config.d_model, generator=torch.Generator().manual_seed(1))

    def scores(passed, places):
        return passed.last[:, 0] @ choices.T

    linear = replace(model, network=network)
    return Prediction(linear, model.encode(text), (0,), scores, 3, 1), choices[3] - choices[1]
