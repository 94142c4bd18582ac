"""Continuations, the view Write without a browser: what it generates, shows, says and keeps."""

import threading
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

import explorer
from explorer.analysis.generation.steps import Sampling, generate
from explorer.models.stepping.step import Step
from explorer.server import memory
from explorer.views.continuations import page, session, steps
from explorer.views.continuations.write import shown_unasked
from explorer.views.frame.presets import presets_in_row
from explorer.views.settings import link_values
from tests.views import opening
from tests.views.continuations.growing import rival, write
from tests.views.continuations.opening import component_data
from tests.views.opening import defaults

DEFAULTS = defaults(page.PAGE)
open_ = partial(opening.opened, "continuations")


def run_of(at: AppTest) -> session.Continuations:
    return at.session_state[session.RUN]


def generation_of(at: AppTest):
    return run_of(at).generation


def test_it_opens_with_a_first_token_and_a_row_of_controls():
    at = open_()
    assert len(generation_of(at).steps) == 1
    assert [s.label for s in at.slider] == ["Temperature", "Top-p", "Length"]
    assert [s.label for s in at.select_slider] == ["Top-k"]
    assert [n.label for n in at.number_input] == ["Seed"]


@pytest.mark.parametrize("packing", [None, ([4, 8], 115_015_680, 537_919_488)])
def test_it_says_how_few_bits_are_read_where_that_is_so(packing, monkeypatch):
    monkeypatch.setattr(Step, "packing", packing)
    text = " ".join(element.proto.body for element in open_().get("html"))
    assert ("as a 4- or 8-bit number" in text) is ("115 MB in place of 538" in text) is bool(packing)


def test_of_a_text_that_is_written_the_least_probable_beginning_of_a_word_is_shown():
    tokens = ((" the", 0.5), (" un", 0.2), ("bank", 0.01), (" door", 0.3))
    written = [SimpleNamespace(text=token, token=token, probability=share) for token, share in tokens]
    run = SimpleNamespace(
        finished=True, tree=[0], generation=SimpleNamespace(prompt="Near", steps=written, cut=0)
    )
    assert shown_unasked(run) == 1


def test_without_a_prompt_the_start_token_stands_in_its_place():
    data = component_data(open_(text=""), "stream")
    assert data["bare"] and data["prompt"] == "<|endoftext|>"


def test_a_slider_acts_on_the_shown_step_and_the_model_is_not_asked(monkeypatch):
    at = open_(length="6", token="2")
    write(run_of(at))
    at.run()
    first, before = generation_of(at), component_data(at, "pipeline")
    passes = []  # every forward pass of a generation is asked for here; the warm-up may still be at its own

    def run(*arguments):
        if threading.current_thread().name != "warm-up":
            passes.append(arguments)

    monkeypatch.setattr(type(first._engine.scheduler), "run", run)
    at.slider[0].set_value(2.0).run()
    assert not at.exception and generation_of(at) is first
    after = component_data(at, "pipeline")
    assert [r["logit"] for r in after["rows"][:3]] == [r["logit"] for r in before["rows"][:3]]
    assert max(r["chance"] for r in after["rows"]) < max(r["chance"] for r in before["rows"])
    at.select_slider[0].set_value(2).run()
    rows = component_data(at, "pipeline")["rows"]
    assert [r["cut"] for r in rows] == ["", "", *["top-k"] * (len(rows) - 2)]
    assert all(r["after_temperature"] > 0 == r["chance"] for r in rows[2:]), "cut bars stay, hollow"
    at.slider[0].set_value(0.0).run()
    assert [r["chance"] for r in component_data(at, "pipeline")["rows"]][:2] == [1, 0]
    assert at.query_params["temperature"] == "0.0" and not passes


def test_what_is_written_next_is_drawn_with_the_settings_as_they_stand():
    at = open_(length="8")
    run = run_of(at)
    run.paused = True
    at.slider[0].set_value(0.0).run()
    write_on = [run.grow() for _ in range(7)]
    assert all(write_on) and all(step.rank == 1 for step in run.generation.steps[1:])
    assert run.finished and run.button == "Start again"


def test_another_seed_and_a_preset_write_another_branch_and_the_tree_is_kept():
    at = open_(length="5")
    first = [step.id for step in write(run_of(at)).generation.steps]
    at.number_input[0].set_value(3).run()
    second = [step.id for step in write(run_of(at)).generation.steps]
    assert not at.exception and first != second and len(run_of(at).tree) == 2
    next(b for b in at.button if b.label == presets_in_row("continuations", "write")[-1].label).click().run()
    assert (at.slider[0].value, at.select_slider[0].value) == (1.5, 1)
    assert all(step.rank == 1 for step in write(run_of(at)).generation.steps)
    paths = [run_of(at).tree.path(b.number) for b in run_of(at).tree.branches]
    assert tuple(first) in paths and tuple(second) in paths


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", 1),
        ("a", 1),
        ("</script><script>document.title='x'</script>", None),
        ("🦊 and 東京", None),
        ("سلام عليكم", None),
    ],
)
def test_any_prompt_is_continued(text, read):
    at = open_(text=text)
    assert generation_of(at).prompt == text and len(generation_of(at).steps) == 1
    assert read is None or len(generation_of(at).prompt_ids) == read


def test_a_prompt_beyond_the_context_keeps_its_end_and_says_so():
    at = open_(text="The heron waited. " * 300, model="gpt")
    summary = steps.summary(generation_of(at), False)
    assert generation_of(at).cut > 0 and f"{generation_of(at).cut:,} tokens did not fit" in summary
    assert steps.prompt(generation_of(at)).startswith("… ")


def test_values_out_of_range_are_brought_in():
    at = open_(temperature="9", top_k="7", top_p="-1", seed="-5", length="100000")
    sampling = generation_of(at).sampling
    assert (sampling.temperature, sampling.top_k, sampling.top_p) == (2.0, 5, 0.05)
    assert (sampling.seed, sampling.max_new_tokens) == (0, session.LONGEST)


def test_a_model_that_reads_both_ways_says_that_it_cannot(bert_folder):
    memory.fetch(f"folder:{bert_folder}")
    at = open_(model=f"folder:{bert_folder}")
    assert any("cannot continue a text" in text.value for text in at.text)


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
    branches = component_data(again, "tree")["branches"]
    assert [branch["called"] for branch in branches] == ["first", "the other </b>"]
    next(b for b in again.button if b.key == "continuations/reset").click().run()
    assert not again.exception and len(run_of(again).tree) == 1 and not again.query_params


def test_the_pages_undo_brings_the_settings_back_and_the_prompt_with_its_tree():
    at = open_(length="5")
    run = write(run_of(at))
    run.pick(2, rival(run, 2))
    tree, text = write(run).tree, generation_of(at).ids
    at.run()
    at.slider[0].set_value(1.9).run()
    assert generation_of(at).ids == text
    next(b for b in at.button if b.key == "continuations/undo").click().run()
    assert not at.exception and at.slider[0].value == DEFAULTS["temperature"]
    assert set(tree.branches) <= set(run_of(at).tree.branches)


@pytest.mark.slow
def test_a_tree_too_large_for_a_link_is_kept_for_a_file_and_that_is_said(monkeypatch):
    monkeypatch.setattr(link_values, "LINK_LIMIT", 200)
    at = open_(model="gpt", length="24", temperature="1.5")  # hot: what surprises is hard to compress
    run = write(run_of(at))
    for fork in range(session.MOST_BRANCHES - 1):
        assert run.pick(fork, rival(run, fork))
        write(run)
    at.run()
    assert "tree" not in at.query_params and at.query_params["length"] == "24"
    assert "Save a session file" in component_data(at, "saver")["link"]
    link = at.session_state["continuations.tree"]
    again = session.reopen((), run.generation.model, run.generation.prompt, run.sampling, link)
    assert again.tree == run.tree and len(again.tree) == session.MOST_BRANCHES


@pytest.mark.parametrize("tree", ["[]", '[0,[[0,null,0,"",99999999]]]', "z~", '[7,[[0,null,0,"",5]]]', "{"])
def test_a_link_with_no_tree_in_it_begins_a_new_one(tree):
    at = open_(length="3", tree=tree)
    assert len(generation_of(at).steps) == 1 and len(run_of(at).tree) == 1


def test_a_page_that_waits_for_its_first_token_says_so(monkeypatch):
    waiting = type(generate(explorer.load("gpt"), "a", Sampling()))
    monkeypatch.setattr(waiting, "step", lambda self, wait=None: None)
    monkeypatch.setattr(waiting, "place", property(lambda self: 3))
    at = open_()
    data = component_data(at, "stream")
    assert data["chips"] == [] and data["going"] and data["note"] == "0 tokens, you are third in line"
    assert any("first token is on its way" in element.proto.body for element in at.get("html"))
    session.extend(run_of(at))
    at.run()
    assert component_data(at, "stream")["answers"] == data["answers"] + 1, "the page asks again"


@pytest.mark.parametrize(
    ("view", "text"), [("write", "text"), ("ways", "text"), ("colour", "passage"), ("dice", "start")]
)
def test_a_space_at_the_end_stays_and_is_told_where_the_text_goes_on(view, text):
    at = open_(view=view, length="1", **{text: "The old river "})
    boxes = opening.sent(at, "text_box")
    boxes_with_notice = [box["text"] for box in boxes if "ends in a space" in box["notice"]]
    assert boxes_with_notice == ([] if view == "dice" else ["The old river "])
