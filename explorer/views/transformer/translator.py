"""Translator: English in, French out, token by token, with the attention of each token."""

from functools import partial
from itertools import product
from typing import Any

import streamlit as st

from explorer.catalogue.ability import Ability
from explorer.locale import N_, _, in_this_language, ngettext, translate
from explorer.views import kit
from explorer.views.frame.polls.poll import token_poll
from explorer.views.transformer import bleu, translator_bertviz, translator_search
from explorer.views.transformer.settings import (
    MEAN,
    MODEL,
    TRANSLATOR_HEAD,
    TRANSLATOR_HYPOTHESIS,
    TRANSLATOR_LAYER,
    TRANSLATOR_PART,
    TRANSLATOR_REFERENCE,
    TRANSLATOR_SIDE,
    TRANSLATOR_TEXT,
    TRANSLATOR_TOKEN,
)
from explorer.views.transformer.translator_search import TranslatorSearch
from explorer.views.types import LanguageModel, Tree

PARTS = {"words": N_("Words"), "map": N_("Map"), "beams": N_("Beam search"), "bertviz": "BertViz"}
NAMES = {"layer": (N_("Layer {n}"), N_("All layers")), "head": (N_("Head {n}"), N_("All heads"))}
KEY = "transformer/translator"
CANDIDATES = 6  # of each step
RESETS = [TRANSLATOR_TOKEN.to(-1), TRANSLATOR_HYPOTHESIS.to(0)]  # what points into the text

VIEW_TEXT = kit.view_text("transformer", "translator")


def controls(page: kit.OpenPage[None]) -> None:
    """The English sentence; beside it the picture, and its layer and head.

    Raises AbilityError for a model that does not translate.
    """
    with st.container(key="transformer-texts", horizontal=True, vertical_alignment="top", gap="small"):
        label, invitation = _("An English sentence"), _("Type a sentence")
        kit.text_box(page.settings, TRANSLATOR_TEXT, label, invitation, resets=RESETS)
        page.model.require(Ability.TRANSLATE, "translate")
        _choices(page)


def _choices(page: kit.OpenPage[None]) -> None:
    """The picture, and its layer and head."""
    settings, config = page.settings, page.model.config
    kit.segments(settings, TRANSLATOR_PART, _("Picture"), translate(PARTS), width="content")
    layers = max(config.layers, config.decoder_layers)
    if settings[TRANSLATOR_PART] == "bertviz":
        attentions = translate(translator_bertviz.ATTENTIONS)
        _box(settings, TRANSLATOR_SIDE, _("Attention"), list(attentions), attentions.__getitem__)
        layers = config.layers if settings[TRANSLATOR_SIDE] == "encoder" else config.decoder_layers
    choices = [MEAN, *map(str, range(layers))]
    _box(settings, TRANSLATOR_LAYER, _("Layer"), choices, partial(_choice_name, "layer"))
    if settings[TRANSLATOR_PART] != "bertviz":
        heads = range(min(config.heads, config.decoder_heads))
        _box(settings, TRANSLATOR_HEAD, _("Head"), [MEAN, *map(str, heads)], partial(_choice_name, "head"))


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The two sentences with what each token read; the map, the beam search, or BertViz."""
    settings, model = page.settings, page.model
    if not settings[TRANSLATOR_TEXT].strip():
        kit.instruction()
        return []
    search, part = _search(page), settings[TRANSLATOR_PART]
    file = f"translation-{model.checkpoint.name.rpartition('/')[2]}"
    export = kit.Export(N_("Cross-attention, number by number"), f"{file}.csv", lambda: _table(search))
    if part == "bertviz":
        side = settings[TRANSLATOR_SIDE]
        translator_bertviz.draw(search, side, _number(settings[TRANSLATOR_LAYER]))
        return [kit.Picture("bertviz", f"{file}-{side}"), export]
    _pictures(settings, model, search)
    return [kit.Picture("picture", file), export, *bleu.draw(settings, search.translation.text)]


def below(page: kit.OpenPage[None]) -> None:
    """Warnings about this translation."""
    from explorer.analysis.translation import doubts, limits
    from explorer.views.transformer.translator_data import unsure_words, warnings

    if not page.settings[TRANSLATOR_TEXT].strip():
        return
    search = _search(page)
    translation = search.translation
    lines = [unsure_words(search), *warnings(doubts(translation, limits(page.model)))]
    if cut := translation.source.truncated:
        line = ngettext(
            "Cut: {count} more token is not translated.", "Cut: {count} more tokens are not translated.", cut
        )
        lines.append(line)
    for line in filter(None, lines):
        kit.note_html(line)


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The translation from Python."""
    settings = page.settings
    values = {"model": kit.Load(settings[MODEL]), "text": settings[TRANSLATOR_TEXT]}
    if settings[TRANSLATOR_REFERENCE].strip():
        return kit.Example(bleu.compared, **values, reference=settings[TRANSLATOR_REFERENCE])
    return kit.Example(translated, **values, beams=4)


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Which English token the chosen French one attends to most."""
    settings = page.settings
    if not settings[TRANSLATOR_TEXT].strip() or settings[TRANSLATOR_TOKEN] < 0:
        return []
    from explorer.views.transformer.translator_data import picture_data

    layer, head = _number(settings[TRANSLATOR_LAYER]), _number(settings[TRANSLATOR_HEAD])
    picture = picture_data(page.model, _search(page), layer, head, CANDIDATES)
    row = min(settings[TRANSLATOR_TOKEN], len(picture["cross"]) - 1)
    words = [token["text"] for token in picture["source"]]
    word = picture["written"][row]["text"]
    question = _("Which English token does “{word}” attend to most?", word=word)
    return [token_poll(question, picture["english"], words, picture["cross"][row], _("The decoder"))]


def translated(model: "LanguageModel", text: str, beams: int) -> tuple[str, float]:
    """A text's translation, and its score: the mean log probability of a token, in nats."""
    from explorer.analysis.translation import translate

    translation = translate(model, text, beams)
    return translation.text, round(translation.score, 3)


def _search(page: kit.OpenPage[None]) -> TranslatorSearch:
    """The search for the translation, and the trace of the hypothesis in view."""
    settings = page.settings
    return translator_search.search(page.model, settings[TRANSLATOR_TEXT], settings[TRANSLATOR_HYPOTHESIS])


def _pictures(settings: kit.Settings, model: "LanguageModel", search: TranslatorSearch) -> None:
    """Our own pictures: words or map, and the tree of the beam search."""
    from explorer.views.transformer.translator_data import branches, picture_data

    part, token = settings[TRANSLATOR_PART], settings[TRANSLATOR_TOKEN]
    layer, head = _number(settings[TRANSLATOR_LAYER]), _number(settings[TRANSLATOR_HEAD])
    kit.component("transformer/translator")(
        key=KEY,
        data=picture_data(model, search, layer, head, CANDIDATES)
        | {"part": part, "chosen": min(token, len(search.trace.written) - 1)},
        on_choose_change=lambda: _choose(settings),
    )
    if part == "beams":
        kit.component("widgets/tree")(
            key=f"{KEY}/tree",
            data=branches(model, search) | {"shown": token},
            on_act_change=lambda: _walk(settings, search.tree),
        )


def _box(
    settings: kit.Settings, name: kit.Setting[str], label: str, choices: list[str], choice_name: Any
) -> None:
    settings.restrict(name, choices)
    st.selectbox(
        label,
        choices,
        key=settings.key(name, label, {MEAN: choice_name(MEAN)}.get if MEAN in choices else choice_name),
        width=kit.roomy(136, choice_name(choices[0])),
        label_visibility="collapsed",
        format_func=in_this_language(choice_name),
    )


def _choice_name(what: str, choice: str) -> str:
    """A choice of layer or head in words."""
    one, every = NAMES[what]
    return _(every) if choice == MEAN else _(one, n=int(choice) + 1)


def _number(choice: str) -> int | None:
    return None if choice == MEAN else int(choice)


def _choose(settings: kit.Settings) -> None:
    """A French token was clicked, or let go."""
    chosen = kit.component_value(KEY, "choose", TRANSLATOR_TOKEN.takes)
    if chosen is not None:
        settings.set(TRANSLATOR_TOKEN.to(chosen))


def _walk(settings: kit.Settings, tree: "Tree") -> None:
    """A hypothesis of the tree was clicked."""
    act = kit.component_value(
        f"{KEY}/tree", "act", {"what": "walk", "number": int, "at": TRANSLATOR_TOKEN.takes}
    )
    if act is not None and act["number"] in tree:
        settings.set(TRANSLATOR_HYPOTHESIS.to(act["number"]), TRANSLATOR_TOKEN.to(act["at"]))


def _table(search: TranslatorSearch) -> str:
    """A line for each layer, head, French and English token."""
    trace = search.trace
    assert trace.cross is not None
    pattern = trace.cross.pattern
    rows = [
        [
            kit.head_name(layer, head),
            trace.written[row],
            trace.source.tokens[column],
            pattern[layer, head, row, column].item(),
        ]
        for layer, head, row, column in product(*map(range, pattern.shape))
    ]
    return kit.table(["head", "written", "read", "attention"], rows)


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=lambda page: VIEW_TEXT.readings[page.settings[TRANSLATOR_PART]]),
    settings=(
        TRANSLATOR_TEXT,
        TRANSLATOR_PART,
        TRANSLATOR_LAYER,
        TRANSLATOR_HEAD,
        TRANSLATOR_TOKEN,
        TRANSLATOR_HYPOTHESIS,
        TRANSLATOR_SIDE,
        TRANSLATOR_REFERENCE,
    ),
    needs=("TRANSLATE",),
    model="translator",
    controls=controls,
    picture=draw,
    footer=below,
    example=example,
    stage=kit.Stage(polls=asks),
)
