"""Pieces to words: summed to, averaged from."""

import torch

from explorer.analysis.attention.word_attention import word_pattern

PATTERN = torch.tensor([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.5, 0.1, 0.4]])


def test_three_by_three():
    found = word_pattern(PATTERN, [[0], [1, 2]])
    torch.testing.assert_close(found, torch.tensor([[0.1, 0.9], [0.4, 0.6]]))


def test_what_is_in_no_group_is_left_out():
    torch.testing.assert_close(word_pattern(PATTERN, [[2], [1]]), torch.tensor([[0.4, 0.1], [0.4, 0.3]]))


def test_all_layers_and_heads_at_once():
    many = torch.stack([PATTERN, PATTERN.T])[None]
    found = word_pattern(many, [[0, 1], [2]])
    assert found.shape == (1, 2, 2, 2)
    torch.testing.assert_close(found[0, 1], word_pattern(PATTERN.T, [[0, 1], [2]]))
