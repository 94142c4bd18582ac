"""The schedule's shape, the order of the rows, the optimisers, and a run from its first step to its last."""

import numpy as np
import pytest
import torch

from explorer.errors import TextError
from training import loop
from training.loop import Run, current, feed, ramp, trapezoid
from training.optimiser import muon_and_adamw, orthogonal
from training.rows import Rows


def test_trapezoid_rises_stays_and_falls_to_zero():
    values = [trapezoid(i / 1000) for i in range(1001)]
    assert 0 < values[0] < 0.1
    assert all(v == 1 for v in values[20:600])
    assert values[800] == pytest.approx(0.5)
    assert values[1000] == 0 == trapezoid(1.3)
    assert values[600:] == sorted(values[600:], reverse=True)


def test_batch_and_length_follow_progress():
    assert [ramp(p, 100, 300) for p in (0, 0.05, 0.1, 1)] == [100, 200, 300, 300]
    steps = ((0.0, 128), (0.85, 256))
    assert [current(steps, p) for p in (0, 0.849, 0.85, 1.2)] == [128, 128, 256, 256]


class Numbers:
    """A task of three shards of six rows, whose numbers tell the shard, the row and the length."""

    def shards(self) -> int:
        return 3

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        ids = torch.arange(shard * 10, shard * 10 + 6).repeat(length, 1).T
        return Rows(ids, torch.zeros(3, 6))


def test_an_epoch_draws_every_row_once_and_the_next_in_another_order():
    source = feed(Numbers())
    next(source)
    epochs = [[source.send((2, 4)).ids[:, 0].tolist() for _ in range(9)] for _ in range(2)]
    for epoch in epochs:
        assert sorted(row for batch in epoch for row in batch) == [*range(6), *range(10, 16), *range(20, 26)]
    assert epochs[0] != epochs[1]


def test_another_length_begins_with_the_next_shard():
    source = feed(Numbers())
    next(source)
    shards = [int(source.send((4, length)).ids[0, 0]) // 10 for length in (4, 5, 5, 7)]
    assert shards == [*np.random.default_rng([0, 0]).permutation(3)[[0, 1, 1, 2]]]


def test_a_text_without_a_row_is_refused(gpt):
    source = feed(gpt)
    next(source)
    with pytest.raises(TextError, match="too short"):
        source.send((2, 100_000))


def test_orthogonal_brings_singular_values_near_one():
    torch.manual_seed(0)
    for shape in ((3, 16, 48), (1, 16, 64), (1, 64, 16)):
        values = torch.linalg.svdvals(orthogonal(torch.randn(shape)))
        assert values.min() > 0.5 and values.max() < 1.3


def test_every_parameter_has_one_optimiser_and_muon_has_the_matrices_of_the_blocks(gpt, bert):
    for task in (gpt, bert):
        owned = [id(p) for o in task.optimisers() for g in o.param_groups for p in g["params"]]
        assert sorted(owned) == sorted(id(p) for p in task.network.parameters())
    muon, _ = muon_and_adamw(gpt.network)
    assert sum(len(g["params"]) for g in muon.param_groups) == 4 * gpt.network.config.layers


def test_rates_have_the_factor_of_the_run_and_its_schedule(gpt, monkeypatch):
    optimisers = gpt.optimisers()
    monkeypatch.setattr(gpt, "optimisers", lambda: optimisers)
    monkeypatch.setattr(loop, "trapezoid", lambda progress: 0.5)
    Run(gpt, 64, rate=0.3).train()
    rates = [group["lr"] for optimiser in optimisers for group in optimiser.param_groups]
    assert rates == pytest.approx([0.3 * 0.02 * 0.5] * (len(rates) - 1) + [0.3 * 3e-3 * 0.5])


def test_it_is_measured_at_every_milestone_and_spends_its_budget(gpt):
    passed = []
    run = Run(gpt, 64 * 64, at_milestone=lambda run: passed.append(run.progress))
    run.train(report_every=0)
    assert len(passed) == len(loop.MILESTONES)
    assert all(0 <= was - due < 0.1 for was, due in zip(passed, loop.MILESTONES, strict=True))
    assert run.tokens >= 64 * 64 and run.log[-1]["tokens"] == run.tokens and len(run.log) == run.step


def test_the_same_seed_trains_the_same(mini):
    start = {name: weight.clone() for name, weight in mini.network.state_dict().items()}
    ends = []
    for _ in range(2):
        mini.network.load_state_dict(start)
        Run(mini, 64 * 12).train()
        ends.append({name: weight.clone() for name, weight in mini.network.state_dict().items()})
    assert all(torch.equal(weight, ends[1][name]) for name, weight in ends[0].items())
    assert any(not torch.equal(weight, start[name]) for name, weight in ends[0].items())


def test_positions_that_longer_rows_reach_begin_as_copies(mini, monkeypatch):
    table, copies = mini.network.positions.weight, []

    def lengthen(network, trained, length):
        before = table.detach().clone()
        loop_lengthen(network, trained, length)
        copies.append((trained, length, before, table.detach().clone()))

    loop_lengthen = loop.lengthen
    monkeypatch.setattr(loop, "lengthen", lengthen)
    first = table.detach().clone()
    Run(mini, 64 * 30).train()
    ((trained, length, before, after),) = copies
    assert (trained, length) == (16, 24)
    assert not torch.equal(before[:16], first[:16]) and torch.equal(before[16:], first[16:])
    assert torch.equal(after[16:24], after[:8]) and torch.equal(after[24:], first[24:])
