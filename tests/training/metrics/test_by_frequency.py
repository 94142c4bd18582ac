"""A detector that knows only frequency, on verdicts whose answer is known."""

import math

import pytest
import torch

from training.metrics.by_frequency import bands, frequency_f1, halves, threshold, tuned_f1
from training.metrics.replaced import Verdicts, f1


def verdicts(tokens, scores, replaced):
    return Verdicts(torch.tensor(tokens), torch.tensor(scores), torch.tensor(replaced), len(tokens))


def test_bands_double():
    assert bands(torch.tensor([0, 1, 2, 3, 4, 7, 8, 1000])).tolist() == [0, 1, 2, 2, 3, 3, 4, 10]


def test_the_threshold_is_the_best_of_all():
    generator = torch.Generator().manual_seed(0)
    scores = torch.randint(0, 9, (300,), generator=generator).float()
    replaced = torch.rand(300, generator=generator) < scores / 20
    best = max(f1(scores >= cut, replaced) for cut in range(10))
    assert best > 0.3 and f1(scores >= threshold(scores, replaced), replaced) == pytest.approx(best)
    assert threshold(scores, torch.zeros(300, dtype=torch.bool)) == math.inf


def test_a_threshold_of_one_half_is_not_the_best_for_a_shy_detector():
    shy = verdicts([1] * 6, [-1.0, -1.5, -9.0, -9.0, -9.0, -9.0], [True, True, False, False, False, False])
    assert shy.f1 == 0 and tuned_f1(shy, shy) == 1
    first, second = halves(shy)
    assert first.replaced.tolist() == [True, True, False] and len(second.tokens) == 3


def test_frequency_finds_what_frequency_tells_and_no_more():
    counts = torch.tensor([1000, 1000, 3, 3])
    told = verdicts([0, 1, 2, 3] * 5, [0.0] * 20, [True, True, False, False] * 5)
    assert frequency_f1(counts, told, told) == 1
    blind = verdicts([0, 1, 2, 3] * 5, [0.0] * 20, [True, False, True, False] * 5)
    assert frequency_f1(counts, blind, blind) == pytest.approx(2 * 0.5 / 1.5)  # it can only accuse all
    other = verdicts([2, 3, 0, 1] * 5, [0.0] * 20, [True, True, False, False] * 5)
    assert frequency_f1(counts, told, other) == 0  # chosen by one half, asked on another
