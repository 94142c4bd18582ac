"""The schedule's shape, and a clock that forgives pauses."""

import pytest

from training.run.schedule import Clock, current, ramp, trapezoid


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


def test_the_clock_counts_steps():
    now = [0.0]
    clock = Clock(read=lambda: now[0])

    def step() -> None:
        now[0] += 2.0

    clock.time(step)
    now[0] += 5000.0
    clock.time(step)
    assert clock.spent == pytest.approx(4)
