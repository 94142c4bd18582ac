"""BertViz's head view as one page of HTML that needs no network and wears the app's colours.

BertViz asks a CDN for require.js, d3 and jQuery. The last two are read here from installed
packages (mpld3 carries d3 5, XStatic-jQuery carries jQuery); a stand-in of one line replaces
the first. BertViz also writes tokens into a script unescaped, so a token `</script>` would end
it: every "<" travels as a private character and comes back as a JavaScript escape.
"""

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from explorer.views.theme import Palette

if TYPE_CHECKING:
    from torch import Tensor

LESS_THAN = "\ue000"  # private use: no text has it, and json.dumps writes it as \ue000
REQUIRE = (
    "window.requirejs = window.require = (names, run) =>"
    " run(...names.map((name) => ({ d3: window.d3, jquery: window.jQuery })[name]));"
    " window.require.config = () => {};"
)


def head_view(
    pattern: "Tensor", tokens: list[str], layer: int, palette: Palette, second: int | None = None
) -> str:
    """One layer's heads, ["head query_pos key_pos"], as a complete HTML page.

    `second` is the position at which a pair's second sentence starts. The same arguments give
    the same page, so that a frame which shows it has no reason to load again.
    """
    import bertviz
    import torch

    blank = torch.zeros(0)
    html = bertviz.head_view(
        # float32 prints with 17 digits; four decimals make the page several times smaller.
        [blank] * layer + [torch.round(pattern.double(), decimals=4).unsqueeze(0)],
        [token.replace(LESS_THAN, "�").replace("<", LESS_THAN) for token in tokens],
        sentence_b_start=second,
        prettify_tokens=False,
        include_layers=[layer],
        html_action="return",
    ).data
    html = re.sub(r"<script src=[^>]*require[^>]*></script>", "", html)
    html = re.sub(r"bertviz-[0-9a-f]{32}", "bertviz", html)  # a random name would make every page new
    html = html.replace("\\ue000", "\\u003c")
    return f"<!doctype html><meta charset='utf-8'><style>{_style(palette)}</style>{_libraries()}{html}"


@cache
def _libraries() -> str:
    scripts = [
        files("xstatic.pkg.jquery").joinpath("data/jquery.min.js").read_text(encoding="utf-8"),
        files("mpld3").joinpath("js/d3.v5.min.js").read_text(encoding="utf-8"),
        REQUIRE,
    ]
    return "".join(f"<script>{script}</script>" for script in scripts)


def _style(p: Palette) -> str:
    return (
        f"body{{margin:0;padding:8px;background:{p.ground};color:{p.ink};font:16px sans-serif;zoom:1.2}}"
        f"svg text{{fill:{p.ink}}} .background{{fill:{p.hairline}}}"
        f"select{{font:16px sans-serif;color:{p.ink};background:{p.panel};border:1px solid {p.hairline};"
        "border-radius:6px;padding:2px 6px}"
    )
