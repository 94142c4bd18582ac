"""BertViz's three views (Vig 2019), each as one page of HTML in the app's colours that needs no network.

The scripts come from installed packages: BertViz's own, jQuery (XStatic-jQuery) and d3 5 (mpld3), which
BertViz would fetch with require.js. `VALUES` are what its scripts' constants are set to; a version of
BertViz without one of them is refused. Tokens are data: the parameters hold no "<", so the token `</script>`
ends nothing.
"""

import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from explorer import assets
from explorer.assets import read_once
from explorer.locale import ENGLISH, _
from explorer.views.look import theme
from explorer.views.types import Tensor

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
WIDTH = 1004  # px of the layout; the page zooms to its frame
# The px of height that all rows share, the least of a row, and the largest zoom; then on a projector.
HEIGHT, LOW_HEIGHT = (560, 20, 1.2), (300, 17, 1.0)
PURPLE, INK, HAIRLINE = "var(--rb-attention-1)", "var(--rb-ink)", "var(--rb-hairline)"
PALETTE = {
    **dict.fromkeys(("attn", "connector", "pos"), PURPLE),
    **dict.fromkeys(("text", "selected_text", "heading_text", "dropdown"), INK),
    **dict.fromkeys(("text_highlight_left", "vector_border"), HAIRLINE),
    "text_highlight_right": f"color-mix(in srgb, {PURPLE}, var(--rb-ground))",  # letters on it stay legible
    "neg": "var(--rb-difference-2)",
    "background": "var(--rb-ground)",
    "highlight": "var(--rb-panel)",
    "icon": "var(--rb-accent)",
}
ROW = "window.bertviz_params.row"
VALUES = {  # in JavaScript
    "head_view": {
        "TEXT_SIZE": theme.SMALLEST,
        "BOXWIDTH": 220,
        "BOXHEIGHT": ROW,
        "MATRIX_WIDTH": WIDTH - 456,
    },
    "model_view": {
        "DIV_WIDTH": WIDTH - 16,
        "DETAIL_WIDTH": 400,
        "DETAIL_BOX_WIDTH": 124,
        "DETAIL_BOX_HEIGHT": ROW,
        "DETAIL_ATTENTION_WIDTH": 152,
        "ATTN_PADDING": 5,
        "TEXT_SIZE": theme.SMALLEST,
        "HEADING_TEXT_SIZE": theme.SMALLEST,
        "LAYER_COLORS": [PURPLE] * 10,  # one meaning, one colour: the rows name the layers
        "PALETTE": {"ours": PALETTE},
    },
    "neuron_view": {
        "TEXT_SIZE": theme.SMALLEST,
        "BOXWIDTH": 124,
        "BOXHEIGHT": ROW,
        "MATRIX_WIDTH": 190,
        "HEIGHT_PADDING": 56,
        "PALETTE": {"ours": PALETTE},
    },
}


def page(
    view: str,
    tensors: "Mapping[str, Tensor]",
    tokens: Sequence[str],
    colours: str,
    second: int | None = None,
    low: bool = False,
    read: Sequence[str] | None = None,
    language: str = ENGLISH,
    **parameters: Any,
) -> str:
    """The page of the "head_view", "model_view" or "neuron_view".

    `tensors` are attn [layer head query_pos key_pos], and for the neuron view queries and keys
    [layer head pos d_head] as they enter the dot product. `tokens` are those that read, `read` those that
    are read, where they differ; `second` is where a pair's second sentence starts. `colours` names the
    palette, `language` is that of whoever sees it, `low` asks for the height of a projector. `parameters`
    are the view's own, layers and heads counted from 0. The same arguments give the same page, so that a
    frame that shows it has no reason to load again.
    """
    height, least, zoom = LOW_HEIGHT if low else HEIGHT
    longest = max(len(tokens), len(read or ()), 1)
    blocks = _blocks(second)
    for name in ("include_layers", "include_heads"):  # BertViz's labels, here counted as on every screen
        if name in parameters:
            parameters[name] = [number + 1 for number in parameters[name]]
    parameters |= {
        "attention": [
            _block(tensors, tokens, read or tokens, rows, columns) for rows, columns in blocks.values()
        ],
        "root_div_id": "bertviz",
        "default_filter": "0",
        "display_mode": "ours",
        "total_heads": max(4, tensors["attn"].shape[1]),  # a lone thumbnail need not fill the row
        "row": min(26, max(least, height / longest)),
        "thumbnail": min(12, max(2, (height / len(tensors["attn"]) - 10) / longest)),
    }
    data = json.dumps(parameters, separators=(",", ":")).replace("<", "\\u003c")
    options = "".join(f'<option value="{number}">{name}</option>' for number, name in enumerate(blocks))
    select = f'<select id="filter" aria-label="{_("Sentences")}">{options}</select>' if second else ""
    scripts = [*_libraries(), f"window.bertviz_params = {data};", _script(view)]
    if view == "neuron_view":
        scripts.append(assets.text(HERE / "bertviz_neuron.js"))
    fit = f"document.body.style.zoom = Math.min({zoom}, innerWidth / {WIDTH});"
    scripts.append(f"(window.onresize = () => {{ {fit} }})();")
    style = theme.css_variables(theme.palette(colours)) + "}" + assets.text(HERE / "bertviz.css")
    return (
        f"<!doctype html>{CREDIT}<meta charset='utf-8'><title>{_('Attention')}</title>"
        f"<style>:root{{{style}</style>"
        f'<body class="{view}" translate="no"><div id="bertviz">{select}<div id="vis"></div></div>'
        + "".join(f"<script>{script}</script>" for script in scripts)
    )


def _blocks(second: int | None) -> dict[str, tuple[slice, slice]]:
    """The choices for a pair by name: rows and columns of the pattern."""
    whole = slice(None)
    if not second:
        return {"": (whole, whole)}
    a, b = slice(0, second), slice(second, None)
    return {
        _("Both sentences"): (whole, whole),
        _("First reads first"): (a, a),
        _("First reads second"): (a, b),
        _("Second reads first"): (b, a),
        _("Second reads second"): (b, b),
    }


def _block(
    tensors: "Mapping[str, Tensor]", tokens: Sequence[str], read: Sequence[str], rows: slice, columns: slice
) -> dict[str, list[Any]]:
    places = {
        "attn": (..., rows, columns),
        "queries": (..., rows, slice(None)),
        "keys": (..., columns, slice(None)),
    }
    # Four decimals: a float32 would print seventeen digits, and pages grow with them.
    numbers = {
        name: tensor[places[name]].double().round(decimals=4).tolist() for name, tensor in tensors.items()
    }
    return numbers | {"left_text": list(tokens[rows]), "right_text": list(read[columns])}


@read_once
def _script(view: str) -> str:
    """One of BertViz's scripts with our values, which reads its parameters from the window.

    Raises ValueError if the installed version has no such constant.
    """
    package = find_spec("bertviz")  # found without being imported
    assert package is not None and package.submodule_search_locations, "BertViz is among the requirements"
    script = (Path(package.submodule_search_locations[0]) / f"{view}.js").read_text(encoding="utf-8")
    script = script.replace(
        "PYTHON_PARAMS", "window.bertviz_params"
    )  # the neuron view reads them there itself
    for name, value in VALUES[view].items():
        new = value if value == ROW else json.dumps(value)
        script = replace(script, rf"const {name} = (?:\{{.*?\n {{8}}\}}|[^;]*)", f"const {name} = {new}")
    if view == "head_view":  # the weight over the number of heads is too pale to see when there are twelve
        script = replace(script, r"return d / activeHeads\(\)", "return d / Math.sqrt(activeHeads())")
    if view == "model_view":
        script = replace(
            script, r"config\.thumbnailBoxHeight = [^;]*", "config.thumbnailBoxHeight = params.thumbnail"
        )
    return script


def replace(script: str, pattern: str, text: str) -> str:
    """A script with the first match of a pattern replaced. Raises ValueError if there is none."""
    script, count = re.subn(pattern, lambda _match: text, script, count=1, flags=re.DOTALL)
    if not count:
        raise ValueError(f"This version of BertViz has no {pattern!r} to replace.")
    return script


@read_once
def _libraries() -> list[str]:
    return [
        files("xstatic.pkg.jquery").joinpath("data/jquery.min.js").read_text(encoding="utf-8"),
        files("mpld3").joinpath("js/d3.v5.min.js").read_text(encoding="utf-8"),
        REQUIRE,
    ]
