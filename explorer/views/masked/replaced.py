"""Real or replaced? ELECTRA's training task on one sentence: which words did the generator replace?"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.locale import N_, _, format_number, ngettext, translate
from explorer.views import kit
from explorer.views.frame import picker
from explorer.views.masked import own_words
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import GUESSED, OWN, PLACE, READ, SEED, SHOWN, TYPED, WHO
from explorer.views.masked.verdicts import READS, scales, summary, word_data
from explorer.views.types import Detection, Encoding, LanguageModel, Replacement


def real_or_replaced(
    generator: "LanguageModel", discriminator: "LanguageModel", text: str, limit: int, seed: int
) -> list[tuple[str, bool, float, float]]:
    """Each token that the discriminator reads: whether it was replaced, P(replaced), and the loss in nats.

    The generator fills 15% of the positions, chosen at random.
    """
    from explorer.analysis.prediction import replacing

    encoding = discriminator.encode(text, limit=limit)
    hidden = replacing.hidden_places(encoding, seed)
    replacements = replacing.fill(generator, encoding, hidden, seed)
    detection = replacing.judge(discriminator, encoding, replacements)
    tokens = [discriminator.tokenizer.token(id) for id in detection.ids.tolist()]
    return list(
        zip(
            tokens,
            detection.replaced.tolist(),
            detection.probabilities.tolist(),
            detection.losses.tolist(),
            strict=True,
        )
    )


@kit.kept(64)
def round_of(
    generator: "LanguageModel", discriminator: "LanguageModel", text: str, seed: int
) -> "tuple[list[Replacement], Detection]":
    """The generator's replacements and the discriminator's verdicts, cached for all visitors.

    15% of the tokens are hidden, chosen at random.
    """
    from explorer.analysis.prediction import replacing

    encoding = discriminator.encode(text, limit=kit.LIVE_TOKENS)
    hidden = replacing.hidden_places(encoding, seed)
    replacements = replacing.fill(generator, encoding, hidden, seed)
    return replacements, replacing.judge(discriminator, encoding, replacements)


def positions(marked: Sequence[Any], encoding: "Encoding") -> list[int]:
    """The positions in a setting that are ordinary tokens of this text, in order, each once."""
    valid = {at for at in marked if isinstance(at, int) and 0 <= at < len(encoding)}
    return sorted(at for at in valid if not encoding.special[at])


def verdict_table(replacements: "list[Replacement]", detection: "Detection") -> str:
    """Every token with its verdict and both losses, as a table to save."""
    losses = {replacement.position: replacement.loss for replacement in replacements}
    return kit.table(
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
                bool(detection.replaced[position]),
                float(detection.probabilities[position]),
                float(detection.losses[position]),
                losses.get(position, ""),
            ]
            for position, token in enumerate(detection.encoding.tokens)
            if not detection.encoding.special[position]
        ],
    )


def generator_of(discriminator: "LanguageModel") -> "LanguageModel":
    """The discriminator's generator, loaded; a visitor who chose to load one of them has chosen both.

    Raises CheckpointError if it cannot be loaded, or cuts text into other tokens.
    """
    from explorer.analysis.prediction import replacing
    from explorer.checkpoints import partner

    name = str(discriminator.checkpoint)
    other = partner.generator_of(name)
    if picker.was_chosen(name):
        picker.choose(other)
    generator = picker.load(other)
    replacing.check_pair(generator, discriminator)
    return generator


REPLACERS = {"hand": N_("By hand"), "generator": N_("The generator")}
FRESH = [SHOWN.to(False), GUESSED.to([])]  # a new round: nothing is revealed, nothing is suspected

VIEW_TEXT = kit.view_text("masked", "replaced")


def controls(page: kit.OpenPage[PageText]) -> None:
    """Draw the text box and a row: who replaces words, and what that one has to choose.

    While the class guesses which words were put in by hand, the sentence would give them away.
    """
    settings = page.settings
    settings.restrict(WHO, REPLACERS)
    by_hand = settings[WHO] == "hand"
    replacements = own_words.replacements_of(settings, own_words.words_of(page.model, settings[READ]))
    is_guessing = by_hand and replacements and not settings[SHOWN]
    if not is_guessing:
        resets = [*FRESH, *own_words.RESETS]
        kit.text_box(settings, READ, _("A sentence"), _("Type a sentence"), resets=resets)
    with st.container(key="masked-replaced", horizontal=True, vertical_alignment="bottom", gap="medium"):
        kit.segments(
            settings,
            WHO,
            _("Who replaces words"),
            translate(REPLACERS),
            on_change=lambda: settings.set(*FRESH),
            label_visibility="visible",
        )
        if by_hand and not is_guessing:
            own_words.controls(page)
        if not by_hand:
            _draw_again(settings)
        if replacements or not by_hand:
            _reveal(settings)


def _draw_again(settings: kit.Settings) -> None:
    """Draw the button for other words by the generator, and the seed."""
    st.button(
        _("Draw again"),
        key="masked/draw",
        on_click=lambda: settings.set(SEED.to((settings[SEED] + 1) % 10**9), *FRESH),
        help=_("Let the generator draw other words, in other places"),
    )
    kit.seed_box(settings, SEED, width=140, on_change=lambda: settings.set(*FRESH))


def _reveal(settings: kit.Settings) -> None:
    """Draw the button that shows the verdicts, or hides them again."""
    st.button(
        _("Hide") if settings[SHOWN] else _("Reveal"),
        key="masked/reveal",
        type="primary",
        on_click=lambda: settings.set(SHOWN.to(not settings[SHOWN])),
    )


def draw(page: kit.OpenPage[PageText]) -> kit.Saves:
    """Draw the sentence as the discriminator reads it; once revealed, its verdicts and both losses."""
    settings = page.settings
    if not settings[READ].strip():
        kit.instruction(_("Type a sentence."))
        return []
    if settings[WHO] == "hand":
        return own_words.draw(page)
    replacements, detection = round_of(generator_of(page.model), page.model, settings[READ], settings[SEED])
    suspects = positions(settings[GUESSED], detection.encoding)
    _picture(page, replacements, detection, suspects)
    for sentence in (summary if settings[SHOWN] else _before_the_reveal)(replacements, detection, suspects):
        kit.note(sentence)
    if detection.encoding.truncated:
        length, cut = len(detection.encoding), format_number(detection.encoding.truncated)
        kit.note(_("The first {length} tokens are used; {cut} were cut.", length=length, cut=cut))
    saves: list[kit.Export | kit.Picture] = [kit.Picture("picture", "masked-real-or-replaced")]
    if settings[SHOWN]:
        file_name = "masked-real-or-replaced.csv"
        saves.append(kit.Export(N_("Verdicts"), file_name, lambda: verdict_table(replacements, detection)))
    return saves


def example(page: kit.OpenPage[PageText]) -> kit.Example:
    """The same numbers from Python."""
    from explorer.checkpoints import partner

    if page.settings[WHO] == "hand":
        return own_words.example(page)
    settings, name = page.settings, str(page.model.checkpoint)
    return kit.Example(
        real_or_replaced,
        generator=kit.Load(partner.generator_of(name)),
        discriminator=kit.Load(name),
        text=settings[READ],
        limit=kit.LIVE_TOKENS,
        seed=settings[SEED],
    )


def _picture(
    page: kit.OpenPage[PageText],
    replacements: "list[Replacement]",
    detection: "Detection",
    suspects: list[int],
) -> None:
    """Draw the tokens; until the reveal a click suspects one, or no longer."""
    settings, model, key = page.settings, page.model, "masked/real_or_replaced"
    revealed = settings[SHOWN]
    at = {replacement.position: replacement for replacement in replacements}
    tokens = [model.tokenizer.readable(id) for id in detection.ids.tolist()]
    blocked = kit.blocklist.over(str(model.checkpoint), settings[READ])
    words = []
    for position, token in enumerate(tokens):
        if detection.encoding.special[position]:
            continue
        covered = position in at and kit.blocklist.covers_piece(blocked, tokens, position, token)
        text = kit.blocklist.DOTS if covered else token
        data = word_data(detection, position, text, at.get(position), revealed)
        words.append(data | {"suspected": position in suspects})

    def clicked() -> None:
        position = kit.component_value(key, "click", int)
        if position is not None:
            settings.set(GUESSED.to(sorted({*suspects} ^ {position})))

    kit.component("masked/real_or_replaced")(
        key=key,
        data={
            "label": _("The sentence as the discriminator reads it; press the words that you suspect"),
            "active": not revealed,
            "reads": "" if kit.for_class() else _(READS),
            "rows": scales() if revealed else [],
            "words": words,
        },
        on_click_change=clicked,
    )


def _before_the_reveal(
    replacements: "list[Replacement]", detection: "Detection", suspects: list[int]
) -> list[str]:
    """How many tokens were hidden, and how many are suspected or what to do."""
    total = int((~detection.encoding.special).sum())
    hidden = _(
        "{count} of {total} tokens were hidden from the generator, which drew a token for each.",
        count=len(replacements),
        total=total,
    )
    question = _("Which are they? Press those that you suspect, then reveal.")
    suspected = ngettext("{count} suspected.", "{count} suspected.", len(suspects))
    return [f"{hidden} {suspected if suspects else question}"]


VIEW = kit.View(
    text=VIEW_TEXT.of_page(
        reading=lambda page: (
            VIEW_TEXT.readings["hand"] if page.settings[WHO] == "hand" else VIEW_TEXT.reading
        ),
        change=own_words.now,
    ),
    settings=(SEED, READ, WHO, SHOWN, GUESSED, OWN, PLACE, TYPED),
    needs=("DETECT",),
    model="electra-discriminator",
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(
        start=lambda settings: settings.set(SHOWN.to(True)),
        panel=".st-key-masked-replaced",
        polls=own_words.asks,
    ),
)
