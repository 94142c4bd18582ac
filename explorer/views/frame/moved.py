"""Where views are that had another name or stood on another page: no old link dies.

    resolve("attention", {"view": "writing", "text": "The cat"})
    -> ("continuations", {"view": "look-back", "look_text": "The cat"})

A view that moves, or becomes part of another, gets a line in `MOVED`. Links, lectures and session files all
ask `resolve`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from explorer.views.frame import navigation
from explorer.views.settings.settings import PRESENT, Settings, presenting_on


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


MEASURES = ("loss", "share", "bits", "bits_word", "rank", "f1")  # views of their own before
MODELS: dict[str | None, dict[str, str]] = {
    None: {"view": "predicted"},
    **{measure: {"view": "curves", "measure": measure} for measure in MEASURES},
}

MANAGER = "She walked along the bank to the manager's office."  # the new sentence on a view of its own

MOVED: tuple[Redirect, ...] = (
    Redirect("finetuning", {"view": "gpt"}, "finetuning", {"view": "other", "way": "gpt"}),
    Redirect("finetuning", {"view": "ulmfit"}, "finetuning", {"view": "other", "way": "ulmfit"}),
    Redirect("finetuning", {"view": "elmo"}, "finetuning", {"view": "layers"}),
    *(
        Redirect("finetuning", {"view": "gained", "gained_set": task}, to, now)
        for task, to, now in (
            (None, "models", {"view": "measured", "model": "bert", "measured": "sst2"}),
            ("own", "finetuning", {"view": "sentence"}),  # curves of a visitor's own examples
        )
    ),
    Redirect(
        "finetuning",
        {"view": "gained"},
        "models",
        {"view": "measured", "model": "bert"},
        {"gained_set": "measured"},
    ),
    *(
        Redirect(page, {"view": view}, "models", {"view": "measured", "measured": view} | model)
        for page, view, model in (
            ("finetuning", "scores", {"model": "bert"}),
            ("models", "scale", {}),
            ("models", "parts", {}),
        )
    ),
    Redirect("models", {"view": "terms"}, "models", {}),  # the glossary is in every page's header
    Redirect("vectors", {"view": None}, "vectors", {"view": "neighbours"}),  # before One-hot became the first
    Redirect("vectors", {"view": "kin", "kin": "fasttext"}, "vectors", {"view": "fasttext"}),
    Redirect("sides", {"view": "sides"}, "sides", {"view": "bilm"}),
    Redirect("senses", {"view": "new", "new": None}, "senses", {"view": "map", "new": MANAGER}),
    Redirect("senses", {"view": "new"}, "senses", {"view": "map"}),
    Redirect("senses", {"view": "which"}, "finetuning", {"view": "layers"}),
    Redirect("transformer", {"view": None}, "transformer", {"view": "steps"}),
    Redirect(
        "transformer",
        {"view": "rows"},
        "transformer",
        {"view": "steps", "model": "gpt", "step": "softmax", "way": "all"},
    ),
    Redirect("transformer", {"view": "far"}, "transformer", {"view": "waiting"}),
    Redirect(
        "transformer",
        {"view": "shuffle"},
        "transformer",
        {"view": "positions", "positions_part": "shuffle"},
        {"text": "shuffle_text"},
    ),
    Redirect("transformer", {"view": "leak"}, "transformer", {"view": "masks"}),
    Redirect(
        "transformer", {"view": "beside"}, "transformer", {"view": "steps", "step": "scores", "way": "all"}
    ),
    Redirect(
        "transformer",
        {"view": "positions", "positions_part": "directions"},
        "transformer",
        {"view": "positions", "positions_part": "products"},
    ),
    Redirect("attention", {"view": "writing"}, "continuations", {"view": "look-back"}, {"text": "look_text"}),
    Redirect("heads", {"view": "find"}, "heads", {"view": "kinds", "what": "arcs"}, {"found": "head"}),
    Redirect("masked", {"view": "two"}, "masked", {"view": "predict", "beside": "true"}),
    *(
        Redirect(
            "masked",
            {"view": "score", **model},
            "continuations",
            {"view": "colour", "way": "surprisal", **then},
            {"better": "passage"},
        )
        for model, then in (({"model": None}, {"model": "bert"}), ({}, {}))  # the page opened with BERT
    ),
    *(
        Redirect(
            "masked",
            {"view": "replaced", "who": who},
            "masked",
            {"view": "replaced", "who": now, "shown": "true"},
        )
        for who, now in (("you", "hand"), ("places", "generator"))
    ),
    Redirect("masked", {"view": "training", "task": "next"}, "masked", {"view": "next"}),
    Redirect("probing", {"view": "watch"}, "probing", {"view": "sentence"}),
    Redirect("probing", {"view": None}, "probing", {"view": "layers"}),
    Redirect("models", {"view": "repeats"}, "models", {"view": "curves"}),
    *(
        Redirect("models", {"view": view, **model}, "models", now | then)
        for view, now in MODELS.items()
        for model, then in (({"model": None}, {"model": "bert"}), ({}, {}))  # the page opened with BERT
    ),
)


def resolve(page: str, link: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The page and the settings to which a link leads now."""
    for moved in MOVED:
        if moved.fits(page, link):
            rest = {
                moved.renamed.get(name, name): value for name, value in link.items() if name not in moved.old
            }
            return moved.to, rest | dict(moved.new)
    return page, dict(link)


def follow_redirect(settings: Settings) -> None:
    """Go on to where an old link of this page leads now, before the page reads it."""
    link = {name: value for name, value in st.query_params.items() if name != PRESENT}
    page, now = resolve(settings.page, link)
    if (page, now) == (settings.page, link):
        return
    if page != settings.page and st.session_state.get("/framed"):
        st.switch_page(navigation.find(page).path, query_params=presenting_on() | now)
    st.query_params.from_dict(presenting_on() | now)
