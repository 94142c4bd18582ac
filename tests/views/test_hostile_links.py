"""A link may say anything: whatever its settings are, a page opens, or says what is wrong.

What it brings is never HTML.
"""

import pytest

from tests.views.opening import PAGES, QUICK, defaults, opened, page_of, said

NUMBERS, PARTS = (
    ["9" * 400, "NaN", "-1", "1000000000", "[true]"],
    ["[true, false]", '["\\ud83d", null]', "[[9]]"],
)
HTML = "</p></script><s>evil</s>"
HOSTILE = {
    str: ["", "\ufffe" * 50, f"{HTML} [MASK] " * 40, "a" * 3000, f"9 {HTML}"],
    bool: ["1", "true", "false", "null", "[]"], int: NUMBERS, float: [*NUMBERS, "1e999"], list: PARTS,
    dict: ['{"mix": [1, "a"]}', '{"last": [true]}', "[]"], type(None): PARTS,
}  # fmt: skip


@pytest.mark.parametrize("turn", [0, *(pytest.param(turn, marks=pytest.mark.slow) for turn in (1, 2))])
@pytest.mark.parametrize("page", sorted(path.stem for path in PAGES.glob("*.py")))
def test_a_page_opens_whatever_its_link_says(page, turn):
    declared = page_of(page)
    link, views = {}, list(declared.views)
    for number, (name, default) in enumerate(defaults(declared).items()):
        values = HOSTILE[type(default)]
        link[name] = values[(number + turn) % len(values)]
    link |= {"view": views[turn % len(views)], "model": defaults(declared).get("model", "")}
    link |= QUICK.get(page, {})
    at = opened(page, **{name: value for name, value in link.items() if name in defaults(declared)})
    assert "<s>evil" not in said(at)
