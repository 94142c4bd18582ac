"""Our own components: each has a script beside its Python, sent as one text with the files it imports."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from explorer import assets
from explorer.assets import read_once
from explorer.views.widgets.shape import fits

VIEWS = Path(__file__).parents[1]
# Streamlit takes the files of installed packages alone, so imports of this form are joined here.
IMPORT = re.compile(r'^import (\{[^}]+\}) from "(\.[\w./]+\.js)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?:default .+;$|(?=(?:async function|function|const) (\w+)))", re.MULTILINE)
COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
STYLE = re.compile(r'^@import "(\.[\w./]+\.css)";\n', re.MULTILINE)


@read_once
def component(name: str) -> Callable[..., Any]:
    """Register the component of FOLDER/NAME.js, with its .css if it has one, once; returns its mount."""
    mount = st.components.v2.component(
        f"riverbank_{name.rpartition('/')[2]}",
        html='<div class="root notranslate" translate="no"></div>',  # it draws tokens and sentences
        css=sheet(name) or None,
        js=module(f"{name}.js"),
    )
    # In a dict Streamlit looks for tables, and imports pandas and pyarrow for that: more than a second.
    return lambda *, data, **rest: mount(data=[data] if isinstance(data, dict) else data, **rest)


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

    def script(path: Path) -> str:
        def scope(line: re.Match[str]) -> str:
            if (home := (path.parent / line[2]).resolve()) not in scopes:
                text = script(home)
                body = f"{EXPORT.sub('', text)}\nreturn {{ {', '.join(EXPORT.findall(text))} }};"
                scopes[home] = f"const m{len(scopes)} = (() => {{\n{body}\n}})();"
            return f"const {line[1]} = m{list(scopes).index(home)};"

        return IMPORT.sub(scope, COMMENT.sub("", assets.text(path)))  # comments would be sent each time

    text = script(views / file)  # which fills the scopes
    return "\n".join([*scopes.values(), text])


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
