"""Across layers: how much of each word has reached one token at a layer, by attention rollout and flow.

Abnar and Zuidema, "Quantifying Attention Flow in Transformers" (ACL 2020).
"""

from dataclasses import replace
from time import perf_counter
from typing import Any

from explorer.locale import N_, _, localised, ngettext
from explorer.text.letters import has_letters
from explorer.views import kit
from explorer.views.attention import examples
from explorer.views.attention import sentence as attention_sentence
from explorer.views.attention.sentence import SelectedToken, example_input, words
from explorer.views.attention.settings import ACROSS_FLOW, ACROSS_LAYER, ACROSS_SPECIAL, MODEL, TOKEN
from explorer.views.types import Strand, Tensor, TokenRollout, Trace

KEY = "attention/rollout"
HIGH_PX, LOW_PX = 430, 350  # height of the column of tokens, as in “Heads”, and in presenter mode
LEAST, MOST_STRANDS = 0.0003, 3000  # strands thinner than this share are not sent
MOST_SHARES = 100_000  # steps of all layers in a page without a server, as numbers of four digits
SCALES = (0.2, 0.5, 1.0)
EVERY_WORD = 0.5  # if all words could fill this much of the token, flow says little about any of them
ASSUMED = N_(
    "Rollout and flow assume: a layer’s heads averaged, half of each token kept by the residual "
    "(the identity), values and MLPs left out."
)
LEFT_OUT = N_("Special tokens are taken out of every layer and the rows rescaled.")


def controls(page: "kit.OpenPage[Trace]") -> None:
    """The number of layers, and whether special tokens take part."""
    settings, trace = page.settings, page.data
    layers = attention_sentence.layers_and_heads(trace)[0]

    def label(count: int) -> str:
        if count:
            return ngettext("After {count} layer", "After {count} layers", count)
        return _("After all {layers} layers", layers=layers)

    settings.restrict(ACROSS_LAYER, range(layers))
    choices = {count: label(count) for count in [*range(1, layers), 0]}
    width = kit.roomy(180, choices[0])
    kit.menu(settings, ACROSS_LAYER, _("Layers"), choices, width=width, label_visibility="collapsed")
    disabled = not trace.encoding.special.any()
    kit.switch(settings, ACROSS_SPECIAL, _("Count special tokens"), disabled=disabled)


def draw(page: "kit.OpenPage[Trace]") -> kit.Saves:
    """The strands from the chosen token back to the words; a click on the left chooses another token."""
    from explorer.analysis.attention.flow import MOST_TOKENS

    settings, trace = page.settings, page.data
    if attention_sentence.nothing_typed(settings, trace):
        kit.instruction()
        return []
    rollout = token_rollout(settings, trace)
    data = picture_data(rollout)
    tokens, columns = data["tokens"], data["columns"]
    strands = sorted(rollout.strands(LEAST), key=lambda strand: -strand.share)[:MOST_STRANDS]
    fits, notes = len(tokens) <= MOST_TOKENS, [kit.unread(trace.encoding)]
    flowing = settings[ACROSS_FLOW] and fits
    columns.append({"name": _("flow"), "kind": "flow", "values": None, "even": 0, "most": 1})
    if flowing:
        flows, seconds = _flow(settings, trace, rollout)
        columns[-1] = _column(_("flow"), "flow", flows, 0)
        notes.append(
            _(
                "Flow: {count} problems of maximum flow in {seconds} s; words share edges, "
                "so flows do not sum to 1.",
                count=len(tokens),
                seconds=localised(f"{max(seconds, 0.01):.2f}"),
            )
        )
        if float(flows.min()) > EVERY_WORD:
            notes.append(
                _(
                    "Here every word could fill at least {share} of the token: so many paths "
                    "lead there that flow no longer tells the words apart. Choose fewer layers.",
                    share=kit.whole_percent(float(flows.min())),
                )
            )
    elif settings[ACROSS_FLOW]:
        notes.append(
            _(
                "Flow is computed for {most} tokens at most, and these are {count}.",
                most=MOST_TOKENS,
                count=len(tokens),
            )
        )
    token_words = words(trace.encoding)

    def choose() -> None:
        at = kit.component_value(KEY, "choose", range(len(rollout.positions)))
        if at is not None:
            position = rollout.positions[at]
            settings.set(TOKEN.to(SelectedToken("from", position, token_words[position]).setting))

    def turn() -> None:
        if (on := kit.component_value(KEY, "flow", bool)) is not None:
            settings.set(ACROSS_FLOW.to(on))

    data |= {
        "room": LOW_PX if kit.presenting() else HIGH_PX,
        "strands": [[s.layer, s.upper, s.lower, round(s.share, 5)] for s in strands],
        "flowing": flowing,
        "fits": fits,
        "help": _(
            "For at most {most} tokens: a maximum-flow problem each, done in under a second.",
            most=MOST_TOKENS,
        ),
    }
    kit.component("attention/rollout")(
        key=KEY,
        data=data,
        offline=lambda: every_choice(rollout) or data,
        on_choose_change=choose,
        on_flow_change=turn,
    )
    even_share = _("The tick marks an even share, {share}.", share=localised(f"{columns[0]['even']:.2f}"))
    notes.append(f"{_(ASSUMED)} {even_share}")
    if not settings[ACROSS_SPECIAL] and trace.encoding.special.any():
        notes.append(_(LEFT_OUT))
    if not kit.for_class():
        kit.note_html(" ".join(filter(None, notes)))
    names = [token["name"] for token in tokens]
    file = f"{settings[MODEL]}-layer-{rollout.layer}-{names[rollout.place]}"
    return [
        kit.Picture("picture", file),
        kit.Export(
            N_("What the token has read"),
            f"{file}.csv",
            lambda: _numbers_table(names, columns, rollout.layer),
        ),
        kit.Export(
            N_("Strands between layers"), f"{file}-strands.csv", lambda: _strands_table(names, strands)
        ),
    ]


def token_rollout(settings: kit.Settings, trace: "Trace") -> "TokenRollout":
    """The rollout of the chosen token at the chosen layer."""
    from explorer.analysis.attention import rollout

    hide = not settings[ACROSS_SPECIAL]
    position = _chosen(settings, trace, rollout.kept_positions(trace.encoding.special, hide))
    return rollout.at_token(trace, position, settings[ACROSS_LAYER] or None, hide)


def picture_data(rollout: "TokenRollout") -> dict[str, Any]:
    """The data of the component without strands and flow."""
    tokens = kit.token_labels(rollout.encoding, rollout.positions)
    even = 1 / (rollout.place + 1 if rollout.causal else len(tokens))
    return {
        "room": HIGH_PX,
        "tokens": tokens,
        "layer": rollout.layer,
        "chosen": rollout.place,
        "levels": _rounded(rollout.levels),
        "columns": [
            _column(
                _("layer {layer} alone", layer=rollout.layer), "raw", rollout.weights[rollout.place], even
            ),
            _column(
                _("and what it keeps") if kit.for_class() else _("rollout"), "rollout", rollout.shares, even
            ),
        ],
        "plain": kit.for_class(),
        "flowing": False,
        "label": _(
            "What {token} has read by layer {layer}, word by word",
            token=tokens[rollout.place]["name"],
            layer=rollout.layer,
        ),
    }


def every_choice(rollout: "TokenRollout") -> dict[str, Any] | None:
    """The data for every token that can be chosen, in a page without a server; None if they are too many."""
    steps = rollout.steps[: rollout.layer]
    if steps.numel() > MOST_SHARES:
        return None
    return {
        "steps": _rounded(steps),
        "choices": [picture_data(replace(rollout, place=place)) for place in range(len(rollout.positions))],
        "choice": rollout.place,
        "least": LEAST,
        "most": MOST_STRANDS,
    }


def _chosen(settings: kit.Settings, trace: "Trace", positions: list[int]) -> int:
    """The selected token, or else the last word, which in a causal model has read the most."""
    selected = SelectedToken.read(settings[TOKEN])
    if selected and selected.position in positions:
        return selected.position
    encoding = trace.encoding
    with_letters = [i for i in positions if not encoding.special[i] and has_letters(encoding.surface(i))]
    return (with_letters or positions)[-1]


def _flow(settings: kit.Settings, trace: "Trace", rollout: "TokenRollout") -> "tuple[Tensor, float]":
    encoding = trace.encoding
    hide = len(rollout.positions) < len(encoding)
    name = (settings[MODEL], encoding.text, encoding.pair, hide, rollout.layer, rollout.place)
    return _timed_flow(*name, rollout.steps)


@kit.kept(64, N_("Computing flow"))
def _timed_flow(
    model: str, text: str, pair: str | None, hide: bool, layer: int, place: int, _steps: "Tensor"
) -> "tuple[Tensor, float]":
    from explorer.analysis.attention.flow import flow

    started = perf_counter()
    return flow(_steps, layer, place), perf_counter() - started


def _column(name: str, kind: str, values: "Tensor", even: float) -> dict[str, Any]:
    """One measure as a column of bars; a full bar is the smallest of SCALES that holds all values."""
    most = next(s for s in SCALES if s == 1 or s >= max(float(values.max()), even))
    return {"name": name, "kind": kind, "values": _rounded(values), "even": even, "most": most}


def _rounded(values: "Tensor") -> list[Any]:
    return values.double().round(decimals=5).tolist()


def example(page: "kit.OpenPage[Trace]") -> kit.Example:
    """Rollout, and flow if it is on, from Python."""
    from explorer.analysis.attention.flow import MOST_TOKENS

    rollout = token_rollout(page.settings, page.data)
    flowing = page.settings[ACROSS_FLOW] and len(rollout.positions) <= MOST_TOKENS
    return kit.Example(
        examples.read_across_layers,
        **example_input(page),
        with_flow=flowing,
        layer=rollout.layer,
        token=rollout.place,
        hide_special=len(rollout.positions) < len(page.data.encoding),
    )


def _numbers_table(names: list[str], columns: list[dict[str, Any]], layer: int) -> str:
    filled = [column for column in columns if column["values"] is not None]  # flow only if it is on
    rows = [[name, *row] for name, *row in zip(names, *(column["values"] for column in filled))]
    return kit.table(["word", f"layer {layer} alone", *(column["kind"] for column in filled[1:])], rows)


def _strands_table(names: list[str], strands: "list[Strand]") -> str:
    rows = [(s.layer + 1, names[s.upper], names[s.lower], s.share) for s in strands]
    return kit.table(["layer", "into", "from", "share"], rows)


VIEW = kit.View(
    text=kit.view_text("attention", "layers"),
    settings=(ACROSS_LAYER, ACROSS_FLOW, ACROSS_SPECIAL),
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(desk=".hint, .turn"),
)
