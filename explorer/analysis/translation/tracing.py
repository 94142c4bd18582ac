"""What encoder and decoder computed for a source and its translation."""

from collections.abc import Sequence

import torch

from explorer.analysis.translation.search import parts, read
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
    edit_encoder: Edit | None = None,
    edit_decoder: Edit | None = None,
) -> PairTrace:
    """Run a source and a target, a text or its ids, through the encoder and the decoder.

    Row i of the decoder's side is the step that wrote `written[i]`, of the target or the `</s>` after it:
    the decoder had read the tokens before it. Raises AbilityError for a model that does not translate,
    TextError for an empty source or a target without a token.

    >>> import explorer
    >>> found = trace(explorer.load("translator"), "The dog sleeps.", "Le chien dort.")
    >>> list(zip(found.target.tokens, found.written))[:2]  # what was read last, and what was written then
    [('<pad>', '▁Le'), ('▁Le', '▁chien')]
    """
    _, tokenizer = parts(model)
    source = read(model, text)
    if isinstance(target, str):
        ids = tokenizer.encode_target(target, model.config.positions).ids.tolist()
    else:
        ids = list(target)
    return trace_encoded(model, source, ids, capture, edit_encoder, edit_decoder)


def trace_encoded(
    model: LanguageModel,
    source: Encoding,
    ids: Sequence[int],
    capture: Capture = Capture.ALL,
    edit_encoder: Edit | None = None,
    edit_decoder: Edit | None = None,
) -> PairTrace:
    """As `trace`, for a source that has been read and the ids of a target."""
    network, tokenizer = parts(model)
    ids = list(ids)[: model.config.positions]
    if not ids:
        raise TextError("There is no translation to look at.", "Give its text, or its ids.")
    start = model.config.d_vocab - 1 if model.config.start is None else model.config.start
    decoded = [start, *ids[:-1]]
    with torch.no_grad():
        states = network(source.ids[None], capture=capture, edit=edit_encoder)
        found = network.decode(
            torch.tensor([decoded]), states.last, capture=capture | Capture.LOGITS, edit=edit_decoder
        )
    name = str(model.checkpoint)
    tokens = [tokenizer.token(id) for id in decoded]
    encoding = Encoding(
        text=tokenizer.decode(ids),
        tokens=tokens,
        ids=torch.tensor(decoded),
        spans=[(0, 0)] * len(tokens),
        special=torch.tensor([i == 0 or id in tokenizer.special_ids for i, id in enumerate(decoded)]),
        segments=torch.zeros(len(tokens), dtype=torch.long),
    )
    return PairTrace(
        source=Trace(name, source, _states(states), _attention(states.heads)),
        target=Trace(
            name,
            encoding,
            _states(found),
            _attention(found.heads, causal=True),
            captured(found.logits)[0] if Capture.LOGITS in capture else None,
        ),
        cross=_attention(found.cross),
        written=[tokenizer.token(id) for id in ids],
    )


def _states(found: Pass) -> torch.Tensor | None:
    return None if found.hidden_states is None else torch.cat(found.hidden_states)


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
