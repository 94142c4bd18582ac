"""The candidates as bars: of every blank side by side, or of one beside the pinned sentence's."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame import blocklist
from explorer.views.frame.saving import Export, Picture
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Saves
from explorer.views.masked import blanks, candidates
from explorer.views.masked.blanks import MASK, Sentence
from explorer.views.masked.candidates import PROBED, BlankCandidates
from explorer.views.masked.sentence import PageText, listed
from explorer.views.masked.settings import PINNED, PINNED_BLANK, PROBE
from explorer.views.widgets.bars import FULL_BAR, bars, short
from explorer.views.widgets.notes import note
from explorer.views.widgets.quoted import quoted

if TYPE_CHECKING:
    from explorer.analysis.prediction.fill import Probe
    from explorer.models import Model

SIDE_BY_SIDE = 3


def pinned_sentence(page: Page[PageText]) -> Sentence:
    """The pinned sentence as the model reads it."""
    return blanks.read(page.model, page.settings[PINNED], [], page.settings[PINNED_BLANK])


def every_blank(page: Page[PageText]) -> Saves:
    """The bars of every blank side by side, or of those next to the chosen one."""
    settings, model, sentence = page.settings, page.model, page.data.sentence
    count = len(sentence.numbers)
    first = max(min(sentence.blank - 1, count - SIDE_BY_SIDE), 0)
    shown = range(first, min(first + SIDE_BY_SIDE, count))
    lists = [
        candidates.for_blank(model, settings, sentence.read, number, sentence.hidden[number])
        for number in shown
    ]
    wanted = listed(settings[PROBE])
    blocked = blocklist.over(str(model.checkpoint), sentence.text, *sentence.hidden, *wanted)
    notes = [FULL_BAR]
    if len(shown) < count:
        notes.append(f"Blanks {first + 1} to {shown[-1] + 1} of {count}: click another one in the sentence.")
    for one, column in zip(lists, st.columns(len(shown), gap="medium")):
        if one.number == sentence.blank:
            notes += [_note(probe) for probe in one.probes if probe.note]
        with column, st.container(gap="xxsmall"):
            st.html(_heading(model, sentence, one.number))
            _bars(settings, one, blocked, f"masked/bars/{one.number}", sentence, {})
    if len(wanted) > PROBED:
        notes.append(f"Only the first {PROBED} words are looked up.")
    note(" ".join(notes))
    return _saves(lists, blocked)


def beside_the_pinned(page: Page[PageText]) -> Saves:
    """The pinned sentence's blank beside the chosen one of the sentence as it is now.

    Raises TextError where the pinned sentence has no blank.
    """
    settings, model, sentence, kept = page.settings, page.model, page.data.sentence, pinned_sentence(page)
    pinned = candidates.for_blank(model, settings, kept.read, kept.blank, "")
    now = candidates.for_blank(
        model, settings, sentence.read, sentence.blank, sentence.hidden[sentence.blank]
    )
    wanted = listed(settings[PROBE])
    blocked = blocklist.over(str(model.checkpoint), sentence.text, pinned.read, *sentence.hidden, *wanted)
    notes = [FULL_BAR]
    if pinned.read == now.read and pinned.number == now.number:
        notes = ["Pinned. Now change the sentence above: the pinned one stays here."]
    notes += [_note(probe) for probe in now.probes if probe.note]
    for title, one, other, column in zip(
        ("Pinned", "Now"), (pinned, now), (now, pinned), st.columns(2, gap="large")
    ):
        with column, st.container(gap="xxsmall"):
            st.html(_one_line(title, one))
            ids = {c.token: c.id for c in one.candidates}
            known = {p.word: p.probability for p in other.probes}
            beside = {token: other.probability(id) for token, id in ids.items()} | known
            key = "masked/bars/pinned" if one is pinned else f"masked/bars/{one.number}"
            _bars(settings, one, blocked, key, None if one is pinned else sentence, beside)
    note(" ".join(notes))
    return _saves([pinned, now], blocked)


def _bars(
    settings: Settings,
    one: BlankCandidates,
    blocked: blocklist.Blocklist,
    key: str,
    sentence: Sentence | None,
    beside: Mapping[str, float | None],
) -> None:
    rows = candidates.rows(one, blocked, beside)

    def clicked(index: int) -> None:
        if sentence is not None and index < len(rows):
            settings.update(blanks.fill(sentence, one.number, rows[index]["token"]))

    label = f"Candidates for blank {one.number + 1}"
    if sentence is None:
        bars(rows, key, f"{label} of the pinned sentence")
    else:
        bars(rows, key, f"{label}; click one to fill it in", clicked)


def _saves(lists: Sequence[BlankCandidates], blocked: blocklist.Blocklist) -> Saves:
    return [
        Picture("picture", "masked-words"),
        Export("Candidates", "masked-words.csv", lambda: candidates.as_table(lists, blocked)),
    ]


def _one_line(title: str, one: BlankCandidates) -> str:
    """A sentence in one line, its blank set off: what its candidates are for."""
    before, after = (escape(part) for part in blanks.around(one.read, one.number))
    return (
        f'<p class="rb-blank" title="{escape(one.read, quote=True)}"><b>{title}</b> '
        f'<bdi class="rb-quiet" translate="no">{before}<i dir="ltr" style="color:var(--rb-ink)">{MASK}</i>'
        f"{after}</bdi></p>"
    )


def _heading(model: "Model", sentence: Sentence, number: int) -> str:
    """Which blank this is, and how the model judges the word that stood there."""
    said = f"Blank {number + 1}" if len(sentence.numbers) > 1 else "What the model expects here"
    if hidden := sentence.hidden[number]:
        was = candidates.look_up(model, sentence.read, hidden, number)
        place = "unknown to the model" if was.probability is None else f"probability {short(was.probability)}"
        place = f"rank {was.rank:,}" if was.rank else place
        said += f' <span class="rb-quiet">hidden: <i>{quoted(hidden)}</i>, {place}</span>'
    weight = 600 if number == sentence.blank else 400
    return f'<p class="rb-blank" style="font-weight:{weight}">{said}</p>'


def _note(probe: "Probe") -> str:
    return probe.note if probe.word in probe.note else f"“{probe.word}”, {probe.note}"
