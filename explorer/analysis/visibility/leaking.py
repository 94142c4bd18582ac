"""Why BERT must mask the words that it predicts: a word in the text leaks back to its own position.

    visible      the word is in the text: its position reads it directly
    neighbours   its position has [MASK] in every layer, but the positions around it have read the word;
                 after the first layer the word comes back from them
    hidden       [MASK] is in the text: no position has read the word

In the second case the word's own position never reads the word itself, and yet two layers are enough: word ->
neighbour -> the word's position. That is why a deep bidirectional encoder cannot be trained to predict words
that it sees (Devlin et al., "BERT", NAACL 2019, section 3.1).
"""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.errors import TextError
from explorer.models.base import Model
from explorer.trace import Ability, Capture, Edit, Encoding, Trace, captured


@dataclass(frozen=True, eq=False)
class Leak:
    """The probability of each ordinary token at its own position, in the three cases.

    >>> import explorer
    >>> result = leak(explorer.load("bert"), "The cat sat.")
    >>> result.places, result.hidden.shape
    ([1, 2, 3, 4], torch.Size([4]))
    """

    encoding: Encoding
    places: list[int]
    visible: Float[Tensor, "place"]
    neighbours: Float[Tensor, "place"]
    hidden: Float[Tensor, "place"]


@dataclass(frozen=True)
class Path:
    """The path of a word through one neighbour back to its position with the largest product of weights.

    `there` is how much the neighbour reads of the word in the lower layer, `back` how much the word's
    position reads of the neighbour in the upper one; both are means over the heads.

    >>> import explorer
    >>> way = path(explorer.load("bert").trace("The cat sat."), word=2)
    >>> way.word, way.neighbour != 2, 0 < way.there < 1
    (2, True, True)
    """

    word: int
    neighbour: int
    there: float
    back: float


def leak(model: Model, text: str, limit: int | None = None) -> Leak:
    """Every token of a text predicted at its own position: visible, through its neighbours, and hidden.

    Raises TextError for a text without a token, AbilityError for a model that does not fill blanks.

    >>> import explorer
    >>> result = leak(explorer.load("bert"), "The cat sat on the mat.")
    >>> bool(result.visible.mean() > result.hidden.mean())
    True
    """
    model.require(Ability.FILL, "guess masked words")
    encoding = model.encode(text, limit=limit)
    places = (~encoding.special).nonzero().flatten().tolist()
    if not places:
        raise TextError("There is no word to guess.", "Type a sentence.")
    (trace,) = model.trace_encodings([encoding], Capture.HIDDEN)
    states = captured(trace.hidden_states)
    masked = [_masked(model, encoding, place) for place in places]
    hidden = _at(model, model.trace_encodings(masked, Capture.HIDDEN), places)
    through = _at(
        model, model.trace_encodings(masked, Capture.HIDDEN, _all_know_but_one(states, places)), places
    )
    ids = encoding.ids[places][:, None]
    visible = model.unembed(states[-1][places]).softmax(-1)
    own = (probabilities.gather(1, ids)[:, 0] for probabilities in (visible, through, hidden))
    return Leak(encoding, places, *own)


def path(trace: Trace, word: int, layer: int = 0) -> Path | None:
    """The neighbour through which most of a word comes back in two layers; None if it has no neighbour.

    Special tokens do not count. The weight of a path is the product of its two weights.

    >>> import explorer
    >>> bert = explorer.load("bert")
    >>> path(bert.trace("The cat sat."), word=2).neighbour in (1, 3, 4), path(bert.trace("Cats"), word=1)
    (True, None)
    """
    pattern = captured(trace.attention).pattern.mean(1)
    weights = pattern[layer, :, word] * pattern[layer + 1, word]
    weights[word] = -1
    weights[trace.encoding.special] = -1
    best = int(weights.argmax())
    if float(weights[best]) < 0:
        return None
    return Path(word, best, float(pattern[layer, best, word]), float(pattern[layer + 1, word, best]))


def _masked(model: Model, encoding: Encoding, place: int) -> Encoding:
    ids, mask = encoding.ids.clone(), model.tokenizer.special_id("mask")
    assert mask is not None, "a model that fills blanks has the token"
    ids[place] = mask
    return replace(encoding, ids=ids)


def _all_know_but_one(states: Float[Tensor, "depth pos d_model"], places: list[int]) -> Edit:
    """The edit that sets all positions but the masked one to their states in the unmasked text."""
    own = torch.zeros(len(places), states.shape[1], 1, dtype=torch.bool)
    own[range(len(places)), places] = True

    def edit(site: str, layer: int, tensor: Tensor) -> Tensor:
        if site != "hidden":
            return tensor
        return torch.where(own.to(tensor.device), tensor, states[layer + 1].to(tensor))

    return edit


def _at(model: Model, traces: list[Trace], places: list[int]) -> Float[Tensor, "place d_vocab"]:
    last = [captured(t.hidden_states)[-1][place] for t, place in zip(traces, places, strict=True)]
    return model.unembed(torch.stack(last)).softmax(-1)
