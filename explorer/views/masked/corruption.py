"""The dice of BERT's training over a sentence: each token's fate, and the loss where one was chosen."""

from math import log
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import blocklist, memory
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.page import picture
from explorer.views.frame.saving import Export, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.masked.line import quiet
from explorer.views.widgets.registry import component, text_box

if TYPE_CHECKING:
    from explorer.analysis.prediction.corruption import Fate, Lesson, Throw
    from explorer.models import LanguageModel

SHARES = (15, 30, 50, 100)  # percent of the tokens that are chosen; 15 is BERT's
TALL_PX = 72
FULL_BAR = 12.0  # nats
THROWN = 100_000


def ask(settings: Settings) -> None:
    """The sentence."""
    text_box(settings, "sentence", "A sentence to learn from", "Type a sentence")


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The throw, with a bar for the loss at each chosen token."""
    _controls(settings)
    with picture():
        if not settings["sentence"].strip():
            st.html('<p class="rb-how" style="font-size:22px">Type a sentence to throw the dice over.</p>')
            return
        name = str(model.checkpoint)
        thrown, lessons = taught(name, settings["sentence"], settings["seed"], settings["share"])
        words = columns(model, thrown, lessons, blocklist.over(name, settings["sentence"]))
        component("masked/word_columns")(
            key="masked/dice",
            data={
                "active": False,
                "tall": TALL_PX,
                "lines": [
                    {
                        "title": _counted(thrown, lessons),
                        "says": "" if lessons else "Nothing is learnt from this throw: throw again.",
                        "label": "The sentence as the network is shown it",
                        "words": words,
                    }
                ],
            },
            on_click_change=lambda: None,
        )
        quiet(_law(settings, model))
        if thrown.encoding.cut:
            quiet(
                f"The first {len(thrown.encoding)} tokens are thrown for; {thrown.encoding.cut:,} were cut."
            )
    tokens = thrown.encoding.tokens
    offer(
        settings,
        Export(
            "Losses",
            "masked-training.csv",
            lambda: table(
                ["position", "token", "fate", "probability", "loss_nats"],
                [[le.position, tokens[le.position], thrown.fates[le.position], le.probability, le.loss]
                 for le in lessons],
            ),
        ),
    )  # fmt: skip


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "15 tokens in 100 are chosen; of these 80 in 100 are hidden, 10 replaced by any token, 10 kept, as "
        "later texts hold no [MASK]. A bar is the loss at a chosen token: −log of the probability of the one "
        "that stood there. Nothing is learnt from the others.",
        "The model is shown after its training and learns nothing more. The bundled one’s own rows were "
        "chosen from at 15 to 25 in 100.",
    )


def code(settings: Settings, model: "LanguageModel") -> str:
    """The same numbers from Python."""
    return f"""import explorer
from explorer.analysis.prediction import corruption

model = explorer.load({str(model.checkpoint)!r})
encoding = model.encode({settings["sentence"]!r}, limit={LIVE_TOKENS})
dice = corruption.Dice(chosen={settings["share"] / 100})
thrown = corruption.throw(model, encoding, {settings["seed"]}, dice)
for lesson in corruption.lessons(model, thrown):
    print(encoding.tokens[lesson.position], thrown.fates[lesson.position], lesson.loss)"""


@st.cache_resource(max_entries=64, show_spinner=False)
def taught(name: str, text: str, seed: int, share: int) -> "tuple[Throw, list[Lesson]]":
    """One throw over a text with what the model lost, kept for all visitors."""
    from explorer.analysis.prediction import corruption

    model = memory.get(name)
    encoding = model.encode(text, limit=LIVE_TOKENS)
    thrown = corruption.throw(model, encoding, seed, corruption.Dice(chosen=share / 100))
    return thrown, corruption.lessons(model, thrown)


def columns(
    model: "LanguageModel", thrown: "Throw", lessons: "list[Lesson]", cover: blocklist.Veil
) -> list[dict[str, Any]]:
    """The tokens as the network is shown them, each with its fate and its loss."""
    from explorer.analysis.prediction.corruption import Fate

    at = {lesson.position: lesson for lesson in lessons}
    encoding = thrown.encoding
    shown = [model.tokenizer.readable(id) for id in thrown.shown.tolist()]
    made = []
    for position, fate in enumerate(thrown.fates):
        text, stood = shown[position], encoding.tokens[position]
        if fate is Fate.ALONE:
            special = bool(encoding.special[position])
            tip = "a special token, never chosen" if special else "not chosen: nothing is learnt here"
            made.append({"text": text, "tone": "quiet" if special else "", "tip": tip})
            continue
        if fate is Fate.RANDOM and blocklist.covers_piece(cover, shown, position, text):
            text = blocklist.DOTS
        lesson = at[position]
        guess = model.tokenizer.readable(lesson.guess)
        guess = blocklist.DOTS if blocklist.covers_piece(cover, shown, position, guess) else guess
        made.append(
            {
                "text": text,
                "tone": str(fate),
                "bar": lesson.loss / FULL_BAR,
                "number": f"{lesson.loss:.1f}",
                "note": str(fate) if fate is Fate.KEPT else f"was {stood}",
                "tip": f"{fate}: {stood} stood here, probability {lesson.probability:.6g}, "
                f"loss {lesson.loss:.4f} nats\nthe model’s first guess: {guess}",
            }
        )
    return made


def _controls(settings: Settings) -> None:
    """One row: throw again, the seed, how many are chosen."""
    seed, share = min(max(settings["seed"], 0), 10**9), settings["share"]
    share = min(SHARES, key=lambda one: abs(one - share))
    if (seed, share) != (settings["seed"], settings["share"]):
        settings.set(seed=seed, share=share)
    with st.container(key="masked-dice", horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.button(
            "Throw again", key="masked/throw",
            on_click=lambda: settings.set(seed=(settings["seed"] + 1) % 10**9),
        )  # fmt: skip
        st.number_input("Seed", 0, 10**9, step=1, key=settings.key("seed"), width=140)
        st.segmented_control(
            "Chosen, of 100 tokens", SHARES, key=settings.key("share"), required=True,
            help="15 as in BERT’s training; more to see more of it at once",
        )  # fmt: skip


def _counted(thrown: "Throw", lessons: "list[Lesson]") -> str:
    from explorer.analysis.prediction.corruption import Fate

    may = sum(not special for special in thrown.encoding.special.tolist())
    if not lessons:
        return f"0 of {may} tokens chosen."
    fates = [fate for fate in thrown.fates if fate is not Fate.ALONE]
    parts = [f"{fates.count(fate)} {fate}" for fate in dict.fromkeys(Fate) if fate in fates]
    mean = sum(lesson.loss for lesson in lessons) / len(lessons)
    return f"{len(fates)} of {may} tokens chosen: {', '.join(parts)}. Mean loss {mean:.2f} nats."


def _law(settings: Settings, model: "LanguageModel") -> str:
    """What the same dice do in the long run, and what knowing nothing would cost."""
    from explorer.analysis.prediction.corruption import Fate

    counts = tallied(settings["share"])
    chosen = THROWN - counts[Fate.ALONE]
    parts = [f"{counts[fate] / chosen:.1%} {fate}" for fate in (Fate.HIDDEN, Fate.RANDOM, Fate.KEPT)]
    size = model.config.d_vocab
    return (
        f"The same dice over {THROWN:,} tokens: {chosen / THROWN:.1%} chosen; of these {', '.join(parts)}. "
        f"Who knows nothing, and guesses among all {size:,} tokens alike, loses {log(size):.1f} nats a token."
    )


@st.cache_data(max_entries=8, show_spinner=False)
def tallied(share: int) -> "dict[Fate, int]":
    """How many of THROWN tokens meet each fate."""
    from explorer.analysis.prediction import corruption

    return corruption.tally(THROWN, dice=corruption.Dice(chosen=share / 100))
