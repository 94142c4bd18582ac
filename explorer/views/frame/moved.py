"""Where views are that had another name or stood on another page: no old link dies.

    resolve("attention", {"view": "writing", "text": "The cat"})
    -> ("continuations", {"view": "look-back", "look_text": "The cat"})

A view that moves, or becomes part of another, gets a few lines in `assets/moved.toml`. Links, lectures and
session files all ask `resolve`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from explorer import assets
from explorer.assets import read_once
from explorer.views.frame import navigation
from explorer.views.settings.settings import PRESENT, Settings, added_parameters, presenting_on


@dataclass(frozen=True)
class Redirect:
    """Links to a page that have all values of `old` lead to the page `to`, with the values of `new`.

    Their other settings stay as they are; `renamed` gives some of them their names on the other page. An old
    value of None is a setting that the link does not have; a link without any settings opens the page.
    """

    page: str
    old: Mapping[str, str | None]
    to: str
    new: Mapping[str, str]
    renamed: Mapping[str, str] = field(default_factory=dict)

    def fits(self, page: str, link: Mapping[str, Any]) -> bool:
        """Whether it is about this link."""
        if page != self.page or (self.old and not link):
            return False
        return all(link.get(name) == value for name, value in self.old.items())


@read_once
def redirects() -> tuple[Redirect, ...]:
    """All of them, in the order in which they are tried."""
    return tuple(_redirect(**one) for one in assets.table(assets.MOVED)["moved"])


def _redirect(
    page: str,
    old: Mapping[str, str],
    to: str = "",
    new: Mapping[str, str] | None = None,
    renamed: Mapping[str, str] | None = None,
) -> Redirect:
    values = {name: None if value == "null" else value for name, value in old.items()}
    return Redirect(page, values, to or page, new or {}, renamed or {})


def resolve(page: str, link: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The page and the settings to which a link leads now."""
    for moved in redirects():
        if moved.fits(page, link):
            rest = {
                moved.renamed.get(name, name): value for name, value in link.items() if name not in moved.old
            }
            return moved.to, rest | dict(moved.new)
    return page, dict(link)


def follow_redirect(settings: Settings) -> None:
    """Go on to where an old link of this page leads now, before the page reads it."""
    added = added_parameters()
    link = {name: value for name, value in st.query_params.items() if name not in {PRESENT, *added}}
    page, now = resolve(settings.page, link)
    if (page, now) == (settings.page, link):
        return
    if page != settings.page and navigation.FRAMED.get():
        st.switch_page(navigation.find(page).path, query_params=added | presenting_on() | now)
    st.query_params.from_dict(added | presenting_on() | now)
