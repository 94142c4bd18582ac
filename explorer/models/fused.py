"""Rows of matrices that files have in another order than ours: all queries, all keys, all values, by heads.

Each function gives the file's row for each of ours, for a configuration (see `Rule.rows`).
"""

import torch
from jaxtyping import Int
from torch import Tensor

from explorer.models.llama import LlamaConfig
from explorer.models.transformer import TransformerConfig


def group_by_group(config: TransformerConfig) -> Int[Tensor, "row"]:
    """Of files that have the queries of a group, their key and their value, and then the next group's.

    >>> group_by_group(TransformerConfig(d_vocab=3, d_model=4, heads=2)).tolist()
    [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11]
    """
    kv_heads = config.kv_heads or config.heads
    group = config.heads // kv_heads
    rows = torch.arange((config.heads + 2 * kv_heads) * (config.d_head or 1)).view(kv_heads, group + 2, -1)
    return torch.cat([rows[:, :group].flatten(), rows[:, group].flatten(), rows[:, group + 1].flatten()])


def pairs_apart(config: LlamaConfig) -> Int[Tensor, "row"]:
    """Of files that rotate neighbours of a head, 2i and 2i + 1, where ours are half the share apart.

    The product of a query and a key is the same in any order of their numbers.

    >>> pairs_apart(LlamaConfig(d_vocab=3, d_model=4, heads=1)).tolist()
    [0, 2, 1, 3, 4, 6, 5, 7, 8, 9, 10, 11]
    """
    assert config.kv_heads and config.d_head, "settled by the configuration"
    turned = torch.arange(config.rotary.dims).view(-1, 2).T.flatten()
    head = torch.cat([turned, torch.arange(config.rotary.dims, config.d_head)])
    heads = config.heads + config.kv_heads
    compared = torch.arange(heads)[:, None] * config.d_head + head
    values = torch.arange(config.kv_heads * config.d_head) + compared.numel()
    return torch.cat([compared.flatten(), values])
