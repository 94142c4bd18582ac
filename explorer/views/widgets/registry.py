"""Our own components: each has a script beside its Python, sent as one text with the files it imports."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from explorer import assets
from explorer.assets import read_once
from explorer.locale import ENGLISH, language, texts_in_script, translate
from explorer.server import streamlit_private


def fits(value: Any, shape: Any) -> bool:
    """Whether a value, as JSON, has a shape.

    A shape is a type; a range, for a whole number in it; a list of shapes, for a value that has one of them;
    a tuple of shapes, for a list with as many items; a dictionary with a shape for each name, for one that
    has these names and perhaps others; a function that says whether it takes the value, such as
    `Setting.takes`; or else a value that must be equal. A switch is not a number.
    """
    if isinstance(shape, type):
        return type(value) is shape
    if isinstance(shape, range):
        return type(value) is int and value in shape
    if isinstance(shape, list):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, tuple):
        return isinstance(value, list) and len(value) == len(shape) and all(map(fits, value, shape))
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(
            name in value and fits(value[name], part) for name, part in shape.items()
        )
    if callable(shape):
        return bool(shape(value))
    return type(value) is type(shape) and value == shape


VIEWS = Path(__file__).parents[1]
# Streamlit takes the files of installed packages alone, so imports of this form are joined here.
IMPORT = re.compile(r'^import (\{[^}]+\}) from "(\.[\w./]+\.js)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?:default .+;$|(?=(?:async function|function|const) (\w+)))", re.MULTILINE)
COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
STYLE = re.compile(r'^@import "(\.[\w./]+\.css)";\n', re.MULTILINE)


@read_once
def component(name: str, isolated: bool = True) -> Callable[..., Any]:
    """Register the component of FOLDER/NAME.js, with its .css if it has one, once; returns its mount.

    One that is not `isolated` has the page's styles.

    The mount takes `offline` besides: what makes the data with which it is drawn in a page without a server,
    where its own `data` depend on what has been pressed. It runs in a thread of its own, without Streamlit.
    """
    mount = st.components.v2.component(
        f"riverbank_{name.rpartition('/')[2]}",
        html='<div class="root notranslate" translate="no"></div>',  # it draws tokens and sentences
        css=sheet(name) or None,
        js=module(f"{name}.js"),
        isolate_styles=isolated,
    )

    # In a dict Streamlit looks for tables, and imports pandas and pyarrow for that: more than a second.
    def draw(*, data: Any, offline: Callable[[], Any] | None = None, **rest: Any) -> Any:
        make = None if offline is None else lambda: _with_translations(name, offline())
        streamlit_private.elements().mounts[rest.get("key", "")] = name, make
        data = _with_translations(name, data)
        return mount(data=[data] if isinstance(data, dict) else data, **rest)

    return draw


def _with_translations(name: str, data: Any) -> Any:
    """The data with what the component's scripts say, in other languages than English."""
    if language() == ENGLISH or not isinstance(data, dict | bytes):
        return data
    texts = {"translations": _translations(name, language())}
    if isinstance(data, dict):
        return data | texts
    end = 4 + int.from_bytes(data[:4], "little")  # bytes have a header, which buffer.js reads
    header = json.dumps(json.loads(data[4:end]) | texts, ensure_ascii=False).encode()
    header += b" " * (-len(header) % 4)  # the numbers begin at a multiple of four bytes
    return len(header).to_bytes(4, "little") + header + data[end:]


@read_once
def _translations(name: str, language: str) -> dict[str, str]:
    return {text: translate(text) for text, _ in texts_in_script(module(f"{name}.js"))}


CONTROLS = ", ".join(
    f'[data-testid="st{kind}"]'
    for kind in ("Slider", "Selectbox", "MultiSelect", "ButtonGroup", "Checkbox", "NumberInput")
)


def component_value(key: str, name: str, shape: Any) -> Any:
    """For a callback: the value that the component at `key` sent as `name`; see shape.py.

    None if the component has left the page, or the value has another shape: the text, the model or the page
    may have changed since the click, and a browser may send anything.
    """
    value = getattr(st.session_state.get(key), name, None)
    return value if fits(value, shape) else None


def module(file: str, views: Path = VIEWS) -> str:
    """A script after its imports, each in a scope of its own. Raises ExplorerError for a missing file."""
    scopes: dict[Path, str] = {}
    text = _script(views / file, scopes)
    return "\n".join([*scopes.values(), text])


def bundle(names: Sequence[str], last: str, views: Path = VIEWS) -> str:
    """The scripts of several components and the one that draws them, `last`, with each import once.

    It finds their `draw` by FOLDER/NAME in `window.riverbank`. Raises ExplorerError for a missing file.
    """
    scopes: dict[Path, str] = {}
    draws = [
        f'"{name}": (() => {{\n{EXPORT.sub("", _script(views / f"{name}.js", scopes))}\nreturn draw;\n}})(),'
        for name in names
    ]
    text = _script(views / last, scopes)
    return "\n".join([*scopes.values(), "window.riverbank = {", *draws, "};", text])


def _script(path: Path, scopes: dict[Path, str]) -> str:
    """A script without its imports, each of which becomes one of the `scopes`."""

    def scope(line: re.Match[str]) -> str:
        if (home := (path.parent / line[2]).resolve()) not in scopes:
            text = _script(home, scopes)
            body = f"{EXPORT.sub('', text)}\nreturn {{ {', '.join(EXPORT.findall(text))} }};"
            scopes[home] = f"const m{len(scopes)} = (() => {{\n{body}\n}})();"
        return f"const {line[1]} = m{list(scopes).index(home)};"

    return IMPORT.sub(scope, COMMENT.sub("", assets.text(path)))  # comments would be sent each time


def sheet(name: str) -> str:
    """The style of FOLDER/NAME.js, between what all have in common; empty if it draws nothing."""
    own = f"{name}.css"
    preferences = "widgets/preferences.css"  # what visitors ask for in their systems
    return "\n".join(map(style, ("widgets/base.css", own, preferences))) if (VIEWS / own).exists() else ""


@read_once
def style(file: str, views: Path = VIEWS) -> str:
    """A style sheet after those that it imports, where `:st-control` is a control of Streamlit's.

    Raises ExplorerError for a missing file.
    """
    text = assets.text(views / file).replace(":st-control", f":is({CONTROLS})")
    return STYLE.sub(lambda line: style(str(Path(file).parent / line[1]), views), text)
