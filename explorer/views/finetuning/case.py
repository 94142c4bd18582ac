"""What the four views of a head have in common: examples, what is attached where, training, what it says.

A view is a `Case`: it says what is typed, how an input is made of that, and how an answer is drawn.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import streamlit as st

from explorer.views.finetuning import choices, files, sets, training
from explorer.views.finetuning.attached import attached
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.examples import train_on_ready, train_on_typed
from explorer.views.finetuning.settings import BODY, SEED
from explorer.views.finetuning.speaker import which_head
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import Preset
from explorer.views.frame.saving import Export, Picture
from explorer.views.frame.setting import Setting
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves, View

if TYPE_CHECKING:
    from explorer.finetuning.heads import TrainedHead
    from explorer.finetuning.predictions import Prediction
    from explorer.finetuning.reading import Input
    from explorer.finetuning.tasks import Kind


class Case(ABC):
    """One of BERT's four cases. `kind` is the engine's name for its task, `name` that of the view."""

    kind: "ClassVar[Kind]"
    name: ClassVar[str]
    label: ClassVar[str]
    first: ClassVar[Hints]
    typed: ClassVar[Sequence[Setting[str]]]  # what the head is asked about
    chosen_set: ClassVar[Setting[str]]  # the examples: a ready set's name, or `sets.OWN`
    own_lines: ClassVar[Setting[str]]  # the visitor's own examples, as lines of text
    presets: ClassVar[Sequence[Preset]]
    dots: ClassVar[str]  # what is on the map
    map_px: ClassVar[int] = 176  # how high the map is
    wide: ClassVar[bool] = False  # whether what the head says takes the page's whole width

    def view(self) -> View[Bench]:
        """The view of this case."""
        return View(
            label=self.label,
            first=self.first,
            settings=(*self.typed, self.chosen_set, self.own_lines),
            presets=self.presets,
            needs=("FILL",),
            controls=self.controls,
            draw=self.draw,
            reading=self.reading,
            example=self.example,
        )

    @abstractmethod
    def ask(self, settings: Settings) -> None:
        """The boxes for what the head is asked about."""

    @abstractmethod
    def inputs(self, settings: Settings) -> "list[Input]":
        """What is typed, as the head reads it. Raises TextError where it is not enough."""

    @abstractmethod
    def say(self, page: Page[Bench], head: "TrainedHead", said: "Sequence[Prediction]") -> None:
        """Draw what the head says."""

    @abstractmethod
    def rows(self, said: "Sequence[Prediction]") -> tuple[Sequence[str], list[Sequence[Any]]]:
        """What the head says as a table: its columns and rows."""

    @abstractmethod
    def sentence(self) -> str:
        """How to read what the head says."""

    def controls(self, page: Page[Bench]) -> None:
        """The typed text, then the examples and what is trained, in one row."""
        self.ask(page.settings)
        choices.row(page, self)

    def draw(self, page: Page[Bench]) -> Saves:
        """What the head says and what it stands on; beside it the training."""
        bench = page.data
        examples, _ = bench.examples, bench.task  # what is wrong with them is said before anything is drawn
        inputs = self.inputs(page.settings)
        above = st.container(gap=None) if self.wide else None
        left, right = st.columns([54, 46], gap="medium")
        with right:
            training.stage(page, self)
        with left.container(gap="small"):
            place = above or st.container(gap=None)
            with st.container(gap="xxsmall"):
                attached(bench.read(inputs[0]), bench, key=f"finetuning/attached/{self.name}")
                which_head(page, self)
        with place:
            saves = self._said(page, inputs)
        return [
            Picture("picture", f"fine-tuning-{self.name}"),
            *saves,
            Export("Examples", f"{self.name}-examples.txt", files.written(examples.examples)),
            *training.saves(bench),
        ]

    def _said(self, page: Page[Bench], inputs: "list[Input]") -> list[Export]:
        head = page.data.head
        if head is None:
            st.html(
                '<p class="rb-how" style="min-height:74px">There is no head for these examples yet. '
                "Press Train, and watch it learn.</p>"
            )
            return []
        said = head.predict(inputs)
        self.say(page, head, said)
        return [files.table_of(*self.rows(said), self.name), *files.head_file(head, self.name)]

    def reading(self, page: Page[Bench]) -> Reading:
        """How to read both sides."""
        return Reading(
            f"{self.sentence()} Filled parts of the drawing are trained, pale ones stay as they are. "
            f"On the right, the loss, the score on examples kept aside, and some of the {self.dots} as dots: "
            "a hollow one is what the finished head gets wrong.",
            "Every training begins from the same model, which itself never changes.",
        )

    def example(self, page: Page[Bench]) -> Example:
        """The same training and the same question from Python."""
        settings, chosen = page.settings, page.data.examples
        model = Load(str(page.model.checkpoint))
        how: dict[str, Any] = {"how": settings[BODY], "seed": settings[SEED], "ask": self.inputs(settings)}
        if chosen.name == sets.OWN:
            from explorer.finetuning import typed

            lines = typed.write(chosen.examples)
            return Example(train_on_typed, model=model, kind=self.kind, lines=lines, **how)
        count = len(chosen.examples)
        return Example(train_on_ready, model=model, name=chosen.name, count=count, **how)
