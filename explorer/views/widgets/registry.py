"""Our own components: how one is made of the scripts that lie beside the Python that feeds it, and mounted.

Streamlit takes a component's script from an installed package, or as text; a clone of this project is no
installed package. So `module` and `style` put a file and what it imports into one text, each file once, in
a function scope of its own. What a person typed reaches a script through `data=` only and is written
with textContent, so a token such as </script> stays text.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from explorer import assets

VIEWS = Path(__file__).parents[1]
IMPORT = re.compile(r'^import \{(\s*\w+(?:,\s*\w+)*,?\s*)\} from "(\.[\w./]+\.js)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|const) (\w+))", re.MULTILINE)
DEFAULT = re.compile(r"^export default (.+);$", re.MULTILINE)
COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
STYLE = re.compile(r'^@import "(\.[\w./]+\.css)";\n', re.MULTILINE)


@cache
def component(name: str) -> Callable[..., Any]:
    """Register the component of ROOM/NAME.js (with its .css, where it has one) once, and return its mount."""
    mount = st.components.v2.component(
        f"riverbank_{name.rpartition('/')[2]}",
        html='<div class="root notranslate" translate="no"></div>',  # it draws tokens and sentences
        css=style(f"{name}.css") if (VIEWS / f"{name}.css").exists() else None,
        js=module(f"{name}.js"),
    )

    def listed(*, data: Any, **given: Any) -> Any:
        # In a dict Streamlit looks for tables, and imports pandas and pyarrow for that: more than a second.
        return mount(data=[data] if isinstance(data, dict) else data, **given)

    return listed


def sent(key: str, name: str) -> Any:
    """For a callback: what the component at `key` sent as `name`; None where it has left the page since."""
    return getattr(st.session_state.get(key), name, None)


def module(file: str, views: Path = VIEWS) -> str:
    """A script of `views` with all that it imports, as one module that exports what it exports.

    Imports are written `import { one, other } from "./file.js";` and exports stand before what they
    export. Raises ValueError for any other kind and for files that import one another in a circle,
    FileNotFoundError for a file that is not there.
    """
    scopes: dict[Path, list[str]] = {}
    texts: list[str] = []
    path = (views / file).resolve()
    name = _scope(path, (), scopes, texts)
    for each in scopes[path]:
        named = each != "default"
        texts.append(f"export const {{ {each} }} = {name};" if named else f"export default {name}.default;")
    return "\n".join([*texts, ""])


def _scope(path: Path, above: tuple[Path, ...], scopes: dict[Path, list[str]], texts: list[str]) -> str:
    """Append the scope of a file to `texts`, after those that it needs, unless it stands there; its name."""
    if path in above:
        circle = " -> ".join(each.name for each in (*above[above.index(path) :], path))
        raise ValueError(f"These scripts import one another: {circle}.")
    if path not in scopes:
        text = COMMENT.sub("", assets.text(path))  # it is sent with every picture

        def take(found: re.Match[str]) -> str:
            home = _scope((path.parent / found[2]).resolve(), (*above, path), scopes, texts)
            names = [name.strip() for name in found[1].split(",") if name.strip()]
            offered = scopes[(path.parent / found[2]).resolve()]
            if missing := set(names).difference(offered):
                raise ValueError(
                    f"{path.name} imports {', '.join(missing)}, which {found[2]} does not export."
                )
            return f"const {{ {', '.join(names)} }} = {home};"

        text = IMPORT.sub(take, text)
        names, default = EXPORT.findall(text), DEFAULT.search(text)
        text = DEFAULT.sub("", EXPORT.sub("", text))
        if odd := OTHER.search(text):
            raise ValueError(f"{path.name} imports or exports in a way that is not ours: {odd[0]}")
        given = [*names, f"default: {default[1]}"] if default else names
        texts.append(f"const m{len(scopes)} = (() => {{\n{text}\nreturn {{ {', '.join(given)} }};\n}})();")
        scopes[path] = [*names, *(["default"] if default else [])]
    return f"m{list(scopes).index(path)}"


def style(file: str, views: Path = VIEWS) -> str:
    """A style sheet of `views` with those that it imports, which come first.

    Raises FileNotFoundError for a file that is not there.
    """
    path = views / file
    return STYLE.sub(lambda found: style(str((path.parent / found[1]).resolve()), views), assets.text(path))
