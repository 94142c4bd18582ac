"""What “Show the code” prints runs as it stands, and gives what the page has drawn."""

import pytest

from explorer.views.continuations import decoders
from explorer.views.continuations.session import RUN
from explorer.views.frame.presets import presets_in_row
from tests.views.continuations.growing import write
from tests.views.continuations.opening import component_data, open_
from tests.views.opening import links, printed_result


def short(values: dict) -> dict:
    """A preset's settings, with a text of a few tokens."""
    return {name: value for name, value in values.items() if name != "view"} | {"length": 6}


def values(view, count=None, **more):
    """The settings of a view as it opens and of each of its presets."""
    return pytest.mark.parametrize(
        "link", links(presets_in_row("continuations", view)[:count], more), ids=str
    )


@values("write", text='a "quoted" \\ line\nand {braces}', top_k=50)
def test_write_gives_the_tokens_on_the_screen(link):
    at = open_("write", **short(link))
    steps = write(at.session_state[RUN]).generation.steps
    result = printed_result(at)
    assert [token for token, _, _ in result] == [step.token for step in steps]
    assert [rank for _, _, rank in result] == [step.rank for step in steps] and len(result) == 6


@values("colour", source="written", length=6)
def test_colour_gives_the_numbers_and_the_words_beside_the_text(link):
    at = open_("colour", **{name: value for name, value in link.items() if name != "view"})
    data, result = component_data(at, "colour"), printed_result(at)
    (name, perplexity), (unit, bits), *_ = data["numbers"]
    assert name.endswith("perplexity") and perplexity == f"{result['perplexity']:,.1f}"
    assert unit == "bits in all" or bits == f"{result['bits per byte']:.2f}"
    words = [(word.strip(), bits) for word, bits, *_ in data["top"]]
    assert words == [(word, pytest.approx(bits, abs=0.051)) for word, bits in result["most surprising"]]


@values("ways", 1, width=2, mass=0.5, alpha=0.3, seed=3)
def test_search_or_draw_gives_the_four_texts(link):
    at = open_("ways", **short(link))
    _, outputs = at.session_state[decoders.OUTPUTS]
    assert list(printed_result(at).values()) == [output.text for output in outputs]
