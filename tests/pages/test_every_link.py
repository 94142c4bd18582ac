"""Addresses that were given out open a view that is there: of views that moved, and in documents.

Presets are opened by tests/presets, stops by tests/views/frame/lecture, links of before in test_old_links.py.
"""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from explorer.assets import CHECKPOINTS
from explorer.views.frame import navigation
from explorer.views.frame.moved import redirects, resolve
from explorer.views.frame.saving import saving
from tests.pages.test_old_links import OLD
from tests.views.opening import ROOT, assert_takes, page_of

NAMES = {page.name: page.title for page in navigation.pages()}
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *CHECKPOINTS.glob("*/card.md")]
ADDRESS = re.compile(r"\]\((/[a-z]+\?[^)]+)\)|localhost:\d+(/[a-z]+\?[^)\s`'\"]+)")


def links() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Where each link stands, its page and its settings."""
    for one in redirects():
        old = {name: value for name, value in one.old.items() if value is not None}
        yield f"{one.page} {one.old}", one.page, old or {"any": "setting"}
    for path in DOCUMENTS:
        for match in ADDRESS.finditer(path.read_text(encoding="utf-8")):
            address = urlsplit(match[1] or match[2])
            yield f"{path.name} {match[0]}", address.path[1:], dict(parse_qsl(address.query))


@pytest.mark.parametrize(("page", "link"), [pytest.param(*link, id=where) for where, *link in links()])
def test_a_link_leads_to_a_view_that_is_there(page, link):
    now, settings = resolve(page, link)
    settings.pop("any", None)
    assert_takes(page_of(now), settings)


@pytest.mark.parametrize("old", OLD, ids=lambda old: old["name"])
def test_a_saving_opens_what_its_link_opens(old):
    content = json.dumps({"riverbank": 1, "page": old["page"], "settings": old["link"]})
    session = saving.read("session.json", len(content), content, NAMES)
    assert (session.page, session.settings) == resolve(old["page"], old["link"])
