"""All examples, one per line: to look at, to change, to paste, or to open from a table."""

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views import kit
from explorer.views.finetuning import sets
from explorer.views.finetuning.sets import TaskSpec
from explorer.views.finetuning.settings import HEAD
from explorer.views.widgets import notes

if TYPE_CHECKING:
    from collections.abc import Callable

    from explorer.finetuning.parsing import ParsedExamples

TURN = "finetuning/turn"  # session key: how often examples were replaced; each time has new widgets
NOTES = "finetuning/notes"  # session key: a task's own lines, and what was left out of them


@st.dialog("The examples", width="medium")
def choose(settings: kit.Settings, spec: TaskSpec) -> None:
    """Show the chosen set; what is changed becomes the visitor’s own."""
    from explorer.finetuning.column_names import COLUMNS
    from explorer.finetuning.parsing import MOST_BYTES, TYPED, parse_lines, parse_table

    key = f"finetuning/dialog/{spec.name}/{st.session_state.setdefault(TURN, 0)}"
    columns = ", ".join(COLUMNS[spec.kind])
    st.html(
        f'<p class="rb-point">One per line, written as <code>{escape(TYPED[spec.kind])}</code>. '
        "Ten lines are enough to start with.</p>"
    )
    text = st.text_area("Examples", sets.lines(settings, spec), key=f"{key}/text", height=300)
    with st.container(key="finetuning/own", horizontal=True, vertical_alignment="bottom"):
        if st.button("Use these examples", key=f"{key}/use", type="primary"):
            _use(settings, spec, lambda: parse_lines(spec.kind, text))
        st.button(
            "Start with an empty page",
            key=f"{key}/empty",
            on_click=lambda: st.session_state.update({f"{key}/text": ""}),
        )
    file = st.file_uploader(
        f"Or a table of {MOST_BYTES // 1_000_000} MB at most, whose first line names the columns {columns}",
        type=["csv", "tsv", "txt"],
        max_upload_size=MOST_BYTES // 1_000_000,
        key=f"{key}/file",
    )
    if file is not None:
        _use(settings, spec, lambda: parse_table(spec.kind, file.getvalue(), file.name))


def note(settings: kit.Settings, spec: TaskSpec) -> None:
    """Say what was left out of the visitor's own examples, as long as they are the chosen set."""
    text, omissions = st.session_state.get(NOTES, {}).get(spec.name, ("", ""))
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
        omissions = f"{len(examples):,} examples fit. The others were left out evenly. {parsed.note}".strip()
    settings.set(spec.own_lines.to(text), spec.chosen_set.to(sets.OWN), HEAD.to(""))
    st.session_state.setdefault(NOTES, {})[spec.name] = text, omissions
    st.session_state[TURN] += 1
    st.rerun()
