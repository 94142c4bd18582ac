"""An installation that is damaged says which of its files is, on every page that needs it."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from explorer import assets
from explorer.errors import ExplorerError
from explorer.views.about import families, page
from explorer.views.frame import navigation, sizes
from explorer.views.home import start
from explorer.views.look import blocklist
from explorer.views.widgets.registry import style
from tests.views.opening import told, unopened

CACHES = (blocklist.listed, style, sizes.sizes)


@pytest.fixture
def without(monkeypatch):
    """Take a file away, for the pages."""

    def clear() -> None:
        for cached in CACHES:
            cached.cache_clear()

    def take(ending: str) -> None:
        real = assets.text

        def text(path):
            if str(path).endswith(ending):
                raise assets.damaged(path)
            return real(path)

        monkeypatch.setattr(assets, "text", text)
        clear()

    yield take
    clear()


def opened(name: str, **link: str) -> AppTest:
    at = unopened()
    if name != "home":
        at.run().switch_page(f"pages/{name}.py")
    at.query_params.update(link)
    return at.run()


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("home", "blocklist.txt"),
        ("masked", "blocklist.txt"),
        ("home", "home.json"),
        ("home", "look/page.css"),
        ("models", "about/page.css"),
        ("models", "gpt/config.json"),  # the model with which the page opens
    ],
)
def test_a_missing_file_is_named(without, name, ending):
    without(ending)
    at = opened(name)
    assert not at.exception
    assert f"{ending} is missing or damaged, a file of Riverbank itself." in told(at)


@pytest.fixture
def bert(tmp_path):
    """The folder of a model whose weights are missing."""
    folder = tmp_path / "bert"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"n_layer": 2}))
    return folder


@pytest.mark.parametrize("weights", [None, b"", b"\xff" * 100, b"\x02" + b"\0" * 7 + b"[]"])
def test_damaged_weights_are_named(bert, weights):
    if weights is not None:
        (bert / "model.safetensors").write_bytes(weights)
    with pytest.raises(ExplorerError, match=r"model\.safetensors is missing or damaged"):
        sizes.sizes(bert)


@pytest.mark.parametrize(("where", "view"), [(page, "written"), (families, "card")])
def test_the_rest_of_a_page_stands_without_a_models_weights(monkeypatch, bert, where, view):
    monkeypatch.setattr(where, "sizes", lambda folder: sizes.sizes(bert))
    at = opened("models", model="gpt", view=view, measure="scale")
    assert not at.exception and "model.safetensors is missing or damaged" in told(at)
    assert at.title[0].value in {page.title for page in navigation.pages()}


def test_the_start_page_stands_with_a_damaged_model_and_names_it_once_it_is_asked(monkeypatch):
    path = assets.CHECKPOINTS / "bert" / "config.json"

    def get(name: str, **_):
        raise assets.damaged(path)

    monkeypatch.setattr(start.kit.memory, "get", get)
    at = opened("home")
    assert not at.exception and "is missing or damaged" not in told(at)
    at = opened("home", text="The [MASK] bark at night.")
    assert not at.exception and "bert/config.json is missing or damaged" in told(at)
    assert "How to read it" in told(at)


def test_a_page_that_cannot_even_be_imported_says_why(monkeypatch):
    class Chosen:
        """A page whose script fails."""

        def run(self) -> None:
            """As where a sentence of ours is missing, which the script reads when it is imported."""
            raise assets.damaged(assets.SENSES / "bank.txt")

    monkeypatch.setattr(navigation, "declare", Chosen)
    at = unopened().run()
    assert not at.exception and "assets/senses/bank.txt is missing or damaged" in told(at)


def test_json_that_is_none_is_named(tmp_path):
    (tmp_path / "a.json").write_bytes(b"\xff{")
    with pytest.raises(ExplorerError, match=r"a\.json is missing or damaged"):
        assets.data(tmp_path / "a.json")
    (tmp_path / "a.json").write_text("[" * 100_000)
    with pytest.raises(ExplorerError, match=r"a\.json is missing or damaged"):
        assets.data(tmp_path / "a.json")
