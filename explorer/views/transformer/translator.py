"""Translator: English goes in, French comes out token by token, and each shows what it was read from."""

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.example import Example, Load
from explorer.views.frame.first import First
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves
from explorer.views.transformer import translator_bertviz, translator_found
from explorer.views.transformer.parts import Worked
from explorer.views.transformer.translator_doubts import doubted
from explorer.views.transformer.translator_found import Found
from explorer.views.transformer.translator_presets import DEFAULTS as SETTINGS
from explorer.views.transformer.translator_presets import MEAN, PRESETS
from explorer.views.transformer.written import CANDIDATES
from explorer.views.widgets.invite import invite
from explorer.views.widgets.registry import component, sent
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.generation.tree import Tree
    from explorer.models import LanguageModel

__all__ = [
    "FIRST",
    "LABEL",
    "MODEL",
    "NEEDS",
    "PRESETS",
    "SETTINGS",
    "ask",
    "below",
    "controls",
    "draw",
    "example",
    "reading",
    "work",
]

LABEL = "Translator"
FIRST = First(
    "A line leads from each French token to the English one that it read most.",
    "Click a French token: what else could have come, and what was read for it?",
)
PARTS = {"words": "Words", "map": "Map", "beams": "Beam search", "bertviz": "BertViz"}
NEEDS, MODEL = ("TRANSLATE",), "translator"
KEY = "transformer/translator"
NOWHERE = {"translator_token": -1, "translator_road": 0}  # what points into the text, when another one comes
READINGS = {
    "words": "Point at a French token: lines and bars show what the decoder read of the English as it "
    "wrote it, and of the French before. Point at an English one: what the encoder read for it. Click to "
    "keep it.",
    "map": "A row for each French token, a column for each English one: as dark as the one was read for the "
    "other, full at the largest share. Point at a token or a cell for its numbers.",
    "beams": "Each branch is a hypothesis, as wide at a token as that was probable; a step goes on with the "
    "best four. The score is the mean log probability of a token. Click a branch to see it in all pictures.",
    "bertviz": "Lines run from a token on the left to what it read on the right. All layers: a thumbnail for "
    "each head, click one to see its words. One layer: all its heads, a colour each, click a square to hide "
    "one. A French token stands in the row of the step that wrote it.",
}
DOT = "A token with a dot goes on with the word before. Attention says what was read, not why."


def ask(settings: Settings, model: "LanguageModel | None") -> Any:
    """The English sentence; the controls stand beside it."""
    row = st.container(key="transformer-texts", horizontal=True, vertical_alignment="top", gap="small")
    with row:
        text_box(
            settings, "translator_text", "An English sentence", "Type an English sentence", places=NOWHERE
        )
    return row


def work(settings: Settings, model: "LanguageModel | None") -> Found:
    """The search for the translation, and the trace of the hypothesis in view."""
    assert model is not None
    return translator_found.found(model, settings["translator_text"], settings["translator_road"])


def controls(page: "Page[Worked[Found]]") -> None:
    """What is drawn, and of which layer and head. Raises AbilityError for a model that does not translate."""
    from explorer.trace import Ability

    page.model.require(Ability.TRANSLATE, "translate")
    settings, config = page.settings, page.model.config
    if settings["translator_part"] not in PARTS:
        settings.fit(translator_part="words")
    st.segmented_control(
        "Picture",
        list(PARTS),
        key=settings.key("translator_part", "Picture", PARTS.get),
        format_func=PARTS.__getitem__,
        required=True,
        label_visibility="collapsed",
        width="content",
    )
    layers = max(config.layers, config.decoder_layers)
    if settings["translator_part"] == "bertviz":
        attentions = translator_bertviz.ATTENTIONS
        _box(settings, "translator_side", "Attention", list(attentions), attentions.__getitem__)
        layers = config.layers if settings["translator_side"] == "encoder" else config.decoder_layers
    _box(settings, "translator_layer", "Layer", [MEAN, *map(str, range(layers))], partial(_named, "layer"))
    if settings["translator_part"] != "bertviz":
        heads = range(min(config.heads, config.decoder_heads))
        _box(settings, "translator_head", "Head", [MEAN, *map(str, heads)], partial(_named, "head"))


def draw(page: "Page[Worked[Found]]") -> Saves:
    """The two sentences with what each token read; the map, the beam search, or BertViz."""
    settings, model = page.settings, page.model
    if not settings["translator_text"].strip():
        invite()
        return []
    found, part = page.data.found, settings["translator_part"]
    file = f"translation-{model.checkpoint.name.rpartition('/')[2]}"
    export = Export("Cross-attention, number by number", f"{file}.csv", lambda: _table(found))
    if part == "bertviz":
        side = settings["translator_side"]
        made = translator_bertviz.draw(found, side, _number(settings["translator_layer"]))
        web = Export("This view as a web page", f"{file}-{side}.html", lambda: made)
        return [Picture("bertviz", f"{file}-{side}"), web, export]
    _pictures(settings, model, found)
    return [Picture("picture", file), export]


def below(page: "Page[Worked[Found]]") -> None:
    """What speaks against trusting this translation."""
    from explorer.analysis.translation import doubts, limits

    if not page.settings["translator_text"].strip():
        return
    translation = page.data.found.translation
    said = doubted(doubts(translation, limits(page.model)))
    if cut := translation.source.cut:
        said.append(f"Cut: {cut} more tokens are not translated.")
    for line in said:
        st.html(f'<p class="rb-quiet" style="margin:0">{line}</p>')


def reading(page: "Page[Worked[Found]]") -> Reading:
    """How to read the picture that is drawn."""
    part = page.settings["translator_part"]
    by = "Drawn by BertViz (Vig 2019). " if part == "bertviz" else ""
    return Reading(READINGS[part], by + DOT)


def example(page: "Page[Worked[Found]]") -> Example:
    """The translation from Python."""
    settings = page.settings
    return Example(translated, model=Load(settings["model"]), text=settings["translator_text"], beams=4)


def translated(model: "LanguageModel", text: str, beams: int) -> tuple[str, float]:
    """A text's translation, and its score: the mean log probability of a token, in nats."""
    from explorer.analysis.translation import translate

    found = translate(model, text, beams)
    return found.text, round(found.score, 3)


def _pictures(settings: Settings, model: "LanguageModel", found: Found) -> None:
    """Our own pictures: words or map, and the tree of the beam search."""
    from explorer.views.transformer.translator_data import branches, packed

    part, token = settings["translator_part"], settings["translator_token"]
    layer, head = _number(settings["translator_layer"]), _number(settings["translator_head"])
    component("transformer/translator")(
        key=KEY,
        data=packed(model, found, layer, head, CANDIDATES)
        | {"shows": part, "chosen": min(token, len(found.trace.written) - 1)},
        on_choose_change=lambda: _choose(settings),
    )
    if part == "beams":
        component("widgets/tree")(
            key=f"{KEY}/tree",
            data=branches(model, found) | {"shown": token},
            on_act_change=lambda: _walk(settings, found.tree),
        )


def _box(settings: Settings, name: str, label: str, choices: list[str], named: Any) -> None:
    if settings[name] not in choices:
        settings.fit(**{name: choices[0]})
    st.selectbox(
        label,
        choices,
        key=settings.key(name, label, {MEAN: named(MEAN)}.get if MEAN in choices else named),
        width=136,
        label_visibility="collapsed",
        format_func=named,
    )


def _named(what: str, choice: str) -> str:
    """A choice of layer or head in words."""
    return f"All {what}s" if choice == MEAN else f"{what.capitalize()} {choice}"


def _number(choice: str) -> int | None:
    return None if choice == MEAN else int(choice)


def _choose(settings: Settings) -> None:
    """A French token was clicked, or let go."""
    chosen = sent(KEY, "choose")
    if isinstance(chosen, int):
        settings.set(translator_token=chosen)


def _walk(settings: Settings, tree: "Tree") -> None:
    """A hypothesis of the tree was clicked."""
    act = sent(f"{KEY}/tree", "act")
    if not isinstance(act, dict) or act.get("what") != "walk":
        return
    number, at = act.get("number"), act.get("at")
    if isinstance(number, int) and number in tree:
        settings.set(translator_road=number, translator_token=at if isinstance(at, int) else -1)


def _table(found: Found) -> str:
    """A line for each layer, head, French and English token."""
    trace = found.trace
    assert trace.cross is not None
    pattern = trace.cross.pattern
    rows = [
        [
            layer,
            head,
            trace.written[row],
            trace.source.tokens[column],
            pattern[layer, head, row, column].item(),
        ]
        for layer, head, row, column in product(*map(range, pattern.shape))
    ]
    return table(["layer", "head", "written", "read", "attention"], rows)
