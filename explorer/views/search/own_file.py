"""A file of the visitor's own as a list of texts: the sentences of a text, or of a table's column."""

from collections.abc import Callable

import streamlit as st

from explorer.errors import TextError
from explorer.locale import _
from explorer.views import kit

TURN = kit.Session("search/turn", 0)  # how many files were read; each has new widgets
MOST = 10_000  # texts, and passages of a text


def button(settings: kit.Settings, take: Callable[[kit.Settings, list[str]], None]) -> None:
    """The button that opens a file; its texts, `MOST` at the most, go to `take`."""
    if st.button(_("Your own file…"), key="search/own-file", type="tertiary"):
        st.dialog(_("Your own file"), width="medium")(_choose)(settings, take)


def _choose(settings: kit.Settings, take: Callable[[kit.Settings, list[str]], None]) -> None:
    from explorer.corpus.inspection import KINDS, MOST_MB, inspect
    from explorer.corpus.rows import Report, read

    turn = TURN.get()
    label = _(
        "A .txt, .csv, .tsv or .jsonl file, {megabytes} MB at most; of a table the column of text is read",
        megabytes=MOST_MB,
    )
    file = st.file_uploader(label, type=list(KINDS), key=f"search/file/{turn}", max_upload_size=MOST_MB)
    if file is None:
        return
    try:
        contents = inspect(file.name, file)
        report = Report()
        texts = [sentence.text for sentence in read(contents, file, report, most=MOST)]
    except TextError as error:
        kit.show_error(error)
        return
    if remarks := report.notes(contents):
        kit.note(" ".join(remarks))
        if not st.button(_("Use this text"), key="search/use-file", type="primary"):
            return
    take(settings, texts)
    TURN.set(turn + 1)
    st.rerun()
