"""The masked-words page's parts: the sentence with its blanks, the controls, the bars of each blank."""

from collections.abc import Sequence, Set
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views import blanks, models, veil
from explorer.views.bars import bars, short
from explorer.views.blanks import MASK, Sentence
from explorer.views.components import text_box, token_strip
from explorer.views.settings import Settings

if TYPE_CHECKING:
    from explorer.analysis.prediction import Blanks, Candidate, Probe
    from explorer.models import LanguageModel

SIDE_BY_SIDE = 3
COUNTS = (5, 10, 20, 50, 100)
SCALES = (0.1, 0.2, 0.5, 1.0)  # few, so that the axis seldom changes
PROBED = 3  # words looked up at once
SHORT, LONG = 12, 40  # words: up to SHORT they are set larger, over LONG they scroll
CSS = """<style>
.rb-blank { margin: 0; font-size: 18px; line-height: 28px; white-space: nowrap; }
.rb-blank { overflow: hidden; text-overflow: ellipsis; }
.rb-blank span { font-weight: 400; margin-left: 8px; }
.rb-blank i { font: 500 18px/1 var(--st-code-font, "Source Code Pro", monospace); }
.st-key-masked-strip-large { zoom: 1.2; }
.st-key-masked-strip-long { max-height: 124px; overflow-y: auto; }
</style>"""


def text_line(settings: Settings) -> None:
    """The text box. Typing in one part of the text does not forget the words hidden in another."""
    before, hidden = settings["text"], list(settings["words"])

    def retyped() -> None:
        settings.set(words=blanks.carry(before, hidden, settings["text"]))

    text_box(settings, "text", "A sentence with [MASK] in it", "Type a sentence", on_change=retyped)


def read_line(model: "LanguageModel", settings: Settings) -> Sentence:
    """The text as the model reads it. Raises AbilityError for a model that guesses no words."""
    from explorer.trace import Ability

    model.require(Ability.FILL, "guess masked words")
    return blanks.sentence(model, settings["text"], settings["words"], settings["blank"])


def strip(model: "LanguageModel", settings: Settings, line: Sentence) -> None:
    """The sentence, word by word; a click hides one, chooses a blank, or puts a word back."""

    def clicked(index: int) -> None:
        if index < len(line.words):
            settings.set(**blanks.click(line, index))

    # By the number of words, which no click changes: a second click finds the word where it was.
    size = "-large" if len(line.words) <= SHORT else "-long" if len(line.words) > LONG else ""
    st.html(CSS)
    with st.container(key=f"masked-strip{size}"):
        token_strip(
            [_token(model, line, index) for index in range(len(line.words))],
            "masked/strip",
            "The words of the sentence; click one to hide it",
            clicked,
        )


def controls(settings: Settings, line: Sentence) -> None:
    """One row: how many candidates, any words to look up, the hidden words back."""
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
        st.button(
            "Put the words back",
            key="masked/restore",
            disabled=not any(line.hidden),
            on_click=lambda: settings.set(**blanks.restore(line)),
            help="Every word that a click hid",
        )


def draw(model: "LanguageModel", settings: Settings, line: Sentence) -> None:
    """The bars of every blank side by side, or of those next to the chosen one."""
    from explorer.analysis import prediction

    name, count = str(model.checkpoint), len(line.numbers)
    found = expected(name, line.read)
    first = max(min(line.blank - 1, count - SIDE_BY_SIDE), 0)
    shown = range(first, min(first + SIDE_BY_SIDE, count))
    best = [prediction.top(model, found, number, settings["k"]) for number in shown]
    scale = next(s for s in SCALES if s == 1 or s >= max(candidates[0].probability for candidates in best))
    wanted = asked(settings)
    cover = veil.over(name, line.text, *line.hidden, *wanted)
    notes = [f"A full bar is a probability of {scale:g}."]
    if len(shown) < count:
        notes.append(f"Blanks {first + 1} to {shown[-1] + 1} of {count}: click another one in the sentence.")
    for number, candidates, column in zip(shown, best, st.columns(len(shown), gap="medium")):
        probes = [look_up(name, line.read, word, number) for word in wanted[:PROBED]]
        if number == line.blank:
            notes += [_note(probe) for probe in probes if probe.note]
        before, after = blanks.around(line.read, number)
        covered = {c.id for c in candidates if veil.covers(cover, before, c.token, after)}
        rows = _rows(candidates, probes, line.hidden[number], covered)

        def clicked(index: int, number: int = number, rows: list = rows) -> None:
            if index < len(rows):
                settings.set(**blanks.fill(line, number, rows[index]["token"]))

        with column, st.container(gap="xxsmall"):
            st.html(_heading(name, line, number))
            label = f"Candidates for blank {number + 1}; click one to fill it in"
            bars(rows, f"masked/bars/{number}", label, clicked, scale)
    if len(wanted) > PROBED:
        notes.append(f"Only the first {PROBED} words are looked up.")
    quiet(" ".join(notes))


def invite(line: Sentence) -> None:
    """What to do where there is no blank to look at."""
    if line.beyond:
        said = (
            f"Every {MASK} stands after the part that is read. Shorten the text, or click a word to mask it."
        )
    elif line.words:
        said = f"Click a word to mask it, or write {MASK} into the text."
    else:
        said = f"Type a sentence, with {MASK} where a word is to be guessed."
    st.html(f'<p class="rb-how" style="font-size:22px">{said}</p>')


def asked(settings: Settings) -> list[str]:
    """The words to look up: separated by commas, each once."""
    words = [word.strip() for word in settings["probe"].split(",")]
    return list(dict.fromkeys(word for word in words if word))


def what_was_cut(line: Sentence) -> None:
    """One line on what a long text lost."""
    if line.encoding.cut:
        beyond = f", with {line.beyond} {MASK} among them" if line.beyond else ""
        quiet(f"The first {len(line.encoding)} tokens are read; {line.encoding.cut:,} were cut{beyond}.")


def quiet(said: str) -> None:
    """A line in small, pale type."""
    st.html(f'<p class="rb-quiet" style="margin:0">{escape(said)}</p>')


def code(name: str, settings: Settings, line: Sentence) -> str:
    """The same numbers from Python."""
    lines = [
        "import explorer",
        "from explorer.analysis import prediction",
        "",
        f"model = explorer.load({name!r})",
        f"text = {line.read!r}",
    ]
    if line.numbers:
        lines += [
            f"for guesses in prediction.fill_mask(model, text, top={settings['k']}):",
            "    for token, probability in guesses:",
            '        print(f"{token:16} {probability:.4f}")',
        ]
    if line.numbers and (words := asked(settings)[:PROBED]):
        lines += [
            "",
            "blanks = prediction.blanks(model, text)",
            f"for word in {words!r}:",
            f"    probe = prediction.probe(model, blanks, word, which={line.blank})",
            "    print(word, probe.probability, probe.rank)",
        ]
    return "\n".join(lines)


@st.cache_resource(max_entries=16, show_spinner=False)
def expected(name: str, text: str) -> "Blanks":
    """One forward pass, kept for all visitors. Raises TextError and AbilityError."""
    from explorer.analysis import prediction

    return prediction.blanks(models.get(name), text)


@st.cache_resource(max_entries=256, show_spinner=False)
def look_up(name: str, text: str, word: str, number: int) -> "Probe":
    """Probability and rank of a word in a blank, kept for all visitors."""
    from explorer.analysis import prediction

    return prediction.probe(models.get(name), expected(name, text), word, number)


def _token(model: "LanguageModel", line: Sentence, index: int) -> dict[str, Any]:
    word, number = line.words[index], line.numbers.get(index)
    glued = index > 0 and line.words[index - 1].end == word.start
    if number is not None:
        back = f"click to put “{line.hidden[number]}” back" if line.hidden[number] else "a blank of the text"
        return {
            "text": MASK if len(line.numbers) == 1 else f"{MASK} {number + 1}",
            "glued": glued,
            "mark": "dashed",
            "selected": number == line.blank,
            "title": back if number == line.blank else "click to look at this blank",
        }
    pieces = [line.encoding.tokens[position] for position in word.positions]
    if model.tokenizer.unknown in line.encoding.ids[word.positions]:
        return {"text": word.text, "glued": glued, "mark": "dotted", "title": "unknown: read as [UNK]"}
    title = f"{' '.join(pieces)}: click to hide" if len(pieces) > 1 else "click to hide"
    return {"text": word.text, "glued": glued, "title": title}


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


def _rows(
    candidates: "Sequence[Candidate]", probes: "Sequence[Probe]", hidden: str, covered: Set[int]
) -> list[dict[str, Any]]:
    """The candidates; below them, in view however long the list is, the words looked up."""
    special = {hidden.lower(), *(probe.word.lower() for probe in probes)}
    rows = [
        {
            "token": c.token,
            "probability": c.probability,
            "state": "highlight" if c.token.lower() in special else "",
            "tip": "joins the word before it" if c.token.startswith("##") and len(c.token) > 2 else "",
            "covered": c.id in covered,
        }
        for c in candidates
    ]
    for probe in probes:
        row = {"token": probe.word, "probability": probe.probability, "rank": probe.rank}
        rows.append(row | {"state": "highlight", "tip": probe.note, "instead": "unknown", "pinned": True})
    return rows
