"""ULMFiT's schedule (Howard and Ruder 2018): which layers learn at each step, and how fast.

language model   tuned on the target's texts first, without labels, before there is a classifier
slanted          the rate rises for the first tenth of the steps and falls for the rest (equation 3)
discriminative   each layer's rate is 2.6 times lower than that of the layer above
unfreezing       the classifier is trained alone at first; after each epoch one more layer is unfrozen
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor

SLOWER = 2.6
TOP, RATIO = 0.1, 32  # the share of steps that rise, and how much lower the lowest rate is
LANGUAGE_EPOCHS = 2


def slanted_triangle(step: int, of: int, top: float = TOP, ratio: float = RATIO) -> float:
    """The rate's factor: from 1/32 up to 1 in the first tenth of the steps, and down again (equation 3).

    >>> [round(slanted_triangle(step, 100), 2) for step in (0, 5, 10, 55, 100)]
    [0.03, 0.52, 1.0, 0.52, 0.03]
    """
    cut = max(1, math.floor(of * top))
    p = step / cut if step < cut else 1 - (step - cut) / max(1, of - cut)
    return (1 + max(0.0, p) * (ratio - 1)) / ratio


def layer_rates(
    layers: int, epoch: int
) -> tuple[Float[Tensor, "layer language_step"], Float[Tensor, "layer step"]]:
    """Each layer's rate at each step, as a share of the highest: of the language model, of the classifier.

    The lowest layer comes first, and 0 is a layer that is frozen. An epoch has `epoch` steps; the classifier
    has one epoch more than there are layers.

    >>> language, classifier = layer_rates(layers=6, epoch=8)
    >>> language.shape, classifier.shape, [round(float(rate), 3) for rate in classifier.amax(1)[-3:]]
    (torch.Size([6, 16]), torch.Size([6, 56]), [0.095, 0.304, 0.943])
    """
    slower = SLOWER ** -torch.arange(layers - 1, -1, -1.0)[:, None]
    language, classifier = (
        slower * torch.tensor([slanted_triangle(step, steps) for step in range(steps)])
        for steps in (LANGUAGE_EPOCHS * epoch, (layers + 1) * epoch)
    )
    unfrozen = torch.arange((layers + 1) * epoch) // epoch  # layers, counted from the top
    return language, classifier * (torch.arange(layers)[:, None] >= layers - unfrozen)
