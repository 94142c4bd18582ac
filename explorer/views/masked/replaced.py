"""Real or replaced? ELECTRA's training on one sentence: which words did the generator put in?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import blocklist, caching
from explorer.views.frame.example import Example, Load
from explorer.views.frame.first import First
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves, View
from explorer.views.masked import own_words, replaced_presets
from explorer.views.masked.pair import generator_of
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import GUESSED, HIDDEN, OWN, PLACE, READ, SEED, SHOWN, TYPED, WHO
from explorer.views.masked.verdicts import LEARNT, READS, VERDICT, said, word
from explorer.views.widgets.notes import instruction, note
from explorer.views.widgets.registry import component, sent
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.prediction.replacing import Detection, Replacement
    from explorer.models import LanguageModel
    from explorer.trace import Encoding


REPLACERS = {"generator": "The generator", "places": "The generator, where you click", "you": "You"}
FRESH = [SHOWN.to(False), GUESSED.to([])]  # a round that nobody has played yet
NO_GAN = (
    "This is not adversarial training: the generator learns to fill blanks by maximum likelihood, and since "
    "no gradient passes through a drawn word, the discriminator’s verdict never reaches it."
)


def ask(settings: Settings) -> None:
    """The sentence; another one is a new round."""
    text_box(
        settings,
        READ,
        "A sentence",
        "Type a sentence",
        resets=[*FRESH, HIDDEN.to([]), *own_words.RESETS],
    )


def controls(page: Page[PageText]) -> None:
    """One row: who replaces words; then a new draw and the reveal, or one's own word."""
    settings = page.settings
    if settings[WHO] not in REPLACERS:
        settings.adjust(WHO.to("generator"))
    with st.container(key="masked-replaced", horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            "Who replaces words",
            list(REPLACERS),
            key=settings.key(WHO, "Who replaces words", REPLACERS.get),
            format_func=REPLACERS.__getitem__,
            required=True,
        )
        if settings[WHO] == "you":
            own_words.controls(page)
            return
        st.button(
            "Draw again",
            key="masked/draw",
            on_click=lambda: settings.set(SEED.to((settings[SEED] + 1) % 10**9), *FRESH),
            help="Let the generator draw other words, in other places unless you have chosen them",
        )
        st.number_input(
            "Seed",
            0,
            10**9,
            step=1,
            key=settings.key(SEED, "Seed"),
            width=140,
            on_change=lambda: settings.set(*FRESH),
        )
        if settings[WHO] == "places":
            return
        st.button(
            "Hide" if settings[SHOWN] else "Reveal",
            key="masked/reveal",
            type="primary",
            on_click=lambda: settings.set(SHOWN.to(not settings[SHOWN])),
        )


def draw(page: Page[PageText]) -> Saves:
    """The sentence as the discriminator reads it; once revealed, its verdicts and the two losses."""
    settings = page.settings
    if not settings[READ].strip():
        instruction("Type a sentence.")
        return []
    if settings[WHO] == "you":
        return own_words.draw(page)
    generator = generator_of(page.model)
    chosen = settings[WHO] == "places"
    shown = settings[SHOWN] or chosen
    drawn, judged = played(
        generator,
        page.model,
        settings[READ],
        settings[SEED],
        tuple(settings[HIDDEN]) if chosen else None,
    )
    marked = positions(settings[HIDDEN if chosen else GUESSED], judged.encoding)
    _picture(page, drawn, judged, marked, shown)
    if chosen and not drawn:
        note("Click the tokens that are to be hidden from the generator; it draws a token for each.")
    else:
        for line in (
            said(drawn, judged, [] if chosen else marked) if shown else _to_guess(drawn, judged, marked)
        ):
            note(line)
    if judged.encoding.cut:
        note(f"The first {len(judged.encoding)} tokens are used; {judged.encoding.cut:,} were cut.")
    saves: list[Export | Picture] = [Picture("picture", "masked-real-or-replaced")]
    if shown:
        saves.append(Export("Verdicts", "masked-real-or-replaced.csv", lambda: as_table(drawn, judged)))
    return saves


def reading(page: Page[PageText]) -> Reading:
    """How to read the verdicts."""
    if page.settings[WHO] == "you":
        return own_words.reading(page)
    return Reading(
        "The generator, a small masked language model, was shown 15% of the tokens as [MASK] and put a token "
        "into each by drawing from its guesses. The discriminator reads the result and gives every token a "
        "probability of having been replaced; above one half it says “replaced”. BERT’s objective has a loss "
        "only at the blanks, ELECTRA’s at every token: the last two rows.",
        NO_GAN,
    )


def example(page: Page[PageText]) -> Example:
    """The same numbers from Python."""
    from explorer.checkpoints import partner

    if page.settings[WHO] == "you":
        return own_words.example(page)
    settings, name = page.settings, str(page.model.checkpoint)
    hidden = None
    if settings[WHO] == "places":
        hidden = positions(settings[HIDDEN], page.model.encode(settings[READ], limit=LIVE_TOKENS))
    return Example(
        real_or_replaced,
        generator=Load(partner.generator_of(name)),
        discriminator=Load(name),
        text=settings[READ],
        limit=LIVE_TOKENS,
        seed=settings[SEED],
        hidden=hidden,
    )


def real_or_replaced(
    generator: "LanguageModel",
    discriminator: "LanguageModel",
    text: str,
    limit: int,
    seed: int,
    hidden: list[int] | None,
) -> list[tuple[str, bool, float, float]]:
    """Each token as it is read: whether it was replaced, the probability of that, and the loss in nats."""
    from explorer.analysis.prediction import replacing

    encoding = discriminator.encode(text, limit=limit)
    places = replacing.hidden_places(encoding, seed) if hidden is None else hidden
    drawn = replacing.fill(generator, encoding, places, seed)
    judged = replacing.judge(discriminator, encoding, drawn)
    tokens = [discriminator.tokenizer.token(id) for id in judged.ids.tolist()]
    return list(
        zip(
            tokens,
            judged.replaced.tolist(),
            judged.probabilities.tolist(),
            judged.losses.tolist(),
            strict=True,
        )
    )


@caching.resource(max_entries=64)
def played(
    generator: "LanguageModel",
    discriminator: "LanguageModel",
    text: str,
    seed: int,
    places: tuple[Any, ...] | None,
) -> "tuple[list[Replacement], Detection]":
    """A round: what the generator drew, and what the discriminator says; kept for all visitors.

    Without `places` 15 % of the tokens are hidden, chosen at random.
    """
    from explorer.analysis.prediction import replacing

    encoding = discriminator.encode(text, limit=LIVE_TOKENS)
    hidden = replacing.hidden_places(encoding, seed) if places is None else positions(places, encoding)
    drawn = replacing.fill(generator, encoding, hidden, seed)
    return drawn, replacing.judge(discriminator, encoding, drawn)


def positions(marked: Sequence[Any], encoding: "Encoding") -> list[int]:
    """The tokens of a setting that this text has, in order, each once; none of them is a special one."""
    there = {at for at in marked if isinstance(at, int) and 0 <= at < len(encoding)}
    return sorted(at for at in there if not encoding.special[at])


def as_table(drawn: "list[Replacement]", judged: "Detection") -> str:
    """Every token with its verdict and both losses, as a table to save."""
    at = {one.position: one for one in drawn}
    return table(
        [
            "position",
            "original",
            "replaced",
            "probability_replaced",
            "loss_replaced_nats",
            "loss_masked_nats",
        ],
        [
            [
                position,
                token,
                bool(judged.replaced[position]),
                float(judged.probabilities[position]),
                float(judged.losses[position]),
                at[position].loss if position in at else "",
            ]
            for position, token in enumerate(judged.encoding.tokens)
            if not judged.encoding.special[position]
        ],
    )


def _picture(
    page: Page[PageText], drawn: "list[Replacement]", judged: "Detection", marked: list[int], shown: bool
) -> None:
    settings, model, key = page.settings, page.model, "masked/real_or_replaced"
    chosen = settings[WHO] == "places"
    at = {one.position: one for one in drawn}
    tokens = [model.tokenizer.readable(id) for id in judged.ids.tolist()]
    blocked = blocklist.over(str(model.checkpoint), settings[READ])
    words = []
    for position, token in enumerate(tokens):
        if judged.encoding.special[position]:
            continue
        covered = position in at and blocklist.covers_piece(blocked, tokens, position, token)
        one = word(judged, position, blocklist.DOTS if covered else token, at.get(position), shown)
        words.append(one | {"selected" if chosen else "suspected": position in marked})

    def clicked() -> None:
        position = sent(key, "click")
        if isinstance(position, int):
            kept = [one for one in marked if one != position]
            changed = kept if len(kept) < len(marked) else sorted([*marked, position])
            settings.set((HIDDEN if chosen else GUESSED).to(changed))

    asked = "click a token to hide it from the generator" if chosen else "click the words that you suspect"
    component("masked/real_or_replaced")(
        key=key,
        data={
            "label": f"The sentence as the discriminator reads it; {asked}",
            "active": chosen or not shown,
            "reads": READS,
            "rows": [VERDICT, *LEARNT] if shown else [],
            "words": words,
        },
        on_click_change=clicked,
    )


def _to_guess(drawn: "list[Replacement]", judged: "Detection", guessed: list[int]) -> list[str]:
    may = int((~judged.encoding.special).sum())
    hidden = f"{len(drawn)} of {may} tokens were hidden from the generator, which drew a token for each."
    asked = "Which are they? Click those that you suspect, then reveal."
    return [f"{hidden} {f'{len(guessed)} suspected.' if guessed else asked}"]


VIEW = View(
    label="Real or replaced?",
    first=First(
        "A second network has put words of its own into this sentence. Which are they?",
        "Click the words that you suspect, then press Reveal.",
    ),
    settings=(SEED, READ, WHO, SHOWN, GUESSED, HIDDEN, OWN, PLACE, TYPED),
    presets=replaced_presets.PRESETS,
    needs=("DETECT",),
    model="electra-discriminator",
    ask=ask,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
