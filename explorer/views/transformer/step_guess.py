"""Step by step: what the model guesses at the end, from the vectors that leave its last layer."""

from typing import Any

from explorer import analysis
from explorer.catalogue.ability import Ability
from explorer.locale import _
from explorer.views.look import blocklist
from explorer.views.transformer.written import piece_text
from explorer.views.types import LanguageModel, Tensor, Walk
from explorer.views.widgets.numbers import short
from explorer.views.widgets.token_text import visible

GUESSES = 3


def guesses(model: "LanguageModel", walk: "Walk") -> dict[str, Any]:
    """The likeliest words at each token, with a title; nothing for a model that guesses none."""
    if walk.source is not None:
        title = _("Next French word")
    elif Ability.FILL in model.abilities:
        title = _("Guess here")
    elif Ability.GENERATE in model.abilities:
        title = _("Next word")
    else:
        return {"title": "", "rows": []}
    last = walk.value("hidden_states")[-1].to(model.device)
    probabilities = _scores(model, last, walk.source is not None).softmax(-1)
    read = walk.source or walk.encoding
    blocked = blocklist.over(str(model.checkpoint), read.text, read.pair or "")
    write = piece_text if walk.source is not None else visible
    rows = [
        [
            {
                "text": blocklist.DOTS
                if blocklist.covers(blocked, "", c.token, "")
                else model.tokenizer.whole_or_bytes(c.id, write(c.token)),
                "written": short(c.probability),
                "probability": c.probability,
            }
            for c in analysis.prediction.ranked(model, row, GUESSES)
        ]
        for row in probabilities
    ]
    return {"title": title, "rows": rows}


def _scores(model: "LanguageModel", states: "Tensor", of_decoder: bool) -> "Tensor":
    """The scores of all words, from the vectors that leave the last layer."""
    import torch

    from explorer.analysis.translation.search import network_and_tokenizer

    if not of_decoder:
        return model.unembed(states)
    with torch.no_grad():
        scores = network_and_tokenizer(model)[0].unembed(states)
    scores[:, model.config.padding] = -torch.inf  # it is never written
    return scores
