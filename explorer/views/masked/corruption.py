"""How it was trained, BERT's first task: the corrupted input, and the loss at each chosen token."""

from math import log
from typing import Any

import streamlit as st

from explorer.locale import N_, _, format_number, localised, ngettext, percent
from explorer.views import kit
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import SEED, SENTENCE, SHARE
from explorer.views.types import CorruptedText, Model, TokenLoss, Treatment

PERCENT = (15, 30, 50, 100)  # of the tokens are chosen; 15 is BERT's
TALL_PX = 72
FULL_BAR = 12.0  # nats
COUNTED_TOKENS = 100_000  # of a long text, for the rates that the note names
TONES = {"masked": "hidden", "replaced": "replaced", "kept": "kept"}  # treatment -> class in the component
TREATMENTS = {"masked": N_("masked"), "replaced": N_("replaced"), "kept": N_("kept")}


def controls(page: kit.OpenPage[PageText]) -> None:
    """Draw one row: Choose again, the seed, how many tokens are chosen."""
    settings = page.settings
    settings.nearest(SHARE, PERCENT)
    with st.container(key="masked-corruption", horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.button(
            _("Choose again"),
            key="masked/throw",
            on_click=lambda: settings.set(SEED.to((settings[SEED] + 1) % 10**9)),
            help=_("Choose other tokens at random"),
        )
        kit.seed_box(settings, SEED, width=140)
        kit.segments(
            settings,
            SHARE,
            _("Share of tokens chosen (%)"),
            PERCENT,
            help=_("15 in BERT’s training. Choose more to see more tokens at once."),
            label_visibility="visible",
        )


def draw(page: kit.OpenPage[PageText]) -> kit.Saves:
    """Draw the tokens that the network reads, with a bar for the loss at each chosen one."""
    settings, model = page.settings, page.model
    if not settings[SENTENCE].strip():
        kit.instruction(_("Type a sentence to learn from."))
        return []
    sentence = settings[SENTENCE]
    corrupted, losses = corrupted_with_losses(model, sentence, settings[SEED], settings[SHARE])
    words = columns(model, corrupted, losses, kit.blocklist.over(str(model.checkpoint), sentence))
    nothing_learnt = _("No token was chosen this time, so nothing is learnt. Choose again.")
    kit.component("masked/word_columns")(
        key="masked/corruption",
        data={
            "tall": TALL_PX,
            "large": kit.presenting(),
            "title": _title(corrupted, losses),
            "says": "" if losses else nothing_learnt,
            "label": _("The sentence as the network is shown it"),
            "words": words,
        },
    )
    if not kit.presenting():
        kit.note(_at_these_rates(settings, model))
    if corrupted.encoding.truncated:
        length, cut = len(corrupted.encoding), format_number(corrupted.encoding.truncated)
        kit.note(_("The first {length} tokens are used; {cut} were cut.", length=length, cut=cut))
    return [
        kit.Picture("picture", "masked-training"),
        kit.Export(N_("Losses"), "masked-training.csv", lambda: as_table(corrupted, losses)),
    ]


def losses_of(
    model: "Model", text: str, limit: int, chosen: float, seed: int
) -> list[tuple[str, str, float]]:
    """The chosen tokens of a text, each with its treatment and the model's loss in nats.

    `chosen` is the fraction of tokens to choose: 0.15 in BERT's training.
    """
    from explorer.analysis.prediction import corruption

    encoding = model.encode(text, limit=limit)
    corrupted = corruption.corrupt(model, encoding, seed, corruption.Rates(chosen=chosen))
    return [
        (encoding.tokens[token.position], str(corrupted.treatments[token.position]), token.loss)
        for token in corruption.losses(model, corrupted)
    ]


@kit.kept(64)
def corrupted_with_losses(
    model: "Model", text: str, seed: int, share: int
) -> "tuple[CorruptedText, list[TokenLoss]]":
    """A corrupted text with the model's losses, cached for all visitors."""
    from explorer.analysis.prediction import corruption

    encoding = model.encode(text, limit=kit.LIVE_TOKENS)
    corrupted = corruption.corrupt(model, encoding, seed, corruption.Rates(chosen=share / 100))
    return corrupted, corruption.losses(model, corrupted)


def columns(
    model: "Model", corrupted: "CorruptedText", losses: "list[TokenLoss]", blocked: kit.blocklist.Blocklist
) -> list[dict[str, Any]]:
    """The tokens that the network reads as the component draws them, each with its treatment and loss."""
    from explorer.analysis.prediction.corruption import Treatment

    loss_at = {loss.position: loss for loss in losses}
    encoding = corrupted.encoding
    tokens = [model.tokenizer.readable(id) for id in corrupted.input_ids.tolist()]
    columns: list[dict[str, Any]] = []
    for position, treatment in enumerate(corrupted.treatments):
        text, original = tokens[position], encoding.tokens[position]
        if treatment is Treatment.NOT_CHOSEN:
            special = bool(encoding.special[position])
            if special and kit.for_class():
                continue
            tip = _("a special token, never chosen") if special else _("not chosen: nothing is learnt here")
            columns.append({"text": text, "tone": "quiet" if special else "", "tip": tip})
            continue
        if treatment is Treatment.RANDOM and kit.blocklist.covers_piece(blocked, tokens, position, text):
            text = kit.blocklist.DOTS
        chosen = loss_at[position]
        guess = model.tokenizer.readable(chosen.guess)
        guess = kit.blocklist.DOTS if kit.blocklist.covers_piece(blocked, tokens, position, guess) else guess
        columns.append(
            {
                "text": text,
                "tone": TONES[treatment],
                "bar": chosen.loss / FULL_BAR,
                "number": "" if kit.for_class() else localised(f"{chosen.loss:.1f}"),
                "note": _("kept") if treatment is Treatment.KEPT else _("was {word}", word=original),
                "tip": _(
                    "{treatment}; the original token is {word}, probability {probability}, loss {loss} nats\n"
                    "the model’s first guess: {guess}",
                    treatment=_(TREATMENTS[treatment]),
                    word=original,
                    probability=localised(f"{chosen.probability:.6g}"),
                    loss=localised(f"{chosen.loss:.4f}"),
                    guess=guess,
                ),
            }
        )
    return columns


def as_table(corrupted: "CorruptedText", losses: "list[TokenLoss]") -> str:
    """The chosen tokens as a table to save."""
    tokens, treatments = corrupted.encoding.tokens, corrupted.treatments
    rows = [
        [loss.position, tokens[loss.position], treatments[loss.position], loss.probability, loss.loss]
        for loss in losses
    ]
    return kit.table(["position", "token", "treatment", "probability", "loss_nats"], rows)


def _title(corrupted: "CorruptedText", losses: "list[TokenLoss]") -> str:
    """How many tokens were chosen, how many got each treatment, and the mean loss."""
    from explorer.analysis.prediction.corruption import Treatment

    total = sum(not special for special in corrupted.encoding.special.tolist())
    if not losses:
        return _("0 of {total} tokens chosen.", total=total)
    chosen: list[Treatment] = [
        treatment for treatment in corrupted.treatments if treatment is not Treatment.NOT_CHOSEN
    ]
    treatments = (Treatment.MASKED, Treatment.RANDOM, Treatment.KEPT)
    masked, random, kept = (chosen.count(treatment) for treatment in treatments)
    parts = [
        ngettext("{count} masked", "{count} masked", masked) if masked else "",
        ngettext("{count} replaced", "{count} replaced", random) if random else "",
        ngettext("{count} kept", "{count} kept", kept) if kept else "",
    ]
    mean = sum(token.loss for token in losses) / len(losses)
    cost = _("The higher a bar, the more it costs.")
    if not kit.for_class():
        cost = _("Mean loss {loss} nats.", loss=localised(f"{mean:.2f}"))
    counts = _(", ").join(filter(None, parts))
    return (
        _("{count} of {total} tokens chosen: {parts}.", count=len(chosen), total=total, parts=counts)
        + f" {cost}"
    )


def _at_these_rates(settings: kit.Settings, model: "Model") -> str:
    """How often each treatment occurs in a long text, and the loss of a model that knows nothing."""
    from explorer.analysis.prediction.corruption import Treatment

    counts = treatment_counts(settings[SHARE])
    chosen = COUNTED_TOKENS - counts[Treatment.NOT_CHOSEN]
    size = model.config.d_vocab
    return _(
        "In {count} tokens at these rates: {chosen} chosen; "
        "of these {masked} masked, {random} replaced, {kept} kept. A model that finds all {size} tokens "
        "equally probable has a loss of {loss} nats per token.",
        count=format_number(COUNTED_TOKENS),
        chosen=_percent(chosen / COUNTED_TOKENS),
        masked=_percent(counts[Treatment.MASKED] / chosen),
        random=_percent(counts[Treatment.RANDOM] / chosen),
        kept=_percent(counts[Treatment.KEPT] / chosen),
        size=format_number(size),
        loss=localised(f"{log(size):.1f}"),
    )


def _percent(share: float) -> str:
    return percent(localised(f"{100 * share:.1f}"))


@kit.kept(8)
def treatment_counts(share: int) -> "dict[Treatment, int]":
    """How many of COUNTED_TOKENS tokens get each treatment, cached for all visitors."""
    from explorer.analysis.prediction import corruption

    return corruption.count(COUNTED_TOKENS, rates=corruption.Rates(chosen=share / 100))


VIEW = kit.View(
    text=kit.view_text("masked", "training"),
    settings=(SENTENCE, SHARE, SEED),
    needs=("FILL",),
    boxes=lambda settings: kit.text_box(
        settings, SENTENCE, _("A sentence to learn from"), _("Type a sentence")
    ),
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(
        losses_of,
        model=kit.Load(str(page.model.checkpoint)),
        text=page.settings[SENTENCE],
        limit=kit.LIVE_TOKENS,
        chosen=page.settings[SHARE] / 100,
        seed=page.settings[SEED],
    ),
    stage=kit.Stage(covered=(".well, .note, .head, .rb-note",), text=SENTENCE),
)
