"""What holds for every page in pages/: it runs under app.py and alone, and survives a bad link."""

import pytest
from streamlit.testing.v1 import AppTest

from explorer.views.frame.navigation import ORDER, pages
from tests.views.opening import page_defaults, unopened

EVERY = pytest.mark.parametrize("page", pages(), ids=lambda p: p.name)


def test_the_pages_stand_in_the_lectures_order():
    names = [page.name for page in pages()]
    assert names[: len(ORDER)] == list(ORDER)
    assert names.index("vectors") < names.index("tokens") < names.index("sides"), "ELMo comes after word2vec"
    assert names.index("senses") == names.index("sides") + 1, "word senses come after both"
    assert names.index("transformer") < names.index("masked") and names[-1] == "models"


@EVERY
def test_the_docstring_gives_a_title_and_a_sentence(page):
    assert page.title and not page.title.endswith(".")
    assert page.caption.endswith(".")


def test_the_pages_run_under_app():
    at = unopened().run()
    for page in pages():
        at.switch_page(page.path).run()
        assert not at.exception, page.name
        assert at.title[0].value == page.title


def without_a_model(page, model: str) -> AppTest:
    """A page whose link asks for a model that cannot be had, which it says."""
    at = unopened(page.path)
    at.query_params["model"] = model
    if page.name == "transformer":
        at.query_params["view"] = "steps"  # its overview has no model
    at.run()
    assert not at.exception
    assert any(model.split(":")[-1] in text.value for text in at.text), [t.value for t in at.text]
    return at


# Pages ask for a model in three ways: as most do, by what the view needs, or among the bundled ones.
@pytest.mark.slow
@pytest.mark.parametrize("name", ["senses", "masked", "models"])
@pytest.mark.parametrize("model", ["hub:no/such", "hub:not a name", ":"])
def test_a_name_of_any_form_is_a_message(name, model):
    without_a_model(next(page for page in pages() if page.name == name), model)


@EVERY
def test_a_model_that_cannot_be_had_is_a_message_and_the_page_goes_on(page):
    if "model" not in page_defaults(page.name):
        pytest.skip("the page has no picker")
    at = without_a_model(page, "bret")
    picker = next(box for box in at.selectbox if box.label == "Model")
    picker.set_value({"continuations": "gpt", "sides": "elmo"}.get(page.name, "bert")).run()
    assert not at.exception


@EVERY
def test_the_page_runs_alone_and_reset_brings_the_opening_view_back(page):
    at = unopened(page.path)
    at.query_params["text"] = "Something else."
    at.run()
    assert not at.exception
    assert at.title[0].value == page.title
    button = next(b for b in at.button if b.key == f"{page.name}/reset")
    button.click().run()
    assert not at.exception
    assert not at.query_params
