"""One session's continuations: they grow, fork, are walked, pruned, undone and opened again from a link."""

from explorer.analysis.generation.steps import Sampling
from explorer.views.continuations import session, tree
from explorer.views.continuations.session import MOST_BRANCHES, extend, reopen
from explorer.views.look.blocklist import Blocklist
from tests.views.continuations.growing import rival, write
from tests.views.opening import unmarked


def test_a_turn_makes_a_few_tokens_and_stops_at_the_end(run, monkeypatch):
    monkeypatch.setattr(session, "PORTION_SECONDS", 0.0)
    extend(run)
    assert len(run.generation.steps) == 2 and run.button == "Stop"
    run.press()
    before = len(run.generation.steps)
    extend(run)
    assert len(run.generation.steps) == before and run.button == "Continue"
    run.press()
    write(run)
    assert len(run.generation.steps) == 8 and run.button == "Start again" and not run.going


def test_starting_again_gives_the_same_text_on_the_same_branch(run):
    text = [step.id for step in write(run).generation.steps]
    run.restart()
    assert len(run.generation.steps) == 1 and run.going and len(run.tree) == 1
    assert [step.id for step in write(run).generation.steps] == text and len(run.tree) == 1


def test_two_branches_side_by_side_are_text(run, monkeypatch):
    write(run)
    monkeypatch.setattr(tree, "as_written", lambda generation, blocked: ["<i>"] * len(generation.steps))
    half = tree._half("<b>", run.generation, 1, Blocklist(False, frozenset()))
    assert half.count("&lt;i&gt;</span>") == len(
        run.generation.steps
    ) - 1 and "<h3>&lt;b&gt;</h3>" in unmarked(half)
    assert "<i>" not in half and "<b>" not in half


def test_a_candidate_branches_is_walked_to_and_taken_back(run):
    first = [step.id for step in write(run).generation.steps]
    other = rival(run, 3)
    assert run.pick(3, other) and run.going and len(run.tree) == 2
    second = [step.id for step in write(run).generation.steps]
    assert second[:3] == first[:3] and second[3] == other and len(second) == 8
    assert run.tree.path(run.here) == tuple(second)
    assert run.pick(3, first[3]) and run.here == 0, "the way back is the branch that is there"
    assert [step.id for step in run.generation.steps] == first
    assert not run.pick(3, first[3]) and not run.pick(99, 1)
    run.walk(1)
    run.undo()
    assert len(run.tree) == 1 and run.here == 0 and run.tree.path(0) == tuple(first)


def test_pruning_the_branch_on_the_screen_leads_back_to_its_parent(run):
    first = [step.id for step in write(run).generation.steps]
    run.pick(3, rival(run, 3))
    run.prune(run.here)
    assert run.here == 0 and len(run.tree) == 1
    assert [step.id for step in run.generation.steps] == first
    run.undo()
    assert len(run.tree) == 2 and run.here == 1
    run.prune(0)
    assert len(run.tree) == 2, "the first branch stays"


def test_what_came_after_a_snapshot_stays_when_it_is_taken_back(run):
    run.pick(0, rival(run, 0))
    run.walk(0)
    run.name(1, "x")
    run.paused = False
    write(run)
    run.undo()
    assert run.tree[1].name == ""
    assert (
        run.tree.path(0) == tuple(step.id for step in run.generations[0].steps) and len(run.tree.path(0)) == 8
    )


def test_a_tree_has_a_limit_and_says_so(run):
    for id in range(MOST_BRANCHES + 3):
        run.pick(0, id)
    assert len(run.tree) == MOST_BRANCHES and "prune one" in run.message
    run.prune(run.here)
    assert run.message == "" and run.pick(0, 200)


def test_only_a_tree_that_the_settings_do_not_write_again_is_kept(run, tiny_gpt):
    assert write(run).packed() == ""
    run.pick(2, rival(run, 2))
    write(run)
    link = run.packed()
    again = reopen((), tiny_gpt, "the bank", Sampling(max_new_tokens=8), link)
    assert again.tree == run.tree and again.packed() == link and again.button == "Start again"
    run.undo()
    assert run.packed() == ""


def test_a_shorter_length_ends_and_a_longer_one_goes_on(run):
    write(run)
    run.sampling = Sampling(max_new_tokens=10)
    assert not run.finished
    assert len(write(run).generation.steps) == 10 and len(run.tree) == 1
    run.sampling = Sampling(max_new_tokens=4)
    assert run.finished and run.pick(7, rival(run, 7)), "a fork beyond the length is one token long"
