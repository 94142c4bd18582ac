"""“Looking back”: what the view sends to its picture, what its code prints."""

import pytest
import torch
from streamlit.testing.v1 import AppTest

from explorer.analysis.attention.while_generating import generation_attention
from explorer.analysis.generation.steps import Sampling, generate
from explorer.views.continuations import looking_back
from explorer.views.look import blocklist
from tests.views import opening
from tests.views.opening import said


@pytest.fixture
def open_at(gpt_folder, monkeypatch):
    """open_at(look_text=...) -> the view opened by that link, on the tiny GPT."""
    # The tiny model takes 60 tokens: fewer are given, fewer are written.
    monkeypatch.setattr(looking_back, "LENGTH", 6)
    monkeypatch.setattr(looking_back.kit, "LIVE_TOKENS", 40)

    def open_(**settings) -> AppTest:
        all_heads = {"look_layer": -1, "look_head": -1, "model": f"folder:{gpt_folder}"}
        at = opening.opened("continuations", **({"view": "look-back"} | all_heads | settings))
        assert not at.error
        return at

    return open_


def sent(at: AppTest) -> dict:
    """What the view gave its picture."""
    [data] = opening.sent(at, "looking_back")
    return data


def test_the_page_sends_every_steps_row(open_at, tiny_gpt):
    at = open_at(look_text="the bank", look_layer=1, look_head=2, look_step=3, look_first=False)
    data = sent(at)
    generation = generate(tiny_gpt, "the bank", Sampling(temperature=0, max_new_tokens=6))
    list(generation)
    attention = generation_attention(generation)
    assert (data["prompt"], data["steps"], data["step"]) == (attention.prompt, 6, 3)
    for step, row in enumerate(data["rows"]):
        own = attention.row(step, 1, 2, without_first=True)
        torch.testing.assert_close(torch.tensor(row) / 10_000, own, atol=6e-5, rtol=0)
    for step, candidates in zip(generation.steps, data["candidates"]):
        (chosen,) = [c for c in candidates if c["taken"]]
        assert chosen["probability"] == pytest.approx(step.probability, abs=1e-5)
    assert data["who"] == "head L2H3" and "rested on the first token" in said(at)


def test_a_listed_word_that_is_written_stands_as_dots(open_at, monkeypatch):
    plain = sent(open_at(model="gpt", look_text="The old man took the boat."))
    written = [token["text"].strip() for token in plain["tokens"][plain["prompt"] :]]
    word = next(text for text in written if text.isalpha() and len(text) > 2)
    monkeypatch.setattr(blocklist, "listed", lambda: frozenset({word.casefold()}))
    covered = sent(open_at(model="gpt", look_text="The old man took the boat."))
    texts = [token["text"].strip() for token in covered["tokens"][covered["prompt"] :]]
    assert word in written and word not in texts and blocklist.DOTS in texts
    chosen = [c["text"] for candidates in covered["candidates"] for c in candidates if c["taken"]]
    assert word not in chosen and blocklist.DOTS in chosen


def test_without_a_prompt_the_model_writes_from_its_start_token(open_at):
    data = sent(open_at(look_text=""))
    assert data["prompt"] == 1 and data["steps"] == 6 and data["rows"][0] == [10_000]


def test_a_long_prompt_keeps_its_end(open_at):
    data = sent(open_at(look_text="the river " * 60 + "bank"))
    assert data["prompt"] <= 34 and data["tokens"][data["prompt"] - 1]["text"].strip() == "bank"


def test_numbers_that_fit_no_head_or_step_are_brought_into_range(open_at):
    data = sent(open_at(look_layer=77, look_head=-9, look_step=4000, look_heat=9.0))
    assert data["step"] == data["steps"] - 1


@pytest.mark.parametrize(
    "values", [{}, {"look_text": "", "look_head": 1, "look_layer": 2, "look_first": False}]
)
def test_the_code_that_is_shown_gives_the_same_weights(values):
    at = opening.opened("continuations", view="look-back", **({"model": "gpt"} | values))
    data, result = sent(at), opening.printed_result(at)
    assert len(result) == data["steps"]
    for (*_, weight), row in zip(result, data["rows"]):
        assert weight == pytest.approx(max(row) / 10_000, abs=1e-4)
