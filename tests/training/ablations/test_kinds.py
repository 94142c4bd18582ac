"""Each run leaves out one part of BERT's training and nothing else."""

import pytest
import torch

from explorer.analysis.ablations import ALWAYS_MASK, KINDS, LEFT_TO_RIGHT, WHOLE, WITHOUT_NEXT
from training.ablations.__main__ import own_figures
from training.ablations.kinds import TASKS
from training.bert import task as bert
from training.metrics.live import live


@pytest.fixture
def made(corpus, tmp_path, tiny):
    """Makes a run's task, all on one vocabulary."""
    return lambda name: TASKS[name](corpus, corpus, tmp_path, *tiny)


def rows_of(task):
    return task.rows(0, 24, 0).take(torch.arange(8))


def test_all_begin_with_the_same_weights_and_read_the_same_rows(made):
    first = made(WHOLE)
    for name in KINDS[1:]:
        other = made(name)
        assert torch.equal(rows_of(first).ids, rows_of(other).ids)
        for key, parameter in first.network.named_parameters():
            assert torch.equal(parameter, other.network.get_parameter(key)), (name, key)


def test_without_next_sentence_the_blanks_are_all_that_counts(made):
    whole, without = made(WHOLE), made(WITHOUT_NEXT)
    loss, figures = without.loss(rows_of(without), 3, 0.5)
    assert set(figures) == {"masked", "top1"} and torch.equal(loss.detach(), figures["masked"])
    more, both = whole.loss(rows_of(whole), 3, 0.5)
    torch.testing.assert_close(more.detach(), both["masked"] + 0.25 * both["next"])
    torch.testing.assert_close(both["masked"], figures["masked"])


def test_always_mask_shows_nothing_but_masks(made, monkeypatch):
    seen, hide = [], bert.hide
    monkeypatch.setattr(bert, "hide", lambda *a, **b: seen.append(hide(*a, **b)) or seen[-1])
    for name in (WHOLE, ALWAYS_MASK):
        task = made(name)
        rows = rows_of(task)
        task.loss(rows, 3, 0.5)
        read, _ = seen[-1]
        changed = read != rows.ids
        assert changed.any() and bool((read[changed] == task.mask).all()) == (name == ALWAYS_MASK)
    (whole, _), (always, _) = seen
    assert (always == task.mask).sum() > (whole == task.mask).sum()


def test_left_to_right_sees_nothing_of_what_it_says(made):
    task = made(LEFT_TO_RIGHT)
    task.network.eval()
    ids = rows_of(task).ids
    other = ids.clone()
    other[:, 12:] = 7
    with torch.no_grad():
        before, after = (task.network(some).last[:, :12] for some in (ids, other))
        masked = task.network(ids, mask=torch.ones_like(ids, dtype=torch.bool)).last[:, :12]
    torch.testing.assert_close(before, after)
    torch.testing.assert_close(before, masked)
    loss, figures = task.loss(rows_of(task), 0, 0.5)
    assert 0 < loss < torch.tensor(200.0).log() + 1 and set(figures) == {"next_word", "top1"}
    found = task.held_out(500)
    assert 0 <= found["next_word_top1"] < 1


def test_what_is_asked_is_what_was_learnt(made):
    said = {name: set(made(name).held_out(300)) & set(own_figures(made(name))) for name in KINDS}
    assert said[WHOLE] == said[ALWAYS_MASK] == {"masked_top1", "next_sentence"}
    assert said[WITHOUT_NEXT] == {"masked_top1"} and said[LEFT_TO_RIGHT] == {"next_word_top1"}


def test_places_alone_are_read_leftward_too(made):
    """Heads take vectors of some places: those must be of the same pass."""
    task = made(LEFT_TO_RIGHT)
    model = live(task.network.eval(), task.backend)
    encoding = model.encode("the baker crossed the bridge near the bank")
    (some,) = model.states_at([encoding], [[1, 3]])
    trace = model.trace("the baker crossed the bridge near the bank")
    torch.testing.assert_close(some, torch.stack([h[[1, 3]] for h in trace.hidden_states]))
