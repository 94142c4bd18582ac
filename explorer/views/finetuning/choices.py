"""The controls of trainings: which examples, how many of them, what is trained, and the seed."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import ExplorerError
from explorer.locale import N_, _, format_number, translate
from explorer.views import kit
from explorer.views.finetuning import sets
from explorer.views.finetuning.sets import TaskSpec
from explorer.views.finetuning.settings import BODY, HEAD, MANY, SEED
from explorer.views.widgets import notes

if TYPE_CHECKING:
    from collections.abc import Callable

    from explorer.finetuning.parsing import ParsedExamples

TURN = kit.Session("finetuning/turn", 0)  # how often examples were replaced; each time has new widgets
NOTES = kit.Session[dict[str, tuple[str, str]]]("finetuning/notes", {})  # lines and what was left out


def choose(settings: kit.Settings, spec: TaskSpec) -> None:
    """Show the chosen set; what is changed becomes the visitor’s own."""
    st.dialog(_("The examples"), width="medium")(_choose)(settings, spec)


def _choose(settings: kit.Settings, spec: TaskSpec) -> None:
    from explorer.finetuning.columns import COLUMNS
    from explorer.finetuning.parsing import MOST_BYTES, TYPED, parse_lines, parse_table

    key = f"finetuning/dialog/{spec.name}/{TURN.get()}"
    form = f"<code>{escape(_(TYPED[spec.kind]))}</code>"
    line = _("One per line, written as {form}. Ten lines are enough to start with.", form=form)
    st.html(f'<p class="rb-point">{line}</p>')
    text = st.text_area(_("Examples"), sets.lines(settings, spec), key=f"{key}/text", height=300)
    with st.container(key="finetuning/own", horizontal=True, vertical_alignment="bottom"):
        if st.button(_("Use these examples"), key=f"{key}/use", type="primary"):
            _use(settings, spec, lambda: parse_lines(spec.kind, text))
        st.button(
            _("Start with an empty page"),
            key=f"{key}/empty",
            on_click=lambda: kit.Session(f"{key}/text", "").set(""),
        )
    file = st.file_uploader(
        _(
            "Or a table of {most} MB at most, whose first line names the columns {columns}",
            most=MOST_BYTES // 1_000_000,
            columns=", ".join(COLUMNS[spec.kind]),
        ),
        type=["csv", "tsv", "txt"],
        max_upload_size=MOST_BYTES // 1_000_000,
        key=f"{key}/file",
    )
    if file is not None:
        _use(settings, spec, lambda: parse_table(spec.kind, file.getvalue(), file.name))


def note(settings: kit.Settings, spec: TaskSpec) -> None:
    """Say what was left out of the visitor's own examples, as long as they are the chosen set."""
    text, omissions = NOTES.get().get(spec.name, ("", ""))
    if omissions and settings[spec.chosen_set] == sets.OWN and settings[spec.own_lines] == text:
        notes.note(omissions)


def _use(settings: kit.Settings, spec: TaskSpec, parse: "Callable[[], ParsedExamples]") -> None:
    """Make the parsed examples the visitor’s own, if they can be read."""
    from explorer.finetuning import parsing, sampling, task_of

    try:
        parsed = parse()
        task_of(parsed.examples)
    except ExplorerError as error:
        kit.show_error(error)
        return
    examples, omissions = list(parsed.examples), parsed.note
    while len(text := parsing.format_lines(examples)) > spec.own_lines.most:
        # Left out evenly, so that no class at the end is lost.
        examples = sampling.sample_by_class(examples, len(examples) * 9 // 10)
        fit = _("{count} examples fit. The others were left out evenly.", count=format_number(len(examples)))
        omissions = f"{fit} {parsed.note}".strip()
    settings.set(spec.own_lines.to(text), spec.chosen_set.to(sets.OWN), HEAD.to(""))
    NOTES.get()[spec.name] = text, omissions
    TURN.set(TURN.get() + 1)
    st.rerun()


METHODS = {"frozen": N_("The head"), "whole": N_("Head and layers")}
COUNTS = (10, 50, 200, 1_000)


def row(settings: kit.Settings, spec: TaskSpec) -> None:
    """The row above the picture of a head."""
    columns = st.columns([27, 17, 18, 27, 11], gap="small", vertical_alignment="bottom")
    with columns[0]:
        examples_box(settings, spec.chosen_set, sets.titles(spec.kind), "visible")
    own = settings[spec.chosen_set] == sets.OWN
    if columns[1].button(
        _("Edit them") if own else _("View examples"),
        key=f"finetuning/look/{spec.name}",
        width="stretch",
        help=_("Every example, one per line. Change them, type or paste your own, or open a table."),
    ):
        choose(settings, spec)
    counts = [0, *(count for count in COUNTS if count < sets.count(settings, spec))]
    settings.restrict(MANY, counts)
    with columns[2]:
        kit.menu(
            settings,
            MANY,
            _("How many"),
            {count: format_number(count) if count else _("all") for count in [*counts[1:], 0]},
            help=_("Spread evenly over the examples. A quarter of them is held out to measure on."),
        )
    with columns[3]:
        kit.segments(
            settings,
            BODY,
            _("Train"),
            translate(METHODS),
            label_visibility="visible",
            help=_("The head alone takes seconds, as the layers stay frozen. With them it takes a minute."),
        )
    with columns[4]:
        kit.seed_box(settings, SEED)
    note(settings, spec)


def examples_box(
    settings: kit.Settings,
    setting: kit.Setting[str],
    titles: dict[str, str],
    label_visibility: Any = "collapsed",
    width: Any = "stretch",
) -> None:
    """A box with the titles of sets of examples; a link's set that does not exist gives way to the first."""
    kit.menu(settings, setting, _("Examples"), titles, label_visibility=label_visibility, width=width)


def task_examples_box(
    settings: kit.Settings, setting: kit.Setting[str], specs: Sequence[TaskSpec], width: Any = 360
) -> None:
    """A box with the sets of several tasks."""
    examples_box(settings, setting, sets.titles_by_path(specs), width=width)
