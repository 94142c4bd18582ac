"""Killed and resumed equals uninterrupted, bit for bit; training starts at ln(d_vocab) and learns."""

import math
from dataclasses import replace
from itertools import count

import pytest
import torch

from training.run import loop
from training.run.loop import Budget, Run
from training.run.schedule import Clock


def steady() -> Clock:
    """A clock on which every step takes one second."""
    ticks = count()
    return Clock(read=lambda: float(next(ticks)))


def breaking(at: int) -> Clock:
    """The same clock in a process that is killed at the end of a step, before it is saved."""
    ticks = count()

    def read() -> float:
        now = next(ticks)
        if now == 2 * at - 1:
            raise KeyboardInterrupt
        return float(now)

    return Clock(read=read)


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def trained(task, start, folder, clocks, **settings):
    task.network.load_state_dict(start)
    for clock in clocks:
        run = Run(task, Budget(seconds=14), folder, torch.device("cpu"), clock, report_every=0, **settings)
        try:
            run.train()
        except KeyboardInterrupt:
            with torch.no_grad():  # what the dead process held is lost
                for parameter in task.network.parameters():
                    parameter.fill_(float("nan"))
    return run


OTHERS = ("electra", "gpt", "elmo", "translator", "word2vec")


@pytest.mark.parametrize("name", ["bert", *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)])
def test_killed_and_resumed_equals_uninterrupted(name, request, tmp_path):
    task = request.getfixturevalue(name)
    start = {n: t.clone() for n, t in task.network.state_dict().items()}
    once = trained(task, start, tmp_path / "once", [steady()], save_every=0)
    expected = {n: t.clone() for n, t in task.network.state_dict().items()}
    twice = trained(task, start, tmp_path / "twice", [breaking(4), breaking(6), steady()], save_every=0)
    assert (
        (once.step, once.tokens, once.clock.spent)
        == (twice.step, twice.tokens, twice.clock.spent)
        == (14, once.tokens, 14.0)
    )
    for n, tensor in task.network.state_dict().items():
        assert torch.equal(tensor, expected[n]), n
        assert tensor.isfinite().all()


@pytest.mark.slow
@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_a_shorter_budget_still_ends_with_the_decay(gpt, tmp_path, rate):
    device = torch.device("cpu")
    first = Run(gpt, Budget(seconds=100), tmp_path, device, breaking(6), save_every=0)
    with pytest.raises(KeyboardInterrupt):
        first.train()
    run = Run(gpt, Budget(seconds=8), tmp_path, device, steady(), save_every=0, report_every=0, rate=rate)
    assert run.step == 5
    run.train()
    assert run.step == 8
    assert run.optimisers[0].param_groups[0]["lr"] == pytest.approx(rate * 0.02 * (1 - 7 / 8) / 0.4)


@pytest.mark.slow
def test_gpt_starts_at_the_logarithm_of_its_vocabulary_and_learns(gpt, tmp_path):
    d_vocab = gpt.network.config.d_vocab
    before = gpt.held_out(None)
    assert before["nats_per_token"] == pytest.approx(math.log(d_vocab), abs=0.1)
    run = Run(gpt, Budget(tokens=64 * 120), tmp_path, torch.device("cpu"))
    run.train()
    after = run.task.held_out(None)
    assert after["nats_per_token"] < 0.6 * before["nats_per_token"]
    assert after["bits_per_byte"] < 0.6 * before["bits_per_byte"]


@pytest.mark.slow
def test_bert_starts_at_the_unigrams_and_learns(bert, tmp_path):
    before = bert.held_out(None)
    assert before["masked_nats"] < math.log(bert.network.config.d_vocab) + 1
    run = Run(bert, Budget(tokens=64 * 120), tmp_path, torch.device("cpu"))
    run.train()
    after = run.task.held_out(None)
    assert after["masked_nats"] < before["masked_nats"]
    assert 0 <= before["masked_top1"] <= after["masked_top5"] <= 1


def test_the_same_step_draws_the_same_masks(bert):
    rows = bert.rows(0, 16, 0).take(torch.arange(8))
    assert bert.loss(rows, 5, 0)[0] == bert.loss(rows, 5, 0)[0] != bert.loss(rows, 6, 0)[0]


def test_positions_that_longer_rows_reach_begin_as_copies(mini, tmp_path):
    clock = steady()
    run = Run(mini, Budget(seconds=14), tmp_path, torch.device("cpu"), clock)
    table = mini.network.positions.weight
    seen = []

    def after(count: int, length: int):
        rows = draw(count, length)
        seen.append((length, table.detach().clone()))
        return rows

    draw, run.feed.next = run.feed.next, after
    run.train()
    first = next(table for length, table in seen if length == 16)
    last = [table for length, table in seen if length == 16][-1]
    longer = next(table for length, table in seen if length == 24)
    assert not torch.equal(first[:16], last[:16]), "these were trained"
    assert torch.equal(first[16:], last[16:]), "and the others not"
    assert torch.equal(longer[16:24], longer[:8]) and torch.equal(longer[24:], first[24:])


def lengths_copied(task, folder, monkeypatch, **changes) -> list[tuple[int, int]]:
    """Which positions a run copies: from how many that were learnt, to how many."""
    calls = []
    monkeypatch.setattr(loop, "lengthen", lambda network, learnt, length: calls.append((learnt, length)))
    task.schedule = replace(task.schedule, **changes)
    Run(task, Budget(seconds=14), folder, torch.device("cpu"), steady()).train()
    return calls


@pytest.mark.slow
def test_positions_that_are_learnt_already_stay(mini, tmp_path, monkeypatch):
    assert lengths_copied(mini, tmp_path / "none", monkeypatch) == [(16, 24)]
    assert lengths_copied(mini, tmp_path / "some", monkeypatch, trained=8) == [(8, 16), (16, 24)]
    assert lengths_copied(mini, tmp_path / "all", monkeypatch, trained=24) == []
