"""Every example, a line each: to look at, to change, to paste, or to open from a table."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.finetuning import sets
from explorer.views.finetuning.settings import HEAD
from explorer.views.frame.page import show_error
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.views.finetuning.case import Case

TURN = "finetuning/turn"  # counts what was taken over: each gets fresh widgets


@st.dialog("The examples", width="medium")
def choose(settings: Settings, case: "Case") -> None:
    """Show them; what is changed becomes the visitor’s own."""
    from explorer.finetuning.parsing import COLUMNS, MOST_BYTES, TYPED

    key = f"finetuning/dialog/{case.name}/{st.session_state.setdefault(TURN, 0)}"
    columns = ", ".join(COLUMNS[case.kind])
    st.html(
        f'<p class="rb-point">One per line, written as <code>{_shown(TYPED[case.kind])}</code>. '
        "Ten lines are enough to begin with.</p>"
    )
    text = st.text_area("Examples", sets.lines(settings, case), key=f"{key}/text", height=300)
    with st.container(key="finetuning/own", horizontal=True, vertical_alignment="bottom"):
        if st.button("Use these examples", key=f"{key}/use", type="primary"):
            _take(settings, case, text)
        st.button(
            "Begin with an empty page",
            key=f"{key}/empty",
            on_click=lambda: st.session_state.update({f"{key}/text": ""}),
        )
    file = st.file_uploader(
        f"Or a table of {MOST_BYTES // 1_000_000} MB at most; its first line names the columns {columns}",
        type=["csv", "tsv"],
        max_upload_size=MOST_BYTES // 1_000_000,
        key=f"{key}/file",
    )
    if file is not None:
        _from_table(settings, case, file)


def _take(settings: Settings, case: "Case", text: str, note: str = "") -> None:
    """Make a text the visitor’s own examples, once it can be read."""
    from explorer.finetuning import parsing, sampling, task_of

    try:
        examples = list(parsing.parse_lines(case.kind, text).examples)
        task_of(examples)
    except ExplorerError as error:
        show_error(error)
        return
    most = case.own_lines.most
    while len(text) > most:  # what does not fit is left out evenly, so that no class at the end is lost
        examples = sampling.sample_by_class(examples, len(examples) * 9 // 10)
        text = parsing.format_lines(examples)
        note = f"{len(examples):,} examples fit; the others were left out evenly."
    settings.set(case.own_lines.to(text), case.chosen_set.to(sets.OWN), HEAD.to(""))
    st.session_state[sets.NOTE] = note
    st.session_state[TURN] += 1
    st.rerun()


def _from_table(settings: Settings, case: "Case", file: Any) -> None:
    from explorer.finetuning import parsing

    try:
        given = parsing.parse_table(case.kind, file.getvalue(), file.name)
    except ExplorerError as error:
        show_error(error)
        return
    _take(settings, case, parsing.format_lines(given.examples), " ".join(given.notes))


def _shown(text: str) -> str:
    return text.replace("<", "&lt;")
