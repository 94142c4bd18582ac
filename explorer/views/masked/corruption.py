"""Masked words, BERT's first task: what it is shown of a sentence, and its loss at each chosen token."""

from math import log
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import blocklist, caching
from explorer.views.frame.example import Example, Load
from explorer.views.frame.first import First
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves, View
from explorer.views.masked import presets
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import SEED, SENTENCE, SHARE
from explorer.views.widgets.notes import instruction, note
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.prediction.corruption import CorruptedText, TokenLoss, Treatment
    from explorer.models import Model


PERCENT = (15, 30, 50, 100)  # of the tokens are chosen; 15 is BERT's
TALL_PX = 72
FULL_BAR = 12.0  # nats
COUNTED = 100_000  # tokens
TONES = {"masked": "hidden", "replaced": "replaced", "kept": "kept"}  # how the component paints a treatment


def ask(settings: Settings) -> None:
    """The sentence."""
    text_box(settings, SENTENCE, "A sentence to learn from", "Type a sentence")


def controls(page: Page[PageText]) -> None:
    """One row: choose other tokens, the seed, how many are chosen."""
    settings = page.settings
    seed, share = min(max(settings[SEED], 0), 10**9), settings[SHARE]
    share = min(PERCENT, key=lambda one: abs(one - share))
    if (seed, share) != (settings[SEED], settings[SHARE]):
        settings.adjust(SEED.to(seed), SHARE.to(share))
    with st.container(key="masked-corruption", horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.button(
            "Choose again",
            key="masked/throw",
            on_click=lambda: settings.set(SEED.to((settings[SEED] + 1) % 10**9)),
            help="Choose other tokens at random",
        )
        st.number_input("Seed", 0, 10**9, step=1, key=settings.key(SEED, "Seed"), width=140)
        st.segmented_control(
            "Chosen tokens, in percent",
            PERCENT,
            key=settings.key(SHARE, "Chosen tokens, in percent"),
            required=True,
            help="15 in BERT’s training; choose more to see more tokens at once",
        )


def draw(page: Page[PageText]) -> Saves:
    """The tokens as the network is shown them, with a bar for the loss at each chosen one."""
    settings, model = page.settings, page.model
    if not settings[SENTENCE].strip():
        instruction("Type a sentence to learn from.")
        return []
    sentence = settings[SENTENCE]
    corrupted, losses = corrupted_with_losses(model, sentence, settings[SEED], settings[SHARE])
    words = columns(model, corrupted, losses, blocklist.over(str(model.checkpoint), sentence))
    nothing_learnt = "No token was chosen this time, so nothing is learnt: choose again."
    component("masked/word_columns")(
        key="masked/corruption",
        data={
            "active": False,
            "tall": TALL_PX,
            "lines": [
                {
                    "title": _counted(corrupted, losses),
                    "says": "" if losses else nothing_learnt,
                    "label": "The sentence as the network is shown it",
                    "words": words,
                }
            ],
        },
        on_click_change=lambda: None,
    )
    note(_at_these_rates(settings, model))
    if corrupted.encoding.cut:
        note(f"The first {len(corrupted.encoding)} tokens are used; {corrupted.encoding.cut:,} were cut.")
    return [
        Picture("picture", "masked-training"),
        Export("Losses", "masked-training.csv", lambda: as_table(corrupted, losses)),
    ]


def reading(page: Page[PageText]) -> Reading:
    """How to read the bars."""
    return Reading(
        "In BERT’s training 15% of the tokens are chosen; of these 80% are masked, 10% replaced by a random "
        "token, and 10% kept, because later texts contain no [MASK]. A bar is the loss at a chosen token: "
        "−log of the probability of the original token. Nothing is learnt from the other tokens.",
        "This model has finished its training and does not learn here. In the training of the bundled one "
        "more tokens were chosen for a part of the time: its card says how.",
    )


def example(page: Page[PageText]) -> Example:
    """The same numbers from Python."""
    return Example(
        losses_of,
        model=Load(str(page.model.checkpoint)),
        text=page.settings[SENTENCE],
        limit=LIVE_TOKENS,
        chosen=page.settings[SHARE] / 100,
        seed=page.settings[SEED],
    )


def losses_of(
    model: "Model", text: str, limit: int, chosen: float, seed: int
) -> list[tuple[str, str, float]]:
    """Each chosen token of a text, what is done to it, and the model's loss there in nats."""
    from explorer.analysis.prediction import corruption

    encoding = model.encode(text, limit=limit)
    corrupted = corruption.corrupt(model, encoding, seed, corruption.Rates(chosen=chosen))
    return [
        (encoding.tokens[one.position], str(corrupted.treatments[one.position]), one.loss)
        for one in corruption.losses(model, corrupted)
    ]


@caching.resource(max_entries=64)
def corrupted_with_losses(
    model: "Model", text: str, seed: int, share: int
) -> "tuple[CorruptedText, list[TokenLoss]]":
    """A corrupted text with the model's losses, kept for all visitors."""
    from explorer.analysis.prediction import corruption

    encoding = model.encode(text, limit=LIVE_TOKENS)
    corrupted = corruption.corrupt(model, encoding, seed, corruption.Rates(chosen=share / 100))
    return corrupted, corruption.losses(model, corrupted)


def columns(
    model: "Model", corrupted: "CorruptedText", losses: "list[TokenLoss]", blocked: blocklist.Blocklist
) -> list[dict[str, Any]]:
    """The tokens as the network is shown them, each with its treatment and its loss."""
    from explorer.analysis.prediction.corruption import Treatment

    at = {one.position: one for one in losses}
    encoding = corrupted.encoding
    shown = [model.tokenizer.readable(id) for id in corrupted.input_ids.tolist()]
    made: list[dict[str, Any]] = []
    for position, treatment in enumerate(corrupted.treatments):
        text, original = shown[position], encoding.tokens[position]
        if treatment is Treatment.NOT_CHOSEN:
            special = bool(encoding.special[position])
            tip = "a special token, never chosen" if special else "not chosen: nothing is learnt here"
            made.append({"text": text, "tone": "quiet" if special else "", "tip": tip})
            continue
        if treatment is Treatment.RANDOM and blocklist.covers_piece(blocked, shown, position, text):
            text = blocklist.DOTS
        one = at[position]
        guess = model.tokenizer.readable(one.guess)
        guess = blocklist.DOTS if blocklist.covers_piece(blocked, shown, position, guess) else guess
        made.append(
            {
                "text": text,
                "tone": TONES[treatment],
                "bar": one.loss / FULL_BAR,
                "number": f"{one.loss:.1f}",
                "note": str(treatment) if treatment is Treatment.KEPT else f"was {original}",
                "tip": f"{treatment}; the original token is {original}, probability {one.probability:.6g}, "
                f"loss {one.loss:.4f} nats\nthe model’s first guess: {guess}",
            }
        )
    return made


def as_table(corrupted: "CorruptedText", losses: "list[TokenLoss]") -> str:
    """The chosen tokens as a table to save."""
    tokens, treatments = corrupted.encoding.tokens, corrupted.treatments
    return table(
        ["position", "token", "treatment", "probability", "loss_nats"],
        [[o.position, tokens[o.position], treatments[o.position], o.probability, o.loss] for o in losses],
    )


def _counted(corrupted: "CorruptedText", losses: "list[TokenLoss]") -> str:
    from explorer.analysis.prediction.corruption import Treatment

    may = sum(not special for special in corrupted.encoding.special.tolist())
    if not losses:
        return f"0 of {may} tokens chosen."
    chosen = [one for one in corrupted.treatments if one is not Treatment.NOT_CHOSEN]
    parts = [f"{chosen.count(one)} {one}" for one in Treatment if one in chosen]
    mean = sum(one.loss for one in losses) / len(losses)
    return f"{len(chosen)} of {may} tokens chosen: {', '.join(parts)}. Mean loss {mean:.2f} nats."


def _at_these_rates(settings: Settings, model: "Model") -> str:
    """How often each treatment comes in a long text, and the loss of a model that knows nothing."""
    from explorer.analysis.prediction.corruption import Treatment

    counts = counted(settings[SHARE])
    chosen = COUNTED - counts[Treatment.NOT_CHOSEN]
    parts = [
        f"{counts[one] / chosen:.1%} {one}" for one in (Treatment.MASKED, Treatment.RANDOM, Treatment.KEPT)
    ]
    size = model.config.d_vocab
    return (
        f"In {COUNTED:,} tokens at these rates: {chosen / COUNTED:.1%} chosen; of these {', '.join(parts)}. "
        f"A model that finds all {size:,} tokens equally probable has a loss of {log(size):.1f} nats per "
        "token."
    )


@caching.data(max_entries=8)
def counted(share: int) -> "dict[Treatment, int]":
    """How many of COUNTED tokens get each treatment."""
    from explorer.analysis.prediction import corruption

    return corruption.count(COUNTED, rates=corruption.Rates(chosen=share / 100))


VIEW = View(
    label="Masked words",
    first=First(
        "Of the chosen tokens most are hidden, one is replaced by another, and one is left as it is.",
        "Choose other tokens a few times: how often is a guess right?",
    ),
    settings=(SENTENCE, SHARE, SEED),
    presets=presets.presets_for("training"),
    ask=ask,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
