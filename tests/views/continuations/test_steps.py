"""Generated steps as chips, marks and a line in words."""

import pytest

from explorer.analysis.generation.steps import Sampling, Step, generate
from explorer.views.continuations import steps
from explorer.views.look import blocklist, theme


class StubGeneration:
    """A generation with given steps, as far as chips look at one."""

    def __init__(self, model, *texts: tuple[str, str]) -> None:
        self.model, self.prompt = model, ""
        self.steps = [Step(1, token, 0.5, 2, [], 0.5, text, 0.5) for token, text in texts]


def test_pieces_of_a_character_become_one_chip(tiny_gpt):
    half = ("\ufffd", "")
    written = StubGeneration(tiny_gpt, (" a", " a"), half, half, half, ("\ufffd", "🦊"), half)
    chips = steps.chips(written, theme.LIGHT, blocklist.over("gpt"))
    assert [chip["text"] for chip in chips] == [" a", "🦊", "▯"]
    assert [(chip["first"], chip["last"]) for chip in chips] == [(0, 0), (1, 4), (5, 5)]
    assert "4 tokens together: probability 6%" in chips[1]["tip"]


def test_clicks_walk_through_the_pieces_and_then_let_go():
    assert [steps.after_click(token, 1, 3) for token in (-1, 0, 1, 2, 3)] == [1, 1, 2, 3, -1]
    assert steps.after_click(5, 5, 5) == -1 and steps.after_click(5, -1, -1) == -1


@pytest.mark.parametrize(
    ("token", "written"), [(" bank", " bank"), ("ing", "ing"), (" ", "␣"), ("  x", "␣␣x"), ("\n", "↵")]
)
def test_spaces_and_line_ends_can_be_seen_in_a_list(token, written):
    assert steps.spelled(token) == written


def test_parts_of_a_character_are_listed_by_their_bytes(tiny_gpt):
    tokenizer = tiny_gpt.tokenizer
    ids = tokenizer.pieces("🦊")
    assert len(ids) > 1 and " ".join(steps.spelled_id(tokenizer, id) for id in ids) == "F0 9F A6 8A"


def test_marks_follow_the_rank():
    assert [steps.mark(rank) for rank in (1, 2, 10, 11, 100, 101)] == [
        "solid", "dashed", "dashed", "dotted", "dotted", "",
    ]  # fmt: skip


def test_a_place_in_line_is_said(tiny_gpt, monkeypatch):
    generation = generate(tiny_gpt, "the bank", Sampling())
    monkeypatch.setattr(type(generation), "place", property(lambda self: 3))
    assert steps.summary(generation, False) == "0 tokens, you are third in line"
