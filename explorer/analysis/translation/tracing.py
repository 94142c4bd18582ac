"""Traces of the encoder and the decoder for a source and its translation."""

from collections.abc import Sequence

import torch

from explorer.analysis.translation.search import network_and_tokenizer, read
from explorer.errors import TextError
from explorer.models.family import Pass
from explorer.models.language_model import LanguageModel
from explorer.models.layers import Heads
from explorer.trace import Attention, Capture, Edit, Encoding, PairTrace, Trace, captured


def trace(
    model: LanguageModel,
    text: str,
    target: str | Sequence[int],
    capture: Capture = Capture.ALL,
    edit_decoder: Edit | None = None,
) -> PairTrace:
    """Run a source and a target (a text or its ids) through the encoder and the decoder.

    Row i of the decoder's side is the step that predicts `written[i]`, a token of the target or the `</s>`
    after it, from the tokens before it. Raises AbilityError for a model that does not translate, TextError
    for an empty source or target.

    >>> pair = trace(explorer.load("translator"), "The dog sleeps.", "Le chien dort.")
    >>> list(zip(pair.target.tokens, pair.written))[:2]  # the last token read, and the token predicted
    [('<pad>', '▁Le'), ('▁Le', '▁chien')]
    """
    _, tokenizer = network_and_tokenizer(model)
    source = read(model, text)
    if isinstance(target, str):
        ids = tokenizer.encode_target(target, model.config.positions).ids.tolist()
    else:
        ids = list(target)
    return trace_encoded(model, source, ids, capture, edit_decoder)


def trace_encoded(
    model: LanguageModel,
    source: Encoding,
    ids: Sequence[int],
    capture: Capture = Capture.ALL,
    edit_decoder: Edit | None = None,
) -> PairTrace:
    """Like `trace`, for a source that is encoded already and the ids of a target."""
    network, tokenizer = network_and_tokenizer(model)
    ids = list(ids)[: model.config.positions]
    if not ids:
        raise TextError("There is no translation to look at.", "Give its text, or its ids.")
    inputs = [network.config.start, *ids[:-1]]
    with torch.no_grad():
        states = network(source.ids[None], capture=capture)
        decoder = network.decode(
            torch.tensor([inputs]), states.last, capture=capture | Capture.LOGITS, edit=edit_decoder
        )
    name = str(model.checkpoint)
    tokens = [tokenizer.token(id) for id in inputs]
    encoding = Encoding(
        text=tokenizer.decode(ids),
        tokens=tokens,
        ids=torch.tensor(inputs),
        spans=[(0, 0)] * len(tokens),
        special=torch.tensor([i == 0 or id in tokenizer.special_ids for i, id in enumerate(inputs)]),
        segments=torch.zeros(len(tokens), dtype=torch.long),
    )
    return PairTrace(
        source=Trace(name, source, _states(states), _attention(states.heads)),
        target=Trace(
            name,
            encoding,
            _states(decoder),
            _attention(decoder.heads, causal=True),
            captured(decoder.logits)[0] if Capture.LOGITS in capture else None,
        ),
        cross=_attention(decoder.cross),
        written=[tokenizer.token(id) for id in ids],
    )


def _states(result: Pass) -> torch.Tensor | None:
    return None if result.hidden_states is None else torch.cat(result.hidden_states)


def _attention(layers: list[Heads] | None, causal: bool = False) -> Attention | None:
    if layers is None:
        return None
    return Attention(
        queries=torch.cat([heads.queries for heads in layers]),
        keys=torch.cat([heads.keys for heads in layers]),
        values=torch.cat([heads.values for heads in layers]),
        pattern=torch.cat([heads.pattern for heads in layers]),
        causal=causal,
    )
