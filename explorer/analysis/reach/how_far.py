"""How far back a model remembers: replace the word k places back, and measure how far its state moves.

    move(k) = mean over some other words of |state - state with the other word k places back|

The state is the last layer's at the last token of the watched word, and |.| is the Euclidean length. States
of different models differ in length, so a curve is given relative to `move(0)`, the effect of another word
at the watched place itself.

For ELMo only the forward direction counts, since the other one reads from the right. The other word has as
many tokens in both models as the one it replaces, so that no other token shifts.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from jaxtyping import Float
from torch import Tensor

from explorer import assets
from explorer.errors import ExplorerError, TextError
from explorer.models.base import Model
from explorer.text.letters import has_letters, is_letters
from explorer.trace import Ability, Capture, Encoding, captured

SENTENCES = assets.REACH / "sentences.txt"
STORED = assets.REACH / "how_far_back.json"
PLACES = 20  # the most places back in the stored sentences
OTHERS = 3  # replacements for each word
TRIES = 200  # candidates that are tried, to find words with as many tokens


@dataclass(frozen=True, eq=False)
class Moves:
    """How far two models' states move at one word of a text, for a change 0, 1, 2, ... places back.

    `watched` is the place of the watched word, counted from 0; `words` are the replaced ones, the watched
    one first. A move is nan if no other word has as many tokens.

    >>> _, moves = opening()
    >>> list(moves.moves), float(moves.relative("elmo")[0])
    (['elmo', 'gpt'], 1.0)
    """

    watched: int
    words: tuple[str, ...]
    moves: dict[str, Float[Tensor, "place"]]

    def relative(self, name: str) -> Float[Tensor, "place"]:
        """A model's moves relative to that of another word at the watched place."""
        return self.moves[name] / self.moves[name][0]


def how_far_back(
    models: dict[str, Model], text: str, watched: int | None = None, places: int = PLACES
) -> Moves:
    """The moves of a word's states when each word up to `places` places before it is replaced.

    `models` has at least one model that reads whole words (ELMo), whose words these are; `watched` is the
    number of one of them, from 0, by default the last one that is not a punctuation mark.

    >>> import explorer
    >>> models = {name: explorer.load(name) for name in ("elmo", "gpt")}
    >>> moves = how_far_back(models, "We walked along the river.", places=2)
    >>> moves.words, [float(moves.relative(name)[0]) for name in models]
    (('river', 'the', 'along'), [1.0, 1.0])

    Raises TextError for a text without words, AbilityError for a model that does not read from the left,
    ExplorerError without a model that reads whole words.
    """
    for model in models.values():
        model.require(Ability.GENERATE | Ability.NEXT_WORD, "be asked how far back it remembers")
    encoding = _in_words(models, text)
    special = encoding.special.tolist()
    spans = [span for span, is_special in zip(encoding.spans, special, strict=True) if not is_special]
    names = [text[start:end] for start, end in spans]
    if not names:
        raise TextError("There is no text.", "Type a sentence.")
    if watched is None:
        watched = max((i for i, name in enumerate(names) if has_letters(name[-1])), default=len(names) - 1)
    watched = min(max(watched, 0), len(names) - 1)
    back = [watched - k for k in range(min(places, watched) + 1)]
    versions = [[text]] + [changed(models, text, spans[place]) for place in back]
    end = spans[watched][1]
    moves = {name: _moves(model, versions, end) for name, model in models.items()}
    return Moves(watched, tuple(names[place] for place in back), moves)


def changed(models: dict[str, Model], text: str, span: tuple[int, int]) -> list[str]:
    """Texts with another word at a span of characters: up to OTHERS words with as many tokens.

    >>> import explorer
    >>> versions = changed({"elmo": explorer.load("elmo")}, "We walked along the river.", (20, 25))
    >>> len(versions), {text[:20] for text in versions}
    (3, {'We walked along the '})
    """
    start, end = span
    lengths = [(model, len(model.encode(text))) for model in models.values()]
    lengths.sort(
        key=lambda pair: Ability.NEXT_WORD in pair[0].abilities
    )  # models with pieces refuse more words
    order = random.Random(f"{text[start:end]} {start}").sample(pool(), len(pool()))  # the same at every call
    versions: list[str] = []
    for word in order[:TRIES]:
        cased = word.capitalize() if text[start].isupper() else word
        other = f"{text[:start]}{cased}{text[end:]}"
        differs = word.casefold() != text[start:end].casefold()
        if differs and all(len(model.encode(other)) == length for model, length in lengths):
            versions.append(other)
        if len(versions) == OTHERS:
            break
    return versions


@cache
def pool() -> tuple[str, ...]:
    """The words that may replace others: those of the stored sentences.

    >>> words = pool()
    >>> list(words) == sorted(set(words)), all(map(is_letters, words))
    (True, True)
    """
    words = {word.strip(",.;:?!").casefold() for sentence in sentences() for word in sentence.split()}
    return tuple(sorted(word for word in words if is_letters(word)))


@cache
def sentences() -> tuple[str, ...]:
    """The 50 sentences, written for this purpose, over which the stored figures are averaged.

    >>> len(sentences())
    50
    """
    lines = assets.text(SENTENCES).splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def stored() -> dict[str, Float[Tensor, "sentence place"]]:
    """The moves of the bundled models' states on each stored sentence, relative to that at 0 places back.

    A move is nan if none was measured. `python -m training.stored` measures them.

    >>> {name: tuple(table.shape) for name, table in stored().items()}
    {'elmo': (50, 21), 'gpt': (50, 21)}
    """
    try:
        tables = assets.data(STORED)["moves"].items()
        return {
            name: torch.tensor([[torch.nan if value is None else value for value in row] for row in rows])
            for name, rows in tables
        }
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise assets.damaged(STORED) from error


def opening() -> tuple[str, Moves]:
    """The first sentence of the page, and its stored moves, relative to the one at 0 places back.

    >>> text, moves = opening()
    >>> moves.words[0] in text, float(moves.relative("gpt")[0])
    (True, 1.0)
    """
    try:
        data = assets.data(STORED)["opening"]
        moves = {
            name: torch.tensor([torch.nan if value is None else value for value in row])
            for name, row in data["moves"].items()
        }
        return data["text"], Moves(data["watched"], tuple(data["words"]), moves)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise assets.damaged(STORED) from error


def _in_words(models: dict[str, Model], text: str) -> Encoding:
    """The text in the words of the model that reads whole words."""
    for model in models.values():
        if Ability.NEXT_WORD in model.abilities:
            return model.encode(text)
    raise ExplorerError("No model here reads whole words.", "Compare with ELMo.")


def _moves(model: Model, versions: Sequence[Sequence[str]], end: int) -> Float[Tensor, "place"]:
    """For each place, the mean move from the first text, at the last token of the watched word."""
    (text,) = versions[0]
    flat = [version for texts in versions for version in texts]
    place = _token_at(model.encode(text), end)
    states = _states(model, flat, place)
    distances = (states[1:] - states[0]).norm(dim=-1).split([len(texts) for texts in versions[1:]])
    return torch.stack([group.mean() for group in distances])  # an empty mean is nan


def _token_at(encoding: Encoding, end: int) -> int:
    """The position of the token that ends a word; the text's last one if it was cut before."""
    ordinary = [i for i, special in enumerate(encoding.special.tolist()) if not special]
    return next((i for i in ordinary if encoding.spans[i][1] >= end), ordinary[-1])


def _states(model: Model, texts: Sequence[str], place: int) -> Float[Tensor, "text d_model"]:
    """The last layer's state of every text at one token; for ELMo the half that reads from the left."""
    encodings = [model.encode(text) for text in texts]
    if Ability.GENERATE not in model.abilities:
        traces = model.trace_encodings(encodings, Capture.HIDDEN)
        states = torch.stack([captured(trace.hidden_states)[-1, place] for trace in traces])
        return states.chunk(2, dim=-1)[0]
    # As in training, the text begins with the start token.
    ids = torch.stack([model.tokenizer.with_start(encoding.ids) for encoding in encodings])
    place = min(place + ids.shape[1] - len(encodings[0]), model.config.positions - 1)
    ids = ids[:, : place + 1]  # later tokens have no effect on it
    return model.run(ids).last[:, place].cpu()
