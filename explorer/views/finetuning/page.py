"""Fine-tuning: BERT's four cases, each with a head that is trained while one looks on; and what it brings."""

from collections.abc import Mapping
from typing import Any

from explorer.errors import AbilityError
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
# `body` says what is trained, `many` on how many of the examples (0: all), `head` is one that a link brings.
SETTINGS: dict[str, Any] = {
    "view": "sentence",
    "model": "bert",
    "body": "frozen",
    "many": Whole(0),
    "seed": Whole(0),
    "head": Text("", 4_000),
}
CASES: Mapping[str, Case] = {
    case.name: case for case in (one_sentence.VIEW, every_word.VIEW, two_sentences.VIEW, answer_in_text.VIEW)
}
OTHERS = {
    "gpt": gpt_way,
    "ulmfit": ulmfit_way,
    "elmo": elmo_way,
    "layers": which_layers,
    "language": another_language,
}
VIEWS: Mapping[str, View[Bench]] = {**CASES, "gained": gained, "scores": scores, **OTHERS}
MORE = ("scores", *OTHERS)  # one row has room for the others
place, end = picture, nothing


def open(settings: Settings, header: Header) -> Page[Bench]:
    """The row of views and the model: a view of a paper, or of stored figures, has one of its own.

    Raises AbilityError for a model without states to read, and for one that cannot read two texts.
    """
    view = choose(settings, VIEWS, MORE)
    if name := getattr(view, "MODEL", ""):
        header.badge(name)
        model = memory.get(name)
    else:
        if view is another_language:
            bilingual_models.prefer(settings)
        model = header.model("FILL")
        if view in (CASES["pairs"], CASES["answers"]) and not model.reads_pairs:
            raise AbilityError(
                f"{memory.short_label(str(model.checkpoint))} reads one text at a time; this task has two.",
                "Choose BERT in the picker.",
            )
    return Page(settings, view, Bench(settings, model, CASES.get(settings["view"], one_sentence.VIEW)), model)
