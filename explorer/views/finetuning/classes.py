"""A class for one sentence or for two: bars with the mark that each class has on the map."""

from collections.abc import Sequence
from html import escape
from typing import Any

from explorer.files.lines import filled_lines
from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.finetuning.class_names import class_name
from explorer.views.finetuning.head_view import HeadView, Rows, TextBox, head_view
from explorer.views.finetuning.sets import PAIRS, SENTENCES
from explorer.views.finetuning.settings import FIRST, SECOND, SENTENCE
from explorer.views.types import ClassPrediction, TaskHead

MOST_LINES = 4
MOST_CLASSES = 4  # of a text, the most probable first


def class_bars(classes: Sequence[str], head: "TaskHead", predictions: "Sequence[ClassPrediction]") -> None:
    """A group of bars for each text; `classes` are those on the map, whose marks they have."""
    labels = list(dict.fromkeys([*classes, *head.task.labels]))
    most = MOST_CLASSES if len(predictions) == 1 or (kit.presenting() and len(labels) == 2) else 1
    texts = [
        {
            "text": prediction.text if len(predictions) > 1 else "",
            "rows": bars(prediction.probabilities, labels, most),
        }
        for prediction in predictions
    ]
    kit.component("finetuning/verdict")(
        key="finetuning/verdict",
        data={"label": _("What the head predicts"), "texts": texts, "large": kit.presenting()},
    )


def bars(
    probabilities: dict[str, float], labels: Sequence[str], most: int = MOST_CLASSES
) -> list[dict[str, Any]]:
    """The rows of one text: all classes in their order, or of more than `most` the most probable."""
    best = sorted(probabilities, key=lambda label: -probabilities[label])
    few = len(best) <= most
    names = [label for label in labels if label in probabilities] if few else best[:most]
    return [
        {
            "name": class_name(label),
            "mark": kit.mark(labels.index(label)),
            "share": probabilities[label],
            "number": kit.short(probabilities[label]),
            "first": label == best[0],
        }
        for label in names
    ]


def in_words(prediction: "ClassPrediction") -> str:
    """The most probable class, as HTML."""
    probability = kit.short(prediction.probabilities[prediction.label])
    return f"<b>{escape(class_name(prediction.label))}</b> ({probability})"


def class_rows(predictions: "Sequence[ClassPrediction]") -> Rows:
    """A row for each text and class."""
    return ["text", "second text", "class", "probability"], [
        (prediction.text, prediction.pair or "", label, probability)
        for prediction in predictions
        for label, probability in prediction.probabilities.items()
    ]


ONE_SENTENCE = head_view(
    HeadView(
        spec=SENTENCES,
        boxes=(
            TextBox(
                SENTENCE,
                N_("Your sentence, or a few of them, one per line"),
                N_("Type a sentence"),
                N_("sentence"),
                2,
            ),
        ),
        inputs=lambda text: list(filled_lines(text)[:MOST_LINES]),
        predictions=class_bars,
        rows=class_rows,
        in_words=in_words,
    )
)
TWO_SENTENCES = head_view(
    HeadView(
        spec=PAIRS,
        boxes=(
            TextBox(FIRST, N_("First sentence"), N_("Type a sentence"), N_("first sentence")),
            TextBox(SECOND, N_("Second sentence"), N_("Type a sentence"), N_("second sentence")),
        ),
        inputs=lambda first, second: [(first, second)],
        predictions=class_bars,
        rows=class_rows,
        in_words=in_words,
    )
)
