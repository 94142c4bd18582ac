"""Continuations, the view Write without a browser: what it generates, shows, says and keeps."""

import contextlib
import io
import threading
from functools import partial
from itertools import pairwise

import pytest
from streamlit.testing.v1 import AppTest

import explorer
from explorer.analysis.generation import Sampling, Step, generate
from explorer.views.continuations import pipeline
from explorer.views.continuations.presets import DEFAULTS, WRITE
from explorer.views.continuations.run import MOST_ROADS, RUN, TURN_TOKENS, Run, begin, extend, reopen
from explorer.views.continuations.write import LONGEST
from explorer.views.frame import blocklist, theme
from explorer.views.widgets import steps
from tests.views import opening

open_ = partial(opening.opened, "continuations")


def run_of(at: AppTest) -> Run:
    return at.session_state[RUN]


def made(at: AppTest):
    return run_of(at).generation


def write(run: Run) -> Run:
    while run.going:
        extend(run)
    return run


def sent(at: AppTest, component: str) -> dict:
    return opening.sent(at, component)[0]


def code(at: AppTest) -> str:
    return next(c.value for c in at.code if "import explorer" in c.value)


def test_it_opens_with_a_first_token_and_a_row_of_controls():
    at = open_()
    assert len(made(at).steps) == 1
    assert [s.label for s in at.slider] == ["Temperature", "Top-p", "Length"]
    assert [s.label for s in at.select_slider] == ["Top-k"]
    assert [n.label for n in at.number_input] == ["Seed"]


def test_a_slider_acts_on_the_shown_step_and_the_model_is_not_asked(monkeypatch):
    at = open_(length="6", token="2")
    write(run_of(at))
    at.run()
    first, before = made(at), sent(at, "pipeline")
    asked = []  # every forward pass of a generation is asked for here; the warm-up may still be at its own

    def run(*arguments):
        if threading.current_thread().name != "warm-up":
            asked.append(arguments)

    monkeypatch.setattr(type(first._engine.scheduler), "run", run)
    at.slider[0].set_value(2.0).run()
    assert not at.exception and made(at) is first
    after = sent(at, "pipeline")
    assert [r["logit"] for r in after["rows"][:3]] == [r["logit"] for r in before["rows"][:3]]
    assert max(r["chance"] for r in after["rows"]) < max(r["chance"] for r in before["rows"])
    at.select_slider[0].set_value(2).run()
    rows = sent(at, "pipeline")["rows"]
    assert [r["cut"] for r in rows] == ["", "", *["top-k"] * (len(rows) - 2)]
    assert all(r["softened"] > 0 == r["chance"] for r in rows[2:]), "cut bars stay, hollow"
    at.slider[0].set_value(0.0).run()
    assert [r["chance"] for r in sent(at, "pipeline")["rows"]][:2] == [1, 0]
    assert at.query_params["temperature"] == "0.0" and not asked


def test_what_is_written_next_is_drawn_with_the_settings_as_they_stand():
    at = open_(length="8")
    run = run_of(at)
    run.paused = True
    at.slider[0].set_value(0.0).run()
    write_on = [run.grow() for _ in range(7)]
    assert all(write_on) and all(step.rank == 1 for step in run.generation.steps[1:])
    assert run.over and run.verb == "Start again"


def test_another_seed_and_a_preset_write_another_road_and_the_tree_is_kept():
    at = open_(length="5")
    first = [step.id for step in write(run_of(at)).generation.steps]
    at.number_input[0].set_value(3).run()
    second = [step.id for step in write(run_of(at)).generation.steps]
    assert not at.exception and first != second and len(run_of(at).tree) == 2
    next(b for b in at.button if b.label == WRITE[2].label).click().run()
    assert (at.slider[0].value, at.select_slider[0].value) == (1.5, 1)
    assert all(step.rank == 1 for step in write(run_of(at)).generation.steps)
    paths = [run_of(at).tree.path(b.number) for b in run_of(at).tree.branches]
    assert tuple(first) in paths and tuple(second) in paths


@pytest.mark.parametrize(
    ("text", "read"),
    [("", 1), ("a", 1), ("</script><script>document.title='x'</script>", None), ("🦊 and 東京", None),
     ("سلام عليكم", None)],
)  # fmt: skip
def test_any_prompt_is_continued(text, read):
    at = open_(text=text)
    assert made(at).prompt == text and len(made(at).steps) == 1
    assert read is None or len(made(at).prompt_ids) == read


def test_a_prompt_beyond_the_context_keeps_its_end_and_says_so():
    at = open_(text="The heron waited. " * 300)
    said = steps.summary(made(at), False)
    assert made(at).cut > 0 and f"{made(at).cut:,} tokens did not fit" in said
    assert steps.prompt(made(at)).startswith("… ")


def test_values_out_of_range_are_brought_in():
    at = open_(temperature="9", top_k="7", top_p="-1", seed="-5", length="100000")
    sampling = made(at).sampling
    assert (sampling.temperature, sampling.top_k, sampling.top_p) == (2.0, 5, 0.05)
    assert (sampling.seed, sampling.max_new_tokens) == (0, LONGEST)


def test_a_model_that_reads_both_ways_says_that_it_cannot():
    at = open_(model="bert")
    assert any("cannot continue a text" in text.value for text in at.text)


@pytest.mark.parametrize("text", [DEFAULTS["text"], 'a "quoted" \\ line\nand {braces}', ""])
def test_the_code_it_shows_gives_the_tokens_it_shows(text):
    at = open_(text=text, length="5", top_k="50")
    write(run_of(at))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code(at), {})
    lines = printed.getvalue().splitlines()
    assert len(lines) == 5
    assert all(
        line.startswith(repr(step.token)) and line.endswith(f"rank {step.rank}")
        for line, step in zip(lines, made(at).steps)
    )


def test_a_link_opens_the_tree_that_was_left_and_reset_a_new_one():
    at = open_(length="6", seed="2")
    run = write(run_of(at))
    other = next(c.id for c in run.generation.steps[2].candidates if c.id != run.generation.steps[2].id)
    assert run.pick(2, other)
    run.name(1, "the other </b>")
    write(run)
    at.run()
    again = open_(**{name: at.query_params[name] for name in ("length", "seed", "tree")})
    opened = run_of(again)
    assert opened.tree == run.tree and opened.here == run.here and not opened.going
    assert [s.id for s in opened.generation.steps] == [s.id for s in run.generation.steps]
    assert [s.probability for s in opened.generation.steps] == pytest.approx(
        [s.probability for s in run.generation.steps], rel=1e-3
    )
    assert [road["called"] for road in sent(again, "tree")["roads"]] == ["first", "the other </b>"]
    next(b for b in again.button if b.key == "continuations/reset").click().run()
    assert not again.exception and len(run_of(again).tree) == 1 and not again.query_params


def test_the_pages_undo_brings_the_settings_back_and_the_prompt_with_its_tree():
    at = open_(length="5")
    run = write(run_of(at))
    run.pick(2, rival(run, 2))
    tree, text = write(run).tree, made(at).ids
    at.run()
    at.slider[0].set_value(1.9).run()
    assert made(at).ids == text
    next(b for b in at.button if b.key == "continuations/undo").click().run()
    assert not at.exception and at.slider[0].value == DEFAULTS["temperature"]
    assert set(tree.branches) <= set(run_of(at).tree.branches)


def test_a_tree_too_large_for_a_link_is_kept_for_a_file_and_that_is_said():
    at = open_(length="200")
    run = write(run_of(at))
    for fork in range(MOST_ROADS - 1):
        assert run.pick(fork, rival(run, fork))
        write(run)
    at.run()
    assert "tree" not in at.query_params and at.query_params["length"] == "200"
    assert "save a session file" in sent(at, "saver")["link"]
    kept = at.session_state["continuations.tree"]
    again = reopen((), run.generation.model, run.generation.prompt, run.wanted, kept)
    assert again.tree == run.tree and len(again.tree) == MOST_ROADS


@pytest.mark.parametrize("tree", ["[]", '[0,[[0,null,0,"",99999999]]]', "z~", '[7,[[0,null,0,"",5]]]', "{"])
def test_a_link_with_no_tree_in_it_begins_anew(tree):
    at = open_(length="3", tree=tree)
    assert len(made(at).steps) == 1 and len(run_of(at).tree) == 1


@pytest.fixture
def run(tiny_gpt) -> Run:
    return begin((), tiny_gpt, "the bank", Sampling(max_new_tokens=8))


def rival(run: Run, at: int) -> int:
    return next(c.id for c in run.generation.steps[at].candidates if c.id != run.generation.steps[at].id)


def test_a_turn_makes_a_few_tokens_and_stops_at_the_end(run):
    extend(run)
    assert 2 <= len(run.generation.steps) <= TURN_TOKENS + 1 and run.verb == "Stop"
    run.turn()
    before = len(run.generation.steps)
    extend(run)
    assert len(run.generation.steps) == before and run.verb == "Continue"
    run.turn()
    write(run)
    assert len(run.generation.steps) == 8 and run.verb == "Start again" and not run.going


def test_starting_again_gives_the_same_text_on_the_same_road(run):
    text = [step.id for step in write(run).generation.steps]
    run.restart()
    assert len(run.generation.steps) == 1 and run.going and len(run.tree) == 1
    assert [step.id for step in write(run).generation.steps] == text and len(run.tree) == 1


def test_a_candidate_branches_is_walked_to_and_taken_back(run):
    first = [step.id for step in write(run).generation.steps]
    other = rival(run, 3)
    assert run.pick(3, other) and run.going and len(run.tree) == 2
    second = [step.id for step in write(run).generation.steps]
    assert second[:3] == first[:3] and second[3] == other and len(second) == 8
    assert run.tree.path(run.here) == tuple(second)
    assert run.pick(3, first[3]) and run.here == 0, "the way back is the road that is there"
    assert [step.id for step in run.generation.steps] == first
    assert not run.pick(3, first[3]) and not run.pick(99, 1)
    run.walk(1)
    run.undo()
    assert len(run.tree) == 1 and run.here == 0 and run.tree.path(0) == tuple(first)


def test_pruning_a_road_one_stands_on_leads_back_to_the_one_it_left(run):
    first = [step.id for step in write(run).generation.steps]
    run.pick(3, rival(run, 3))
    run.prune(run.here)
    assert run.here == 0 and len(run.tree) == 1
    assert [step.id for step in run.generation.steps] == first
    run.undo()
    assert len(run.tree) == 2 and run.here == 1
    run.prune(0)
    assert len(run.tree) == 2, "the first road stays"


def test_what_came_after_a_snapshot_stays_when_it_is_taken_back(run):
    run.pick(0, rival(run, 0))
    run.walk(0)
    run.name(1, "x")
    run.paused = False
    write(run)
    run.undo()
    assert run.tree[1].name == ""
    assert run.tree.path(0) == tuple(step.id for step in run.made[0].steps) and len(run.tree.path(0)) == 8


def test_a_tree_has_a_limit_and_says_so(run):
    for id in range(MOST_ROADS + 3):
        run.pick(0, id)
    assert len(run.tree) == MOST_ROADS and "prune one" in run.said
    run.prune(run.here)
    assert run.said == "" and run.pick(0, 200)


def test_only_a_tree_that_the_settings_do_not_write_again_is_kept(run, tiny_gpt):
    assert write(run).saved() == ""
    run.pick(2, rival(run, 2))
    write(run)
    kept = run.saved()
    again = reopen((), tiny_gpt, "the bank", Sampling(max_new_tokens=8), kept)
    assert again.tree == run.tree and again.saved() == kept and again.verb == "Start again"
    run.undo()
    assert run.saved() == ""


def test_a_shorter_length_ends_and_a_longer_one_goes_on(run):
    write(run)
    run.wanted = Sampling(max_new_tokens=10)
    assert not run.over
    assert len(write(run).generation.steps) == 10 and len(run.tree) == 1
    run.wanted = Sampling(max_new_tokens=4)
    assert run.over and run.pick(7, rival(run, 7)), "a fork beyond the length is one token long"


class TestRoad:
    """The rows and the ruler of one step."""

    def way(self, run: Run, at: int):
        return pipeline.way_of(run, at)

    def test_there_are_as_many_rows_and_the_taken_and_the_drawn_are_among_them(self, run):
        run.wanted = Sampling(temperature=2.0, max_new_tokens=20, seed=3)
        for at, step in enumerate(write(run).generation.steps):
            way = self.way(run, at)
            ids = pipeline.listed(way, step.id)
            assert len(ids) == len(set(ids)) == pipeline.ROWS and {step.id, way.id} <= set(ids)
            logits = [float(way.logits[id]) for id in ids]
            assert logits == sorted(logits, reverse=True)

    def test_the_draw_falls_on_the_token_that_was_taken(self, run):
        for at, step in enumerate(write(run).generation.steps):
            way = self.way(run, at)
            parts = pipeline.ruler(way, str)
            hit = next(part for part in parts if part["hit"])
            assert hit["id"] == step.id and hit["from"] <= way.draw <= hit["to"]
            ends = [(part["from"], part["to"]) for part in parts]
            assert all(b <= c + 1e-9 for (_, b), (c, _) in pairwise(ends))

    def test_rows_and_the_rest_share_all_chances(self, run):
        write(run)
        for wanted in (
            Sampling(),
            Sampling(top_k=3),
            Sampling(top_p=0.3, temperature=0.5),
            Sampling(temperature=0),
        ):
            run.wanted = wanted
            way, taken = self.way(run, 2), run.generation.steps[2].id
            ids = pipeline.listed(way, taken)
            made = pipeline.rows(way, ids, taken, wanted.takes_the_best, {}, str, set())
            rest = pipeline.rest(way, ids)
            assert sum(row["chance"] for row in made) + rest["chance"] == pytest.approx(1, abs=1e-5)
            assert sum(row["softened"] for row in made) + rest["softened"] == pytest.approx(1, abs=1e-5)
            assert all((row["chance"] == 0) == bool(row["cut"]) for row in made)

    def test_the_bars_of_logits_say_how_far_a_token_is_behind_the_best(self, run):
        write(run)
        for wanted, stretch in (
            (Sampling(), 1),
            (Sampling(temperature=2.0), 0.5),
            (Sampling(temperature=0.5), 2),
        ):
            run.wanted = wanted
            way = self.way(run, 1)
            ids = pipeline.listed(way, run.generation.steps[1].id)
            made = pipeline.rows(way, ids, ids[0], False, {}, str, set())
            assert made[0]["logit"]["bar"] == made[0]["scaled"]["bar"] == 1
            for row in made:
                gap = (1 - row["logit"]["bar"]) * stretch
                assert (
                    row["scaled"]["bar"] == pytest.approx(max(1 - gap, 0), abs=1e-5)
                    or not row["logit"]["bar"]
                )

    def test_it_says_who_chose_the_token(self, run):
        write(run)
        taken, other = run.generation.steps[2].id, rival(run, 2)
        assert not pipeline.by_hand(run, 2)
        assert list(pipeline.forks(run, 2)) == [taken]
        run.pick(2, other)
        assert pipeline.by_hand(run, 2) and not pipeline.by_hand(run, 1)
        assert set(pipeline.forks(run, 2)) == {taken, other}
        says = pipeline.says(run, self.way(run, 2), 2, str)
        assert says.startswith("by hand; ") and says.endswith(f"would fall on {taken}")


class Written:
    """A generation with given steps, as far as chips look at one."""

    def __init__(self, model, *texts: tuple[str, str]) -> None:
        self.model, self.prompt = model, ""
        self.steps = [Step(1, token, 0.5, 2, [], 0.5, text, 0.5) for token, text in texts]


def test_pieces_of_a_character_become_one_chip(tiny_gpt):
    half = ("\ufffd", "")
    written = Written(tiny_gpt, (" a", " a"), half, half, half, ("\ufffd", "🦊"), half)
    chips = steps.chips(written, 3, theme.LIGHT, blocklist.over("gpt"))
    assert [chip["text"] for chip in chips] == [" a", "🦊", "▯"]
    assert [(chip["first"], chip["last"]) for chip in chips] == [(0, 0), (1, 4), (5, 5)]
    assert [chip["shown"] for chip in chips] == [False, True, False]
    assert "4 tokens together: probability 0.062" in chips[1]["tip"]


def test_clicks_walk_through_the_pieces_and_then_let_go():
    assert [steps.after_click(token, 1, 3) for token in (-1, 0, 1, 2, 3)] == [1, 1, 2, 3, -1]
    assert steps.after_click(5, 5, 5) == -1 and steps.after_click(5, -1, -1) == -1


@pytest.mark.parametrize(
    ("token", "written"), [(" bank", " bank"), ("ing", "ing"), (" ", "␣"), ("  x", "␣␣x"), ("\n", "↵")]
)
def test_spaces_and_line_ends_can_be_seen_in_a_list(token, written):
    assert steps.spelled(token) == written


def test_marks_follow_the_rank():
    assert [steps.mark(rank) for rank in (1, 2, 10, 11, 100, 101)] == [
        "solid", "dashed", "dashed", "dotted", "dotted", "",
    ]  # fmt: skip


def test_a_page_that_waits_for_its_first_token_says_so(monkeypatch):
    waiting = type(generate(explorer.load("gpt"), "a", Sampling()))
    monkeypatch.setattr(waiting, "step", lambda self, wait=None: None)
    monkeypatch.setattr(waiting, "place", property(lambda self: 3))
    at = open_()
    data = sent(at, "stream")
    assert data["chips"] == [] and data["going"] and data["note"] == "0 tokens, you are third in line"
    assert any("first token is on its way" in element.proto.body for element in at.get("html"))
    extend(run_of(at))
    at.run()
    assert sent(at, "stream")["answers"] == data["answers"] + 1, "the page asks again"


def test_a_place_in_line_is_said(tiny_gpt, monkeypatch):
    generation = generate(tiny_gpt, "the bank", Sampling())
    monkeypatch.setattr(type(generation), "place", property(lambda self: 3))
    assert steps.summary(generation, False) == "0 tokens, you are third in line"
    assert [steps.ordinal(n) for n in (1, 12)] == ["first", "number 12"]
