"""Which head answers: the one that was just trained, one that was opened, or the ready one."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import TextError
from explorer.views.finetuning.settings import HEAD

if TYPE_CHECKING:
    from explorer.finetuning.task_head import TaskHead
    from explorer.models import LanguageModel
    from explorer.views.finetuning.bench import Bench
    from explorer.views.finetuning.case import Case

MOST_KEPT = 4  # ready heads in memory: each has a copy of the layers
BODY = "bert"  # the model that the ready heads were trained on
DROPPED = "finetuning/dropped"  # session key: heads that were opened from files, by model and task
HOW = {
    "frozen": "on frozen layers",
    "whole": "together with the layers",
    "low rank": "with small changes to the layers",
}


@dataclass(frozen=True, eq=False)
class Speaker:
    """A head, and where it comes from."""

    head: "TaskHead"
    origin: str
    data: str = "examples"

    @cached_property
    def packed(self) -> str | None:
        """The head as a text for a link; None where it does not fit."""
        from explorer.finetuning import link

        return link.encode_head(self.head)

    @property
    def said(self) -> str:
        """Which head it is, how it was trained, and how good it is on what was kept aside."""
        about = self.head.about
        how, count = HOW.get(str(about.get("how")), ""), about.get("examples", 0)
        told = f"{self.origin} answers: trained {how}, on {count:,} {self.data}"
        scores = about.get("scores") or {}
        if scores and about.get("aside"):
            name, value = next(iter(scores.items()))
            told += f"; {name.replace('f1', 'F1')} {value:.0%} on {about['aside']:,} kept aside"
        return f"{told}."


def speaker(bench: "Bench") -> Speaker | None:
    """The head that answers: the visitor's own of just these examples, one that was opened, or a ready one.

    Raises FormatError for a link whose head is another model's.
    """
    if bench.training is not None and bench.training.head is not None:
        return Speaker(bench.training.head, "Your own head")
    if (opened := _opened(bench)) is not None and opened.task.kind == bench.kind:
        return Speaker(opened, "The head that you opened")
    return _ready(bench)


def _ready(bench: "Bench") -> Speaker | None:
    """The head that ships for a set of examples, on the bundled model that it was trained on."""
    from explorer.finetuning.library import COLLECTIONS, SOURCES, heads

    names = [one.head for one in COLLECTIONS if one.name == bench.examples.name]
    if str(bench.model.checkpoint) != BODY or not names or names[0] not in heads():
        return None
    return Speaker(_kept(names[0], bench.model), "A ready head", SOURCES[names[0]])


@lru_cache(MOST_KEPT)
def _kept(name: str, model: "LanguageModel") -> "TaskHead":
    """A ready head, read once: with it comes a copy of the layers that it has changed."""
    from explorer.finetuning import library

    return library.head(name, model)


def _opened(bench: "Bench") -> "TaskHead | None":
    """The head of a file, or of the link."""
    from explorer.finetuning import link

    dropped: TaskHead | None = st.session_state.get(DROPPED, {}).get(
        (str(bench.model.checkpoint), bench.kind)
    )
    if dropped is not None:
        return dropped
    packed = bench.settings[HEAD]
    return link.decode_head(packed, bench.model) if packed else None


def keep(head: "TaskHead", case: "Case") -> None:
    """Let a head that was opened answer in its view. Raises TextError for another view's."""
    if head.task.kind != case.kind:
        raise TextError(
            f"This head is for another task than “{case.label}”.",
            "Open it in the view in which it was trained.",
        )
    st.session_state.setdefault(DROPPED, {})[head.checkpoint, case.kind] = head
