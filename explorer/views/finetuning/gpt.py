"""GPT's way: each kind of task becomes texts that it can read."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.locale import N_, _, translate
from explorer.views import kit
from explorer.views.finetuning.settings import GPT_KIND, GPT_MESSAGE, GPT_ONE, GPT_THREE, GPT_TWO
from explorer.views.types import Transformation

EXTRACT = N_("the vector of “extract” goes to the head")
# How GPT reads each kind of task: its name, the boxes of its texts, and what becomes of them.
KINDS: "dict[Transformation, dict[str, Any]]" = {
    "classification": {"title": N_("Classification"), "boxes": [N_("Your message")], "then": EXTRACT},
    "entailment": {
        "title": N_("Entailment"),
        "boxes": [N_("First sentence"), N_("Second sentence")],
        "then": EXTRACT,
    },
    "similarity": {
        "title": N_("Similarity"),
        "boxes": [N_("One sentence"), N_("The other")],
        "then": N_("both orders are read, and the two vectors of “extract” are added"),
    },
    "multiple choice": {
        "title": N_("Multiple choice"),
        "boxes": [N_("What happens"), N_("One ending"), N_("Another ending")],
        "then": N_("one text for each choice, and a softmax over their scores"),
    },
}
SETTINGS = (GPT_KIND, GPT_MESSAGE, GPT_ONE, GPT_TWO, GPT_THREE)


def controls(settings: kit.Settings) -> None:
    """The kind of task, and as many texts as the task has."""
    with st.container(gap="small"):
        kinds = {kind: _(one["title"]) for kind, one in KINDS.items()}
        kit.segments(settings, GPT_KIND, _("Kind of task"), kinds)
        labels = translate(KINDS[settings[GPT_KIND]]["boxes"])
        for column, name, label in zip(st.columns(len(labels), gap="medium"), _boxes(settings), labels):
            with column:
                kit.text_box(settings, name, label, label)


def draw(settings: kit.Settings, figures: dict[str, Any]) -> kit.Export:
    """Each text as GPT reads it, and what was measured. Raises TextError for an empty text."""
    kind = settings[GPT_KIND]
    rows = sequences(kind, _texts(settings))
    kit.component("finetuning/sequences")(
        key="finetuning/sequences",
        data={
            "label": _("What GPT reads for {kind}", kind=_(KINDS[kind]["title"]).lower()),
            "rows": [[{"text": text, "mark": mark} for text, mark in row] for row in rows],
            "then": _(KINDS[kind]["then"]),
        },
    )
    if values := figures["kinds"].get(kind):
        st.html(f'<p class="rb-point">{not_learnt(kind, values)}</p>')
    cells = [
        (number, text, "token of its own" if mark else "text")
        for number, row in enumerate(rows, 1)
        for text, mark in row
    ]
    return kit.Export(
        N_("The texts"), "gpt-transformation.csv", lambda: kit.table(["sequence", "part", "kind"], cells)
    )


def not_learnt(kind: "Transformation", values: Sequence[float]) -> str:
    """What our few examples taught GPT of a kind of task: the mean accuracy of some runs, in words."""
    return _(
        "Our few examples do not teach this small GPT {kind}: it gets {share} of the held-out ones right "
        "(mean of {count} runs), and guessing gets 50%.",
        kind=_(KINDS[kind]["title"]).lower(),
        share=kit.whole_percent(sum(values) / len(values)),
        count=len(values),
    )


def example(settings: kit.Settings) -> kit.Example:
    """The texts from Python."""
    return kit.Example(sequences, kind=settings[GPT_KIND], texts=_texts(settings))


def sequences(kind: "Transformation", texts: list[str]) -> list[list[tuple[str, bool]]]:
    """The texts that GPT reads for a task, as parts; each part with whether it is a special token."""
    from explorer.finetuning.gpt1 import transform

    return [[(part.text, part.mark) for part in row] for row in transform(kind, texts)]


def _boxes(settings: kit.Settings) -> Sequence[kit.Setting[str]]:
    """The settings of the texts of the chosen kind of task."""
    if settings[GPT_KIND] == "classification":
        return [GPT_MESSAGE]
    return [GPT_ONE, GPT_TWO, GPT_THREE][: len(KINDS[settings[GPT_KIND]]["boxes"])]


def _texts(settings: kit.Settings) -> list[str]:
    from explorer.finetuning.examples import require_text

    texts = [settings[name].strip() for name in _boxes(settings)]
    for text in texts:
        require_text(text, N_("text"))
    return texts
