"""The page about the models: a bundled model's facts, the record of its training, its card."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from explorer.catalogue.manifest import manifests
from explorer.errors import FormatError, NotFoundError
from explorer.locale import _, format_number, localised
from explorer.views import kit
from explorer.views.about import card, cards, choice, expected, milestones, record, written
from explorer.views.about.choice import Training
from explorer.views.about.record import Record, count
from explorer.views.about.settings import MODEL, VIEW_NAME
from explorer.views.frame.sizes import sizes
from explorer.views.frame.trained import duration
from explorer.views.widgets.registry import style

VIEWS: Mapping[str, kit.View[Training]] = {
    "written": written.VIEW,
    "predicted": expected.VIEW,
    "card": card.VIEW,
}


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[Training]:
    """The picker, the facts, the row of pictures. Raises NotFoundError for a model that does not ship."""
    header.bundled(cards.names())
    name = settings[MODEL]
    if name not in cards.names():
        raise NotFoundError(
            _("“{name}” does not ship with Riverbank.", name=name),
            _("This page is about {names}: choose one above.", names=", ".join(cards.names())),
        )
    training = Training(name, cards.card(name), _read(name))
    if not kit.presenting():
        facts_strip(name, training.stored_record)
    if training.stored_record:
        choice.fit(settings, training.stored_record)
    row = st.container(key="models-controls", horizontal=True, vertical_alignment="center", gap="medium")
    with row:
        view = kit.choose(settings, views_of(training))
    return kit.OpenPage(settings, view, training, row=row)


def facts_strip(name: str, training: Record | None) -> None:
    """One line of sizes, and what the training began with."""
    size = sizes(record.folder(name))
    reads = manifests()[name].languages_in_words()
    rows = [(_("reads"), reads), (_("parameters"), count(size.parameters))]
    if size.layers and size.width:
        rows.append((_("layers × width"), f"{size.layers} × {size.width}"))
    if size.heads:
        rows.append((_("heads"), f"{size.heads}"))
    if size.vocabulary:
        rows.append((_("vocabulary"), format_number(size.vocabulary)))
    rows.append((_("weights"), _("{size} MB", size=localised(f"{size.file_bytes / 1e6:.3g}"))))
    if training:
        rows.append((_("tokens read"), count(training.last.tokens)))
        rows.append((_("training"), duration(training.last.seconds)))
    began, line = cards.origin(cards.card(name))
    beginning = f'<div><dt>{escape(line)}</dt><dd class="rb-said">{escape(began)}</dd></div>'
    figures = "".join(f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in rows)
    parts = f"{figures}{beginning if began else ''}"
    st.html(f'<style>{style("about/page.css")}</style><dl class="rb-facts rb-wide">{parts}</dl>')


def end(page: kit.OpenPage[Training]) -> None:
    """The model's card, under the view that is named so."""
    if page.view is card.VIEW:
        card.end(page)


def views_of(training: Training) -> dict[str, kit.View[Training]]:
    """The views for which a record has something to show, and the card."""
    log = training.stored_record
    views: dict[str, kit.View[Training]] = {}
    if log and log.last.continuations:
        views["written"] = written.VIEW
    if log and log.last.guesses:
        views["predicted"] = READINGS.get(log.numbers, expected.VIEW)
    return views | {"card": card.VIEW}


def _read(name: str) -> Record | None:
    """The record of a training, or None, with the reason shown where it cannot be read."""
    try:
        return record.read(name)
    except FormatError as error:
        kit.show_error(error)
        return None


# The views of the records of word vectors and of a discriminator, by `Record.numbers`.
READINGS: Mapping[str, kit.View[Training]] = {
    "cosine": expected.NEAREST,
    milestones.SUSPECTED: expected.SUSPECTED,
}

PAGE = kit.Page(name="models", settings=(MODEL, VIEW_NAME), views=VIEWS, open=open, end=end)
