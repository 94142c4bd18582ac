"""The bench: what the strips, the line and the hundred draws show, and what a press sets."""

import json

import pytest
import torch

from explorer.generation.sampling import Sampling, chances
from explorer.views.continuations import bench
from tests.views.continuations.opening import component_data, open_
from tests.views.opening import printed_result

ON = '["min_p","temperature"]'


def data(at):
    return component_data(at, "bench")


def test_each_strip_hands_on_what_it_left():
    link = {"model": "gpt", "bench_text": "She put the letter into", "on": ON, "steps": ON, "seed": "3"}
    at = open_("bench", **link, step_temperature="1.8")
    shown = data(at)
    strips = {strip["name"]: strip for strip in shown["strips"]}
    assert list(strips) == ["", "min_p", "temperature"] and shown["order"][:2] == ["min_p", "temperature"]
    assert sorted([*strips, *(one["name"] for one in shown["off"])]) == sorted(["", *bench.LABELS])
    first, second = strips["min_p"], strips["temperature"]
    cut = [bar == 0 for bar in first["bars"]]
    assert any(cut) and [share > 0 for share in first["cut"]] == cut
    assert [bar == 0 for bar in second["bars"]] == cut and max(second["cut"]) == 0
    token, listed = printed_result(at)
    assert token.strip() == shown["hit"]
    assert second["bars"][0] == pytest.approx(max(listed.values()), abs=1e-5)
    assert sum(shown["counts"]) <= 100 and shown["counts"][0] > 0


def test_a_link_may_bring_anything():
    at = open_(
        "bench", model="gpt", on='["top_k", 7, "x"]', steps='["x", "typical_p", "typical_p"]', step_k="-3"
    )
    names = data(at)["order"]
    assert names[0] == "typical_p" and sorted(names) == sorted(bench.LABELS)


def test_two_steps_stand_in_both_orders_with_a_token_that_one_order_cuts():
    link = {"model": "gpt", "steps": '["temperature","top_p"]', "step_temperature": "0.5"}
    shown = data(open_("bench", **link, on='["temperature","top_p"]'))
    first, last = shown["orders"]
    ends = [strips[-1]["bars"] for strips in (shown["strips"], shown["swapped"])]
    assert [one > 0 for one in ends[0]] != [one > 0 for one in ends[1]] and min(ends[1]) == 0
    link["steps"] = '["top_p","temperature"]'
    swapped = data(open_("bench", **link, on='["temperature","top_p"]'))
    assert swapped["orders"] == [last, first] and first[0] == "Temperature → Top-p"
    fewer, more = (int(left.split()[0].replace(",", "")) for _, left in (first, last))
    assert fewer < more and swapped["strips"][1]["left"].startswith(f"{more:,} left")
    assert [strip["left"] for strip in swapped["strips"][1:]] == [one["left"] for one in shown["swapped"]]
    for steps in (
        ["temperature"],
        ["temperature", "repetition_penalty"],
        ["grammar", "top_p"],
        ["top_k", "top_p", "min_p"],
    ):
        alone = data(open_("bench", model="gpt", on=json.dumps(steps)))
        assert alone["orders"] == alone["swapped"] == []


def test_the_hundred_draws_follow_the_chances(tiny_gpt):
    result, counts = bench.drawn(tiny_gpt, "the bank", Sampling(top_k=3), seed=1)
    assert sum(counts.values()) == 100 and set(counts) <= set(
        result.scores["top_k"].isfinite().nonzero()[:, 0].tolist()
    )
    assert result.id in counts and bench.drawn(tiny_gpt, "the bank", Sampling(top_k=3), seed=1)[0] is result
    logits, ids = bench.next_logits(tiny_gpt, "the bank")
    torch.testing.assert_close(result.chances, chances(logits, Sampling(top_k=3), ids))


def test_a_grammar_and_a_watermark_show_what_is_written():
    link = {"model": "gpt", "on": '["grammar","watermark"]', "step_grammar": "[a-z ]+", "step_watermark": "6"}
    shown = data(open_("bench", **link))
    written, text = shown["written"], "".join(shown["written"]["tokens"])
    assert text and set(text) <= {*" abcdefghijklmnopqrstuvwxyz"}
    assert all(0 < left <= 1 for left in written["left"]) and "The grammar left" not in shown["says"]
    assert len(written["left"]) == len(written["green"]) == len(written["tokens"])
    assert sum(written["green"]) > 0.8 * len(written["green"]) and "z = " in written["says"]
    mine = data(open_("bench", **link, tested="My sister reads her old letters on the train to work."))
    assert mine["written"]["green"][0] is False and mine["written"]["left"] == []
    assert "called marked above 4" in mine["written"]["says"]
    assert data(open_("bench", model="gpt"))["written"] is None


def test_a_grammar_after_a_cut_leads_nowhere_and_says_so():
    steps = '["top_k","grammar"]'
    shown = data(open_("bench", model="gpt", on=steps, steps=steps, step_k="1", step_grammar="[0-9]"))
    assert shown["says"] == bench.DEAD and shown["hit"] == "" and max(shown["counts"]) == 0
    assert shown["written"]["says"].startswith("Here the text stops.")
