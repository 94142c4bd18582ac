"""Links that were written before the code was reordered, one for each view and more, open as they did.

old_links.json has, for each, the page, the link's parameters as the app wrote them, the settings that it
opens with, and words that the page then shows; `written` is the link that is written now, where a view has
moved. Nothing in it comes from the names of modules.
"""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.views.frame.moved import resolve
from tests.views.opening import PAGES, defaults, opened, unmarked

OLD = json.loads(Path(__file__).with_name("old_links.json").read_text(encoding="utf-8"))


def contents(at: AppTest) -> str:
    """What the page sends to the browser, but for the code that it prints, which holds every setting."""
    messages = []
    for element in at.main:
        proto = getattr(element, "proto", None)
        if element.type == "bidi_component":
            messages.append(proto.json + proto.bytes.decode("utf-8", "ignore"))
        elif element.type != "code" and hasattr(proto, "SerializeToString"):
            messages.append(proto.SerializeToString().decode("utf-8", "ignore"))
    return unmarked("\n".join(messages))


@pytest.mark.slow
@pytest.mark.parametrize("old", OLD, ids=lambda old: old["name"])
def test_an_old_link_opens_as_before_and_is_written_as_before(old):
    page, link = resolve(old["page"], old["link"])
    if page != old["page"]:  # settings that the view shared with its old page have stayed there
        link = {name: value for name, value in link.items() if name in defaults(page)}
    at = opened(page, **(old["link"] if page == old["page"] else link))
    written = {name: "".join(value) for name, value in at.query_params.items()}
    if (expected := old.get("written")) is not None:
        assert written == expected
    else:
        usual = defaults({"models": "about", "sides": "elmo"}.get(page, page))
        assert {name: written.get(name, str(usual[name])) for name in link} == link
    values = {name: at.session_state[f"{page}.{name}"] for name in old["values"]}
    assert values == old["values"]
    assert not at.error
    text = contents(at)
    assert [words for words in old["shows"] if words not in text] == []


def test_every_page_has_a_link_and_some_travel_compressed():
    assert {old["page"] for old in OLD} == {path.stem for path in PAGES.glob("*.py")}
    assert sum(any(value.startswith("z~") for value in old["link"].values()) for old in OLD) >= 10
