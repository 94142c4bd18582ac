"""Position embeddings of longer rows begin as copies of the trained ones.

A position is untrained until rows reach it, and near the end of a run the rate is too low to learn it from
random weights: the second half of a row then stays unread. A copy already knows about neighbouring positions.
"""

from torch import nn, no_grad


def lengthen(network: nn.Module, trained: int, length: int) -> None:
    """Copy the first `trained` positions repeatedly to the positions up to `length`.

    >>> import torch
    >>> network = nn.Module()
    >>> network.positions = nn.Embedding(6, 1)
    >>> network.positions.weight.data = torch.arange(6.0)[:, None]
    >>> lengthen(network, trained=2, length=5)
    >>> network.positions.weight.flatten().tolist()
    [0.0, 1.0, 0.0, 1.0, 0.0, 5.0]
    """
    for module in network.modules():
        table = getattr(module, "positions", None)
        if isinstance(table, nn.Embedding):
            with no_grad():
                for place in range(trained, min(length, table.num_embeddings)):
                    table.weight[place] = table.weight[place % trained]
