"""What a link asks for is loaded once the visitor says so; free names are for people at this computer."""

import shutil

import pytest
from streamlit.testing.v1 import AppTest

import explorer
from explorer.catalogue import manifest
from explorer.checkpoints import packaged
from explorer.errors import CheckpointError
from explorer.server import hosts, memory
from explorer.views.frame import picker
from tests.views import opening
from tests.views.opening import PAGES, problems

GPT2 = "hub:openai-community/gpt2"


@pytest.fixture(autouse=True)
def chosen_by_hand():
    """Here nobody has asked for anything yet."""


@pytest.fixture
def stranger(bert_folder, tmp_path) -> str:
    """A checkpoint that nobody has loaded yet."""
    return f"folder:{shutil.copytree(bert_folder, tmp_path / 'stranger')}"


def opened(model: str, page: str = "attention", **values: str) -> AppTest:
    return opening.opened(page, model=model, **values)


def the_button(at: AppTest):
    return next((button for button in at.button if button.label == "Load it"), None)


@pytest.mark.parametrize("page", ["attention", "masked", "senses"])
def test_a_folder_in_a_link_is_read_after_a_click(stranger, page):
    at = opened(stranger, page)
    assert not at.exception and not memory.loaded(stranger)
    assert "The link asks for a model from" in problems(
        at
    ) and "reads files of Riverbank’s computer" in problems(at)
    the_button(at).click().run()
    assert not at.exception and memory.loaded(stranger) and the_button(at) is None
    assert the_button(opened(stranger, page)) is None, "what is in memory is shown"


def test_a_path_alone_in_a_link_is_read_after_a_click_too(stranger):
    at = opened(stranger.removeprefix("folder:"))
    assert (
        not at.exception and not memory.loaded(stranger) and "The link asks for a model from" in problems(at)
    )
    the_button(at).click().run()
    assert not at.exception and memory.loaded(stranger) and at.session_state["attention.model"] == stranger


@pytest.mark.parametrize(
    "name", ["https://huggingface.co/org/name/tree/main", '"hub:org/name"', "hf.co/org/name", "org/name"]
)
def test_an_address_of_the_hub_is_understood_and_waits_for_a_click(monkeypatch, name):
    calls = []

    def get(name, progress=None):
        calls.append(name)
        raise CheckpointError("There is no network.")

    monkeypatch.setattr(memory, "fetch", get)
    at = opened(name)
    assert not calls and "the model org/name from the Hugging Face hub" in problems(at)
    the_button(at).click().run()
    assert not at.exception and calls == ["hub:org/name"]


def test_a_hub_name_in_a_link_asks_nobody_before_a_click(monkeypatch):
    calls = []
    monkeypatch.setattr(memory, "fetch", lambda name, progress=None: calls.append(name))
    at = opened("hub:somebody/something")
    assert (
        not calls
        and "The link asks for the model somebody/something from the Hugging Face hub." in problems(at)
    )


def test_a_name_chosen_in_the_picker_is_loaded_at_once(monkeypatch):
    at, calls = opened("bert"), []

    def get(name, progress=None):
        calls.append(name)
        raise CheckpointError("There is no network.")

    monkeypatch.setattr(memory, "fetch", get)
    box = next(box for box in at.selectbox if box.label == "Model")
    hub_name = next(name for name in map(str, explorer.available()) if name.startswith("hub:"))
    box.set_value(hub_name).run()
    assert not at.exception and calls == [hub_name] and "There is no network." in problems(at)


def test_a_second_model_that_comes_by_link_waits_as_well(stranger):
    at = opened("bert", view="compare", compare="models", compare_model=stranger)
    assert not at.exception and not memory.loaded(stranger) and the_button(at) is not None


@pytest.mark.parametrize(
    ("headers", "open_"),
    [
        ({}, True),
        ({"host": "localhost:8501", "origin": "http://localhost:8501"}, True),
        ({"host": "127.0.0.1:8501"}, True),
        ({"host": "[::1]:8501"}, True),
        ({"host": "riverbank.example.org"}, False),
        ({"host": "192.168.1.5:8501"}, False),
        ({"host": "localhost:8501", "x-forwarded-for": "203.0.113.9"}, False),
        ({"host": "localhost:8501", "forwarded": "for=203.0.113.9"}, False),
        ({"host": "localhost:8501", "origin": "https://riverbank.example.org"}, False),
        ({"host": "localhost.example.org"}, False),
    ],
)
def test_free_names_are_for_browsers_at_this_computer(stranger, monkeypatch, headers, open_):
    monkeypatch.delenv("RIVERBANK_OPEN_SOURCES", raising=False)
    assert hosts.at_this_computer(headers) == open_
    monkeypatch.setattr(hosts, "at_this_computer", lambda _: open_)
    at = opened(stranger)
    assert not at.exception
    assert (the_button(at) is not None) == open_
    assert ("other names and folders are off here" in problems(at)) != open_


def test_the_variable_opens_and_closes_free_names_for_all(stranger, monkeypatch):
    monkeypatch.setattr(hosts, "at_this_computer", lambda _: False)
    monkeypatch.setenv("RIVERBANK_OPEN_SOURCES", "1")
    assert the_button(opened(stranger)) is not None
    monkeypatch.setattr(hosts, "at_this_computer", lambda _: True)
    monkeypatch.setenv("RIVERBANK_OPEN_SOURCES", "0")
    assert the_button(opened(stranger)) is None


def test_a_very_long_name_is_cut_in_the_message():
    assert len(picker.NotChosenError("hub:" + "a" * 10_000).message) < 250
    assert max(len(line.value) for line in opened("x y" * 2_000).text) < 700


def test_a_model_whose_package_is_missing_is_named_and_choosing_it_says_how_it_comes(monkeypatch):
    def none(*_):
        raise manifest.PackageNotFoundError

    monkeypatch.setattr(manifest, "_version_and_folder", none)
    monkeypatch.setattr(memory, "_models", type(memory._models)())  # it may be in memory from another test
    at = opened("bert")
    box = at.selectbox(key="attention.model")
    assert "SmolLM2, not installed" in box.options and packaged.INSTALL not in problems(at)
    box.set_value("smollm2").run()
    assert not at.exception and f"{packaged.INSTALL} brings it." in problems(at)


def test_the_picker_says_which_models_would_be_downloaded(monkeypatch):
    at = opened("bert")
    options = at.selectbox(key="attention.model").options
    assert "roberta-base, 499 MB to download" in options and "BERT, English" in options
    assert not any("/" in option for option in options), "the organisation's name would push out the model's"
    monkeypatch.setattr("explorer.checkpoints.hub.cached", lambda checkpoint: PAGES)
    assert picker.label("hub:openai-community/gpt2") == "gpt2", "what lies on this computer is not fetched"
    assert picker.label("hub:somebody/something") == "somebody/something"


def test_a_model_that_has_been_fetched_is_no_longer_to_download(monkeypatch):
    load = explorer.load
    monkeypatch.setattr(memory, "_models", type(memory._models)())
    monkeypatch.setattr(explorer, "load", lambda name, progress=None: load("bert"))
    at = opened("bert")
    box = at.selectbox(key="attention.model")
    assert "bert-base-uncased, 440 MB to download" in box.options
    box.set_value("hub:google-bert/bert-base-uncased").run()
    options = at.selectbox(key="attention.model").options
    assert not at.exception and "bert-base-uncased" in options
    assert "bert-base-uncased, 440 MB to download" not in options


def test_a_label_that_is_not_listed_any_more_still_means_its_model(monkeypatch, tmp_path, bert_folder):
    """A box that takes typed names sends what it shows; what it shows may be older than the list."""
    at = opened("bert")
    box = at.selectbox(key="attention.model")
    box.options = [*box.options, "GPT, not installed"]
    box.set_value("GPT, not installed").run()
    assert not at.exception and at.query_params["model"] == "gpt"
    assert at.selectbox(key="attention.model").value == "gpt"
    monkeypatch.setattr(picker, "was_chosen", lambda name: True)
    folder = shutil.copytree(bert_folder, tmp_path / "mine" / "checkpoint-500")
    box = opened(f"folder:{folder}").selectbox(key="attention.model")
    at = box.set_value("mine/checkpoint-500").run()
    assert not at.exception and at.selectbox(key="attention.model").value == f"folder:{folder}"


def test_the_second_model_of_compare_can_be_typed(bert_folder):
    at = opened("bert", view="compare", compare="models")
    box = at.selectbox(key="attention.compare_model")
    box.options = [*box.options, f"with {bert_folder}"]
    box.set_value(str(bert_folder)).run()
    assert not problems(at) and at.query_params["compare_model"] == f"folder:{bert_folder}"


@pytest.mark.parametrize(
    ("page", "settings"),
    [
        ("continuations", {"view": "examples", "beside": GPT2}),
        ("continuations", {"view": "chat", "beside": GPT2}),
        ("continuations", {"view": "colour", "second": GPT2}),
        ("attention", {"view": "compare", "compare": "models", "compare_model": GPT2}),
    ],
)
def test_a_second_model_in_a_link_is_not_loaded_before_a_click(monkeypatch, page, settings):
    asked = []
    load = explorer.load
    monkeypatch.setattr(explorer, "load", lambda name, *rest: asked.append(name) or load(name, *rest))
    at = opened("gpt" if page == "continuations" else "bert", page, **settings)
    assert not at.exception and not [name for name in asked if name.startswith("hub:")]
    assert the_button(at)
