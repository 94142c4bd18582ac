"""Induction on patterns made by hand, and on a network one attention weight at a time."""

import pytest
import torch

from explorer.analysis.heads.induction import induction, looked_back, repeated
from explorer.errors import AbilityError, TextError
from explorer.trace import Capture


def test_a_perfect_head_scores_1_and_a_blind_one_0():
    tokens, copies = 3, 3
    perfect, blind = torch.zeros(2, 9, 9)
    for query in range(tokens, 9):
        keys = [query - back * tokens + 1 for back in (1, 2) if query - back * tokens >= 0]
        perfect[query, keys] = 1 / len(keys)
        blind[query, query - tokens] = 1  # the earlier copy itself, and not what followed it
    scores = looked_back(torch.stack([perfect, blind]), tokens, copies)
    assert scores.tolist() == pytest.approx([1, 0])


def test_every_earlier_copy_counts():
    pattern = torch.tril(torch.ones(1, 8, 8))  # one unit to everything before: counts, not shares
    # Copies 2, 3 and 4 of two tokens have 1, 2 and 3 earlier copies.
    assert float(looked_back(pattern, 2, 4)) == pytest.approx(2)


def test_earlier_copies_themselves():
    pattern = torch.zeros(1, 6, 6)
    pattern[0, 2, 0], pattern[0, 3, 1], pattern[0, 4, 2], pattern[0, 5, 3] = 0.1, 0.2, 0.3, 0.4
    pattern[0, 4, 0], pattern[0, 4, 3] = 0.2, 0.5  # an older copy; and the token before
    assert float(looked_back(pattern, 2, 3, ahead=0)) == pytest.approx((0.1 + 0.2 + 0.5 + 0.4) / 4)


def test_scores_of_a_network(tiny_gpt):
    found = induction(tiny_gpt, tokens=5, copies=3, seeds=2)
    expected, duplicate, previous = torch.zeros(3, tiny_gpt.config.layers, tiny_gpt.config.heads)
    for seed in range(2):
        ids = repeated(tiny_gpt, 5, 3, seed)
        assert ids[0] == tiny_gpt.tokenizer.start and len(set(ids.tolist())) == 6
        assert ids[1:6].tolist() == ids[6:11].tolist() == ids[11:].tolist()
        heads = tiny_gpt.network(ids[None], capture=Capture.ATTENTION).heads
        for layer, h in enumerate(heads):
            for query in range(6, 16):
                previous[layer] += h.pattern[0, :, query, query - 1] / 10 / 2
                for earlier in range(1, query):
                    if ids[earlier] == ids[query]:
                        expected[layer] += h.pattern[0, :, query, earlier + 1] / 10 / 2
                        duplicate[layer] += h.pattern[0, :, query, earlier] / 10 / 2
    torch.testing.assert_close(found.scores, expected)
    torch.testing.assert_close(found.duplicate, duplicate)
    torch.testing.assert_close(found.previous, previous)
    layer, head = found.best
    assert found.score == found.scores[layer, head]
    assert found.score == pytest.approx(float(expected.max()))


def test_what_cannot_be_measured(tiny_bert, tiny_gpt):
    with pytest.raises(AbilityError):
        induction(tiny_bert)
    with pytest.raises(TextError):
        induction(tiny_gpt)  # 101 tokens do not fit into 67
