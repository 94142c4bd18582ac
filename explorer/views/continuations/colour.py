"""Colour a text: how surprising each of its words is to a model, and to a second one.

A model that writes reads from the left; one that fills blanks guesses each word from all others.
"""

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.catalogue.ability import Ability
from explorer.catalogue.manifest import label_with_languages
from explorer.errors import ExplorerError
from explorer.locale import N_, _, translate
from explorer.views import kit
from explorer.views.continuations import examples, write
from explorer.views.continuations.files import tokens_csv, words_csv
from explorer.views.continuations.second_model import choose_second
from explorer.views.continuations.session import Continuations
from explorer.views.continuations.settings import (
    CHOSEN_PASSAGE,
    COLOUR_SCALE,
    MODEL,
    REST_OF_WORD,
    SECOND,
    SOURCE,
    TEXT,
)
from explorer.views.continuations.shades import TOP, picture
from explorer.views.frame.example import LINK

if TYPE_CHECKING:
    from explorer.analysis.prediction import surprisal
    from explorer.models import LanguageModel


SOURCES = {"typed": N_("My text"), "written": N_("The continuation")}
MEASURES = {"bands": N_("Rank"), "probability": N_("Probability"), "surprisal": N_("Surprisal")}
BOTH_SIDES = N_("{model} from both sides")
MOST_TOKENS = 20_000  # of one text
MASKED_TOKENS = 160  # few, for a model that fills blanks takes a forward pass for each
KNOWN_WORDS_TOKENS = 500  # for a model of whole words
WAIT = 10_000  # characters; a longer text takes more than a moment
SHOWN_CODE = 400  # characters of the text in the code

VIEW_TEXT = kit.view_text("continuations", "colour")


def controls(page: kit.OpenPage[None]) -> None:
    """Draw the choice of the text, of the measure and of the second model, and the text box."""
    settings = page.settings
    settings.restrict(COLOUR_SCALE, MEASURES)
    settings.restrict(SOURCE, SOURCES if _writes(page.model) else ["typed"])
    with st.container(key="colour-controls", horizontal=True, vertical_alignment="center", gap="small"):
        if _writes(page.model):
            kit.segments(settings, SOURCE, _("Text"), translate(SOURCES))
        kit.segments(settings, COLOUR_SCALE, _("Colour by"), translate(MEASURES))
        choose_second(
            settings,
            SECOND,
            "GENERATE",
            "FILL",
            "NEXT_WORD",
            format_name=label_with_languages,
            label_visibility="collapsed",
            width=230,
        )
        if not _writes(page.model):
            kit.switch(
                settings,
                REST_OF_WORD,
                _("Mask the rest of a word"),
                help=_(
                    "Otherwise the later pieces of a word give the earlier ones away "
                    "(Kauf and Ivanova 2023). "
                    "With it, a word costs as much as Masked words says when it is looked up."
                ),
            )
    if settings[SOURCE] == "typed":
        notice = kit.unseen_end(page.model, settings[CHOSEN_PASSAGE])
        kit.text_box(
            settings,
            CHOSEN_PASSAGE,
            _("A text to colour"),
            _("Type or paste a text"),
            lines=3,
            notice=notice,
        )


def below(page: kit.OpenPage[None]) -> None:
    """The way to the typed text as tokens."""
    if page.settings[SOURCE] == "typed":
        kit.navigation.link("tokens", _("How this is cut"), text=page.settings[CHOSEN_PASSAGE])


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Draw the coloured text, its numbers, its most surprising words and a line for each model."""
    settings = page.settings
    text = visitor_text = settings[CHOSEN_PASSAGE]
    if settings[SOURCE] == "written":
        run = finished(settings, page.model)
        text, visitor_text = run.generation.text, run.generation.prompt
    if not text.strip():
        kit.instruction(_("Type or paste a text: each word is coloured by how much the model expected it."))
        return []
    with st.spinner(_("Reading a long text")) if len(text) > WAIT else nullcontext():
        scored = read(page.model, text, settings[REST_OF_WORD])
    return _picture(page, scored, kit.blocklist.over(settings[MODEL], visitor_text))


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read the colours."""
    how = VIEW_TEXT.reading if _writes(page.model) else VIEW_TEXT.readings["both-sides"]
    return how.filled(colours=VIEW_TEXT.phrases[page.settings[COLOUR_SCALE]])


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same numbers from Python."""
    settings = page.settings
    model = kit.Load(settings[MODEL])
    if settings[SOURCE] == "written":
        return kit.Example(
            examples.surprisals_of_continuation,
            model=model,
            prompt=settings[TEXT],
            **write.sampling_arguments(settings),
            top=TOP,
        )
    text = settings[CHOSEN_PASSAGE]
    cut = _("The code has the first {count} characters of the text.", count=SHOWN_CODE)
    return kit.Example(
        examples.surprisals,
        f"{_(LINK)} {cut}" if len(text) > SHOWN_CODE else LINK,
        model=model,
        text=text[:SHOWN_CODE],
        rest_of_word=settings[REST_OF_WORD],
        top=TOP,
    )


@kit.kept(16)
def read(model: "LanguageModel", text: str, rest_of_word: bool = False) -> "surprisal.ScoredText":
    """A text's surprisals, cached for all visitors. Raises AbilityError."""
    from explorer.analysis.prediction import surprisal

    return surprisal.read(model, text, MOST_TOKENS if _writes(model) else MASKED_TOKENS, rest_of_word)


@kit.kept(16)
def read_by(second: "LanguageModel", first: "LanguageModel", text: str) -> "tuple[list[float | None], str]":
    """A second model's bits for each word that the first one scored, and what its line is called; cached."""
    from explorer.analysis.prediction import surprisal

    words = surprisal.of_words(read(first, text))
    if second.abilities & (Ability.GENERATE | Ability.FILL):
        other = read(second, text)
        side = BOTH_SIDES if other.both_sides else N_("{model} from the left")
        return surprisal.in_words(words, other.encoding, other.bits.tolist()), side
    scores = surprisal.read_words(second, text, KNOWN_WORDS_TOKENS)
    return surprisal.in_words(words, *scores), N_("{model} from the left, known words only")


def finished(settings: kit.Settings, model: "LanguageModel") -> Continuations:
    """The continuation of the view Write, written to its end."""
    run, stop = write.current(settings, model), st.empty()
    while run.going:  # also while the model is busy with others
        run.grow()
        stop.empty()  # here Streamlit ends a run that has been stopped
    return run


def _picture(
    page: kit.OpenPage[None], scored: "surprisal.ScoredText", blocked: kit.blocklist.Blocklist
) -> kit.Saves:
    from explorer.analysis.prediction import surprisal

    settings = page.settings
    text, second = scored.encoding.text, settings[SECOND]
    name, label = BOTH_SIDES if scored.both_sides else "{model}", _label(settings[MODEL])
    lines: list[dict[str, Any]] = [
        {"name": _(name, model=label), "values": [word.bits for word in surprisal.of_words(scored)]}
    ]
    names = [name.format(model=label)]
    if second:
        try:
            values, name = read_by(kit.picker.load(second), page.model, text)
            lines.append({"name": _(name, model=_label(second)), "values": values})
            names.append(name.format(model=_label(second)))
        except ExplorerError as error:
            kit.show_error(error)
    kit.component("continuations/colour")(
        key="continuations.coloured",
        data=picture(scored, settings[COLOUR_SCALE], blocked, lines) | {"plain": kit.for_class()},
    )
    others = [line["values"] for line in lines[1:]]
    return [
        kit.Picture("picture", "coloured-text"),
        kit.Export(N_("Words"), "surprisal.csv", lambda: words_csv(scored, names, others)),
        kit.Export(N_("Tokens"), "tokens.csv", lambda: tokens_csv(scored)),
    ]


def _writes(model: "LanguageModel") -> bool:
    return Ability.GENERATE in model.abilities


def _label(name: str) -> str:
    return kit.memory.short_label(name).removeprefix("hub:")


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=reading),
    settings=(SOURCE, CHOSEN_PASSAGE, COLOUR_SCALE, SECOND, REST_OF_WORD),
    needs=("GENERATE", "FILL"),
    model=kit.WRITER,
    controls=controls,
    picture=draw,
    footer=below,
    example=example,
    stage=kit.Stage(desk=".numbers, .bits, .st-key-continuations-way", text=CHOSEN_PASSAGE),
)
