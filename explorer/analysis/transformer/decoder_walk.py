"""One layer of a decoder, step by step: attention to its own text, then across to the encoder's."""

from dataclasses import replace

import torch

from explorer.analysis.transformer.layer_steps import steps_of
from explorer.analysis.transformer.layer_walk import Walk, check_place, given_values, run_steps
from explorer.analysis.translation.search import network_and_tokenizer, read, translate_encoded
from explorer.analysis.translation.tracing import trace_encoded
from explorer.models import LanguageModel
from explorer.trace import Capture, captured


def walk_decoder(
    model: LanguageModel,
    text: str,
    target: tuple[int, ...] | None = None,
    layer: int = 0,
    head: int = 0,
    limit: int | None = None,
) -> Walk:
    """Walk through one layer of a translator's decoder, with one of its heads in full.

    `target` are the ids of the translation, the model's own by default: the decoder has read `<pad>` and
    all of them but the last. Source and target are cut at `limit` tokens each. Raises AbilityError for a
    model that does not translate, TextError for an empty text, ExplorerError for a layer or a head that
    the decoder does not have.

    >>> steps = walk_decoder(explorer.load("translator"), "The dog sleeps.")
    >>> weights = steps.value("cross_weights")  # how much each written token reads of each source token
    >>> weights.shape == (len(steps.encoding), len(steps.source))
    True
    """
    network, _ = network_and_tokenizer(model)
    config = model.config
    check_place(
        f"The decoder of {model.checkpoint}", layer, config.decoder_layers, head, config.decoder_heads
    )
    source = read(model, text, limit)
    ids = translate_encoded(model, source).ids if target is None else target
    trace = trace_encoded(model, source, ids[:limit], Capture.HIDDEN)
    encoding = trace.target.encoding
    encoding = replace(encoding, truncated=len(ids) - len(encoding))
    start, parameters = model.input_parameters(), network.decoder_parameters(layer)
    states = captured(trace.target.hidden_states)
    values = given_values(encoding, states, start, parameters, layer, head)
    values |= {
        "encoder_states": captured(trace.source.hidden_states),
        "allowed": torch.ones(len(encoding), len(encoding)).tril().bool(),
    }
    steps = steps_of(start, parameters, layer, head)
    return Walk(encoding, layer, head, steps, run_steps(steps, values), source=source)
