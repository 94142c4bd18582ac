"""The continuations page without a browser: what it generates, shows, says, and gives as code."""

import contextlib
import io
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.analysis.generation import Sampling, Step, generate
from explorer.views import steps, theme, veil
from explorer.views.continuations import LONGEST, RUN, TURN_TOKENS, Run, extend
from explorer.views.presets.continuations import DEFAULTS, PRESETS

ROOT = Path(__file__).parents[2]
PAGE = "pages/continuations.py"


def open_(**settings) -> AppTest:
    """The page from its own file, with a link's settings."""
    at = AppTest.from_file(str(ROOT / PAGE), default_timeout=60)
    for name, value in settings.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def made(at: AppTest):
    return at.session_state[RUN].generation


def code(at: AppTest) -> str:
    return next(c.value for c in at.code if "import explorer" in c.value)


def test_it_opens_with_a_first_token_and_a_row_of_controls():
    at = open_()
    assert len(made(at).steps) == 1
    assert [s.label for s in at.slider] == ["Temperature", "Top-p", "Length"]
    assert [s.label for s in at.select_slider] == ["Top-k"]
    assert [n.label for n in at.number_input] == ["Seed"]


def test_a_changed_control_starts_again_and_the_same_settings_do_not():
    at = open_()
    first = made(at)
    assert made(at.run()) is first
    at.slider[0].set_value(1.2).run()
    assert made(at) is not first and made(at).sampling.temperature == 1.2
    assert at.query_params["temperature"] == "1.2"


@pytest.mark.parametrize(
    ("text", "read"),
    [("", 1), ("a", 1), ("</script><script>document.title='x'</script>", None), ("🦊 and 東京", None)],
)
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
    while made(at).ending is None:
        extend(at.session_state[RUN])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code(at), {})
    lines = printed.getvalue().splitlines()
    assert len(lines) == 5
    assert all(
        line.startswith(repr(step.token)) and line.endswith(f"rank {step.rank}")
        for line, step in zip(lines, made(at).steps)
    )


def test_a_preset_sets_the_controls():
    at = open_()
    next(b for b in at.button if b.label == PRESETS[2].label).click().run()
    assert not at.exception
    assert (at.slider[0].value, at.select_slider[0].value) == (1.5, 1)


@pytest.fixture
def run(tiny_gpt) -> Run:
    return Run((), 0, generate(tiny_gpt, "the bank", Sampling(max_new_tokens=8), candidates=8))


def test_a_turn_makes_a_few_tokens_and_stops_at_the_end(run):
    extend(run)
    assert 1 <= len(run.generation.steps) <= TURN_TOKENS and run.verb == "Stop"
    run.paused = True
    before = len(run.generation.steps)
    extend(run)
    assert len(run.generation.steps) == before and run.verb == "Continue"
    run.paused = False
    for _ in range(8):
        extend(run)
    assert len(run.generation.steps) == 8 and run.verb == "Start again" and not run.going


def test_starting_again_gives_the_same_text(run):
    text = [step.id for step in run.generation]
    run.restart()
    assert len(run.generation.steps) == 1 and run.going
    assert [run.generation.steps[0].id, *(step.id for step in run.generation)] == text


def test_there_are_always_as_many_bars_and_one_is_the_taken(tiny_gpt):
    for step in generate(tiny_gpt, "we saw", Sampling(temperature=2.0, top_k=40, max_new_tokens=20)):
        rows = steps.rows(step)
        assert len(rows) == steps.CANDIDATES
        assert [row["token"] for row in rows if row["state"] == "chosen"] == [steps.spelled(step.token)]
        assert all((row["chance"] == 0) == (row["state"] == "cut") for row in rows)


class Written:
    """A generation with given steps, as far as chips look at one."""

    def __init__(self, model, *texts: tuple[str, str]) -> None:
        self.model, self.prompt = model, ""
        self.steps = [Step(1, token, 0.5, 2, [], 0.5, text) for token, text in texts]


def test_pieces_of_a_character_become_one_chip(tiny_gpt):
    half = ("\ufffd", "")
    written = Written(tiny_gpt, (" a", " a"), half, half, half, ("\ufffd", "🦊"), half)
    chips = steps.chips(written, 3, theme.LIGHT, veil.over("gpt"))
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


def test_repetition_is_the_share_of_runs_seen_before():
    assert steps.repeated([1, 2, 3, 4]) == 0
    assert steps.repeated([1, 2, 3, 1, 2, 3]) == pytest.approx(1 / 4)
    assert steps.repeated([1, 1]) == 0


def test_words_are_escaped(tiny_gpt):
    written = Written(tiny_gpt, ("</script><b>", "</script><b>"))
    written.sampling = Sampling()
    assert "<b>" not in steps.words(written, 0, True)
