"""Longer rows: positions that were never trained begin as copies of those that were.

A table of learnt positions knows nothing of a position before rows reach it, and near the end of a run the
rate is too low to learn it from nothing: a row's second half then stays unread. As copies, with what is near
what already there, they have only their own place to learn.
"""

from torch import nn, no_grad


def lengthen(network: nn.Module, trained: int, length: int) -> None:
    """Copy the first `trained` positions to those from there to `length`, over and over.

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
