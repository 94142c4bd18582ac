"""Attention in a cell: every head, one from the inside, two compared, rollout, and which words mattered."""

from typing import Any

import torch

from explorer.analysis.attention.comparison import Comparison
from explorer.analysis.attention.inside_head import InsideHead
from explorer.analysis.attention.rollout import TokenRollout
from explorer.analysis.attention.weights import attention_of, patterns
from explorer.analysis.attribution.attention import rollout_shares
from explorer.analysis.attribution.gradients import gradient_times_input, integrated_gradients
from explorer.analysis.attribution.prediction import Prediction
from explorer.analysis.attribution.removal import deletion
from explorer.catalogue.manifest import label
from explorer.locale import N_, _, translate
from explorer.notebook.cell import Cell, cell_of
from explorer.trace import Trace
from explorer.views.attention import across_layers, alignment, buffer, compare, files, inside_head, kinds
from explorer.views.attention.settings import HEAD, LAYER
from explorer.views.attention.wall import buffer as wall_buffer
from explorer.views.frame.saving.web_page import Component
from explorer.views.look import blocklist, theme
from explorer.views.why import which_rows, which_values
from explorer.views.widgets.layer_names import layer_and_head
from explorer.views.widgets.token_text import MERGED, visible
from explorer.views.widgets.unread_characters import unread

NOT_WHY = N_("Attention is not explanation: it says what a head read, not why the model answered as it did.")
MOST_WEIGHTS = 1_500_000  # weights of all heads in a cell, two bytes each
STEPS = 16  # of integrated gradients


@cell_of.register
def _trace(trace: Trace) -> Cell | None:
    if trace.attention is None or not len(trace.encoding):
        return None
    return every_head(trace, LAYER.default, HEAD.default)


def every_head(trace: Trace, layer: int, head: int) -> Cell:
    """The heads of a layer as lines and as a map; below it all heads, to open another one.

    Of a long text there are all heads alone. Raises AbilityError for a trace without attention.
    """
    pattern = attention_of(trace).pattern
    layers, count = pattern.shape[:2]
    layer, head = min(max(layer, 0), layers - 1), min(max(head, 0), count - 1)
    wall = Component("attention/wall", wall_buffer(trace.checkpoint, trace, False, False, {}))
    notes = " ".join(filter(None, [unread(trace.encoding), _(NOT_WHY)]))
    if pattern.numel() > MOST_WEIGHTS:
        return Cell([wall], trace.encoding.text, notes)
    header = {
        "model": trace.checkpoint,
        "palette": "",
        "layers": layers,
        "heads": count,
        "tokens": buffer.tokens(patterns(trace, layer), trace),
        "message": "",
        "state": {
            "layer": layer,
            "head": head,
            "on": [head],
            "least": 0.0,
            "merge": False,
            "hide": False,
            "sides": "",
            "locked": None,
        },
    }
    every = [patterns(trace, number) for number in range(layers)]
    descriptions = kinds.descriptions(trace.checkpoint, trace)
    picture = Component("attention/head", files.every_layer(header, every, descriptions))
    text = "  ".join(filter(None, [trace.encoding.text, trace.encoding.pair]))
    return Cell([picture, wall], text, notes, height=900)


@cell_of.register
def _inside(head: InsideHead) -> Cell | None:
    if head.encoding is None:
        return None
    query, key = inside_head.strongest_pair(head, head.encoding)
    data = inside_head.pack(head, head.encoding, query, key, locked=False)
    where = layer_and_head(head.layer, head.head)
    where = _("{head}, number by number", head=where[:1].upper() + where[1:])
    title = f"{head.encoding.text}  {where}"
    notes = _(
        "From q and k to the score, from the scores to the weights, from the weight to what v passes on."
    )
    return Cell([Component("attention/inside_head", data)], title, notes, height=860)


@cell_of.register
def _comparison(comparison: Comparison) -> Cell | None:
    """Both patterns with the difference between them."""
    if comparison.sides is None or not comparison.pairs:
        return None
    first, second = comparison.sides
    texts = list(dict.fromkeys([first.text, second.text]))
    if first.checkpoint != second.checkpoint:
        where, titles = "model", (label(first.checkpoint), label(second.checkpoint))
    else:
        where = "sentence" if len(texts) > 1 else "pattern"
        titles = _("the first sentence"), _("the second sentence")
        if where == "pattern":
            titles = _("the first pattern"), _("the second pattern")
    patterns = alignment.aligned(comparison, titles, [], 0)
    data = compare.picture_data(patterns, where)
    return Cell([Component("attention/compare", data)], " / ".join(texts), _(MERGED))


@cell_of.register
def _rollout(rollout: TokenRollout) -> Cell | None:
    """The token's strands through the layers; a click on another token shows those of that one."""
    if (data := across_layers.every_choice(rollout)) is None:
        return None
    notes = [unread(rollout.encoding), translate(across_layers.ASSUMED), _("The tick marks an even share.")]
    if len(rollout.positions) < len(rollout.encoding):
        notes.append(translate(across_layers.LEFT_OUT))
    return Cell([Component("attention/rollout", data)], rollout.encoding.text, " ".join(filter(None, notes)))


@cell_of.register
def _which_words(prediction: Prediction) -> Cell:
    """A row for each method, as on the page “Which words mattered”."""
    functions = {
        "deletion": deletion,
        "gradient": gradient_times_input,
        "integrated": lambda prediction: integrated_gradients(prediction, STEPS).values,
        "rollout": rollout_shares,
    }
    strips = [_strip(method, function(prediction), prediction) for method, function in functions.items()]
    notes = _(
        "Orange words speak for the answer and purple ones against it. Rollout has no sign: grey says how "
        "much was read."
    )
    return Cell(strips, _question(prediction), notes)


def _strip(method: str, values: torch.Tensor, prediction: Prediction) -> Component:
    name = translate(which_values.METHODS[method])

    def data(palette: theme.Palette) -> dict[str, Any]:
        tokens, scale = which_rows.row_tokens(method, values, prediction, palette)
        return {
            "tokens": tokens,
            "label": _("{name}: each word’s part, {scale}", name=name, scale=scale),
            "active": False,
        }

    scale = which_rows.row_tokens(method, values, prediction, theme.LIGHT)[1]
    return Component("widgets/token_strip", data(theme.LIGHT), data(theme.DARK), f"{name}, {scale}")


def _question(prediction: Prediction) -> str:
    """What is predicted; a word that is not to be shown is dots. A head's label has only its number."""
    model, text = prediction.model, prediction.encoding.text
    blocked = blocklist.over(str(model.checkpoint), text)

    def name(choice: int) -> str:
        token = model.tokenizer.readable(choice)
        shown = blocklist.DOTS if blocklist.covers(blocked, "", token) else visible(token)
        return _("“{text}”", text=shown)

    if prediction.instead is None:
        return _("What makes {answer} probable?", answer=name(prediction.answer))
    answer, instead = name(prediction.answer), name(prediction.instead)
    return _("What speaks for {answer} rather than {instead}?", answer=answer, instead=instead)
