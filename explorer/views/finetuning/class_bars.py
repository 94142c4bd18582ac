"""The probabilities of classes as bars, with the mark that each class has on the map."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.views.widgets.bars import short
from explorer.views.widgets.marks import mark
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from explorer.finetuning.predictions import ClassPrediction, Prediction
    from explorer.finetuning.task_head import TaskHead

MOST_CLASSES = 4  # of a text, the most probable first


def class_bars(classes: Sequence[str], head: "TaskHead", predictions: "Sequence[Prediction]") -> None:
    """A group of bars for each text; `classes` are those on the map, whose marks they have."""
    labels = list(dict.fromkeys([*classes, *head.task.labels]))
    component("finetuning/verdict")(
        key="finetuning/verdict",
        data={
            "label": "What the head says",
            "texts": [
                {
                    "text": prediction.text if len(predictions) > 1 else "",
                    "rows": bars(prediction.probabilities, labels),
                }
                for prediction in _class_predictions(predictions)
            ],
        },
    )


def bars(probabilities: dict[str, float], labels: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of one text: all classes in their order, or of many the most probable."""
    best = sorted(probabilities, key=lambda label: -probabilities[label])
    few = len(best) <= MOST_CLASSES
    names = [label for label in labels if label in probabilities] if few else best[:MOST_CLASSES]
    return [
        {
            "name": label,
            "mark": mark(labels.index(label)),
            "share": probabilities[label],
            "number": short(probabilities[label]),
            "first": label == best[0],
        }
        for label in names
    ]


def class_rows(predictions: "Sequence[Prediction]") -> tuple[Sequence[str], list[Sequence[Any]]]:
    """A row for each text and class."""
    return ["text", "second text", "class", "probability"], [
        (prediction.text, prediction.pair or "", label, probability)
        for prediction in _class_predictions(predictions)
        for label, probability in prediction.probabilities.items()
    ]


def _class_predictions(predictions: "Sequence[Prediction]") -> "list[ClassPrediction]":
    from explorer.finetuning.predictions import ClassPrediction

    return [prediction for prediction in predictions if isinstance(prediction, ClassPrediction)]
