"""Fine-tuning: BERT's four cases, each with a head that is trained while one looks on; and what it brings."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from explorer.views.finetuning import (
    another_language,
    answer_in_text,
    bilingual_models,
    elmo_way,
    every_word,
    gained,
    gpt_way,
    one_sentence,
    scores,
    two_sentences,
    ulmfit_way,
    which_layers,
)
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.case import Case
from explorer.views.frame import memory
from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.frame.values import Text, Whole
from explorer.views.frame.view import Page, View, choose, nothing, picture

NAME = "finetuning"
# For a model that reads English and Chinese: its place is in `OTHERS` once one ships.
UNLISTED: Mapping[str, View[Bench]] = {"language": another_language}
# `body` says what is trained, `many` on how many of the examples (0: all), `head` is one that a link brings.
SETTINGS: dict[str, Any] = {
    "view": "sentence",
    "model": "bert",
    "body": "frozen",
    "many": Whole(0),
    "seed": Whole(0),
    "head": Text("", 4_000),
} | {name: value for view in UNLISTED.values() for name, value in view.SETTINGS.items()}
CASES: Mapping[str, Case] = {
    case.name: case for case in (one_sentence.VIEW, every_word.VIEW, two_sentences.VIEW, answer_in_text.VIEW)
}
OTHERS = {"gpt": gpt_way, "ulmfit": ulmfit_way, "elmo": elmo_way, "layers": which_layers}
VIEWS: Mapping[str, View[Bench]] = {**CASES, "gained": gained, "scores": scores, **OTHERS}
MORE = ("scores", *OTHERS, *UNLISTED)  # one row has room for the others
place, end = picture, nothing


def open(settings: Settings, header: Header) -> Page[Bench]:
    """The row of views and the model: a view of a paper, or of stored figures, has one of its own.

    Raises AbilityError for a model without states to read.
    """
    known = offered(settings)
    view = choose(settings, known, MORE)
    if name := getattr(view, "MODEL", ""):
        header.badge(name)
        model = memory.get(name)
    else:
        model = header.model("FILL")
        if len(offered(settings)) > len(known):  # only once it is loaded is it known what it reads
            st.rerun()
    return Page(settings, view, Bench(settings, model, CASES.get(settings["view"], one_sentence.VIEW)), model)


def offered(settings: Settings) -> Mapping[str, View[Bench]]:
    """The views of this page; those that need two languages only with a model of both, or by a link."""
    if settings["view"] in UNLISTED or bilingual_models.reads_both(settings["model"]):
        return {**VIEWS, **UNLISTED}
    return VIEWS
