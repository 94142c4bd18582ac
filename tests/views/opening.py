"""A page as a visitor opens it by a link, and what it hands to its components."""

import contextlib
import csv
import importlib
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from streamlit.testing.v1 import AppTest

import explorer
from explorer.server import background
from explorer.views.frame import reading_turn
from explorer.views.frame.navigation import pages
from explorer.views.frame.presets import Preset, presets
from explorer.views.frame.view import Page, settings_of
from explorer.views.settings import link_values
from explorer.views.settings.setting import Setting
from explorer.views.settings.settings import Settings
from explorer.views.widgets.registry import fits

QUOTED = re.compile(r'<bdi translate="no"[^>]*>|</bdi>')
TERM = re.compile(r'<span class="rb-term"[^>]*>([^<]*)</span>')
ROOT = Path(__file__).parents[2]
PAGES = ROOT / "pages"
QUICK = {  # by page: SmolLM2, with which it opens, takes ten times as long
    "continuations": {"model": "gpt"},
    "search": {"writer": "gpt"},
}

reading_turn.PATIENCE_S, background.NICE = 80.0, 0  # no browser asks again for what is read in the background


def unopened(path: str = "app.py") -> AppTest:
    """The app, or a page from its own file, before its first run."""
    return AppTest.from_file(str(ROOT / path), default_timeout=300)


def at_link(at: AppTest, link: Mapping[str, Any]) -> AppTest:
    """A page run once with a link's settings; what is no text travels as JSON."""
    for name, value in link.items():
        at.query_params[name] = value if isinstance(value, str) else json.dumps(value)
    at.run()
    assert not at.exception
    return at


def opened(page: str, **link: Any) -> AppTest:
    """A page from its own file, run once with a link's settings."""
    return at_link(unopened(f"pages/{page}.py"), link)


def opened_in_app(page: str, **link: Any) -> AppTest:
    """The app, started at a page with a link's settings."""
    at = unopened()
    at.switch_page(f"pages/{page}.py")
    return at_link(at, link)


def rows(text: str) -> list[dict[str, str]]:
    """The rows of a table that a page saves."""
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def bertviz_data(html: str) -> Any:
    """What a page of BertViz draws."""
    return json.loads(re.search(r"window\.bertviz_params = (\{.*?\});</script>", html)[1])


def defaults(page: Any) -> dict[str, Any]:
    """All settings of a page (or of the page of this folder) with their defaults."""
    if isinstance(page, str):
        page = importlib.import_module(f"explorer.views.{page}.page").PAGE
    return {str(setting): setting.default for setting in settings_of(page)}


def page_of(address: str) -> Page[Any]:
    """A page by its name in the address."""
    folder = {"sides": "elmo", "models": "about"}.get(address, address)
    return importlib.import_module(f"explorer.views.{folder}.page").PAGE


def preset(address: str, label: str) -> Preset:
    """A preset of a page by its name."""
    return next(one for one in presets(address) if one.label == label)


def page_defaults(address: str) -> dict[str, Any]:
    """All settings of a page by its name in the address, with their defaults."""
    return defaults(page_of(address))


def assert_takes(page: Page[Any], link: Mapping[str, Any]) -> None:
    """A page has the view and the settings that a link names, and they take the link's values."""
    settings: dict[str, Setting[Any]] = {str(setting): setting for setting in settings_of(page)}
    assert link.get("view", next(iter(page.views))) in page.views
    for name, text in link.items():
        assert name in settings, f"{page.name} has no setting “{name}”"
        value = link_values.unpack(text, settings[name].default)
        assert settings[name].accept(value) == value and not settings[name].is_too_long(value)


def page_settings(page: str, **values: Any) -> Settings:
    """The settings of a page outside of a browser, with these values."""
    return Settings(page, *(Setting(name, value) for name, value in values.items()))


def links(presets: Iterable[Preset], *more: dict[str, Any], view: str | None = None) -> list[ParameterSet]:
    """A test's parameters: a view as it opens, `more` links, and its presets' links, which are slow.

    With `view` each is a pair: the view's name and the link.
    """
    lead = () if view is None else (view,)
    own = [{name: value for name, value in one.values.items() if name != "view"} for one in presets]
    quick = [pytest.param(*lead, link) for link in ({}, *more)]
    return quick + [pytest.param(*lead, link, marks=pytest.mark.slow) for link in own if link]


def skip_without_weights(view: Any) -> None:
    """Skip a test of a view's opening picture where the model that it opens with does not ship here."""
    if view.model not in map(str, explorer.available()):
        pytest.skip(f"no {view.model} is bundled")


def read_data(mount: Any) -> Any:
    """The data of one mount, which the registry puts into a list."""
    (data,) = json.loads(mount.proto.json)
    return data


def sent(at: AppTest, component: str) -> list[dict]:
    """What the page gave to its mounts of a component."""
    mounts = at.get("bidi_component")
    return [read_data(m) for m in mounts if m.proto.component_name == f"riverbank_{component}"]


def said(at: AppTest) -> str:
    """All that stands on the page as HTML of its own; words and sentences without their marks."""
    return unmarked(" ".join(element.proto.body for element in at.get("html")))


def unmarked(html: str) -> str:
    """HTML without what says of words and sentences that they are somebody's, see `quoted`."""
    return QUOTED.sub("", html)


def problems(at: AppTest) -> str:
    """What the page says in plain text, as it does where a picture cannot stand."""
    return " ".join(line.value for line in at.text)


def told(at: AppTest) -> str:
    """All that the page says: plain text, then HTML of its own; the glossary's terms without their marks."""
    return " ".join([problems(at), TERM.sub(r"\1", said(at))])


def printed_result(at: AppTest) -> Any:
    """What the program under “Show the code” leaves as its `result`, run as it is printed."""
    (code,) = (block.value for block in at.code if block.language == "python")
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "shown", "exec"), names)
    assert printed.getvalue().strip() == str(names["result"]).strip()
    return names["result"]


def press(at: AppTest, key: str) -> AppTest:
    """Click a button of an app that was started from app.py; where that leads to another page, stay there.

    On stage the heading is the title of the stop that is open.
    """
    at.button(key=key).click().run()
    assert not at.exception
    titles = {page.title: page.path for page in pages()}
    if (title := at.title[0].value) not in titles:
        stops = [item for item in at.session_state["/lecture"] if item.stop]
        titles[title] = f"pages/{stops[at.session_state['/lecture/at']].page}.py"
    at.switch_page(titles[title])
    return at


def sending(values: Mapping[str, Any]) -> Callable[[str, str, Any], Any]:
    """In place of `component_value`: what a browser sent, by event, read as that function reads it."""
    return lambda key, name, shape: value if fits(value := values.get(name), shape) else None
