"""Translator: English goes in, French comes out token by token, and each shows what it was read from."""

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from explorer.views.frame.example import Example, Load
from explorer.views.frame.page import Preset
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.values import Whole
from explorer.views.frame.view import Page, Reading, Saves
from explorer.views.transformer.parts import Worked
from explorer.views.transformer.written import CANDIDATES, searched
from explorer.views.widgets import two_texts
from explorer.views.widgets.registry import component, sent

if TYPE_CHECKING:
    from explorer.analysis.generation.tree import Tree
    from explorer.analysis.translation import Limits, Step, Translation
    from explorer.models import LanguageModel
    from explorer.trace import PairTrace

__all__ = [
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
PRESETS: list[Preset] = []
SHOWS = {"words": "Words", "map": "Map", "beams": "Beam search"}
MEAN = "mean"
SETTINGS = {
    "shows": "words",
    "reads": MEAN,  # the layer, or the mean of all
    "by": MEAN,  # the head, or the mean of all
    "token": Whole(-1, least=-1),  # the French token that is chosen
    "road": Whole(0),  # the hypothesis that is shown, the best first
}
NEEDS, MODEL = ("TRANSLATE",), "translator"
KEY = "transformer/translator"
TOKENS = 40  # of the source that is drawn
NOWHERE = {"token": -1, "road": 0}  # what points into the text, when another one comes


class Found(NamedTuple):
    """What the view looks at: the search, the hypothesis in view, and what was computed for it."""

    translation: "Translation"
    tree: "Tree"
    trace: "PairTrace"
    steps: "list[Step]"
    road: int


def ask(settings: Settings, model: "LanguageModel | None") -> Any:
    """The English sentence; layer and head stand beside it."""
    return two_texts.first_text(settings, NOWHERE)


def work(settings: Settings, model: "LanguageModel | None") -> Found:
    """The search for the translation, and the trace of the hypothesis in view."""
    assert model is not None
    found, steps = searched(model, settings["text"])
    tree = _tree(found, steps)
    road = settings["road"] if settings["road"] in tree else 0
    return Found(found, tree, _traced(model, settings["text"], tree.path(road)), steps, road)


@st.cache_resource(
    max_entries=32, show_spinner=False, hash_funcs={"explorer.models.language_model.LanguageModel": id}
)
def _traced(model: "LanguageModel", text: str, ids: tuple[int, ...]) -> "PairTrace":
    from explorer.analysis import translation

    return translation.trace(model, text, ids)


def _tree(result: "Translation", steps: "list[Step]") -> "Tree":
    """The hypotheses that were finished or still open at the end; the best is the first branch."""
    from explorer.analysis.generation.tree import Branch, Tree
    from explorer.analysis.generation.tree import step as grow

    tree = Tree((Branch(0, result.ids),))
    for hypothesis in (*result.hypotheses, *steps[-1].alive):
        number = 0
        for at, id in enumerate(hypothesis.ids):
            tree, number = grow(tree, number, at, id)
    return tree


def controls(page: "Page[Worked[Found]]") -> None:
    """What is drawn, and of which layer and head."""
    settings, config = page.settings, page.model.config
    st.segmented_control(
        "Picture",
        list(SHOWS),
        key=settings.key("shows"),
        format_func=lambda name: SHOWS[name],
        required=True,
        label_visibility="collapsed",
        width="content",
    )
    layers = max(config.layers, config.decoder_layers)
    heads = min(config.heads, config.decoder_heads)
    for name, what, size in (("reads", "layer", layers), ("by", "head", heads)):
        choices = [MEAN, *map(str, range(size))]
        if settings[name] not in choices:
            settings.fit(**{name: MEAN})
        st.selectbox(
            what.capitalize(),
            choices,
            key=settings.key(name),
            width=150,
            label_visibility="collapsed",
            format_func=partial(_named, what),
        )


def draw(page: "Page[Worked[Found]]") -> Saves:
    """The two sentences with what each token read; or the beam search."""
    from explorer.views.transformer.translator_data import packed, roads

    settings, model = page.settings, page.model
    if not settings["text"].strip():
        st.html('<p class="rb-caption" style="padding:160px 0;text-align:center">Type a sentence above.</p>')
        return []
    found = page.data.found
    shows = settings["shows"] if settings["shows"] in SHOWS else "words"
    component("transformer/translator")(
        key=KEY,
        data=packed(model, found, _number(settings["reads"]), _number(settings["by"]), CANDIDATES)
        | {"shows": shows, "chosen": min(settings["token"], len(found.trace.written) - 1)},
        on_choose_change=lambda: _choose(settings),
    )
    if shows == "beams":
        component("widgets/tree")(
            key=f"{KEY}/tree",
            data=roads(model, found) | {"shown": settings["token"]},
            on_act_change=lambda: _walk(settings, found.tree),
        )
    file = f"translation-{model.checkpoint.name.rpartition('/')[2]}"
    return [
        Picture("picture", file),
        Export("Cross-attention, number by number", f"{file}.csv", lambda: _table(found)),
    ]


def below(page: "Page[Worked[Found]]") -> None:
    """What speaks against trusting this translation."""
    from explorer.analysis.translation import doubts, limits

    if not page.settings["text"].strip():
        return
    translation = page.data.found.translation
    for said in doubted(doubts(translation, limits(page.model)), limits(page.model)):
        st.html(f'<p class="rb-quiet" style="margin:0">{said}</p>')
    if cut := translation.source.cut:
        st.html(f'<p class="rb-quiet" style="margin:0">Cut: {cut} more tokens are not translated.</p>')


def doubted(found: "list[Any]", limits: "Limits") -> list[str]:
    """The signs in words."""
    from html import escape

    said = []
    for doubt in found:
        if doubt.kind == "long":
            said.append(f"{doubt.tokens} tokens are more than this translator has learnt to handle.")
        elif doubt.kind == "rare":
            words = ", ".join(f"“{escape(word)}”" for word in doubt.words)
            said.append(f"Seen fewer than five times in training: {words}.")
        else:
            said.append(
                f"It is unsure: {doubt.score:.2f} nats a token, lower than 95 % of the sentences kept aside."
            )
    return said


def reading(page: "Page[Worked[Found]]") -> Reading:
    """How to read it."""
    return Reading(
        "Point at a French token: lines and bars show what the decoder read of the English as it wrote it, "
        "and of the French before. Point at an English one: what the encoder read for it. Click to keep it. "
        "A token with a dot goes on with the word before.",
        "Attention says what was read, not why a word was chosen.",
    )


def example(page: "Page[Worked[Found]]") -> Example:
    """The translation from Python."""
    return Example(translated, model=Load(page.settings["model"]), text=page.settings["text"], beams=4)


def translated(model: "LanguageModel", text: str, beams: int) -> tuple[str, float]:
    """A text's translation, and its score: the mean log probability of a token, in nats."""
    from explorer.analysis.translation import translate

    found = translate(model, text, beams)
    return found.text, round(found.score, 3)


def _named(what: str, choice: str) -> str:
    """A choice of layer or head in words."""
    return f"All {what}s" if choice == MEAN else f"{what.capitalize()} {choice}"


def _number(choice: str) -> int | None:
    return None if choice == MEAN else int(choice)


def _choose(settings: Settings) -> None:
    """A French token was clicked, or let go."""
    chosen = sent(KEY, "choose")
    if isinstance(chosen, int):
        settings.set(token=chosen)


def _walk(settings: Settings, tree: "Tree") -> None:
    """A hypothesis of the tree was clicked."""
    act = sent(f"{KEY}/tree", "act")
    if not isinstance(act, dict) or act.get("what") != "walk":
        return
    number, at = act.get("number"), act.get("at")
    if isinstance(number, int) and number in tree:
        settings.set(road=number, token=at if isinstance(at, int) else -1)


def _table(found: Found) -> str:
    """A line for each layer, head, French and English token."""
    trace = found.trace
    assert trace.cross is not None
    rows = [
        [
            layer,
            head,
            trace.written[row],
            trace.source.tokens[column],
            trace.cross.pattern[layer, head, row, column].item(),
        ]
        for layer, head, row, column in _places(trace.cross.pattern.shape)
    ]
    return table(["layer", "head", "written", "read", "attention"], rows)


def _places(shape: Any) -> Any:
    from itertools import product

    return product(*map(range, shape))
