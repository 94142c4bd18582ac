"""The attention page's parts: two texts, the choice of view, the controls, one head's picture.

A held token is a setting of its own, so a link opens with it. It carries its word: when the text,
the model or the hidden tokens change, the hold follows the word, and ends where the word is gone.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import AbilityError
from explorer.views import models
from explorer.views.components import component, text_box
from explorer.views.limits import LIVE_TOKENS
from explorer.views.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel
    from explorer.trace import Encoding, Trace

VIEWS = {
    "head": "One head",
    "heads": "BertViz heads",
    "model": "BertViz model",
    "neurons": "BertViz neurons",
}
SCALE = 10_000  # weights travel as whole ten-thousandths
WHITESPACE = str.maketrans({" ": "␣", "\n": "↵", "\t": "⇥"})


@dataclass(frozen=True)
class Held:
    """The token that a click holds: what it reads ("from"), or what reads it ("to")."""

    side: str
    position: int
    word: str

    @classmethod
    def read(cls, setting: Any) -> "Held | None":
        """The setting [side, position, word]; None for a free picture or for anything else."""
        match setting:
            case ["from" | "to" as side, int(position), str(word)]:
                return cls(side, position, word)
        return None

    def follow(self, words: list[str]) -> "Held | None":
        """The same word among a text's words, the nearest to where it stood; None where it is gone."""
        places = [i for i, word in enumerate(words) if word == self.word]
        if not places:
            return None
        return Held(self.side, min(places, key=lambda i: abs(i - self.position)), self.word)

    @property
    def setting(self) -> list[Any]:
        """What the link keeps."""
        return [self.side, self.position, self.word]


def first_text(settings: Settings) -> Any:
    """Draw the sentence's box; returns the row, which may take a second one."""
    row = st.container(key="attention-texts", horizontal=True, vertical_alignment="top", gap="small")
    with row:
        text_box(settings, "text", "Your sentence", "Type a sentence")
    return row


def second_text(settings: Settings, row: Any, model: "LanguageModel") -> None:
    """A second sentence for models that read pairs, folded away until asked for."""
    if not reads_pairs(model):
        return
    unfolded = "attention/second"
    with row:
        if settings["pair"] or st.session_state.get(unfolded):
            text_box(settings, "pair", "Second sentence", "Type a second sentence")
            st.button(
                ":material/close:", key="attention/remove", help="Remove the second sentence",
                on_click=lambda: (settings.set(pair=""), st.session_state.pop(unfolded, None)),
            )  # fmt: skip
        else:
            st.button(
                "Add a second sentence", key="attention/add",
                on_click=lambda: st.session_state.update({unfolded: True}),
            )  # fmt: skip


def reads_pairs(model: "LanguageModel") -> bool:
    """Whether a model tells a first sentence from a second."""
    return getattr(model.config, "segments", 1) > 1


def trace(settings: Settings, model: "LanguageModel") -> "Trace":
    """The page's text through the page's model, with the attention kept.

    Raises AbilityError for a model that has none.
    """
    from explorer.trace import Ability, Capture

    if not model.abilities & Ability.ATTENTION:
        raise AbilityError(
            f"{model.checkpoint} has no attention to look at: it reads without heads.",
            "Choose a Transformer, such as BERT or GPT, in the picker.",
        )
    pair = settings["pair"].strip() if reads_pairs(model) else ""
    return models.trace(
        settings["model"], settings["text"], pair or None, Capture.ATTENTION.value, LIVE_TOKENS
    )


def fit(settings: Settings, trace: "Trace") -> None:
    """Bring settings that another model or text left behind within this one's range."""
    layers, heads = trace.attention.pattern.shape[:2]
    settings.set(
        layer=min(max(settings["layer"], 0), layers - 1), head=min(max(settings["head"], 0), heads - 1)
    )
    held = Held.read(settings["token"])
    held = held and held.follow(words(trace.encoding))
    settings.set(token=held and held.setting)
    if settings["view"] not in VIEWS:
        settings.set(view="head")


def controls(settings: Settings, trace: "Trace") -> None:
    """The view; layer, head and special tokens, as far as it has them."""
    layers, heads = trace.attention.pattern.shape[:2]
    chosen = {"head": ("layer", "head"), "heads": ("layer",), "model": (), "neurons": ("layer", "head")}
    with st.container(key="attention-controls", horizontal=True, vertical_alignment="center", wrap=False):
        st.segmented_control(
            "View", list(VIEWS), key=settings.key("view"), format_func=VIEWS.get, required=True,
            label_visibility="collapsed", width="content",
        )  # fmt: skip
        for name, size in (("layer", layers), ("head", heads)):
            if name in chosen[settings["view"]]:
                st.selectbox(
                    name.capitalize(), range(size), key=settings.key(name), width=130,
                    label_visibility="collapsed", format_func=lambda i, name=name: f"{name.capitalize()} {i}",
                )  # fmt: skip
        st.toggle("Hide special tokens", key=settings.key("hide"), disabled=not trace.encoding.special.any())


def nothing_typed(settings: Settings, trace: "Trace") -> bool:
    """Whether there is no token to draw."""
    ordinary = trace.encoding.special.logical_not().any()
    return not (settings["text"].strip() or trace.encoding.pair) or not (ordinary or not settings["hide"])


def cut(trace: "Trace") -> str:
    """What a live view left unread."""
    if not trace.encoding.cut:
        return ""
    return f"Cut at {len(trace.encoding)} tokens; {trace.encoding.cut} more are not shown."


def remark(settings: Settings, trace: "Trace") -> str:
    """What the picture leaves out: tokens beyond the limit, and the weight on hidden ones."""
    from explorer.analysis.attention import head_view

    said = [cut(trace)]
    view = head_view(trace, settings["layer"], settings["head"], settings["hide"])
    if settings["hide"] and view.positions and trace.encoding.special.any():
        share = view.dropped_mass.mean()
        said.append(f"{share:.0%} of the weight lay on special tokens; rows are rescaled to sum to 1.")
    return " ".join(filter(None, said))


def head(settings: Settings, trace: "Trace") -> None:
    """One head as lines and as a heat map; a click holds a token, arrow keys walk the heads."""
    from explorer.analysis.attention import head_view

    view = head_view(trace, settings["layer"], settings["head"], settings["hide"])
    layers, heads = trace.attention.pattern.shape[:2]
    spoken, special = words(trace.encoding), trace.encoding.special.tolist()
    held = Held.read(settings["token"])
    shown = held is not None and held.position in view.positions  # a hidden token's hold waits

    def hold() -> None:
        clicked = st.session_state["attention/picture"].hold
        spot = clicked and clicked["held"]
        if clicked and spot is None:
            settings.set(token=None)
        elif spot and spot["at"] < len(view.positions):  # a click may cross a change of text
            position = view.positions[spot["at"]]
            settings.set(token=Held(spot["side"], position, spoken[position]).setting)

    def walk() -> None:
        neighbour = st.session_state["attention/picture"].walk
        if neighbour is not None:
            settings.set(layer=neighbour["layer"], head=neighbour["head"])

    component("head")(
        key="attention/picture",
        data={
            "name": f"Head L{view.layer}H{view.head}",
            "layer": view.layer,
            "head": view.head,
            "layers": layers,
            "heads": heads,
            "tokens": [{"text": label(trace.encoding, i), "quiet": special[i]} for i in view.positions],
            "weights": (view.pattern * SCALE).round().int().flatten().tolist(),
            "held": {"side": held.side, "at": view.positions.index(held.position)} if shown else None,
            "message": "Type a sentence above, or try one below." if nothing_typed(settings, trace) else "",
        },
        on_hold_change=hold,
        on_walk_change=walk,
    )
    if said := remark(settings, trace):
        st.html(f'<p class="rb-quiet" style="margin:0">{said}</p>')


def label(encoding: "Encoding", position: int) -> str:
    """A token as the picture writes it: WordPieces as they are, byte pieces as the text they stand for."""
    token = encoding.tokens[position]
    surface = encoding.surface(position)
    if encoding.special[position] or token.startswith("##") or token == "[UNK]" or not surface:
        return token
    return surface.strip() or surface.translate(WHITESPACE)


def words(encoding: "Encoding") -> list[str]:
    """What each token stands for, whatever the tokenizer: lower case, without the space before it."""
    return [encoding.surface(i).strip().casefold() for i in range(len(encoding))]


def code(settings: Settings, model: "LanguageModel") -> str:
    """What this view shows most of, from Python: the strongest link of every token, or of every head."""
    pair = settings["pair"].strip() if reads_pairs(model) else ""
    second = f", pair={pair!r}" if pair else ""
    begin = f"""\
import explorer
from explorer.analysis.attention import head_view

model = explorer.load({settings["model"]!r})
trace = model.trace({settings["text"]!r}{second}, limit={LIVE_TOKENS})
"""
    one = f"""\
view = head_view(trace, layer={settings["layer"]}, head={settings["head"]}, hide_special={settings["hide"]})
"""
    match settings["view"]:
        case "model":
            return f"""\
{begin}for layer, heads in enumerate(trace.attention.pattern):
    for head in range(len(heads)):
        view = head_view(trace, layer, head, hide_special={settings["hide"]})
        query, key = divmod(int(view.pattern.argmax()), len(view.tokens))
        link = f"{{view.tokens[query]}} reads {{view.tokens[key]}}"
        print(f"L{{layer}}H{{head}}: {{link}} {{view.pattern.max():.3f}}")
"""
        case "neurons":
            return f"""\
{begin}{one}queries = trace.attention.queries[view.layer, view.head, view.positions]
keys = trace.attention.keys[view.layer, view.head, view.positions]
scores = queries @ keys.T / keys.shape[-1] ** 0.5
for token, score, weight in zip(view.tokens, scores, view.pattern):
    most = weight.argmax()
    print(f"{{token:>12}} reads {{view.tokens[most]:12}} q·k {{score[most]:6.2f}} {{weight[most]:.3f}}")
"""
    return f"""\
{begin}{one}for token, row in zip(view.tokens, view.pattern):
    print(f"{{token:>12}} reads {{view.tokens[row.argmax()]:12}} {{row.max():.3f}}")
"""
