"""A view as a web page: the picture as it works without the model, with all that is said of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple
from urllib.parse import urljoin

import streamlit as st

from explorer.catalogue.manifest import label, manifests
from explorer.locale import N_, _
from explorer.server import hosts
from explorer.server.session import Session
from explorer.server.streamlit_private import STYLES, Elements
from explorer.views.frame import navigation
from explorer.views.frame.lecture.lecture import link_to
from explorer.views.frame.lecture.stage import Stage
from explorer.views.frame.polls.poll import Poll
from explorer.views.frame.saving import data_table, web_page
from explorer.views.frame.saving.caption import view_label
from explorer.views.frame.saving.recording import Recording
from explorer.views.frame.saving.saving import Export, Picture
from explorer.views.look import theme
from explorer.views.settings.settings import Settings
from explorer.views.widgets.registry import style

# The steps of a page that a saved one has, see order.py; of the picture's, it says itself which part.
ABOUT = ("line below", "footer", "how to read")
PARTS = {"open": STYLES, **{step: step for step in ABOUT}}
PICTURE = "picture"
LABEL = N_("Web page")
USUAL = "http://localhost:8501"  # where Riverbank answers whoever starts it
RECORDED = Session["Recorded | None"]("/recorded", None)  # of a stop, for the page of a lecture


class Recorded(NamedTuple):
    """A view with what it asks a class, and what of its picture a stop covers until it is answered."""

    view: "SavedView"
    polls: Sequence[Poll]
    stage: Stage


@dataclass(frozen=True)
class SavedView:
    """What a page is made of: its title, what was drawn, its numbers, and the address that opens it again."""

    title: str
    elements: Elements
    caption: Sequence[str]
    model: str
    address: str
    palette: theme.Palette
    numbers: Export | None = None

    def html(self) -> str:
        """The page. It needs no Streamlit: it is made when it is asked for, in a thread of its own."""
        recording = Recording(self.palette)
        picture, about = self.picture(recording), recording.html(self.elements, *ABOUT)
        about = about.replace(f">{_('Now try:')}</b>", f">{_('In Riverbank, try:')}</b>")
        body = (
            f'<main class="saved"><header><h1>{escape(self.title)}</h1>{scheme()}</header>\n'
            f'<div class="picture">{picture}</div>\n'
            f"{about}\n{self.table()}\n{self.origin()}</main>"
        )
        return web_page.page(self.title, body, recording.components, styles(), recording.frames)

    def picture(self, recording: Recording) -> str:
        """The picture, with its components in the recording."""
        return recording.html(self.elements, STYLES, PICTURE)

    def table(self) -> str:
        """The numbers, folded away; "" where there are none."""
        return data_table.folded(self.numbers, self.title) if self.numbers else ""

    def origin(self) -> str:
        """What is on screen, with which model, and the link that opens the same view."""
        lines = [f'<p dir="auto" translate="no">{escape(line)}</p>' for line in self.caption]
        model = f"<p>{escape(model_line(self.model))}</p>" if self.model else ""
        link = f'<a href="{escape(self.address, quote=True)}">{_("open it there")}</a>'
        if self.address.startswith(USUAL):
            own = _("To try your own words, {link}, while it runs on this computer.", link=link)
        else:
            own = _("To try your own words, {link}.", link=link)
        recorded = f"<p>{_('Recorded with Riverbank.')} {own}</p>"
        return f'<div class="recorded quiet">{"".join(lines)}{model}{recorded}</div>'


def scheme() -> str:
    """The button that turns the page light or dark."""
    return f'<button type="button" id="scheme">{_("Dark")}</button>'


def styles() -> str:
    """The style of the app's own pages, which go onto paper in another way, and of a saved one."""
    app = style("look/page.css").replace(style("look/print.css"), "")
    both = f"{app}\n{style('frame/saving/saved_view.css')}"
    return both.replace("@media (max", "@media screen and (max")  # paper is laid out as a wide screen


def model_line(name: str) -> str:
    """A model's name and its licence.

    >>> model_line("bert")
    'Model: BERT, under the MIT licence.'
    """
    manifest = manifests().get(name)
    if manifest is None:
        return _("Model: {model}. Its authors’ card says under which licence it is.", model=label(name))
    return _("Model: {model}, under the {licence} licence.", model=manifest.label, licence=manifest.licence)


def saved_view(settings: Settings, model: str, elements: Elements, palette: theme.Palette) -> SavedView:
    """The view that is on screen, once all of it is drawn."""
    tables = [one for one in settings.saves if isinstance(one, Export) and one.file.endswith(".csv")]
    server = urljoin(st.context.url or USUAL, f"{hosts.visited_base()}/")
    return SavedView(
        title=navigation.full_title(settings.page, view_label(settings)),
        elements=elements,
        caption=tuple(settings.caption),
        model=model,
        address=f"{server.rstrip('/')}{link_to(settings.page, settings.link())}",
        palette=palette,
        numbers=tables[0] if tables else None,
    )


def export(settings: Settings, saved: SavedView) -> Export:
    """The page as one of the files that Save offers."""
    named = [one.file for one in settings.saves if isinstance(one, Picture)]
    return Export(LABEL, f"{named[0] if named else settings.page}.html", saved.html)
