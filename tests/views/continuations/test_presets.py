"""What the presets of Continuations say of the papers; tests/siblings has whether each makes its point."""

import pytest

import explorer
from explorer.views.continuations.presets import SMALL_WAYS, WAYS, WRITE


def test_each_view_has_a_few():
    assert len(WRITE) in (3, 7) and len(WAYS) == len(SMALL_WAYS) + 1 == 5


def test_the_model_of_the_paper_is_200_times_as_large():
    parameters = sum(p.numel() for p in explorer.load("gpt").network.parameters())
    assert 1542e6 / parameters == pytest.approx(200, rel=0.2)


def test_the_prompts_of_the_paper_end_where_the_model_is_to_go_on():
    texts = [preset.values["text"] for preset in SMALL_WAYS]
    assert [text[-2:] for text in texts] == ["A:", "R:", " =", "y:"]
    assert all(len(explorer.load("gpt").tokenizer.encode(text)) < 200 for text in texts)
