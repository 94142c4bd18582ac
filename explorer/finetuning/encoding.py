"""An example as a model reads it: its encoding, the tokens that the task head reads, and their labels."""

from collections.abc import Sequence
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from explorer.analysis.words import words as words_of
from explorer.errors import TextError
from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged
from explorer.finetuning.features import Features
from explorer.finetuning.tasks import Answers, Classes, Pairs, Tags, Task
from explorer.models.base import Model
from explorer.trace import Encoding

# What a task head predicts from: a sentence or its words, two sentences, or a passage and a question.
Input = str | Sequence[str] | tuple[str, str] | Example
INPUTS = {
    "classes": "a text",
    "pairs": "two texts",
    "tags": "a text, or its words",
    "answers": "a passage and a question",
}


@dataclass(frozen=True, eq=False)
class EncodedExample:
    """One example. `places` are the token positions that get scores: one row of scores each.

    For the class of a whole text they are the tokens whose mean vector stands for the text.
    `targets` are label numbers: one a place, or one for a whole text; for an answer (start, end) as places
    (place 0 is [CLS]: no answer). None if they are not known, or the answer was truncated.
    `words` and `spans` are those of a tagged text. `word_ids` are the numbers of the words that have a
    place: the others lie beyond the model's context, or the model has no token for their letters.
    """

    encoding: Encoding
    places: tuple[int, ...]
    targets: tuple[int, ...] | None
    words: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    word_ids: tuple[int, ...] = ()


def encode_example(
    model: Model, task: Task, example: Input, features: Features, limit: int | None = None
) -> EncodedExample:
    """An example, or an input without its label, as a model reads it. Raises TextError for another kind."""
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
            return _separated(model, example.words, [task.labels.index(tag) for tag in example.tags], limit)
        case Tags(), str():
            return _unseparated(model, example, limit)
        case Tags(), [*words] if words and all(isinstance(word, str) for word in words):
            return _separated(model, words, None, limit)
        case Answers(), Question():
            return _passage(model, example, True, limit)
        case Answers(), (str() as passage, str() as question):
            return _passage(model, Question(passage, question), False, limit)
    raise TextError(f"{example!r:.60} is nothing that this head reads.", f"Give {INPUTS[task.kind]}.")


def _whole(
    model: Model, text: str, pair: str | None, target: int | None, features: Features, limit: int | None
) -> EncodedExample:
    encoding = model.encode(text, pair, limit)
    plain = [i for i in range(len(encoding)) if not encoding.special[i]] or [0]
    places = {"cls": [0], "last": [plain[-1]], "mean": plain}[features.pool]
    return EncodedExample(encoding, tuple(places), None if target is None else (target,))


def _separated(
    model: Model, words: Sequence[str], targets: Sequence[int] | None, limit: int | None
) -> EncodedExample:
    """Words that are already separated. Each is matched with its first token by their characters."""
    spans, at = [], 0
    for word in words:
        spans.append((at, at + len(word)))
        at += len(word) + 1
    encoding = model.encode(" ".join(words), None, limit)
    first_tokens: dict[int, int] = {}
    token = 0
    for word_id, (start, end) in enumerate(spans):
        while token < len(encoding) and (encoding.special[token] or _inside(encoding, token) < start):
            token += 1
        if token < len(encoding) and _inside(encoding, token) < end:
            first_tokens[word_id] = token
    labels = None if targets is None else tuple(targets[i] for i in first_tokens)
    places, word_ids = tuple(first_tokens.values()), tuple(first_tokens)
    return EncodedExample(encoding, places, labels, tuple(words), tuple(spans), word_ids)


def _inside(encoding: Encoding, token: int) -> int:
    """A character that surely belongs to a token: its last (a byte piece begins with the space before)."""
    start, end = encoding.spans[token]
    return max(start, end - 1) if encoding.surface(token)[:1].isspace() else start


def _unseparated(model: Model, text: str, limit: int | None) -> EncodedExample:
    """A plain text, whose words are those that its tokens make up."""
    encoding = model.encode(text, None, limit)
    plain = [word for word in words_of(encoding) if not word.special and word.text.strip()]
    return EncodedExample(
        encoding,
        tuple(word.positions[0] for word in plain),
        None,
        tuple(word.text for word in plain),
        tuple((word.start, word.end) for word in plain),
        tuple(range(len(plain))),
    )


def _passage(model: Model, example: Question, labelled: bool, limit: int | None) -> EncodedExample:
    """The question first, the passage second, as in Devlin et al. 2019; the passage is truncated first."""
    encoding = model.encode(example.question, example.passage, limit)
    inside = [i for i in range(len(encoding)) if encoding.side(i) == 1 and not encoding.special[i]]
    places = (0, *inside)
    if not labelled:
        return EncodedExample(encoding, places, None)
    if example.end is None or example.start is None:
        return EncodedExample(encoding, places, (0, 0))
    covered = [
        place
        for place, i in enumerate(places)
        if place and encoding.spans[i][0] < example.end and encoding.spans[i][1] > example.start
    ]
    truncated = not covered or encoding.spans[places[covered[-1]]][1] < example.end
    return EncodedExample(encoding, places, None if truncated else (covered[0], covered[-1]))


def feature_rows(
    hidden: Float[Tensor, "*depth pos d_model"], item: EncodedExample, whole_text: bool
) -> Float[Tensor, "*depth row d"]:
    """The vectors that a task head reads of one text: one a place, or one for the whole text."""
    vectors = hidden[..., list(item.places), :]
    return vectors.mean(-2, keepdim=True) if whole_text else vectors
