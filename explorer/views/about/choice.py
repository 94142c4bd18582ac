"""The visitor's choice in a record: one of its sentences, and a snapshot of the training."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from explorer.locale import _
from explorer.views import kit
from explorer.views.about import milestones
from explorer.views.about.record import Record
from explorer.views.about.settings import POINT, SENTENCE

END = -1  # the setting `point` at the end of the training


@dataclass(frozen=True, eq=False)
class Training:
    """A bundled model: its name, its card, and the record of its training, if there is one."""

    name: str
    card: str
    stored_record: Record | None

    @property
    def record(self) -> Record:
        """The record, for a view that needs one."""
        assert self.stored_record is not None
        return self.stored_record


def fit(settings: kit.Settings, record: Record) -> None:
    """Show the nearest sentence and snapshot that this record has."""
    settings.clamp(SENTENCE, 0, max(len(record.sentences) - 1, 0))
    if not END <= settings[POINT] < len(record.snapshots) - 1:
        settings.show_instead(POINT.to(END))


def sentence_box(page: kit.OpenPage[Training]) -> None:
    """A box for the sentence, if there are several."""
    sentences = page.data.record.sentences
    if len(sentences) > 1:
        st.selectbox(
            _("Sentence"),
            range(len(sentences)),
            key=page.settings.key(SENTENCE),
            format_func=lambda i: sentences[i] if i < len(sentences) else "",
            label_visibility="collapsed",
        )


def snapshot(page: kit.OpenPage[Training]) -> int:
    """The number of the chosen snapshot."""
    point = page.settings[POINT]
    return len(page.data.record.snapshots) - 1 if point == END else point


def snapshots_shown(page: kit.OpenPage[Training]) -> list[int]:
    """The numbers of the snapshots in a picture, fewer on stage."""
    most = milestones.MOST_PRESENTED if kit.on_stage() else milestones.MOST_SHOWN
    return milestones.snapshots_shown(page.data.record, snapshot(page), most)


def choose(page: kit.OpenPage[Training], key: str, indices: Sequence[int]) -> Callable[[], None]:
    """A callback for the component at `key`, which takes over the snapshot chosen there, one of `indices`."""
    settings, last = page.settings, len(indices) - 1

    def take() -> None:
        if (point := kit.component_value(key, "point", int)) is not None:
            settings.set(POINT.to(END if point >= last else indices[max(point, 0)]))

    return take
