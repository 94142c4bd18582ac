"""Components of the app's pages in a page of their own, which needs neither server nor network.

A page's own scripts are named by their hashes in its security policy: nothing else in it can run, and
nothing in it can ask a network for anything.
"""

import base64
import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from gzip import compress
from hashlib import sha256
from html import escape
from typing import Any

from explorer.assets import read_once
from explorer.locale import ENGLISH, language, texts_in_script, translate
from explorer.views.look import theme
from explorer.views.widgets.registry import bundle, sheet, style

HERE = "frame/saving"
PLOTLY = "plotly"  # the name of a chart among the components
# The app serves its typefaces. Here those of the system come first, or quotes would be Chinese ones.
SYSTEM_SANS = '"Source Sans 3", "Segoe UI", "Helvetica Neue", Arial, system-ui'
SYSTEM_MONO = '"Source Code Pro", ui-monospace, Consolas, "Liberation Mono"'
# Names that Streamlit gives the theme's values.
NAMES = (
    f"--rb-sans: {SYSTEM_SANS}, {theme.SANS}; --rb-mono: {SYSTEM_MONO}, {theme.MONO}; "
    "--st-font: var(--rb-sans); --st-heading-font: var(--rb-sans); --st-code-font: var(--rb-mono); "
    "--st-background-color: var(--rb-ground); --st-primary-color: var(--rb-accent);"
)
SCRIPT = re.compile(r"<script[^>]*>(.*?)</script>", re.DOTALL)


@dataclass(frozen=True)
class Component:
    """A component of the app and its data, or a chart of Plotly's; `dark` are the data for a dark page.

    `fixed` is the palette whose colours are in the data where there are none for the other one: the
    component keeps its ground then. `heading` is a text above it, `key` its own name.
    """

    name: str
    data: Any
    dark: Any = None
    heading: str = ""
    key: str = ""
    fixed: str = ""


def page(
    title: str,
    body: str,
    components: Sequence[Component],
    styles: str = "",
    frames: Iterable[str] = (),
    packed: int = 0,
    script: str = f"{HERE}/web_page.js",
) -> str:
    """The page: `body` is HTML with a `place` for each component, `frames` are the pages of its iframes.

    What a visitor typed is in the components' data alone, where no token can end a script. The data of the
    first `packed` components are in the body (`pack`), and `script` is what draws them; a page may have none.
    """
    names = [name for name in dict.fromkeys(part.name for part in components) if name != PLOTLY]
    parts = _parts(components, packed)
    script = bundle(names, script) if script else ""
    has_chart = any(part.name == PLOTLY for part in components)
    allowed = [*([_hash(script)] if script else ()), *([_plotly()[1]] if has_chart else [])]
    allowed += [_hash(inner) for frame in frames for inner in SCRIPT.findall(frame)]
    scripts_allowed = " ".join(allowed) or "'none'"
    policy = (
        f"default-src 'none'; script-src {scripts_allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:"
    )
    scripts = ""
    if script:
        chart = f'<script type="text/plain" id="plotly">{_plotly()[0]}</script>\n' if has_chart else ""
        sheets = data_text({name: sheet(name) for name in names})
        scripts = (
            f'<script type="application/json" id="data">{data_text(parts)}</script>\n'
            f'<script type="application/json" id="sheets">{sheets}</script>\n'
            f'{translations(script)}{chart}<script type="module">{script}</script>\n'
        )
    return f"""<!doctype html>
<html lang="{language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{escape(title)}</title>
<style>{_colours({part.fixed for part in components})}
{style(f"{HERE}/web_page.css")}
{styles}</style></head><body>
{body}
{scripts}</body></html>
"""


def _parts(components: Sequence[Component], first: int) -> list[dict[str, Any]]:
    """What the script reads of the components from the number `first` on."""
    return [
        {"id": f"part-{number}", "name": part.name, "light": part.data, "dark": part.dark}
        for number, part in enumerate(components)
        if number >= first
    ]


def pack(components: Sequence[Component], first: int) -> str:
    """The data of the components from the number `first` on, to be unpacked as one comes to them."""
    return f'<script type="text/plain">{_packed(data_text(_parts(components, first)))}</script>'


def _packed(text: str) -> str:
    return base64.b64encode(compress(text.encode(), 9, mtime=0)).decode()


def place(number: int, part: Component) -> str:
    """Where the component of this number is drawn, below its heading."""
    heading = f'<p class="quiet" dir="auto" translate="no">{escape(part.heading)}</p>' if part.heading else ""
    css = re.sub(r"[^a-zA-Z0-9_-]", "-", part.key or part.name)
    fixed = f" fixed-{part.fixed}" if part.fixed else ""
    return f'<div class="st-key-{css}{fixed}">{heading}<div id="part-{number}"></div></div>'


def data_text(data: Any) -> str:
    """Data as JSON inside a script element: no character of it can end the element or a line.

    >>> data_text(["</script>"])
    '["\\\\u003c/script\\\\u003e"]'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=_bytes)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def translations(script: str) -> str:
    """What a page's own script says in another language than English, as it reads it; "" in English."""
    if language() == ENGLISH:
        return ""
    texts = data_text({text: translate(text) for text, _place in texts_in_script(script)})
    return f'<script type="application/json" id="translations">{texts}</script>\n'


def _bytes(data: Any) -> dict[str, str]:
    if not isinstance(data, bytes):
        raise TypeError(f"{type(data).__name__} is no data for a component")
    return {"base64": base64.b64encode(data).decode()}


def _hash(script: str) -> str:
    """A script's source in a security policy."""
    return f"'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'"


@read_once
def _plotly() -> tuple[str, str]:
    """Plotly's script, packed to two fifths of its size, and its hash."""
    from plotly.offline import get_plotlyjs

    script = get_plotlyjs()
    return _packed(script), _hash(script)


def _colours(fixed: Collection[str]) -> str:
    light, dark = (theme.css_variables(each) for each in (theme.LIGHT, theme.DARK))
    own = {"light": f"{light} {NAMES} color-scheme: light;", "dark": f"{dark} {NAMES} color-scheme: dark;"}
    return "\n".join(
        [
            f":root {{ {light} }}",
            f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}',
            f':root[data-theme="dark"] {{ {dark} }}',
            f"html:root:root {{ {NAMES} }}",
            *(f".fixed-{name}.fixed-{name} {{ {own[name]} }}" for name in sorted(fixed) if name),
        ]
    )
