"""The dialog for the visitor's own text: a file or pasted text, its columns, and a progress bar."""

import io
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO

import streamlit as st

from explorer.errors import ExplorerError, TextError
from explorer.locale import N_, _, in_this_language, localised, translate
from explorer.server import streamlit_private
from explorer.views import kit
from explorer.views.senses import own_text

if TYPE_CHECKING:
    from explorer.corpus.inspection import Contents

TURN = kit.Session("own/turn", 0)  # texts so far: no widget keeps the last one's bytes
BEAT_S = 0.1  # between two updates of the bar
INSPECTED = kit.Session["tuple[str, str | None, Contents] | None"]("own/inspected", None)
PROMISE = N_(
    "No other visitor can see it: it stays in the server’s memory, and no part of it goes into links or "
    "logs. It is deleted when you delete it here, or close the page."
)


def choose(settings: kit.Settings) -> None:
    """Ask for a file or pasted text; the page shows it once it is read."""
    st.dialog(_("Your own text"), width="medium")(_choose)(settings)


def _choose(settings: kit.Settings) -> None:
    from explorer.corpus.inspection import KINDS, MOST_MB

    turn = TURN.get()
    st.html(f'<p class="rb-point">{_(PROMISE)}</p>')
    file = st.file_uploader(
        _("A .txt, .csv, .tsv or .jsonl file, {size} MB at most", size=MOST_MB),
        type=list(KINDS),
        max_upload_size=MOST_MB,
        key=f"own/file/{turn}",
        help=_("For a larger file, upload an excerpt: its first 30,000 lines, say, or the rows of one year."),
    )
    if file is not None:
        _from_file(settings, file, turn)
        return
    with st.container(key="own/paste"):
        text = st.text_area(
            _("Or paste text"),
            key=f"own/text/{turn}",
            height=200,
            placeholder=_(
                "Sentences, a page or a chapter. A sense may end a line: We sat on the bank. #river"
            ),
        )
        senses = st.toggle(_("A #word at the end of a line is its sense"), True, key=f"own/senses/{turn}")
        if st.button(_("Use this text"), key="own/use", type="primary"):
            _attempt(settings, text, senses)


def _from_file(settings: kit.Settings, file: Any, turn: int) -> None:
    """Show what is in a file; for a table, ask which column to read."""
    from explorer.files.encoding import CHOICES, EncodingError

    key = f"own/encoding/{turn}/{file.file_id}"
    chosen, contents = st.session_state.get(key), None
    try:
        contents = _inspected(file, chosen)
    except EncodingError as error:
        kit.show_error(error)
    except TextError as error:
        kit.show_error(error)
        return
    if contents is None or chosen:
        st.selectbox(
            _("The file was saved in"),
            list(CHOICES),
            index=None,
            key=key,
            format_func=translate(CHOICES).__getitem__,
            placeholder=_("Choose an encoding"),
        )
    if contents is None:
        return
    if contents.columns:
        contents = _columns(contents, turn)
    if contents.tags:
        label = _("The words with # or __label__ ({words} …) are senses", words=", ".join(contents.tags))
        tagged = st.toggle(label, contents.tagged, key=f"own/tagged/{turn}/{file.file_id}")
        contents = replace(contents, tagged=tagged)
    needs_answer = contents.columns or contents.tags or chosen
    if needs_answer and not st.button(_("Use this text"), key="own/use-file", type="primary"):
        return
    _index(settings, contents, file)


def _columns(contents: "Contents", turn: int) -> "Contents":
    """Which column holds the text, and which the sense."""
    names = [column.name for column in contents.columns]
    left, right = st.columns(2)
    text = left.selectbox(
        _("Text"),
        range(len(names)),
        index=contents.text,
        format_func=names.__getitem__,
        key=f"own/column/{turn}",
    )
    senses = [None, *(i for i, c in enumerate(contents.columns) if c.may_be_sense and i != text)]
    sense = right.selectbox(
        _("Sense"),
        senses,
        index=senses.index(contents.sense) if contents.sense in senses else 0,
        format_func=in_this_language(lambda i: _("none") if i is None else names[i]),
        key=f"own/sense/{turn}/{text}",
        help=_("A column with few different short values"),
    )
    with st.container(key="own/cells", border=True):
        for cell in contents.columns[text].cells:
            st.text(cell if len(cell) < 160 else cell[:160] + "…")
    return replace(contents, text=text, sense=sense)


def _attempt(settings: kit.Settings, text: str, senses: bool) -> None:
    from explorer.corpus.inspection import inspect

    data = io.BytesIO(text.encode("utf-8", "replace"))
    try:
        if not text.strip():
            raise TextError(_("There is no text yet."), _("Paste some, or drop a file above."))
        contents = inspect(own_text.PASTED, data)
    except TextError as error:
        kit.show_error(error)
        return
    _index(settings, replace(contents, tagged=contents.tagged and senses), data)


def _index(settings: kit.Settings, contents: "Contents", file: BinaryIO) -> None:
    """Read a text with a progress bar, and show it on the page."""
    from explorer.corpus.index import build
    from explorer.corpus.rows import Report, read

    size = max(file.seek(0, io.SEEK_END), 1)
    last, report = 0.0, Report()
    try:
        with kit.progress_bar() as show:

            def step() -> None:
                nonlocal last
                if time.monotonic() - last > BEAT_S:
                    last, position = time.monotonic(), file.tell()
                    done, whole = localised(f"{position / 1e6:.1f}"), localised(f"{size / 1e6:.1f}")
                    show(position / size, _("{done} of {whole} MB read", done=done, whole=whole))

            index = build(contents.name, read(contents, file, report, step), step)
    except ExplorerError as error:
        kit.show_error(error)
        return
    own_text.keep(settings, own_text.OwnText(contents, index, report.notes(contents)))
    TURN.set(TURN.get() + 1)
    _release(file)
    st.rerun()


def _inspected(file: Any, encoding: str | None) -> "Contents":
    """The contents of an uploaded file, inspected once and not at every rerun."""
    from explorer.corpus.inspection import inspect

    cached = INSPECTED.get()
    if cached is None or cached[:2] != (file.file_id, encoding):
        INSPECTED.set(cached := (file.file_id, encoding, inspect(file.name, file, encoding)))
    return cached[2]


def _release(file: BinaryIO) -> None:
    """Remove an upload's bytes from the server, which would otherwise keep them for the whole session."""
    INSPECTED.take()
    streamlit_private.remove_upload(file)
