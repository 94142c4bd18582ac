"""Reports as files, and whether those that ship still fit their models."""

import math

import pytest
import torch

import explorer
from explorer.analysis.heads import Report, measure, stored, storing
from explorer.analysis.heads.dependents import right_answers
from explorer.analysis.heads.relations import HALVES, library
from explorer.checkpoints import bundled
from explorer.errors import NotFoundError
from explorer.trace import Ability

SHIPPED = [
    c.name
    for c in bundled.available()
    if Ability.ATTENTION in c.abilities and c.name != "bert-zh"  # reads no English
]


def load_shipped(name):
    """One of them; the test is skipped where its files are left out."""
    try:
        return explorer.load(name)
    except NotFoundError:
        pytest.skip("its files are not here")


@pytest.fixture(scope="module")
def small(tiny_gpt) -> Report:
    halves = {half: measure(tiny_gpt, library(half)[:3]) for half in HALVES}
    return Report("tiny", halves, None, halves["written"].behaviours)


def test_a_report_comes_back(small):
    again = storing.read(storing.write(small))
    assert (again.model, again.repeated, set(again.halves)) == ("tiny", None, set(HALVES))
    for half, scores in small.halves.items():
        other = again.halves[half]
        assert (other.sentences, other.skipped) == (scores.sentences, scores.skipped)
        for name, grid in scores.behaviours.items():
            torch.testing.assert_close(other.behaviours[name], grid, atol=5.1e-5, rtol=0, equal_nan=True)
            assert other.flat[name] == pytest.approx(scores.flat[name], abs=5.1e-5, nan_ok=True)
        for name, directions in scores.relations.items():
            for direction, one in directions.items():
                read = other.relations[name][direction]
                assert (read.questions, read.baseline.offset) == (one.questions, one.baseline.offset)
                torch.testing.assert_close(read.accuracy, one.accuracy, atol=5.1e-5, rtol=0)
    assert math.isnan(float(again.sample["next"][0, 0]))
    assert storing.write(again) == storing.write(small)


@pytest.mark.parametrize("name", ["nobody", "", "../home", "hub:someone/bert", "folder:/somewhere/bert"])
def test_no_report(name):
    assert stored(name) is None


@pytest.mark.weights
@pytest.mark.parametrize("name", SHIPPED)
def test_the_file_fits_the_sentences(name):
    report = stored(name)
    assert report is not None, f"run python -m measuring.heads {name}"
    causal = Ability.GENERATE in next(c for c in explorer.available() if c.name == name).abilities
    assert (report.repeated is not None) == causal
    for half in HALVES:
        assert report.halves[half].sentences + report.halves[half].skipped == len(library(half))
        if not causal and not report.halves[half].skipped:
            asked = sum(int(right_answers(parse)[0, 0].sum()) for parse in library(half))
            assert report.halves[half].relations["det"]["to_head"].questions == asked


@pytest.mark.weights
@pytest.mark.parametrize("name", SHIPPED)
def test_the_file_fits_the_model(name):
    live = measure(load_shipped(name), storing.sample()).behaviours
    for behaviour, grid in stored(name).sample.items():
        fits = torch.allclose(live[behaviour], grid, atol=2e-3, rtol=0, equal_nan=True)
        assert fits, f"{behaviour} has changed: run python -m measuring.heads {name}"


def test_names_hold_on_both_halves():
    report = stored("bert")
    if report is None:
        pytest.skip("no report of bert")
    for place, names in report.kinds().items():
        for kind in names:
            if kind.direction:
                for half in HALVES:
                    one = report.halves[half].relations[kind.name][kind.direction]
                    assert float(one.accuracy[place]) >= one.baseline.accuracy + 0.1 - 1e-4
    layer, head, accuracy = report.transfer("det", "to_head")
    written = report.halves["written"].relations["det"]["to_head"]
    assert report.halves["grammar"].relations["det"]["to_head"].best == (layer, head)
    assert accuracy == float(written.accuracy[layer, head]) <= float(written.accuracy.max())
    assert report.transfer("det", "sideways") is None
