"""Predict: the words that a model expects in each blank; one context pinned beside the next."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame import blocklist
from explorer.views.frame.page import picture
from explorer.views.frame.saving import Export, offer
from explorer.views.frame.settings import Settings
from explorer.views.masked import blanks
from explorer.views.masked.blanks import MASK, Sentence
from explorer.views.masked.line import invite, listed, quiet, read_line, strip, text_line, what_was_cut
from explorer.views.masked.lists import PROBED, List, candidates, look_up, one_list, rows_of
from explorer.views.widgets.bars import bars, short
from explorer.views.widgets.registry import text_box

if TYPE_CHECKING:
    from explorer.analysis.prediction.fill import Probe
    from explorer.models import LanguageModel

SIDE_BY_SIDE = 3
COUNTS = (5, 10, 20, 50, 100)
SCALES = (0.1, 0.2, 0.5, 1.0)  # few, so that the axis seldom changes


def ask(settings: Settings) -> None:
    """The text box."""
    text_line(settings)


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The sentence, the controls, and the bars of each blank."""
    line = read_line(model, settings)
    strip(model, settings, line)
    _controls(settings, line)
    with picture():
        what_was_cut(line)
        if not line.numbers:
            invite(line)
        elif settings["pinned"]:
            _beside(model, settings, line)
        else:
            _blanks(model, settings, line)


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    caveat = (
        "The numbers say what its training text made likely, not what is true; "
        "the bundled model is small and was trained briefly."
    )
    if settings["pinned"]:
        return (
            "Each bar is a word for the blank, as long as the model finds it likely in that sentence; the "
            "outline is the same word’s length in the other one.",
            caveat,
        )
    return (
        "Each bar is a word for the blank, as long as the model finds it likely; a click fills it in. "
        "Several blanks are guessed apart from one another. A word of several pieces is looked up in as "
        "many blanks, filled from left to right: its number is the product.",
        caveat,
    )


def code(settings: Settings, model: "LanguageModel") -> str:
    """The same numbers from Python."""
    line = read_line(model, settings)
    lines = [
        "import explorer",
        "from explorer.analysis import prediction",
        "",
        f"model = explorer.load({str(model.checkpoint)!r})",
        f"text = {line.read!r}",
    ]
    if line.numbers:
        lines += [
            f"for guesses in prediction.fill_mask(model, text, top={settings['k']}):",
            "    for token, probability in guesses:",
            '        print(f"{token:16} {probability:.4f}")',
        ]
    if line.numbers and (words := listed(settings["probe"], PROBED)):
        lines += [
            "",
            "blanks = prediction.blanks(model, text)",
            f"for word in {words!r}:",
            f"    probe = prediction.probe(model, blanks, word, which={line.blank})",
            "    print(word, probe.probability, probe.rank)",
        ]
    return "\n".join(lines)


def _controls(settings: Settings, line: Sentence) -> None:
    """One row: how many candidates, any words to look up, a context to keep, the hidden words back."""
    if settings["k"] not in COUNTS:  # a link may ask for any number
        settings.set(k=min(COUNTS, key=lambda count: abs(count - settings["k"])))
    with st.container(key="masked-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        st.segmented_control(
            "How many candidates",
            COUNTS,
            key=settings.key("k"),
            required=True,
            format_func=lambda count: f"Top {count}" if count == COUNTS[0] else str(count),
            label_visibility="collapsed",
        )
        with st.container(key="masked-probe", width="stretch"):
            text_box(
                settings,
                "probe",
                "Words to look up in the blank",
                "Look up any word, or several: clinic, zoo",
            )
        if settings["pinned"]:
            st.button(
                "Unpin", key="masked/unpin", on_click=lambda: settings.set(pinned="", pinned_blank=0),
                help="Let the sentence on the left go",
            )  # fmt: skip
        else:
            st.button(
                "Pin", key="masked/pin", disabled=not line.numbers,
                on_click=lambda: settings.set(pinned=line.read, pinned_blank=line.blank),
                help="Keep this sentence, and compare the next one with it",
            )  # fmt: skip
        st.button(
            "Put the words back",
            key="masked/restore",
            disabled=not any(line.hidden),
            on_click=lambda: settings.set(**blanks.restore(line)),
            help="Every word that a click hid",
        )


def _blanks(model: "LanguageModel", settings: Settings, line: Sentence) -> None:
    """The bars of every blank side by side, or of those next to the chosen one."""
    count = len(line.numbers)
    first = max(min(line.blank - 1, count - SIDE_BY_SIDE), 0)
    shown = range(first, min(first + SIDE_BY_SIDE, count))
    lists = [one_list(model, settings, line.read, number, line.hidden[number]) for number in shown]
    scale = _scale(lists)
    wanted = listed(settings["probe"])
    cover = blocklist.over(str(model.checkpoint), line.text, *line.hidden, *wanted)
    notes = [f"A full bar is a probability of {scale:g}."]
    if len(shown) < count:
        notes.append(f"Blanks {first + 1} to {shown[-1] + 1} of {count}: click another one in the sentence.")
    for one, column in zip(lists, st.columns(len(shown), gap="medium")):
        number = one.number
        if number == line.blank:
            notes += [_note(probe) for probe in one.probes if probe.note]
        with column, st.container(gap="xxsmall"):
            st.html(_heading(str(model.checkpoint), line, number))
            _bars(settings, one, cover, scale, f"masked/bars/{number}", line, {})
    if len(wanted) > PROBED:
        notes.append(f"Only the first {PROBED} words are looked up.")
    quiet(" ".join(notes))
    offer(settings, Export("Candidates", "masked-words.csv", lambda: candidates(lists, cover)))


def _beside(model: "LanguageModel", settings: Settings, line: Sentence) -> None:
    """The pinned sentence's blank beside the chosen one of the sentence as it is now.

    Raises TextError where the pinned sentence has no blank.
    """
    kept = blanks.sentence(model, settings["pinned"], [], settings["pinned_blank"])
    pinned = one_list(model, settings, kept.read, kept.blank, "")
    now = one_list(model, settings, line.read, line.blank, line.hidden[line.blank])
    scale = _scale([pinned, now])
    wanted = listed(settings["probe"])
    cover = blocklist.over(str(model.checkpoint), line.text, pinned.read, *line.hidden, *wanted)
    notes = [f"A full bar is a probability of {scale:g}."]
    if pinned.read == now.read and pinned.number == now.number:
        notes = ["Pinned. Now change the sentence above: the pinned one stays here."]
    notes += [_note(probe) for probe in now.probes if probe.note]
    for title, one, other, column in zip(
        ("Pinned", "Now"), (pinned, now), (now, pinned), st.columns(2, gap="large")
    ):
        with column, st.container(gap="xxsmall"):
            st.html(_sentence(title, one))
            ids = {c.token: c.id for c in one.candidates}
            known = {p.word: p.probability for p in other.probes}
            beside = {token: other.probability(id) for token, id in ids.items()} | known
            key = "masked/bars/pinned" if one is pinned else f"masked/bars/{one.number}"
            _bars(settings, one, cover, scale, key, None if one is pinned else line, beside)
    quiet(" ".join(notes))
    offer(settings, Export("Candidates", "masked-words.csv", lambda: candidates([pinned, now], cover)))


def _bars(
    settings: Settings,
    one: List,
    cover: blocklist.Veil,
    scale: float,
    key: str,
    line: Sentence | None,
    beside: Mapping[str, float | None],
) -> None:
    rows = rows_of(one, cover, beside)

    def clicked(index: int) -> None:
        if line is not None and index < len(rows):
            settings.set(**blanks.fill(line, one.number, rows[index]["token"]))

    label = f"Candidates for blank {one.number + 1}"
    if line is None:
        bars(rows, key, f"{label} of the pinned sentence", scale=scale)
    else:
        bars(rows, key, f"{label}; click one to fill it in", clicked, scale)


def _scale(lists: Sequence[List]) -> float:
    return next(s for s in SCALES if s == 1 or s >= max(one.candidates[0].probability for one in lists))


def _sentence(title: str, one: List) -> str:
    """A sentence in one line, its blank set off: what its list is about."""
    before, after = (escape(part) for part in blanks.around(one.read, one.number))
    return (
        f'<p class="rb-blank" title="{escape(one.read, quote=True)}"><b>{title}</b> '
        f'<span class="rb-quiet">{before}<i style="color:var(--rb-ink)">{MASK}</i>{after}</span></p>'
    )


def _heading(name: str, line: Sentence, number: int) -> str:
    """Which blank this is, and how the model judges the word that stood there."""
    said = f"Blank {number + 1}" if len(line.numbers) > 1 else "What the model expects here"
    if hidden := line.hidden[number]:
        was = look_up(name, line.read, hidden, number)
        place = "unknown to the model" if was.probability is None else f"probability {short(was.probability)}"
        place = f"rank {was.rank:,}" if was.rank else place
        said += f' <span class="rb-quiet">hidden: <i>{escape(hidden)}</i>, {place}</span>'
    weight = 600 if number == line.blank else 400
    return f'<p class="rb-blank" style="font-weight:{weight}">{said}</p>'


def _note(probe: "Probe") -> str:
    return probe.note if probe.word in probe.note else f"“{probe.word}”, {probe.note}"
