"""Heads: the heads of a layer, one or the mean of several, as lines and as a map.

The picture has all heads of the layer, so it can switch and compare them without an answer from Python.
Each change arrives afterwards and is stored in settings, for the link and for undo.
"""

from typing import Any

from explorer.locale import N_, _, localised
from explorer.views import kit
from explorer.views.attention import buffer as head_buffer
from explorer.views.attention import examples, files, kinds, pronoun
from explorer.views.attention import wall as head_wall
from explorer.views.attention.pronoun import PRONOUNS
from explorer.views.attention.sentence import (
    SelectedToken,
    example_input,
    layers_and_heads,
    nothing_typed,
    words,
)
from explorer.views.attention.settings import (
    ACROSS,
    BY_VALUES,
    HEAD,
    HIDE,
    LAYER,
    LEAST,
    MERGE,
    MODEL,
    ON,
    SIDES,
    TIRED,
    TOKEN,
)
from explorer.views.frame import page as frame
from explorer.views.frame.polls.poll import token_poll
from explorer.views.types import LanguageModel, Patterns, Trace
from explorer.views.widgets.layer_names import layer_and_head, number_on_screen
from explorer.views.widgets.registry import fits
from explorer.views.widgets.token_text import MERGED

READER, READ = "it", "animal"


def it_and_animal(page: "kit.OpenPage[Trace]") -> str:
    """The weight from “it” to “animal”, as it was and as it is, as HTML; "" where one of them is missing."""
    from explorer.trace import Capture

    settings, trace = page.settings, page.data
    tokens = words(trace.encoding)
    if settings[MODEL] != MODEL.default or not {READER, READ} <= set(tokens) or settings[ON]:
        return ""
    opening = kit.memory.trace(page.model, TIRED, None, Capture.ATTENTION, kit.LIVE_TOKENS)
    was = weight_and_strongest(opening, LAYER.default, HEAD.default)[0]
    weight, strongest = weight_and_strongest(trace, settings[LAYER], settings[HEAD])
    fields = {
        "head": layer_and_head(settings[LAYER], settings[HEAD]),
        "now": kit.short(weight),
        "was": kit.short(was),
    }
    if strongest == READ:
        return _("In {head}, “it” gives {now} of its attention to “animal” (was {was}).", **fields)
    return _(
        "In {head}, “it” gives {now} of its attention to “animal” (was {was}), and more to “{word}”.",
        **fields,
        word=kit.quoted(strongest),
    )


def weight_and_strongest(trace: "Trace", layer: int, head: int) -> tuple[float, str]:
    """The weight from the first “it” to the first “animal”, and the word that “it” attends to most."""
    from explorer.trace import captured

    tokens = words(trace.encoding)
    row = captured(trace.attention).pattern[layer, head, tokens.index(READER)]
    of_words = row.masked_fill(trace.encoding.special, 0)
    return float(row[tokens.index(READ)]), tokens[int(of_words.argmax())]


SEGMENT_FILTERS = {
    "00": N_("Only within A: A is the first sentence, B the second; rows are not rescaled."),
    "01": N_("Only from A to B: A is the first sentence, B the second; rows are not rescaled."),
    "10": N_("Only from B to A: A is the first sentence, B the second; rows are not rescaled."),
    "11": N_("Only within B: A is the first sentence, B the second; rows are not rescaled."),
}  # as in BertViz
KEY = "attention/picture"
REQUEST = kit.Session("attention/asked", 0)


def controls(page: "kit.OpenPage[Trace]") -> None:
    """The switch from weights to what they bring; not for a network whose weights are elsewhere."""
    if not hasattr(page.model, "network"):
        page.settings.show_instead(BY_VALUES.to(False))
    elif not kit.for_class():
        kit.switch(
            page.settings,
            BY_VALUES,
            _("Times the values"),
            help=_(
                "How long the vector is that a token takes from another, |a f(x)|, as a share of its row: "
                "a large weight brings little if the value is short (Kobayashi et al. 2020)."
            ),
        )


def shown(page: "kit.OpenPage[Trace]") -> "Trace":
    """The trace whose pattern is drawn: its weights, or the shares of what they bring."""
    encoding = page.data.encoding
    if not page.settings[BY_VALUES]:
        return page.data
    return _by_values(page.model, encoding.text, encoding.pair, page.data)


@kit.kept(16)
def _by_values(model: "LanguageModel", text: str, pair: str | None, _trace: "Trace") -> "Trace":
    from explorer.analysis.attention.by_values import by_values

    return by_values(model, _trace)


def draw(page: "kit.OpenPage[Trace]") -> kit.Saves:
    """The picture, and a note about what it leaves out."""
    settings, trace = page.settings, shown(page)
    heads = drawn_heads(settings, trace)
    settings.show_instead(ON.to(heads if len(heads) > 1 else None))
    patterns = _patterns(settings, trace)
    header_data = header(settings, trace, patterns, frame.palette().name)

    def changed() -> None:
        event = kit.component_value(KEY, "change", {"request": int})
        if event is not None:
            REQUEST.set(event["request"])
            settings.accept(read_change(event, patterns, trace))

    settings.label(LAYER, _("Layer"), number_on_screen)
    settings.label(HEAD, _("Head"), number_on_screen)
    checkpoint, hide, merge = settings[MODEL], settings[HIDE], settings[MERGE]

    def every_layer() -> dict[str, Any]:
        from explorer.analysis.attention.weights import patterns

        layers = [patterns(trace, number, hide, merge) for number in range(layers_and_heads(trace)[0])]
        return files.every_layer(header_data, layers, kinds.descriptions(checkpoint, trace))

    kit.component("attention/head")(
        key=KEY,
        data=head_buffer.layer(patterns, header_data | {"plain": kit.for_class()}),
        offline=every_layer,
        on_change_change=changed,
    )
    if not kit.for_class() and (remarks := remark(settings, trace, patterns)):
        kit.note_html(remarks)
    return [] if nothing_typed(settings, trace) else _saves(settings, trace, patterns, header_data)


def below(page: "kit.OpenPage[Trace]") -> None:
    """Another head for a pronoun, and all heads as thumbnails."""
    settings, trace = page.settings, shown(page)
    if nothing_typed(settings, trace):
        return
    if not trace.encoding.pair and len(drawn_heads(settings, trace)) == 1:
        selected = SelectedToken.read(settings[TOKEN])
        pronoun.draw(settings, trace, selected, selected and _across(settings, selected, trace))
    head_wall.draw(settings, trace)


def drawn_heads(settings: kit.Settings, trace: "Trace") -> list[int]:
    """The heads that are switched on; the chosen head alone if the setting does not contain it."""
    match settings[ON]:
        case [*on] if settings[HEAD] in on:
            heads = layers_and_heads(trace)[1]
            return sorted({head for head in on if type(head) is int and 0 <= head < heads})
    return [settings[HEAD]]


def state(settings: kit.Settings, trace: "Trace", patterns: "Patterns") -> dict[str, Any]:
    """The settings as the picture needs them, where a selected token is the index of its row."""
    selected = SelectedToken.read(settings[TOKEN])
    at = selected and _row(patterns, selected.position)
    across = selected and _across(settings, selected, trace)
    other = across and _row(patterns, across.position)
    spot: dict[str, Any] | None = None  # a hidden token stays selected
    if selected and at is not None:
        spot = {"side": selected.side, "at": at} | ({} if other is None else {"other": other})
    return {
        "layer": settings[LAYER],
        "head": settings[HEAD],
        "on": drawn_heads(settings, trace),
        "least": min(max(settings[LEAST], 0.0), 1.0),
        "merge": settings[MERGE],
        "hide": settings[HIDE],
        "sides": _segment_filter(settings, trace),
        "locked": spot,
    }


def read_change(event: dict[str, Any], patterns: "Patterns", trace: "Trace") -> dict[str, Any]:
    """A change in the picture as settings; a selection that no longer fits the text is ignored."""
    names = ("on", "least", "merge", "sides", "layer", "head", "hide")
    changes = {name: event[name] for name in names if name in event}
    if fits(changes.get("on"), (int,)):
        changes["on"] = None
    spot: Any = event.get("locked")
    rows = range(len(patterns.groups))
    if fits(spot, {"side": ["from", "to"], "at": rows}) and fits(spot.get("other", 0), rows):
        words_of_text = words(trace.encoding)
        at = patterns.groups[spot["at"]][0]
        changes["token"] = SelectedToken(spot["side"], at, words_of_text[at]).setting
        across = patterns.groups[spot["other"]][0] if "other" in spot else None
        changes["across"] = None if across is None else [across, words_of_text[across]]
    elif "locked" in event and spot is None:
        changes |= {"token": None, "across": None}
    return changes


def header(settings: kit.Settings, trace: "Trace", patterns: "Patterns", palette: str) -> dict[str, Any]:
    """The data of the picture, except the weights."""
    layers, heads = layers_and_heads(trace)
    descriptions = kinds.descriptions(settings[MODEL], trace)
    return {
        "model": settings[MODEL],
        "palette": palette,
        "layers": layers,
        "heads": heads,
        # A head without a kind has no description.
        "kinds": [
            sentence if brief else ""
            for brief, sentence in (descriptions[settings[LAYER], h] for h in range(heads))
        ],
        "tokens": head_buffer.tokens(patterns, trace),
        "message": _("Type a sentence above, or try one below.") if nothing_typed(settings, trace) else "",
        "state": state(settings, trace, patterns),
        "answered": REQUEST.get(),
    }


def remark(settings: kit.Settings, trace: "Trace", patterns: "Patterns") -> str:
    """What the picture leaves out or merges, in words."""
    remarks = [kit.unread(trace.encoding)]
    if settings[BY_VALUES]:
        remarks.append(
            _("Weights times the length of what they bring, |a f(x)|; rows are rescaled to sum to 1.")
        )
    if settings[HIDE] and patterns.groups and trace.encoding.special.any():
        share = patterns.dropped_mass[drawn_heads(settings, trace)].mean()
        remarks.append(
            _(
                "{share} of the weight lay on special tokens; rows are rescaled to sum to 1.",
                share=kit.whole_percent(float(share)),
            )
        )
    if any(len(group) > 1 for group in patterns.groups):
        remarks.append(_(MERGED))
    if settings[LEAST] > 0:
        remarks.append(_("Weights under {least} are not drawn.", least=localised(f"{settings[LEAST]:.2f}")))
    if chosen := _segment_filter(settings, trace):
        remarks.append(_(SEGMENT_FILTERS[chosen]))
    return " ".join(filter(None, remarks))


def asks(page: "kit.OpenPage[Trace]") -> list[kit.Poll]:
    """Which word the selected one attends to most, or stands for; how many tokens the sentence has."""
    settings, trace = page.settings, shown(page)
    if nothing_typed(settings, trace) or trace.encoding.pair:
        return []
    text, count = trace.encoding.text, int(trace.encoding.special.logical_not().sum())
    most = max(len(text), count, 2)
    counts = kit.Question(
        "number", _("How many tokens has this sentence?"), text, low=1, high=most, whole=True
    )
    polls = [kit.Poll(counts, truth=str(count))]
    patterns, heads = _patterns(settings, trace), drawn_heads(settings, trace)
    selected = SelectedToken.read(settings[TOKEN])
    row = _row(patterns, selected.position) if selected and selected.side == "from" else None
    if row is None:
        return polls
    labels = head_buffer.tokens(patterns, trace)
    columns = [at for at, token in enumerate(labels) if not token["quiet"]]
    weights = patterns.pattern[heads].mean(0)[row, columns].tolist()
    word, words_to_tap = labels[row]["text"], [labels[at]["text"] for at in columns]
    who = _("the head") if len(heads) == 1 else _("the heads")
    if word.casefold() in PRONOUNS:
        question = _("Which word does “{word}” stand for?", word=word)
    else:
        question = _("Which word does “{word}” attend to most?", word=word)
    return [token_poll(question, "", words_to_tap, weights, who), *polls]


def _patterns(settings: kit.Settings, trace: "Trace") -> "Patterns":
    """Those of the layer, computed once for the picture and for what the class is asked."""
    encoding = trace.encoding
    of_trace = (settings[MODEL], encoding.text, encoding.pair, settings[BY_VALUES])
    return _patterns_of(of_trace, settings[LAYER], settings[HIDE], settings[MERGE], trace)


@kit.kept(16)
def _patterns_of(
    of_trace: tuple[Any, ...], layer: int, hide: bool, merge: bool, _trace: "Trace"
) -> "Patterns":
    from explorer.analysis.attention.weights import patterns

    return patterns(_trace, layer, hide, merge)


def _row(patterns: "Patterns", position: int) -> int | None:
    """The row of a token, alone or as part of a word; None if it is hidden."""
    return next((row for row, group in enumerate(patterns.groups) if position in group), None)


def _across(settings: kit.Settings, selected: SelectedToken, trace: "Trace") -> SelectedToken | None:
    """The selected token on the other side, if any; it too follows its word when the text changes."""
    match settings[ACROSS]:
        case [int(position), str(word)]:
            other = "to" if selected.side == "from" else "from"
            return SelectedToken(other, position, word).follow(words(trace.encoding))
    return None


def _segment_filter(settings: kit.Settings, trace: "Trace") -> str:
    return settings[SIDES] if settings[SIDES] in SEGMENT_FILTERS and trace.encoding.pair else ""


def _saves(
    settings: kit.Settings, trace: "Trace", layer_patterns: "Patterns", header_data: dict[str, Any]
) -> kit.Saves:
    """The picture and its numbers."""
    heads, layer, checkpoint = drawn_heads(settings, trace), settings[LAYER], settings[MODEL]
    file = f"attention-{checkpoint}-L{layer + 1}" + "".join(f"H{head + 1}" for head in heads[:4])
    names = [token["text"] for token in header_data["tokens"]]

    return [
        kit.Picture("picture", file, N_("These heads")),
        kit.Picture("attention-wall", f"attention-{checkpoint}-every-head", N_("Every head")),
        kit.Export(N_("Weights"), f"{file}.csv", lambda: files.weights(names, layer_patterns, layer, heads)),
        kit.Export(
            N_("Every head of the layer"),
            f"{file}.json",
            lambda: files.layer(names, layer_patterns, layer, trace),
        ),
    ]


VIEW = kit.View(
    text=kit.view_text("attention", "head").of_page(change=it_and_animal),
    settings=(ON, ACROSS, LEAST, BY_VALUES, MERGE, SIDES),
    controls=controls,
    picture=draw,
    footer=below,
    example=lambda page: kit.Example(
        examples.strongest_links,
        **example_input(page),
        layer=page.settings[LAYER],
        heads=drawn_heads(page.settings, page.data),
        hide_special=page.settings[HIDE],
        merge_words=page.settings[MERGE],
        times_values=page.settings[BY_VALUES],
    ),
    stage=kit.Stage(
        covered=(".wires, .value, .line",),
        plain=".to .label",
        desk=f".bar, .hint, .columns, .map, .st-key-{pronoun.KEY}",
        polls=asks,
    ),
)
