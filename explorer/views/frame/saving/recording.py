"""What a run of a page has drawn, as HTML and as components of a page without a server.

Streamlit's messages are read, so that this needs no word of any view: our own components with the data that
they were sent, Plotly's charts, text and tables, in the columns and rows in which they stand on the page. Its
own controls are left out: what they would do needs the model.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from explorer.server.streamlit_private import Elements
from explorer.views.frame.saving import web_page
from explorer.views.frame.saving.web_page import PLOTLY, SYSTEM_SANS, Component
from explorer.views.look import theme

KEY = re.compile(r"^\$\$ID-[0-9a-f]+-")  # what Streamlit puts before a key
COLOUR = re.compile(r"#[0-9A-Fa-f]{6}(?![0-9A-Fa-f])|rgba?\([^)]*[1-9][^)]*\)")
# The words beside a control are its own.
CONTROLS = {"button", "selectbox", "text_input", "text_area", "number_input", "slider"}
PICTURES = {"bidi_component", "plotly_chart"}
TYPED = "/text_box"  # a box to type into
Place = tuple[int, ...]


@dataclass
class Recording:
    """HTML and components in the order of the page; `frames` are the pages of its iframes."""

    palette: theme.Palette
    components: list[Component] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)

    def html(self, elements: Elements, *parts: str) -> str:
        """These parts of a page, whose components are added to those that are here already."""
        drawn = elements.drawn()
        of_controls = {place[:-1] for place, _, delta in drawn if _is_control(delta)}
        of_controls -= {place[:-1] for place, _, delta in drawn if _is_picture(delta)}
        wanted = {
            place
            for place, part, delta in drawn
            if part in parts and _is_element(delta) and place[:-1] not in of_controls
        }
        around = {place[:end] for place in wanted for end in range(1, len(place))}
        blocks = {place for place, _, delta in drawn if not _is_element(delta)}
        inside: dict[Place, list[tuple[Place, Any]]] = {}
        for place, _, delta in drawn:
            if place in wanted | around:
                above = (place[:end] for end in range(len(place) - 1, 0, -1))
                block = next((at for at in above if at in blocks), ())
                inside.setdefault(block, []).append((place, delta))
        return self._inside((), inside, elements)

    def _inside(
        self, at: Place, inside: Mapping[Place, Sequence[tuple[Place, Any]]], elements: Elements
    ) -> str:
        return "".join(
            self._element(delta.new_element, elements)
            if _is_element(delta)
            else _block(delta.add_block, self._inside(place, inside, elements))
            for place, delta in inside.get(at, ())
        )

    def _element(self, element: Any, elements: Elements) -> str:
        kind = element.WhichOneof("type")
        content = getattr(element, kind)
        if kind == "html":
            return f"<div>{content.body}</div>"
        if kind == "text":
            return f'<p dir="auto">{escape(content.body)}</p>'
        if kind == "alert":
            return f'<p class="rb-how">{escape(content.body)}</p>'
        if kind == "markdown" and content.element_type != content.LATEX:
            return f"<div>{_markdown(content.body)}</div>"
        if kind == "iframe":
            self.frames.append(content.srcdoc)
            inside = escape(content.srcdoc, quote=True)
            return f'<iframe title="Picture" loading="lazy" srcdoc="{inside}"></iframe>'
        if kind == "plotly_chart":
            spec = content.spec.replace(json.dumps(theme.SANS), json.dumps(f"{SYSTEM_SANS}, {theme.SANS}"))
            figure = json.loads(spec) | {"config": json.loads(content.config)}
            return self._place(PLOTLY, content, figure)
        if kind == "bidi_component":
            name, make = elements.mounts[_key(content.id)]
            if not name.endswith(TYPED) and not name.startswith("frame/"):
                return self._place(name, content, make() if make else _data(content))
        return ""

    def _place(self, name: str, content: Any, data: Any) -> str:
        other = theme.DARK if self.palette is theme.LIGHT else theme.LIGHT
        try:
            there, fixed = _recoloured(data, _pairs(self.palette, other)), ""
        except LookupError:
            there, fixed = data, self.palette.name
        light, dark = (data, there) if self.palette is theme.LIGHT else (there, data)
        part = Component(name, light, None if light == dark else dark, key=_key(content.id), fixed=fixed)
        self.components.append(part)
        return web_page.place(len(self.components) - 1, part)


def _is_element(delta: Any) -> bool:
    return bool(delta.WhichOneof("type") == "new_element")


def _is_control(delta: Any) -> bool:
    return _is_element(delta) and delta.new_element.WhichOneof("type") in CONTROLS


def _is_picture(delta: Any) -> bool:
    return _is_element(delta) and delta.new_element.WhichOneof("type") in PICTURES


def _key(identity: str) -> str:
    """The key of an element or a block; "" without one."""
    return KEY.sub("", identity) if KEY.match(identity) else ""


def _block(block: Any, inside: str) -> str:
    kind = block.WhichOneof("type")
    css = re.sub(r"[^a-zA-Z0-9_-]", "-", _key(block.id))
    css = f"st-key-{css} " if css else ""
    if kind == "popover" or kind == "dialog":
        return ""
    if kind == "expandable":
        return f"<details><summary>{escape(block.expandable.label)}</summary>{inside}</details>"
    if kind == "column":
        weight = f"--weight: {block.column.weight}"
        return f'<div class="stack" data-testid="stColumn" style="{weight}">{inside}</div>'
    horizontal = kind == "horizontal" or (
        kind == "flex_container" and block.flex_container.direction == block.flex_container.HORIZONTAL
    )
    look = "stack"
    if horizontal:
        look = "columns" if 'data-testid="stColumn"' in inside[:60] else "line"
    return f'<div class="{css}{look}">{inside}</div>'


def _data(content: Any) -> Any:
    """What a component was sent; registry.py puts a dict into a list."""
    kind = content.WhichOneof("data")
    if kind == "bytes":
        return content.bytes
    data = json.loads(getattr(content, kind) if kind == "json" else content.mixed.json)
    return data[0] if isinstance(data, list) and len(data) == 1 and isinstance(data[0], dict) else data


def _recoloured(data: Any, names: Mapping[str, str]) -> Any:
    """The data in the colours of the other palette.

    Raises LookupError if they hold a colour that is not of the palette, or one within a text.
    """
    if isinstance(data, dict):
        return {key: _recoloured(value, names) for key, value in data.items()}
    if isinstance(data, list):
        return [_recoloured(value, names) for value in data]
    if isinstance(data, str) and COLOUR.search(data):
        return names[data.upper()]
    return data


def _pairs(palette: theme.Palette, other: theme.Palette) -> dict[str, str]:
    """What each colour of a palette is in another; none that means two things there."""
    pairs: dict[str, set[str]] = {}
    for name in vars(palette):
        ours, theirs = getattr(palette, name), getattr(other, name)
        if name != "name":
            for one, two in zip(*((each,) if isinstance(each, str) else each for each in (ours, theirs))):
                pairs.setdefault(one.upper(), set()).add(two)
    return {one: next(iter(twos)) for one, twos in pairs.items() if len(twos) == 1}


def _markdown(text: str) -> str:
    from markdown_it import MarkdownIt

    return str(MarkdownIt("js-default").render(text))
