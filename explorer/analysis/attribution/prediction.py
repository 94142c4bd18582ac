"""One prediction of a model, in nats, as a function of the tokens that it reads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import logsigmoid
from torch.nn.utils.rnn import pad_sequence

from explorer.analysis.prediction.answers import first_tokens, ids_after, ids_in_blank
from explorer.analysis.prediction.masking import MASK, mask_positions
from explorer.analysis.prompt import encode_prompt
from explorer.errors import TextError
from explorer.locale import _
from explorer.models.base import Model, context_length
from explorer.models.family import Pass
from explorer.models.language_model import LanguageModel, with_attention
from explorer.models.padding import BATCH_TOKENS, padded
from explorer.models.text_tree import text_tree
from explorer.short_text import WithShortText
from explorer.system.threads import map_in_threads
from explorer.trace import Ability, Capture, Edit, Encoding

Scores = Callable[[Pass, Sequence[Sequence[int]]], Float[Tensor, "batch choice"]]


@dataclass(frozen=True, eq=False, repr=False)
class Prediction(WithShortText):
    """log P(answer), or log P(answer) - log P(instead), in nats, of one encoded text.

    It is read from the states at `places`: `scores` takes a pass over a batch and the places of each row, and
    gives the scores of all choices (tokens of the vocabulary, or labels of a head) before the softmax.
    `answer` and `instead` are choices. With `several` each choice has a probability of its own, a sigmoid.
    `values` are those without the tokens at some positions, as far as they were asked for.
    """

    model: LanguageModel
    encoding: Encoding
    places: tuple[int, ...]
    scores: Scores
    answer: int
    instead: int | None = None
    several: bool = False
    values: dict[frozenset[int], float] = field(default_factory=dict, init=False)

    @cached_property
    def judged(self) -> list[int]:
        """The positions of the tokens whose part is measured: all but special tokens and blanks.

        Nor is the first token judged if the model reads from the left: such a model rests its attention
        there, whatever the token is (Xiao et al., "Efficient Streaming Language Models with Attention Sinks",
        ICLR 2024), and without it every state changes.
        """
        judged = ~self.encoding.special
        if self.mask is not None:
            judged = judged & (self.encoding.ids != self.mask)
        if self.model.causal:
            judged[0] = False
        return judged.nonzero().flatten().tolist()

    @property
    def mask(self) -> int | None:
        """The id that takes the place of a token; None for a model that has none, or reads from the left."""
        return None if self.model.causal else self.model.tokenizer.mask

    def nats(self, scores: Float[Tensor, "batch choice"]) -> Float[Tensor, "batch"]:
        """The predicted quantity, from the scores of all choices."""
        logarithms = logsigmoid(scores) if self.several else scores.log_softmax(-1)
        answer = logarithms[:, self.answer]
        return answer if self.instead is None else answer - logarithms[:, self.instead]


def nats(
    prediction: Prediction, encodings: Sequence[Encoding], places: Sequence[Sequence[int]] | None = None
) -> Float[Tensor, "text"]:
    """The prediction for variants of its text, in batches of similar length.

    `places` are those of each variant; by default the prediction's own.

    >>> prediction = word_prediction(explorer.load("gpt"), "She drank a cup of", "tea")
    >>> float(nats(prediction, [prediction.encoding])) < 0  # a log-probability
    True
    """
    places = [prediction.places] * len(encodings) if places is None else places
    result = torch.empty(len(encodings))

    def read(batch: list[int]) -> None:
        with torch.no_grad():
            scores = batch_scores(prediction, [encodings[i] for i in batch], [places[i] for i in batch])
            result[batch] = prediction.nats(scores).cpu()

    order = sorted(range(len(encodings)), key=lambda i: encodings[i].ids.tolist())  # similar ones together
    size = max(1, BATCH_TOKENS // max(map(len, encodings), default=1))
    list(map_in_threads(read, [order[i : i + size] for i in range(0, len(order), size)]))
    return result


def batch_scores(
    prediction: Prediction,
    encodings: Sequence[Encoding],
    places: Sequence[Sequence[int]],
    edit: Edit | None = None,
) -> Float[Tensor, "batch choice"]:
    """The scores of all choices, from one pass over some texts; what several begin with is read once."""
    model, network = prediction.model, cast(Any, prediction.model.network)
    if edit is None and len(encodings) > 1 and model.causal and network.reads_trees:
        tree = text_tree([encoding.ids.tolist() for encoding in encodings], model.device)
        passed = network(tree.ids[None], capture=Capture.HIDDEN, tree=tree)
        nodes = [torch.tensor(path)[list(own)] for path, own in zip(tree.paths, places, strict=True)]
        at = pad_sequence(nodes, batch_first=True)
        rows = Pass(passed.last[0, at], [states[0, at] for states in passed.hidden_states])
        return prediction.scores(rows, [range(len(own)) for own in nodes])
    ids, masks = padded(encodings, model.tokenizer.padding, model.device)
    return prediction.scores(network(ids, **masks, capture=Capture.HIDDEN, edit=edit), places)


def word_prediction(
    model: Model,
    text: str,
    answer: str = "",
    instead: str = "",
    pair: str | None = None,
    limit: int | None = None,
) -> Prediction:
    """A word at the first [MASK], or after the text for a model that reads from the left.

    Without an `answer` it is the likeliest token. Raises AbilityError for a model that predicts no words;
    TextError if there is no [MASK], if a word is not one token, or if there are
    fewer than two tokens to judge.

    >>> gpt = explorer.load("gpt")
    >>> prediction = word_prediction(gpt, "The dogs in the garden", "are", "is")
    >>> gpt.tokenizer.token(prediction.answer), gpt.tokenizer.token(prediction.instead)
    ('Ġare', 'Ġis')
    """
    own = local(model)
    own.require(Ability.FILL | Ability.GENERATE, "predict words")
    words = [word if word.strip() else "" for word in (answer, instead)]
    if Ability.GENERATE in own.abilities:
        room = min(limit or context_length(own.config), own.config.positions)
        first = first_tokens(own, [text, text], words, [None, None])
        encoding = encode_prompt(own, text + first.start, room)
        place = len(encoding) - 1
        lists = [ids_after(own, text + first.start, word) if word else [] for word in words]
    else:
        encoding = own.encode(text, pair, limit)
        blanks = mask_positions(own, encoding)
        if not blanks:
            says = _("There is no {mask} in the text.", mask=MASK)
            if MASK in text:
                says = _(
                    "There is no {mask} in the text, or it comes after the {count} tokens that are read.",
                    mask=MASK,
                    count=len(encoding),
                )
            raise TextError(says, _("Press a word to hide it."))
        place = blanks[0]
        lists = [ids_in_blank(own, encoding, place, word.strip()) if word else [] for word in words]

    unembed = cast(Callable[[Tensor], Tensor], own.network.unembed)  # the model's own keeps no gradients

    def scores(passed: Pass, places: Sequence[Sequence[int]]) -> Float[Tensor, "batch choice"]:
        return unembed(passed.last[range(len(places)), [place[0] for place in places]])

    for word, ids in zip(words, lists, strict=True):
        if word and (len(ids) != 1 or ids[0] == own.tokenizer.unknown):
            raise _not_one_token(own, word.strip(), ids)
    tokens = [ids[0] if ids else None for ids in lists]
    return checked(Prediction(own, encoding, (place,), scores, -1), *tokens)


def checked(prediction: Prediction, answer: int | None, instead: int | None) -> Prediction:
    """The prediction with these choices; without an answer, the likeliest choice other than `instead`.

    Raises TextError if the two are the same, or if there are fewer than two tokens to judge.

    >>> prediction = word_prediction(explorer.load("bert"), "A cup of [MASK].", "tea")
    >>> checked(prediction, prediction.answer, prediction.answer)
    Traceback (most recent call last):
    explorer.errors.TextError: Both are the same. ...
    """
    if answer is not None and answer == instead:
        raise TextError(_("Both are the same."), _("Compare it with something else, or with nothing."))
    if len(prediction.judged) < 2:
        raise TextError(_("There are fewer than two words to judge."), _("Type a longer text."))
    if answer is None:
        with torch.no_grad():
            scores = batch_scores(prediction, [prediction.encoding], [prediction.places])[0]
        best: list[int] = scores.topk(2).indices.tolist()
        answer = best[best[0] == instead]
    return replace(prediction, answer=answer, instead=instead)


def local(model: Model) -> LanguageModel:
    """The model itself, if it has heads. Raises AbilityError otherwise."""
    return with_attention(model, "be asked which of its words mattered")


def _not_one_token(model: LanguageModel, word: str, ids: Sequence[int]) -> TextError:
    pieces = " + ".join(model.tokenizer.readable(id).strip() for id in ids) or _("nothing")
    return TextError(
        _(
            "“{word}” is not one token of {model}: it reads {pieces}.",
            word=word[:40],
            model=model.checkpoint,
            pieces=pieces[:80],
        ),
        _("Choose another word."),
    )
