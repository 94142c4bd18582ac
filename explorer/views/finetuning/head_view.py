"""What the views of a task head have in common: examples, the drawing, the training, and predictions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import ExplorerError, TextError
from explorer.files.lines import filled_lines
from explorer.locale import N_, _
from explorer.room.questions import MOST
from explorer.views import kit
from explorer.views.finetuning import choices, sets, training_panel, trainings
from explorer.views.finetuning.class_names import class_name
from explorer.views.finetuning.head_source import (
    FROM_FILES,
    IN_ITS_FILES,
    UNTRAINED,
    HeadSource,
    describe,
    head_source,
    held_out_score,
    own_head_asked,
    ready_source,
)
from explorer.views.finetuning.head_state import HeadState, head_state
from explorer.views.finetuning.sets import TaskSpec
from explorer.views.finetuning.settings import BODY, HEAD, SEED
from explorer.views.settings.setting import MODEL

if TYPE_CHECKING:
    from explorer.finetuning.encoding import Input
    from explorer.finetuning.examples import Example as TrainingExample
    from explorer.finetuning.predictions import Prediction
    from explorer.finetuning.progress import How
    from explorer.finetuning.tasks import Kind
    from explorer.models import LanguageModel


def buttons(settings: kit.Settings, state: HeadState, source: HeadSource | None) -> None:
    """A button that puts the head into the link, if it is small enough, and one that loads a file."""
    from explorer.finetuning import link

    name = state.spec.name
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        encoded = link.encode_head(source.head) if source and source.origin != IN_ITS_FILES else None
        if encoded is not None:
            st.button(
                _("In the link") if settings[HEAD] == encoded else _("Add it to the link"),
                key=f"finetuning/link/{name}",
                type="tertiary",
                icon=":material/link:",
                disabled=settings[HEAD] == encoded,
                on_click=settings.set,
                args=(HEAD.to(encoded),),
                help=_("The address then opens with this very head. “Save” offers it as a file."),
            )
        label, icon = _("Load a saved head"), ":material/upload_file:"
        if st.button(label, key=f"finetuning/open/{name}", type="tertiary", icon=icon):
            st.dialog(label)(_load)(state)


def _load(state: HeadState) -> None:
    """Take a file that was saved on this page."""
    from explorer.finetuning import store

    label = _("A head that “Save” wrote, .safetensors")
    file = st.file_uploader(label, type=["safetensors"], key="finetuning/head-file")
    if file is None:
        return
    try:
        head = store.loads(file.getvalue(), state.model)
        if head.task.kind != state.spec.kind:
            raise TextError(
                _("This head is for another task than “{task}”.", task=_(state.spec.label)),
                _("Load it in the view in which it was trained."),
            )
    except ExplorerError as error:
        kit.show_error(error)
        return
    FROM_FILES.get()[head.checkpoint, state.spec.kind] = head
    st.rerun()


Rows = tuple[Sequence[str], list[Sequence[Any]]]  # a table's columns, and its rows


@dataclass(frozen=True)
class TextBox:
    """A box for a text that the head is asked about; `noun` is what the message calls it if it is empty."""

    setting: kit.Setting[str]
    label: str
    placeholder: str
    noun: str
    lines: int = 1
    width: int = 1  # beside the others, in proportion


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadView:
    """What one of these views has of its own.

    `inputs` makes the inputs of the head from the texts of the `boxes`. `predictions` draws what the head
    predicts, given the classes of the map and the head; `rows` is the same as a table, `in_words` one
    prediction as HTML. `text` is the setting that the predictions show anew, beside other boxes.
    """

    spec: TaskSpec
    boxes: Sequence[TextBox]
    inputs: "Callable[..., list[Input]]"
    predictions: Callable[..., None]
    rows: Callable[..., Rows]
    in_words: Callable[..., str]
    text: kit.Setting[str] | None = None


def head_view(this: HeadView) -> kit.View[None]:
    """The view of a kind of task."""
    return kit.View(
        text=kit.view_text("finetuning", this.spec.name).of_page(
            change=partial(now, this), is_opening=partial(is_opening, this)
        ),
        settings=(*(box.setting for box in this.boxes), this.spec.chosen_set, this.spec.own_lines),
        needs=("FILL",),
        controls=partial(controls, this),
        picture=partial(draw, this),
        example=partial(example, this),
        footer=partial(below, this),
        stage=kit.Stage(
            covered=(".rows, .stage, .passage, .answers, .line",),
            boxes=[box.setting for box in this.boxes if box.setting != this.text] if this.boxes[1:] else (),
            text=this.text,
            start=partial(start, this),
            polls=partial(asks, this),
        ),
    )


def start(this: HeadView, settings: kit.Settings) -> None:
    """Begin the training on the examples on screen, unless it has begun (for a callback)."""
    state = head_state(settings, kit.memory.get(settings[MODEL]), this.spec)
    if state.training is None:
        trainings.start(state.training_spec, state.model)


def controls(this: HeadView, page: kit.OpenPage[None]) -> None:
    """The texts, then the examples and what is trained, in one row."""
    columns = st.columns([box.width for box in this.boxes], gap="medium")
    for column, box in zip(columns, this.boxes):
        with column:
            kit.text_box(page.settings, box.setting, _(box.label), _(box.placeholder), box.lines)
    choices.row(page.settings, this.spec)


def draw(this: HeadView, page: kit.OpenPage[None]) -> kit.Saves:
    """The predictions and which head they are from; beside them the training. Raises ExplorerError.

    In presenter mode the predictions stand alone, or beside the training if they leave room for it.
    """
    name, settings = this.spec.name, page.settings
    state = head_state(settings, page.model, this.spec)
    inputs = read_inputs(this, settings)
    alone = kit.presenter.presenting() and this.spec.wide
    above = st.container(gap=None) if this.spec.wide else None
    if not alone:
        left, right = st.columns([54, 46], gap="medium")
        with right:
            training_panel.training_panel(state)
    source = head_source(settings, state)
    place = above or left.container(gap=None)
    if not kit.presenter.presenting():
        with left.container(gap="xxsmall"):
            about = describe(source) if source else _("No head has been trained on these examples yet.")
            st.html(f'<p class="rb-point">{escape(about)}</p>')
            if source is not None and (source.comparison or own_head_asked(state).get()):
                st.toggle(_("Ask my own head"), key=own_head_asked(state))
    saves: list[kit.Export | kit.Picture] = [kit.Picture("picture", f"fine-tuning-{name}")]
    with place:
        if source is None or learns(state, source):
            says = _("There is no head for these examples yet. Press Train and watch it learn.")
            says = says if source is None else _("The head is learning. Its answer will stand here.")
            st.html(f'<p class="rb-how" style="min-height:74px">{says}</p>')
        else:
            predictions = source.head.predict(inputs)
            this.predictions(state.classes, source.head, predictions)
            saves += _head_saves(name, this.rows(predictions), source)
    return [*saves, _example_lines(name, state.training_spec.examples), *training_panel.saves(state.training)]


def learns(state: HeadState, source: HeadSource) -> bool:
    """Whether the head that answers is still what it was before its training, which goes on."""
    return source.origin == UNTRAINED and state.training is not None and state.training.going


def below(this: HeadView, page: kit.OpenPage[None]) -> None:
    """Buttons to keep the head, and to load another."""
    if not kit.presenter.presenting():
        state = _state(this, page)
        buttons(page.settings, state, head_source(page.settings, state))


def _state(this: HeadView, page: kit.OpenPage[None]) -> HeadState:
    return head_state(page.settings, page.model, this.spec)


def read_inputs(this: HeadView, settings: kit.Settings) -> "list[Input]":
    """The inputs from the texts of the boxes. Raises TextError if one is empty."""
    for box in this.boxes:
        if not settings[box.setting].strip():
            raise TextError(_("The {text} is empty.", text=_(box.noun)), _("Type it above."))
    return this.inputs(*(settings[box.setting].strip() for box in this.boxes))


def is_opening(this: HeadView, page: kit.OpenPage[None]) -> bool:
    """Whether nothing has been trained yet."""
    return _state(this, page).training is None


def now(this: HeadView, page: kit.OpenPage[None]) -> str:
    """After a training, what its head says beside the one trained in advance; else of new texts."""
    state = _state(this, page)
    source, inputs = head_source(page.settings, state), read_inputs(this, page.settings)
    if source is None:
        return ""
    answers = _answers(this, source, inputs)
    if state.training is not None and state.training.head is not None:
        if source.comparison:
            text = N_("your own head has been trained. {comparison} It still answers: {answers}.")
            return _(text, comparison=source.comparison, answers=answers)
        ready = ready_source(page.model, page.settings[this.spec.chosen_set])
        if ready:
            before = _answers(this, ready, inputs)
            text = _("your own head answers now: {answers}, before {old}.", answers=answers, old=before)
        else:
            text = _("your own head answers now: {answers}.", answers=answers)
        return f"{text} {_('{text}.', text=held_out_score(source))}"
    defaults = [page.settings.defaults[box.setting] for box in this.boxes]
    if [page.settings[box.setting] for box in this.boxes] == defaults:
        return ""
    return _("the answer is now {answers}.", answers=answers)


def asks(this: HeadView, page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Which class the first text has, of a few; nothing for a task of another kind."""
    state, text = _state(this, page), read_inputs(this, page.settings)[0]
    source = head_source(page.settings, state)
    labels = source.head.task.labels if source is not None else state.classes
    if not state.task.whole_text or len(labels) > MOST:
        return []

    def classes() -> dict[str, float]:
        __, rows = this.rows(source.head.predict([text])) if source is not None else ((), [])
        return {class_name(label): p for *__, label, p in sorted(rows, key=lambda row: -row[-1])}

    lines = (filled_lines(page.settings[box.setting])[0] for box in this.boxes)
    names = tuple(map(class_name, labels))
    question = kit.Question("choice", _("Which of these fits this text?"), " · ".join(lines), names)
    has_learnt = source is not None and source.origin != UNTRAINED
    return [kit.Poll(question, kit.Later(classes) if has_learnt else {})]


def predicted(this: HeadView, page: kit.OpenPage[None]) -> Sequence[Any]:
    """What the head on screen says of the texts in the boxes; nothing before there is one."""
    source = head_source(page.settings, _state(this, page))
    return source.head.predict(read_inputs(this, page.settings)) if source is not None else []


def _answers(this: HeadView, source: HeadSource, inputs: "list[Input]") -> str:
    return ", ".join(this.in_words(prediction) for prediction in source.head.predict(inputs))


def example(this: HeadView, page: kit.OpenPage[None]) -> kit.Example:
    """The same training and the same predictions from Python."""
    settings, spec = page.settings, this.spec
    model, inputs = kit.Load(str(page.model.checkpoint)), read_inputs(this, settings)
    source = head_source(settings, _state(this, page))
    if source is not None and source.origin == IN_ITS_FILES:
        return kit.Example(predict_with_its_classifier, model=model, kind=spec.kind, inputs=inputs)
    examples = sets.sample(settings, spec)
    return kit.Example(
        train_and_predict,
        model=model,
        kind=spec.kind,
        **sets.code_arguments(settings[spec.chosen_set], examples),
        count=len(examples),
        how=settings[BODY],
        seed=settings[SEED],
        inputs=inputs,
    )


def _head_saves(name: str, rows: Rows, source: HeadSource) -> list[kit.Export]:
    """The predictions as a table, and the head, which can be loaded again; a model's own is in its files."""
    from explorer.finetuning import store

    file, mime = f"{name}-head.safetensors", "application/octet-stream"
    head = kit.Export(N_("The head"), file, lambda: store.dumps(source.head), mime)
    predictions = kit.Export(N_("What the head says"), f"{name}-said.csv", lambda: kit.table(*rows))
    return [predictions] if source.origin == IN_ITS_FILES else [predictions, head]


def _example_lines(name: str, examples: "Sequence[TrainingExample]") -> kit.Export:
    """The examples as lines that can be pasted again."""

    from explorer.finetuning import parsing

    return kit.Export(N_("Examples"), f"{name}-examples.txt", lambda: parsing.format_lines(examples) + "\n")


def predict_with_its_classifier(
    model: "LanguageModel", kind: "Kind", inputs: "list[Input]"
) -> "list[Prediction]":
    """Predictions of the classifier in a fine-tuned model's own files."""
    from explorer.finetuning.checkpoint_head import checkpoint_head

    head = checkpoint_head(model, kind)
    assert head is not None, "the model was fine-tuned for this task"
    return head.predict(inputs)


def train_and_predict(
    model: "LanguageModel",
    kind: "Kind",
    name: str,
    lines: str,
    count: int,
    how: "How",
    seed: int,
    inputs: "list[Input]",
) -> "list[Prediction]":
    """Predictions of a head that is trained on some of the lines, or else of the ready examples `name`."""
    from explorer.finetuning import library, parsing, sampling
    from explorer.finetuning.training_specs import HeadSpec

    every = parsing.parse_lines(kind, lines, has_names=False).examples if lines else library.examples(name)
    examples = tuple(sampling.sample_by_class(every, count))
    head = HeadSpec(str(model.checkpoint), examples, seed, how=how).run(model).finish()
    return head.predict(inputs)
