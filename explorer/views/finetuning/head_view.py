"""What the views of a task head have in common: examples, the drawing, the training, and predictions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import choices, sets, training_panel
from explorer.views.finetuning.attached import attached
from explorer.views.finetuning.example_code import train_and_predict
from explorer.views.finetuning.head_source import head_source
from explorer.views.finetuning.head_state import head_state
from explorer.views.finetuning.settings import BODY, SEED
from explorer.views.finetuning.task_specs import TaskSpec
from explorer.views.finetuning.which_head import which_head
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import Preset
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.setting import Setting
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import OpenPage, Reading, Saves, View

if TYPE_CHECKING:
    from explorer.finetuning.encoding import Input
    from explorer.finetuning.examples import Example as TrainingExample
    from explorer.finetuning.predictions import Prediction
    from explorer.finetuning.task_head import TaskHead

Rows = tuple[Sequence[str], list[Sequence[Any]]]  # a table's columns, and its rows


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadView:
    """What one of these views has of its own.

    `text_boxes` are for the `texts` that the head is asked about; `inputs` reads them, and raises TextError
    if one is empty. `predictions` draws what the head predicts, given the classes of the map; `rows` is the
    same as a table. `sentence` says how to read them.
    """

    spec: TaskSpec
    first: Hints
    texts: Sequence[Setting[str]]
    presets: Sequence[Preset]
    text_boxes: Callable[[Settings], None]
    inputs: "Callable[[Settings], list[Input]]"
    predictions: "Callable[[Sequence[str], TaskHead, Sequence[Prediction]], None]"
    rows: "Callable[[Sequence[Prediction]], Rows]"
    sentence: str


def head_view(this: HeadView) -> View[None]:
    """The view of a kind of task."""
    return View(
        label=this.spec.label,
        first=this.first,
        settings=(*this.texts, this.spec.chosen_set, this.spec.own_lines),
        presets=this.presets,
        needs=("FILL",),
        controls=partial(controls, this),
        draw=partial(draw, this),
        reading=partial(reading, this),
        example=partial(example, this),
    )


def controls(this: HeadView, page: OpenPage[None]) -> None:
    """The texts, then the examples and what is trained, in one row."""
    this.text_boxes(page.settings)
    choices.row(page.settings, this.spec)


def draw(this: HeadView, page: OpenPage[None]) -> Saves:
    """The predictions and where the head is attached; beside them the training. Raises ExplorerError."""
    from explorer.finetuning.encoding import encode_example

    name, settings, model = this.spec.name, page.settings, page.model
    state = head_state(settings, model, this.spec)
    inputs = this.inputs(settings)
    above = st.container(gap=None) if this.spec.wide else None
    left, right = st.columns([54, 46], gap="medium")
    with right:
        training_panel.training_panel(state)
    with left.container(gap="small"):
        place = above or st.container(gap=None)
        with st.container(gap="xxsmall"):
            encoded = encode_example(model, state.task, inputs[0], state.features)
            learns = state.training_spec.how != "frozen"
            attached(f"finetuning/attached/{name}", encoded, model, state.task, state.features, learns)
            source = head_source(settings, model, this.spec, state.training)
            which_head(settings, model, this.spec, source)
    saves: list[Export | Picture] = [Picture("picture", f"fine-tuning-{name}")]
    with place:
        if source is None:
            st.html(
                '<p class="rb-how" style="min-height:74px">There is no head for these examples yet. '
                "Press Train, and watch it learn.</p>"
            )
        else:
            predictions = source.head.predict(inputs)
            this.predictions(state.classes, source.head, predictions)
            saves += _head_saves(name, this.rows(predictions), source.head)
    return [*saves, _example_lines(name, state.training_spec.examples), *training_panel.saves(state.training)]


def reading(this: HeadView, page: OpenPage[None]) -> Reading:
    """How to read both sides."""
    return Reading(
        f"{this.sentence} Filled parts of the drawing are trained, pale ones stay as they are. "
        f"On the right, the loss, the score on held-out examples, and some of the {this.spec.items} as dots: "
        "a hollow one is what the finished head gets wrong.",
        "Every training begins from the same model, which itself never changes.",
    )


def example(this: HeadView, page: OpenPage[None]) -> Example:
    """The same training and the same predictions from Python."""
    settings, spec = page.settings, this.spec
    examples = sets.sample(settings, spec)
    return Example(
        train_and_predict,
        model=Load(str(page.model.checkpoint)),
        kind=spec.kind,
        **sets.code_arguments(settings[spec.chosen_set], examples),
        count=len(examples),
        how=settings[BODY],
        seed=settings[SEED],
        inputs=this.inputs(settings),
    )


def _head_saves(name: str, rows: Rows, head: "TaskHead") -> list[Export]:
    """The predictions as a table, and the head, which “Open a head” takes."""

    def head_file() -> bytes:
        from explorer.finetuning import store

        return store.dumps(head)

    return [
        Export("What the head says", f"{name}-said.csv", lambda: table(*rows)),
        Export("The head", f"{name}-head.safetensors", head_file, "application/octet-stream"),
    ]


def _example_lines(name: str, examples: "Sequence[TrainingExample]") -> Export:
    """The examples as lines that can be pasted again."""

    def lines() -> str:
        from explorer.finetuning import parsing

        return parsing.format_lines(examples) + "\n"

    return Export("Examples", f"{name}-examples.txt", lines)
