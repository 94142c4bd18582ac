"""The pictures of a notebook's cells in Chromium: each is drawn, no two meet, and the tour runs."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch
from playwright.sync_api import Browser, Page

import explorer
from explorer.analysis.attention.comparison import compare_traces
from explorer.analysis.attention.rollout import at_token
from explorer.analysis.generation import Sampling, generate
from explorer.analysis.generation.tree import continuation_tree
from explorer.analysis.prediction import fill_mask, surprisal, text_lens
from explorer.analysis.vectors import Vectors, analogy
from explorer.notebook import heads, html, lens
from tests.browser.conftest import LOCAL
from tests.browser.waiting import LONGEST_MS, expect
from tests.package.test_notebook import HOSTILE, ROOT, TOUR

DRAWN = """() => [...document.querySelectorAll("iframe")].map((frame) =>
  [...frame.contentDocument.querySelectorAll("[id^=part-]")].map((host) =>
    host.offsetHeight > 20 && host.shadowRoot?.querySelectorAll(".root *").length > 4))"""


@pytest.fixture
def notebook(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens cells on one page; afterwards no script may have failed and nothing been asked for."""
    faults: list[str] = []
    contexts = []

    def open_cells(*cells: str, theme: str = "light", body: str = "") -> Page:
        contexts.append(browser.new_context(viewport={"width": 1000, "height": 900}, color_scheme=theme))
        contexts[-1].set_default_timeout(LONGEST_MS)
        opened = contexts[-1].new_page()
        opened.on("console", lambda message: faults.append(message.text))
        opened.on("pageerror", lambda error: faults.append(str(error)))
        opened.on(
            "request",
            lambda request: request.url.startswith(LOCAL) or faults.append(f"asked for {request.url}"),
        )
        opened.set_content(f"<body {body}>{''.join(cells)}</body>")
        opened.wait_for_function(f"() => ({DRAWN})().flat().every(Boolean)")
        return opened

    yield open_cells
    for context in contexts:
        context.close()
    assert faults == []


def test_two_cells_do_not_meet(notebook, tiny_bert):
    first, second = (heads(tiny_bert.trace(text))._repr_html_() for text in ("the river bank", "the bank"))
    opened = notebook(first, second)
    frames = opened.frames[1:]
    tokens = [frame.locator(".from .token").count() for frame in frames]
    assert tokens[0] == tokens[1] + 1
    last = frames[0].locator(".buttons .head").last
    name = (last.get_attribute("aria-label") or "").partition(":")[0]
    last.click()
    expect(frames[0].locator(".says")).to_contain_text(name)
    expect(frames[1].locator(".says")).to_contain_text("Head L1H1")
    expect(last).to_have_class(re.compile(r"\bon\b"))
    for frame in frames:
        expect(frame.locator(".buttons .head.on")).to_have_count(1)


def test_a_cell_is_as_high_as_its_picture_and_follows_the_notebook(notebook, tiny_bert):
    cell = heads(tiny_bert.trace("the river bank"))._repr_html_()
    opened = notebook(cell, body='data-jp-theme-light="true"')
    (frame,) = opened.frames[1:]
    frame.wait_for_function("document.documentElement.scrollHeight <= innerHeight")
    opened.wait_for_function("document.querySelector('iframe').offsetHeight <= innerHeight * 2")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    assert frame.evaluate(ground) == "rgb(251, 250, 247)"
    opened.evaluate("document.body.dataset.jpThemeLight = 'false'")
    frame.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert frame.evaluate(ground) == "rgb(17, 21, 28)"


def test_nothing_typed_runs(notebook, tiny_bert):
    opened = notebook(html(tiny_bert.trace(HOSTILE)), theme="dark")
    assert opened.evaluate("window.run") is None
    (frame,) = opened.frames[1:]
    assert frame.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_click_on_a_token_shows_its_candidates(notebook, tiny_gpt):
    story = generate(tiny_gpt, "the", Sampling(seed=0, max_new_tokens=4))
    for _ in story:
        pass
    (frame,) = notebook(html(story)).frames[1:]
    label = "() => document.querySelector('#part-1').shadowRoot.querySelector('[aria-label]').ariaLabel"
    frame.locator("#part-0 button").nth(1).click()
    frame.wait_for_function(f"({label})() === 'Candidates of token 1'")
    frame.locator("#part-0 button").nth(3).click()
    frame.wait_for_function(f"({label})() === 'Candidates of token 3'")


def test_a_click_on_a_branch_shows_its_text(notebook, tiny_gpt):
    story = generate(tiny_gpt, "the", Sampling(seed=0, max_new_tokens=4))
    story.take([11, 12, 13])
    fork = story.branch(1, 14)
    (frame,) = notebook(html(continuation_tree([story, fork]))).frames[1:]
    expect(frame.locator("#part-0 button")).to_have_count(1 + len(story.steps))
    frame.locator(".branch").nth(1).press("Enter")
    expect(frame.locator("#part-0 button")).to_have_count(1 + len(fork.steps))
    expect(frame.locator(".branch").nth(1)).to_have_attribute("aria-pressed", "true")


def test_a_click_on_a_token_rolls_it_out(notebook, tiny_bert):
    rollout = at_token(tiny_bert.trace("the river bank"), 1)
    (frame,) = notebook(html(rollout)).frames[1:]
    says = frame.locator(".says")
    expect(says).to_contain_text("the at layer 3")
    frame.locator(".from .row").nth(2).click()
    expect(says).to_contain_text("bank at layer 3")
    expect(frame.locator("path.strand:not(.dot)")).to_have_count(len(replace(rollout, place=2).strands()))


OTHERS: dict[str, Callable[[], Any]] = {
    "blanks": lambda: fill_mask(explorer.load("bert"), "The [MASK] of the [MASK]."),
    "surprise": lambda: surprisal.read(explorer.load("gpt"), "The river bank was wet."),
    "analogy": lambda: analogy(Vectors(["a", "b", "c", "d"], torch.rand(4, 3)), "a", "b", "c"),
}


@pytest.mark.slow
def test_the_other_results_draw_themselves(notebook):
    from explorer.analysis.attribution.prediction import word_prediction
    from explorer.analysis.heads import ablation
    from explorer.analysis.probing import labels_by_layer, split, states_of, trees_by_layer

    bert = explorer.load("bert")
    question = ablation.ask(bert, "The boat is on the [MASK].")
    before, after = (ablation.answer(bert, question, edit) for edit in (None, ablation.switch_off([(3, 1)])))
    results = [make() for make in OTHERS.values()]
    sentence = split("The children by the river sang old songs.")
    states = states_of(bert, sentence)
    results += [trees_by_layer(bert, states, sentence), labels_by_layer(bert, states, "tag")]
    traces = [bert.trace("It was too tired."), bert.trace("It was too wide.")]
    results += [compare_traces(*traces, layer=4, head=2), at_token(traces[0], 1)]
    results += [word_prediction(bert, "The dogs [MASK] asleep.", "were", "was")]
    results += [ablation.changes(bert, before, after)]
    gpt = explorer.load("gpt")
    reader = lens(text_lens.over_text(gpt, "The river"), gpt)._repr_html_()
    opened = notebook(*map(html, results), reader)
    assert len(opened.frames) == 2 + len(results)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_tour_runs_and_every_cell_is_a_picture(notebook):
    import nbformat
    from nbclient import NotebookClient

    tour = nbformat.read(TOUR, as_version=4)
    NotebookClient(
        tour, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}
    ).execute()
    code = [cell for cell in tour.cells if cell.cell_type == "code"]
    assert len(code) == 10
    assert not [
        output for cell in code for output in cell.outputs if output.output_type in ("stream", "error")
    ]
    pictures = [cell.outputs[-1].data["text/html"] for cell in code]
    texts = [cell.outputs[-1].data["text/plain"] for cell in code]
    assert all("<iframe" in picture and len(picture) < 300_000 for picture in pictures)
    assert all(len(text) < 3_000 and "tensor(" not in text for text in texts)
    opened = notebook(*pictures, theme="dark")
    assert len(opened.frames) == 11
