"""An example as a body reads it: its encoding, the tokens that the head looks at, and what is right there."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.words import words as words_of
from explorer.errors import TextError
from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged
from explorer.finetuning.features import Features
from explorer.finetuning.tasks import Answers, Classes, Pairs, Tags, Task
from explorer.models.base import Model
from explorer.trace import Encoding

# What a head is asked about: a sentence or its words, two sentences, or a passage and a question.
Input = str | Sequence[str] | tuple[str, str] | Example


@dataclass(frozen=True, eq=False)
class Read:
    """One example. `places` are the token positions that get scores: one row of scores each.

    For a class of a whole text they are the tokens whose vectors the text's one vector is made of.
    `targets` are the labels' numbers, one a place; for a class one; for an answer (start, end) as places
    (place 0 is [CLS]: no answer). None where nothing is known, or where the answer was cut off.
    `words` and `spans` are of a tagged text, `kept` the numbers of those words that have a place: the others
    lie beyond the model's context, or it has no token for any of their letters.
    """

    encoding: Encoding
    places: tuple[int, ...]
    targets: tuple[int, ...] | None
    words: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    kept: tuple[int, ...] = ()


def read(model: Model, task: Task, example: Input, features: Features, limit: int | None = None) -> Read:
    """How a model reads an example, or an input without its answer. Raises TextError for another kind."""
    match task, example:
        case Classes(), Labelled():
            return _whole(model, example.text, None, task.labels.index(example.label), features, limit)
        case Classes(), str():
            return _whole(model, example, None, None, features, limit)
        case Pairs(), LabelledPair():
            target = task.labels.index(example.label)
            return _whole(model, example.text, example.pair, target, features, limit)
        case Pairs(), (str() as text, str() as pair):
            return _whole(model, text, pair, None, features, limit)
        case Tags(), Tagged():
            return _tagged(model, example.words, [task.labels.index(tag) for tag in example.tags], limit)
        case Tags(), str():
            return _typed(model, example, limit)
        case Tags(), [*words] if words and all(isinstance(word, str) for word in words):
            return _tagged(model, words, None, limit)
        case Answers(), Question():
            return _passage(model, example, True, limit)
        case Answers(), (str() as passage, str() as question):
            return _passage(model, Question(passage, question), False, limit)
    wanted = {
        "classes": "a text",
        "pairs": "two texts",
        "tags": "a text, or its words",
        "answers": "a passage and a question",
    }
    raise TextError(f"{example!r:.60} is nothing that this head reads.", f"Give {wanted[task.kind]}.")


def _whole(
    model: Model, text: str, pair: str | None, target: int | None, features: Features, limit: int | None
) -> Read:
    encoding = model.encode(text, pair, limit)
    plain = [i for i in range(len(encoding)) if not encoding.special[i]] or [0]
    places = {
        "cls": [0],
        "last": [plain[-1]],
        "mean": plain,
        "cls and mean": plain,
    }[features.pool]
    return Read(encoding, tuple(places), None if target is None else (target,))


def _tagged(model: Model, words: Sequence[str], targets: Sequence[int] | None, limit: int | None) -> Read:
    """Words that somebody has separated: each is found again by its characters."""
    spans, at = [], 0
    for word in words:
        spans.append((at, at + len(word)))
        at += len(word) + 1
    encoding = model.encode(" ".join(words), None, limit)
    firsts: list[int | None] = []
    token = 0
    for start, end in spans:
        while token < len(encoding) and (encoding.special[token] or _inside(encoding, token) < start):
            token += 1
        here = token < len(encoding) and _inside(encoding, token) < end
        firsts.append(token if here else None)
    kept = tuple(i for i, first in enumerate(firsts) if first is not None)
    places = tuple(first for first in firsts if first is not None)
    known = None if targets is None else tuple(targets[i] for i in kept)
    return Read(encoding, places, known, tuple(words), tuple(spans), kept)


def _inside(encoding: Encoding, token: int) -> int:
    """A character that surely belongs to a token: its last (a byte piece begins with the space before)."""
    start, end = encoding.spans[token]
    return max(start, end - 1) if encoding.surface(token)[:1].isspace() else start


def _typed(model: Model, text: str, limit: int | None) -> Read:
    """A text that nobody has separated: its words are those that the tokens make up."""
    encoding = model.encode(text, None, limit)
    plain = [word for word in words_of(encoding) if not word.special and word.text.strip()]
    return Read(
        encoding,
        tuple(word.positions[0] for word in plain),
        None,
        tuple(word.text for word in plain),
        tuple((word.start, word.end) for word in plain),
        tuple(range(len(plain))),
    )


def _passage(model: Model, example: Question, known: bool, limit: int | None) -> Read:
    """The question first, the passage second, as in Devlin et al. 2019; the passage gives way."""
    encoding = model.encode(example.question, example.passage, limit)
    inside = [i for i in range(len(encoding)) if encoding.side(i) == 1 and not encoding.special[i]]
    places = (0, *inside)
    if not known:
        return Read(encoding, places, None)
    if example.end is None or example.start is None:
        return Read(encoding, places, (0, 0))
    covered = [
        place
        for place, i in enumerate(places)
        if place and encoding.spans[i][0] < example.end and encoding.spans[i][1] > example.start
    ]
    cut_off = not covered or encoding.spans[places[covered[-1]]][1] < example.end
    return Read(encoding, places, None if cut_off else (covered[0], covered[-1]))


def rows(
    hidden: Float[Tensor, "*depth pos d_model"], item: Read, whole_text: bool, features: Features
) -> Float[Tensor, "*depth row d"]:
    """The vectors that a head reads of one text's hidden states: one a place, or one of the whole text."""
    here = hidden[..., list(item.places), :]
    if not whole_text:
        return here
    mean = here.mean(-2, keepdim=True)
    return torch.cat([hidden[..., :1, :], mean], -1) if features.pool == "cls and mean" else mean
