"""BertViz's three views, each as one page of HTML that needs no network and wears the app's colours.

A view of BertViz (Vig 2019) is a script that draws whatever its parameters hold, so its scripts are
read from the installed package and told of our own patterns, queries and keys. They ask a CDN for
require.js, d3 and jQuery. The last two come from installed packages too (mpld3 carries d3 5,
XStatic-jQuery carries jQuery); a stand-in of one line replaces the first. Tokens are data: the
parameters travel as JSON without a single "<", so a token `</script>` ends nothing.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.views.frame import theme
from explorer.views.frame.theme import Palette

if TYPE_CHECKING:
    from jaxtyping import Float
    from torch import Tensor

HERE = Path(__file__).parent
CREDIT = (
    "<!-- Drawn by BertViz (Jesse Vig, Apache License 2.0; after Tensor2Tensor, same licence)"
    " with d3 (Mike Bostock, BSD 3-Clause) and jQuery (OpenJS Foundation, MIT). -->"
)
REQUIRE = (
    "window.requirejs = window.require = (names, run) =>"
    " run(...names.map((name) => ({ d3: window.d3, jquery: window.jQuery })[name]));"
    " window.require.config = () => {};"
)
WIDTH = 1004  # px that the model and neuron views are laid out in; the page zooms to its frame
LARGEST = 1.2  # zoom of a page whose frame is wider than that
ROW, DETAIL_ROW = 26, 22  # px of a token; the same in an unfolded thumbnail
MODEL_ROOM = 520  # px of height that the thumbnails share
# The same where height is short; a token's is the least that its letters need, of a room that all share.
LOW_LARGEST, LOW_ROW, LOW_DETAIL_ROW = 1.0, 20, 17
LOW_ROOM, LOW_MODEL_ROOM = 364, 300


def head_view(
    pattern: 'Float[Tensor, "head query_pos key_pos"]',
    tokens: Sequence[str],
    layer: int,
    palette: Palette,
    second: int | None = None,
    low: bool = False,
    read: Sequence[str] | None = None,
) -> str:
    """All heads of one layer, a colour each.

    `second` is the place at which a pair's second sentence starts; `low` sets tokens closer, for a
    projector; `read` are the tokens that are read, where they are not those that read. The same
    arguments give the same page, so that a frame which shows it has no reason to load again.
    """
    blocks = [
        {"attn": _numbers(pattern[None, :, rows, columns]), **_texts(tokens, rows, columns, read)}
        for rows, columns in _blocks(second).values()
    ]
    script = _with(
        _script("head_view"),
        TEXT_SIZE=theme.SMALLEST if low else 18,
        BOXWIDTH=220,
        BOXHEIGHT=_row(max(len(tokens), len(read or ())), low),
        MATRIX_WIDTH=WIDTH - 456,
        TEXT_TOP=34,
    )
    # The weight over the number of heads shown is too pale to see when there are twelve.
    script = _replace(script, r"return d / activeHeads\(\)", "return d / Math.sqrt(activeHeads())")
    params = {"attention": blocks, "include_layers": [layer]}
    return _page("head_view", script, params, palette, second, low)


def model_view(
    pattern: 'Float[Tensor, "layer head query_pos key_pos"]',
    tokens: Sequence[str],
    layers: Sequence[int],
    heads: Sequence[int],
    palette: Palette,
    second: int | None = None,
    low: bool = False,
    read: Sequence[str] | None = None,
) -> str:
    """A thumbnail for each of the heads given; `layers` and `heads` are the numbers they go by."""
    blocks = [
        {"attn": _numbers(pattern[:, :, rows, columns]), **_texts(tokens, rows, columns, read)}
        for rows, columns in _blocks(second).values()
    ]
    longest = max(len(tokens), len(read or ()))
    detail = _row(longest, low, DETAIL_ROW, LOW_DETAIL_ROW, LOW_MODEL_ROOM)
    script = _with(
        _script("model_view"),
        DIV_WIDTH=WIDTH - 16,
        DETAIL_WIDTH=400,
        DETAIL_BOX_WIDTH=124,
        DETAIL_ATTENTION_WIDTH=152,
        DETAIL_BOX_HEIGHT=detail,
        ATTN_PADDING=5,
        TEXT_SIZE=theme.SMALLEST,
        HEADING_TEXT_SIZE=theme.SMALLEST,
        LAYER_COLORS=[palette.attention[1]] * 10,  # one meaning, one colour: the rows name the layers
        PALETTE={"ours": {"text": palette.ink, "background": palette.ground, "highlight": palette.panel}},
    )
    height = ((LOW_MODEL_ROOM if low else MODEL_ROOM) / len(layers) - 10) / longest
    script = _replace(
        script,
        r"config\.thumbnailBoxHeight = [^;]*",
        f"config.thumbnailBoxHeight = {min(12, max(2 if low else 3, height)):.2f}",
    )
    params = {
        "attention": blocks,
        "include_layers": list(layers),
        "include_heads": list(heads),
        "total_heads": max(len(heads), 4),  # a lone thumbnail need not fill the row
    }
    return _page("model_view", script, params, palette, second, low)


def neuron_view(
    queries: 'Float[Tensor, "pos d_head"]',
    keys: 'Float[Tensor, "pos d_head"]',
    pattern: 'Float[Tensor, "query_pos key_pos"]',
    tokens: Sequence[str],
    palette: Palette,
    second: int | None = None,
    causal: bool = False,
    chosen: int = 0,
    low: bool = False,
) -> str:
    """One head from inside: queries, keys, their product number by number, its sum, the weights.

    The script multiplies q and k itself and divides by sqrt(d_head); the weights are the pattern's.
    The page opens on the token `chosen`, unfolded. `causal` hides what a query may not read.
    """
    blocks = {
        str(number): {
            "attn": [[_numbers(pattern[rows, columns])]],
            "queries": [[_numbers(queries[rows])]],
            "keys": [[_numbers(keys[columns])]],
            **_texts(tokens, rows, columns),
        }
        for number, (rows, columns) in enumerate(_blocks(second).values())
    }
    attention = palette.attention[1]
    script = _with(
        _script("neuron_view"),
        TEXT_SIZE=theme.SMALLEST,
        BOXWIDTH=124,
        BOXHEIGHT=_row(len(tokens), low),
        MATRIX_WIDTH=190,
        HEIGHT_PADDING=56,
        PALETTE={
            "ours": {
                "attn": attention,
                "connector": attention,
                "text_highlight_right": attention,
                "pos": attention,
                "neg": palette.difference[2],  # what makes a weight larger has its hue
                "text": palette.ink,
                "selected_text": palette.ink,
                "heading_text": palette.ink,
                "text_highlight_left": palette.hairline,
                "vector_border": palette.hairline,
                "background": palette.ground,
                "dropdown": palette.ink,
                "icon": palette.accent,
            }
        },
    )
    params = {
        "attention": blocks,
        "bidirectional": not causal,
        "layer": 0,
        "head": 0,
        "chosen": chosen,
        "inks": _inks(palette),
    }
    return _page("neuron_view", script, params, palette, second, low)


def _row(tokens: int, low: bool, most: float = ROW, least: float = LOW_ROW, room: float = LOW_ROOM) -> float:
    """The height of a token: `most`, or where height is short its part of a room, and at least `least`."""
    return min(most, max(least, room / max(tokens, 1))) if low else most


def _inks(palette: Palette) -> list[tuple[float, str]]:
    """The letters of a token whose ground shows its weight: from which weight on, which colour."""
    ramp = (palette.ground, palette.attention[1])
    inks = [(step / 100, theme.text_on(theme.mix(ramp, step / 100))) for step in range(101)]
    return [inks[0], *(now for before, now in pairwise(inks) if now[1] != before[1])]


def _blocks(second: int | None) -> dict[str, tuple[slice, slice]]:
    """What the select of a pair offers: rows and columns of the pattern by name."""
    whole = slice(None)
    if not second:
        return {"": (whole, whole)}
    a, b = slice(0, second), slice(second, None)
    return {
        "Both sentences": (whole, whole),
        "First reads first": (a, a),
        "First reads second": (a, b),
        "Second reads first": (b, a),
        "Second reads second": (b, b),
    }


def _texts(
    tokens: Sequence[str], rows: slice, columns: slice, read: Sequence[str] | None = None
) -> dict[str, list[str]]:
    return {"left_text": list(tokens[rows]), "right_text": list((read or tokens)[columns])}


def _numbers(values: "Tensor") -> list[Any]:
    """Nested lists, four decimals: a float32 would print seventeen digits, and pages grow with them."""
    import torch

    return torch.round(values.double(), decimals=4).tolist()


def _page(
    view: str, script: str, params: dict[str, Any], palette: Palette, second: int | None, low: bool
) -> str:
    params = {"root_div_id": "bertviz", "default_filter": "0", "display_mode": "ours", **params}
    told = json.dumps(params, separators=(",", ":")).replace("<", "\\u003c")
    names = list(_blocks(second))
    options = "".join(f'<option value="{number}">{name}</option>' for number, name in enumerate(names))
    choice = f'<select id="filter" aria-label="Sentences">{options}</select>' if second else ""
    scripts = [*_libraries(), f"window.bertviz_params = {told};", script]
    if view == "neuron_view":
        scripts.append(_own("bertviz_neuron.js"))
    zoom = f"document.body.style.zoom = Math.min({LOW_LARGEST if low else LARGEST}, innerWidth / {WIDTH});"
    scripts.append(f"(window.onresize = () => {{ {zoom} }})();")
    return (
        f"<!doctype html>{CREDIT}<meta charset='utf-8'><title>Attention</title>"
        f"<style>:root{{{theme.css_variables(palette)}}}{_own('bertviz.css')}</style>"
        f'<body class="{view}" translate="no"><div id="bertviz">{choice}<div id="vis"></div></div>'
        + "".join(f"<script>{script}</script>" for script in scripts)
    )


def _with(script: str, **constants: Any) -> str:
    """A script with other values for its constants. Raises ValueError where it has no such constant."""
    for name, value in constants.items():
        script = _replace(
            script, rf"const {name} = (?:\{{.*?\n {{8}}\}}|[^;]*)", f"const {name} = {json.dumps(value)}"
        )
    return script


def _replace(script: str, pattern: str, text: str) -> str:
    script, times = re.subn(pattern, lambda _: text, script, count=1, flags=re.DOTALL)
    if times != 1:
        raise ValueError(f"This version of BertViz has no {pattern!r} to replace.")
    return script


@cache
def _script(view: str) -> str:
    """One of BertViz's scripts, reading its parameters from the window."""
    found = find_spec("bertviz")  # found without being imported
    assert found is not None and found.submodule_search_locations, "BertViz is among the requirements"
    folder = Path(found.submodule_search_locations[0])
    return (
        (folder / f"{view}.js").read_text(encoding="utf-8").replace("PYTHON_PARAMS", "window.bertviz_params")
    )


@cache
def _own(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


@cache
def _libraries() -> list[str]:
    return [
        files("xstatic.pkg.jquery").joinpath("data/jquery.min.js").read_text(encoding="utf-8"),
        files("mpld3").joinpath("js/d3.v5.min.js").read_text(encoding="utf-8"),
        REQUIRE,
    ]
