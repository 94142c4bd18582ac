"""GPT's way: a task is turned into texts that it can read, and two losses are minimised together."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.finetuning import gpt_losses
from explorer.views.finetuning.settings import GPT_KIND, GPT_LAMBDA, GPT_ONE, GPT_THREE, GPT_TWO
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import Preset
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.widgets.one_of import one_of
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.finetuning.gpt1 import Transformation

KINDS: "dict[Transformation, str]" = {
    "classification": "Classification",
    "entailment": "Entailment",
    "similarity": "Similarity",
    "multiple choice": "Multiple choice",
}
BOXES: "dict[Transformation, tuple[str, ...]]" = {
    "classification": ("Your sentence",),
    "entailment": ("First sentence", "Second sentence"),
    "similarity": ("One sentence", "The other"),
    "multiple choice": ("What happens", "One ending", "Another ending"),
}
LAMBDA = "λ, the weight of L1 (next token)"
TEXTS = (GPT_ONE, GPT_TWO, GPT_THREE)
THEN = {
    "classification": "the vector of “extract” goes to the head",
    "entailment": "the vector of “extract” goes to the head",
    "similarity": "neither sentence comes first: both orders are read, the two vectors of “extract” added",
    "multiple choice": "a text for each choice, and softmax over their scores",
}


def controls(page: OpenPage[None]) -> None:
    """The kind of task, λ, and as many texts as the task has."""
    settings = page.settings
    settings.restrict(GPT_KIND, ["entailment", *KINDS])
    settings.clamp(GPT_LAMBDA, 0.0, gpt_losses.MOST_LAMBDA)
    with st.container(gap="small"):
        kind, slider = st.columns([64, 36], gap="large", vertical_alignment="bottom")
        with kind:
            one_of(settings, GPT_KIND, "Kind of task", KINDS)
        slider.slider(
            LAMBDA,
            0.0,
            gpt_losses.MOST_LAMBDA,
            step=0.1,
            key=settings.key(GPT_LAMBDA, LAMBDA),
            help="L3 = L2 + λ L1: at 0 the task alone counts. The paper takes 0.5.",
        )
        labels = BOXES[settings[GPT_KIND]]
        for column, name, label in zip(st.columns(len(labels), gap="medium"), TEXTS, labels):
            with column:
                text_box(settings, name, label, label)


def draw(page: OpenPage[None]) -> Saves:
    """Each text as GPT reads it, and the two losses. Raises TextError for an empty text."""
    settings, spec = page.settings, gpt_losses.training_spec(page.settings)
    rows = sequences(settings[GPT_KIND], _texts(settings))
    component("finetuning/sequences")(
        key="finetuning/sequences",
        data={
            "label": f"What GPT reads for {settings[GPT_KIND]}",
            "rows": [[{"text": text, "mark": mark} for text, mark in row] for row in rows],
            "then": THEN[settings[GPT_KIND]],
        },
    )
    gpt_losses.panel(spec, page.model)
    cells = [
        (number, text, "token of its own" if mark else "text")
        for number, row in enumerate(rows, 1)
        for text, mark in row
    ]
    return [
        Picture("picture", "gpt-transformation"),
        Export("The texts", "gpt-transformation.csv", lambda: table(["sequence", "part", "kind"], cells)),
        *gpt_losses.saves(spec),
    ]


def reading(page: OpenPage[None]) -> Reading:
    """How to read the rows."""
    return Reading(
        "A row is one text, read from left to right. The filled parts are tokens that the vocabulary "
        "lacked: their vectors are learnt with the head. Only the last one has read everything, so the "
        "head sits there. Training makes L3 = L2 + λ L1 small: L2 is the task’s loss, at the last token, L1 "
        "that of predicting each next token of these texts. The curves are of held-out examples; earlier "
        "trainings stay pale.",
        "After Radford et al. 2018, figure 1 and section 3.2. The examples are ours, and few: a quarter is "
        "held out, too little to tell two values of λ apart by their right answers.",
    )


def example(page: OpenPage[None]) -> Example:
    """The training on the screen, or else the texts, from Python."""
    settings = page.settings
    training = gpt_losses.example(gpt_losses.training_spec(settings))
    return training or Example(sequences, kind=settings[GPT_KIND], texts=_texts(settings))


def sequences(kind: "Transformation", texts: list[str]) -> list[list[tuple[str, bool]]]:
    """The texts that GPT reads for a task, as parts; each part with whether it is a special token."""
    from explorer.finetuning.gpt1 import transform

    return [[(part.text, part.mark) for part in row] for row in transform(kind, texts)]


def _texts(settings: Settings) -> list[str]:
    from explorer.finetuning.examples import require_text

    texts = [settings[name].strip() for name in TEXTS[: len(BOXES[settings[GPT_KIND]])]]
    for text in texts:
        require_text(text, "text")
    return texts


VIEW = View(
    label="GPT’s way",
    audience="Another way to fine-tune.",
    first=Hints(
        "GPT has no [CLS] and no second segment: three new tokens turn every task into one text, or several.",
        "Press Train with λ at 0, then at 0.5: what happens to the loss of the next token?",
    ),
    settings=(GPT_KIND, GPT_LAMBDA, GPT_ONE, GPT_TWO, GPT_THREE),
    presets=[
        Preset(
            "Without the next-token loss",
            "Press Train at λ = 0, then at 0.5: without L1 GPT guesses the next token worse at the end.",
            {"view": "gpt", "gpt_kind": "classification", "gpt_lambda": 0.0},
        ),
        Preset(
            "Both orders",
            "Similarity has no first and second: each order is read, and the two vectors are added.",
            {"view": "gpt", "gpt_kind": "similarity"},
        ),
        Preset(
            "One text per choice",
            "The same beginning before each choice: the head scores every text, and softmax compares the "
            "scores.",
            {"view": "gpt", "gpt_kind": "multiple choice"},
        ),
    ],
    model=gpt_losses.MODEL,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
