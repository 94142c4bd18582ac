"""The heads of a layer on the attention page: one, or the mean of several, as lines and as a map.

The picture holds all heads of a layer, so switching, comparing and trying them out needs no answer from
here; each change comes afterwards, as settings, so that the link and undo know it.
"""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.attention import buffer as head_buffer
from explorer.views.attention import files, kinds
from explorer.views.attention import wall as head_wall
from explorer.views.attention.presets import NOT_WHY, PRESETS
from explorer.views.attention.sentence import Held, code_begin, cut, nothing_typed, words
from explorer.views.frame import page as frame
from explorer.views.frame.saving import Export, Picture, offer
from explorer.views.frame.settings import Settings
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from explorer.analysis.attention.weights import Patterns
    from explorer.models import LanguageModel
    from explorer.trace import Trace

DEFAULTS: dict[str, Any] = {
    "on": None,  # the heads that are drawn, as a list; None for the chosen one alone
    "across": None,  # with a token held, the one across from it: [position, word]
    "least": 0.0,  # weights below it are not drawn
    "merge": False,  # WordPieces merged into words
    "sides": "",  # "01": only from the first sentence to the second
}
SIDES = {"00": "within A", "01": "from A to B", "10": "from B to A", "11": "within B"}  # as in BertViz
PARTS = ("data", "paint", "bar", "touch", "words")
KEY, ASKED = "attention/picture", "attention/asked"


def controls(settings: Settings, trace: "Trace") -> None:
    """None: they belong to the picture, where they act at once."""


def draw(settings: Settings, trace: "Trace") -> None:
    """The picture, and a line about what it leaves out."""
    on = drawn(settings, trace)
    settings.set(on=on if len(on) > 1 else None)
    found = _found(settings, trace)

    def changed() -> None:
        event = st.session_state[KEY].change
        if event is not None:
            st.session_state[ASKED] = event["asked"]
            settings.set(**read(event, found, trace))

    component("attention/head", *PARTS)(
        key=KEY, data=buffer(settings, trace, found, frame.palette().name), on_change_change=changed
    )
    if said := remark(settings, trace, found):
        st.html(f'<p class="rb-quiet" style="margin:0">{said}</p>')
    if not nothing_typed(settings, trace):
        _offer(settings, trace, found)


def below(settings: Settings, trace: "Trace") -> None:
    """The wall of all heads."""
    if not nothing_typed(settings, trace):
        head_wall.draw(settings, trace)


def drawn(settings: Settings, trace: "Trace") -> list[int]:
    """The heads that are switched on; the chosen one alone where the setting does not hold it."""
    match settings["on"]:
        case [*on] if settings["head"] in on:
            heads = trace.attention.pattern.shape[1]
            return sorted({head for head in on if type(head) is int and 0 <= head < heads})
    return [settings["head"]]


def state(settings: Settings, trace: "Trace", found: "Patterns") -> dict[str, Any]:
    """The settings as the picture knows them: a held token is the place of its row."""
    held = Held.read(settings["token"])
    at = held and _row(found, held.position)
    across = held and _across(settings, held, trace)
    other = across and _row(found, across.position)
    spot = {"side": held.side, "at": at} if at is not None else None  # a hidden token's hold waits
    if spot and other is not None:
        spot["other"] = other
    return {
        "layer": settings["layer"],
        "head": settings["head"],
        "on": drawn(settings, trace),
        "least": min(max(settings["least"], 0.0), 1.0),
        "merge": settings["merge"],
        "hide": settings["hide"],
        "sides": _sides(settings, trace),
        "held": spot,
    }


def read(event: dict[str, Any], found: "Patterns", trace: "Trace") -> dict[str, Any]:
    """A change in the picture as settings; of a click that crossed a change of text, what still fits."""
    names = ("on", "least", "merge", "sides", "layer", "head", "hide")
    changes = {name: event[name] for name in names if name in event}
    if len(changes.get("on", ())) == 1:
        changes["on"] = None
    spot = event.get("held")
    if spot and max(spot["at"], spot.get("other", 0)) < len(found.groups):
        said = words(trace.encoding)
        at = found.groups[spot["at"]][0]
        changes["token"] = Held(spot["side"], at, said[at]).setting
        across = found.groups[spot["other"]][0] if "other" in spot else None
        changes["across"] = None if across is None else [across, said[across]]
    elif "held" in event and spot is None:
        changes |= {"token": None, "across": None}
    return changes


def buffer(settings: Settings, trace: "Trace", found: "Patterns", palette: str, **header: Any) -> bytes:
    """All that the picture draws."""
    layers, heads = trace.attention.pattern.shape[:2]
    known = kinds.known(settings["model"], trace)
    return head_buffer.layer(
        found,
        {
            "model": settings["model"],
            "palette": palette,
            "layers": layers,
            "heads": heads,
            "kinds": [known[settings["layer"], head][1] for head in range(heads)],
            "tokens": head_buffer.tokens(found, trace),
            "message": "Type a sentence above, or try one below." if nothing_typed(settings, trace) else "",
            "state": state(settings, trace, found),
            "answered": st.session_state.get(ASKED, 0),
        }
        | header,
    )


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "A row of the map, in the order of the text, and the lines from the token beside it show the same "
        "weights; they sum to 1. Click a number to switch a head on or off, with Shift to see it alone; "
        "several are drawn as their mean, with a square beside each token for each head. Click a token, then "
        "one across from it: the wall below shows which heads join the two.",
        f"{NOT_WHY} [CLS], [SEP] and a first token are mostly resting places; above layer 0 a token has "
        "already mixed with others.",
    )


def presets(settings: Settings) -> list[frame.Preset]:
    """Heads that each do one thing."""
    return PRESETS


def remark(settings: Settings, trace: "Trace", found: "Patterns") -> str:
    """What the picture leaves out or joins, in words."""
    said = [cut(trace)]
    if settings["hide"] and found.groups and trace.encoding.special.any():
        share = found.dropped_mass[drawn(settings, trace)].mean()
        said.append(f"{share:.0%} of the weight lay on special tokens; rows are rescaled to sum to 1.")
    if any(len(group) > 1 for group in found.groups):
        said.append("To a word: the sum over its pieces; from it: their mean (Clark et al. 2019).")
    if settings["least"] > 0:
        said.append(f"Weights under {settings['least']:.2f} are not drawn.")
    if sides := _sides(settings, trace):
        said.append(
            f"Only {SIDES[sides]}: A is the first sentence, B the second; weights are those of whole rows."
        )
    return " ".join(filter(None, said))


def code(settings: Settings, model: "LanguageModel") -> str:
    """The strongest link of every token, from Python."""
    on = settings["on"] or [settings["head"]]
    return f"""\
{code_begin(settings, model, "patterns")}\
found = patterns(trace, {settings["layer"]}, hide_special={settings["hide"]}, merge_words={settings["merge"]})
pattern = found.pattern[{on}].mean(0)
names = ["".join(map(trace.encoding.surface, group)).strip() for group in found.groups]
for name, row in zip(names, pattern):
    print(f"{{name:>12}} reads {{names[row.argmax()]:12}} {{row.max():.3f}}")
"""


def _found(settings: Settings, trace: "Trace") -> "Patterns":
    from explorer.analysis.attention.weights import patterns

    return patterns(trace, settings["layer"], settings["hide"], settings["merge"])


def _row(found: "Patterns", position: int) -> int | None:
    """The row that a token is drawn in, by itself or as part of a word."""
    return next((row for row, group in enumerate(found.groups) if position in group), None)


def _across(settings: Settings, held: Held, trace: "Trace") -> Held | None:
    """The token across from the held one; like it, it follows its word when the text changes."""
    match settings["across"]:
        case [int(position), str(word)]:
            other = "to" if held.side == "from" else "from"
            return Held(other, position, word).follow(words(trace.encoding))
    return None


def _sides(settings: Settings, trace: "Trace") -> str:
    return settings["sides"] if settings["sides"] in SIDES and trace.encoding.pair else ""


def _offer(settings: Settings, trace: "Trace", found: "Patterns") -> None:
    """What can be saved: the picture, its numbers, and a page of its own with every layer."""
    heads, layer, checkpoint = drawn(settings, trace), settings["layer"], settings["model"]
    names = [token["text"] for token in head_buffer.tokens(found, trace)]
    file = f"attention-{checkpoint}-L{layer}" + "".join(f"H{head}" for head in heads[:4])
    from explorer.analysis.attention.weights import patterns

    palette, hide, merge = frame.palette(), settings["hide"], settings["merge"]
    opened = buffer(settings, trace, found, palette.name, fixed=True, answered=0)

    def page() -> str:
        every = [patterns(trace, one, hide, merge) for one in range(trace.attention.pattern.shape[0])]
        return files.page(opened, every, kinds.known(checkpoint, trace), palette, trace)

    offer(
        settings,
        Picture("picture", file, "These heads"),
        Picture("attention-wall", f"attention-{checkpoint}-every-head", "Every head"),
        Export("This picture, a page of its own", f"{file}.html", page),
        Export("Weights", f"{file}.csv", lambda: files.weights(names, found, layer, heads)),
        Export("Every head of the layer", f"{file}.json", lambda: files.layer(names, found, layer, trace)),
    )
