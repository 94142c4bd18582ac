"""Every page says the same of a text that its model cannot read, and nothing of one that it can."""

import pytest

from tests.views.opening import opened

CHINESE = "河边的银行今天没有开门，我们只好回家。"
PAGES = [
    ("home", "text", f"{CHINESE}[MASK]", {}),
    ("masked", "text", f"{CHINESE}[MASK]", {}),
    ("attention", "text", CHINESE, {}),
    ("heads", "text", CHINESE, {"what": "arcs"}),
    ("continuations", "text", CHINESE, {"length": 1}),
    ("sides", "text", f"{CHINESE} 我 们 回 家", {}),
]


@pytest.mark.parametrize(("page", "name", "text", "link"), PAGES, ids=[p for p, *_ in PAGES])
def test_a_text_in_another_script_is_said_to_be_unread_and_a_plain_one_is_not(page, name, text, link):
    at = opened(page, **link, **{name: text})
    assert any("cannot read this text" in box.value for box in at.warning)
    assert not opened(page, **link).warning
