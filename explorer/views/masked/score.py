"""Score: what each word costs a sentence, and which of two sentences the model would rather see."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.frame import memory
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.page import picture
from explorer.views.frame.presenter import presenting
from explorer.views.frame.saving import Export, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.masked.blanks import MASK
from explorer.views.masked.line import quiet
from explorer.views.widgets.registry import component, text_box

if TYPE_CHECKING:
    from explorer.analysis.prediction.pseudo_likelihood import Scored
    from explorer.models import LanguageModel

TALL_PX, LOW_PX = 84, 76  # of a full bar, and in presenter mode
FULL_BARS = (
    4,
    8,
    12,
    16,
    24,
    40,
    64,
    100,
    160,
    250,
)  # bits at the top: few, so that the scale seldom changes


def ask(settings: Settings) -> None:
    """The two sentences, and what is hidden with a piece of a word."""
    text_box(settings, "better", "A sentence to score", "Type a sentence")
    left, right = st.columns([70, 30], gap="medium", vertical_alignment="center")
    with left:
        text_box(settings, "worse", "A sentence to compare it with", "A second one to compare it with")
    right.toggle(
        "Hide a whole word", key=settings.key("whole"),
        help="A word of several pieces: hide the pieces that follow too, so that they give nothing away",
    )  # fmt: skip


def draw(settings: Settings, model: "LanguageModel") -> None:
    """Every word with its share as a bar; both sentences on one scale."""
    texts = [text for text in (settings["better"], settings["worse"]) if text.strip()]
    with picture():
        if not texts:
            st.html('<p class="rb-how" style="font-size:22px">Type a sentence, or two to compare.</p>')
            return
        name = str(model.checkpoint)
        found = [score(name, text, settings["whole"]) for text in texts]
        parted = differing(found) if len(found) == 2 else [set(), set()]
        full = _full(found)

        def clicked() -> None:
            at = st.session_state["masked/shares"].click
            if at and at["line"] < len(found) and at["word"] < len(found[at["line"]].shares):
                share = found[at["line"]].shares[at["word"]]
                text = found[at["line"]].text
                hidden = text[: share.start] + MASK + text[share.start + len(share.word) :]
                before = text[: share.start].count(MASK)
                settings.set(view="predict", text=hidden, blank=before, pinned="", probe="",
                             words=[*[""] * before, share.word])  # fmt: skip

        component("masked/word_columns")(
            key="masked/shares",
            data={
                "active": True,
                "tall": LOW_PX if presenting() else TALL_PX,
                "lines": [
                    {
                        "title": f"{one.bits:.1f} bits",
                        "says": f"in all: a pseudo-log-likelihood of −{abs(one.nats):.2f} nats",
                        "label": "Surprisal of each word, in bits",
                        "words": _columns(one, full, parted[line], "one" if line == 0 else "other"),
                    }
                    for line, one in enumerate(found)
                ],
            },
            on_click_change=clicked,
        )
        if len(found) == 2:
            st.html(f'<p class="rb-how">{verdict(found, parted)}</p>')
        quiet(f"A bar reaches the top at {full:g} bits. Click a word to hide it and see what was expected.")
    rows = [[one.text, s.word, " ".join(s.pieces), s.bits] for one in found for s in one.shares]
    offer(
        settings,
        Export("Shares", "sentence-score.csv", lambda: table(["sentence", "word", "pieces", "bits"], rows)),
    )


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    hidden = "with the pieces of the word after it" if settings["whole"] else "alone"
    return (
        f"Each token is hidden {hidden} and guessed from all the others; a bar is its surprisal, "
        "-log₂ of its probability, summed over a word’s pieces. Fewer bits: the model would rather see it.",
        "The sum is a pseudo-log-likelihood (Salazar et al. 2020), no probability of the sentence: each word "
        "is guessed by one who sees the rest. Compare sentences of like length.",
    )


def code(settings: Settings, model: "LanguageModel") -> str:
    """The same numbers from Python."""
    texts = [text for text in (settings["better"], settings["worse"]) if text.strip()]
    return f"""import explorer
from explorer.analysis.prediction import pseudo_likelihood

model = explorer.load({str(model.checkpoint)!r})
for one in pseudo_likelihood.scored(model, {texts!r}, whole={settings["whole"]}):
    print(f"{{one.nats:.3f}} nats", one.text)
    for share in one.shares:
        print(f"    {{share.word:16}} {{share.bits:.2f}} bits")"""


@st.cache_resource(max_entries=32, show_spinner=False)
def score(name: str, text: str, whole: bool) -> "Scored":
    """One sentence's score, kept for all visitors. Raises TextError for one too long to be scored live."""
    from explorer.analysis.prediction import pseudo_likelihood

    model = memory.get(name)
    cut = model.encode(text, limit=LIVE_TOKENS).cut
    if cut:
        raise TextError(
            f"The sentence is {cut:,} tokens too long: at most {LIVE_TOKENS} are scored here.",
            "Score it in parts.",
        )
    return pseudo_likelihood.scored(model, [text], whole)[0]


def differing(found: "Sequence[Scored]") -> list[set[int]]:
    """The words, by number, in which two sentences differ."""
    one, other = ([share.word.lower() for share in scored.shares] for scored in found)
    apart: list[set[int]] = [set(), set()]
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind != "equal":
            apart[0].update(range(a, b))
            apart[1].update(range(c, d))
    return apart


def verdict(found: "Sequence[Scored]", parted: Sequence[set[int]]) -> str:
    """Which sentence costs less, and how much of that lies in the words that differ; as HTML."""
    one, other = found
    gap = abs(one.bits - other.bits)
    if gap < 0.05:
        return "The two cost the same."
    which = "first" if one.bits < other.bits else "second"
    said = f"The model would rather see the <b>{which}</b> sentence, by {gap:.1f} bits"
    own = [sum(s.shares[i].bits for i in words) for s, words in zip(found, parted)]
    words = [", ".join(escape(s.shares[i].word) for i in sorted(at)) for s, at in zip(found, parted)]
    if not all(words) or max(map(len, parted)) > 3:
        return f"{said}."
    in_words = abs(own[0] - own[1]) if (own[0] < own[1]) == (which == "first") else -abs(own[0] - own[1])
    rest = gap - in_words
    return (
        f"{said}: {in_words:.1f} of them in <b>{words[0]}</b> against <b>{words[1]}</b>, "
        f"{rest:.1f} in the words around, which are guessed from it."
    ).replace("-", "−")


def _full(found: "Sequence[Scored]") -> float:
    most = max((share.bits for one in found for share in one.shares), default=0.0)
    return next((float(full) for full in FULL_BARS if full >= most), most)


def _columns(one: "Scored", full: float, parted: set[int], tone: str) -> list[dict[str, Any]]:
    made = []
    for i, share in enumerate(one.shares):
        before = one.shares[i - 1] if i else None
        each = ", ".join(f"{p} {bits:.2f}" for p, bits in zip(share.pieces, share.surprisals))
        made.append(
            {
                "text": share.word,
                "glued": before is not None and before.start + len(before.word) == share.start,
                "tone": tone if i in parted else "",
                "bar": share.bits / full,
                "number": f"{share.bits:.1f}",
                "tip": f"{share.bits:.4f} bits, probability {2**-share.bits:.6g}"
                + (f"\n{len(share.pieces)} pieces: {each}" if len(share.pieces) > 1 else ""),
            }
        )
    return made
