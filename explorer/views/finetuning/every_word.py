"""Every word, a class: slots of a command, or names, drawn under the words that they cover."""

from collections.abc import Sequence
from html import escape
from typing import Any

from explorer.locale import N_, _
from explorer.views.finetuning.class_names import class_name
from explorer.views.finetuning.head_state import map_classes
from explorer.views.finetuning.head_view import HeadView, Rows, TextBox, head_view
from explorer.views.finetuning.sets import WORDS
from explorer.views.finetuning.settings import LINE
from explorer.views.types import TagPrediction, TaskHead
from explorer.views.widgets.marks import mark
from explorer.views.widgets.numbers import short
from explorer.views.widgets.registry import component


def tagged_words(classes: Sequence[str], head: "TaskHead", predictions: "Sequence[TagPrediction]") -> None:
    """The words, and the tags under them; an opened head may have classes that are not on the map."""
    names = list(dict.fromkeys([*classes, *map_classes(head.task)]))
    component("finetuning/tagged")(key="finetuning/tagged", data=data(predictions[0], names))


def data(prediction: "TagPrediction", names: Sequence[str]) -> dict[str, Any]:
    """The component's data: words that share a tag are one group."""
    entities = {entity.start: entity for entity in prediction.entities}
    groups: list[dict[str, Any]] = []
    start = 0
    while start < len(prediction.words):
        entity = entities.get(start)
        end = entity.end if entity else start + 1
        groups.append(
            {
                "words": [_word(prediction, i) for i in range(start, end)],
                "tag": class_name(entity.label) if entity else "",
                "mark": mark(names.index(entity.label)) if entity and entity.label in names else None,
            }
        )
        start = end
    return {"label": _("The words with their tags"), "groups": groups}


def rows(predictions: "Sequence[TagPrediction]") -> Rows:
    """Word, tag, probability."""
    return ["word", "tag", "probability"], [
        row
        for prediction in predictions
        for row in zip(prediction.words, prediction.tags, prediction.probabilities)
    ]


def in_words(prediction: "TagPrediction") -> str:
    """The words with a tag, as HTML."""
    entities = [
        _(
            "{words} is “{tag}”",
            words=f"<b>{escape(' '.join(prediction.words[entity.start : entity.end]))}</b>",
            tag=escape(class_name(entity.label)),
        )
        for entity in prediction.entities
    ]
    return ", ".join(entities) or _("that no word has a tag")


def _word(prediction: "TagPrediction", i: int) -> dict[str, str]:
    tag = _("no tag") if prediction.tags[i] == "O" else class_name(prediction.tags[i])
    return {
        "text": prediction.words[i],
        "tip": _("{label}: {text}", label=tag, text=short(prediction.probabilities[i])),
    }


VIEW = head_view(
    HeadView(
        spec=WORDS,
        boxes=(TextBox(LINE, N_("Your sentence"), N_("Type a sentence"), N_("sentence")),),
        inputs=lambda text: [text],
        predictions=tagged_words,
        rows=rows,
        in_words=in_words,
    )
)
