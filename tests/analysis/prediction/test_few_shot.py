"""A task from examples in the prompt: against one prompt at a time, in any batch, and bad tables."""

import json

import pytest
import torch

from explorer import assets
from explorer.analysis.prediction import likelihood
from explorer.analysis.prediction.few_shot import Pair, few_shot, line, read_pairs
from explorer.errors import AbilityError, TextError

PAIRS = [Pair(*pair.split("|")) for pair in ("hot|cold", "big|small", "we sat|ok", "x|y z", "a 🙂|</script>")]


def alone(model, prompt: str, answer: str) -> tuple[float, bool, list[float], int]:
    """An answer read token by token without a cache or a batch.

    Its log probability, whether it is written greedily, and after its space the best probabilities of a
    first token, and the right one.
    """
    before, whole = (model.tokenizer.encode(text).ids for text in (prompt, f"{prompt} {answer}\n"))
    assert whole[: len(before)].tolist() == before.tolist()
    total, greedy, best, first = 0.0, True, [], -1
    for at in range(len(before), len(whole)):
        with torch.inference_mode():
            states = model.network(model.tokenizer.with_start(whole[:at])[None]).last[0, -1]
            logs = model.network.unembed(states).double().log_softmax(-1)
        assert float(logs.exp().sum()) == pytest.approx(1)
        total += float(logs[whole[at]])
        greedy &= int(logs.argmax()) == int(whole[at])
        if first < 0 and model.tokenizer.readable(int(whole[at])).strip():
            best, first = logs.exp().topk(8).values.tolist(), int(whole[at])
    return total, greedy, best, first


@pytest.mark.parametrize("tokens", [1, 64, 4096])
def test_a_row_of_pairs_answers_as_one_prompt_at_a_time(tiny_gpt, tokens, monkeypatch):
    monkeypatch.setattr(likelihood, "BATCH_TOKENS", tokens)
    shares: list[float] = []
    result = few_shot(tiny_gpt, PAIRS, seed=3, progress=shares.append)
    assert result.log_probability.shape == (5, 5) and shares[-1] == 1 and shares == sorted(shares)
    for number, pair in enumerate(PAIRS):
        for shots in range(5):
            total, greedy, best, first = alone(tiny_gpt, result.prompt(number, shots), pair.answer)
            assert float(result.log_probability[number, shots]) == pytest.approx(total, rel=1e-5)
            assert bool(result.written[number, shots]) == greedy
            assert result.probabilities[number, shots].tolist() == pytest.approx(best, rel=1e-4)
            assert int(result.first[number, shots]) == first


def test_no_pair_is_among_its_own_examples_and_each_number_adds_one(tiny_gpt):
    prompts = few_shot(tiny_gpt, PAIRS, seed=1)
    for number, pair in enumerate(PAIRS):
        for shots in range(1, 5):
            prompt = prompts.prompt(number, shots)
            assert line(pair, ":") not in prompt and prompt.count("\n") == shots
            assert prompt.endswith(prompts.prompt(number, shots - 1))


def test_another_seed_draws_other_examples(tiny_gpt):
    first, again, other = (few_shot(tiny_gpt, PAIRS, seed=seed) for seed in (0, 0, 1))
    assert first.order == again.order != other.order
    assert torch.equal(first.log_probability, again.log_probability)


def test_the_likeliest_wrong_token_is_not_the_right_one(tiny_gpt):
    result = few_shot(tiny_gpt, PAIRS)
    for number in range(len(PAIRS)):
        wrong = [c for c in result.candidates(tiny_gpt, number, 2) if c.id != int(result.first[number, 2])]
        assert float(result.wrong[number, 2]) == pytest.approx(wrong[0].probability)


def test_one_pair_a_long_pair_and_an_encoder_are_refused(tiny_gpt, bert):
    with pytest.raises(TextError, match="at least two"):
        few_shot(tiny_gpt, PAIRS[:1])
    with pytest.raises(TextError, match="tokens; folder:"):
        few_shot(tiny_gpt, [*PAIRS, Pair("we " * 500, "sat")])
    with pytest.raises(AbilityError):
        few_shot(bert, PAIRS)


@pytest.mark.parametrize("mark", [",", ", ", ";", "\t", " | "])
def test_a_table_is_read_with_any_mark_between_its_columns(mark):
    table = f"hot{mark}cold\n\nbig {mark}small\nbig{mark}tiny\n"
    assert read_pairs(table) == [("hot", "cold"), ("big", "small")]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("hot\ncold", "one column"),
        ("hot", "one column"),
        ("a,b,c\nd,e,f", "3 columns"),
        ("hot,\nbig,", "one"),
    ],
)
def test_a_table_of_another_shape_is_refused(table, message):
    with pytest.raises(TextError, match=message):
        read_pairs(table)
    assert read_pairs("") == []


def test_our_tasks_have_twenty_pairs_and_right_sums():
    tasks = json.loads((assets.TEXTS / "few_shot.json").read_text(encoding="utf-8"))
    assert all(len({question for question, _ in task["pairs"]}) == 20 for task in tasks.values())
    for question, answer in tasks["arithmetic"]["pairs"]:
        assert sum(map(int, question.split(" + "))) == int(answer)
    assert all(question.upper() == answer for question, answer in tasks["capital-letters"]["pairs"])
