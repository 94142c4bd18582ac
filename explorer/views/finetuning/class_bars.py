"""The probabilities of classes as bars, with the mark that each class has on the map."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.views.widgets.bars import short
from explorer.views.widgets.marks import mark
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from explorer.finetuning.predictions import Prediction
    from explorer.finetuning.task_head import TaskHead

MOST = 4  # classes that are drawn of one text, the most probable first


def class_bars(known: Sequence[str], head: "TaskHead", said: "Sequence[Prediction]") -> None:
    """Draw them, a group of bars for each text; `known` are the classes on the map, whose marks they have."""
    from explorer.finetuning.predictions import ClassPrediction

    labels = list(dict.fromkeys([*known, *head.task.labels]))
    component("finetuning/verdict")(
        key="finetuning/verdict",
        data={
            "label": "What the head says",
            "texts": [
                {"text": one.text if len(said) > 1 else "", "rows": bars(one.probabilities, labels)}
                for one in said
                if isinstance(one, ClassPrediction)
            ],
        },
    )


def bars(probabilities: dict[str, float], labels: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of one text: in the order of the classes where there are few, else the most probable."""
    best = sorted(probabilities, key=lambda label: -probabilities[label])
    shown = [label for label in labels if label in probabilities] if len(best) <= MOST else best[:MOST]
    return [
        {
            "name": label,
            "mark": mark(labels.index(label)),
            "share": probabilities[label],
            "number": short(probabilities[label]),
            "first": label == best[0],
        }
        for label in shown
    ]


def class_rows(said: "Sequence[Prediction]") -> tuple[Sequence[str], list[Sequence[Any]]]:
    """A line for each text and class."""
    from explorer.finetuning.predictions import ClassPrediction

    return ["text", "second text", "class", "probability"], [
        (one.text, one.pair or "", label, probability)
        for one in said
        if isinstance(one, ClassPrediction)
        for label, probability in one.probabilities.items()
    ]
