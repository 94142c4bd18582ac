"""How far back a reader remembers: change the word k places back, and see how far its state moves.

    move(k) = mean over some other words of |state - state with the other word k places back|

The state is the last layer's, where the last token of the watched word stands, and |.| the Euclidean
length. Models differ in how long their states are: a curve is given in parts of `move(0)`, what another
word does at the watched place itself.

Of ELMo the forward reader alone is watched, since the other one reads from the right. Another word has as
many tokens in both models as the one it replaces, so that nothing else changes its place.
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
PLACES = 20  # places back that the stored sentences are long enough for
OTHERS = 3  # words that each word is exchanged for
TRIES = 200  # other words that are looked at, to find those of as many tokens


@dataclass(frozen=True, eq=False)
class Moves:
    """How far two models' states move at one word of a text, for a change 0, 1, 2, ... places back.

    `watched` is the place of the watched word, counted from 0; `words` are the changed ones, the watched
    one first. A move is nan where no other word has as many tokens.

    >>> _, found = opening()
    >>> list(found.moves), float(found.relative("elmo")[0])
    (['elmo', 'gpt'], 1.0)
    """

    watched: int
    words: tuple[str, ...]
    moves: dict[str, Float[Tensor, "place"]]

    def relative(self, name: str) -> Float[Tensor, "place"]:
        """A model's moves in parts of what another word at the watched place does."""
        return self.moves[name] / self.moves[name][0]


def how_far_back(
    models: dict[str, Model], text: str, watched: int | None = None, places: int = PLACES
) -> Moves:
    """Change each word up to `places` places before a word of a text, and watch the states there.

    `models` has at least one reader of whole words (ELMo), whose words these are; `watched` counts them
    from 0, and is the last one that is no mark if it is not given.

    >>> import explorer
    >>> models = {name: explorer.load(name) for name in ("elmo", "gpt")}
    >>> found = how_far_back(models, "We walked along the river.", places=2)
    >>> found.words, [float(found.relative(name)[0]) for name in models]
    (('river', 'the', 'along'), [1.0, 1.0])

    Raises TextError for a text without words, AbilityError for a model that does not read from the
    left, ExplorerError without a reader of whole words.
    """
    for model in models.values():
        model.require(Ability.GENERATE | Ability.NEXT_WORD, "be asked how far back it remembers")
    encoding = _in_words(models, text)
    spans = [span for span, no in zip(encoding.spans, encoding.special.tolist(), strict=True) if not no]
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
    """The text with another word at a span of characters, for up to OTHERS words that have as many tokens.

    >>> import explorer
    >>> found = changed({"elmo": explorer.load("elmo")}, "We walked along the river.", (20, 25))
    >>> len(found), {text[:20] for text in found}
    (3, {'We walked along the '})
    """
    start, end = span
    lengths = [(model, len(model.encode(text))) for model in models.values()]
    lengths.sort(key=lambda one: Ability.NEXT_WORD in one[0].abilities)  # one that has pieces says no sooner
    order = random.Random(f"{text[start:end]} {start}").sample(pool(), len(pool()))  # the same at every call
    found: list[str] = []
    for word in order[:TRIES]:
        cased = word.capitalize() if text[start].isupper() else word
        other = f"{text[:start]}{cased}{text[end:]}"
        differs = word.casefold() != text[start:end].casefold()
        if differs and all(len(model.encode(other)) == length for model, length in lengths):
            found.append(other)
        if len(found) == OTHERS:
            break
    return found


@cache
def pool() -> tuple[str, ...]:
    """The words that others are exchanged for: those of the stored sentences.

    >>> words = pool()
    >>> list(words) == sorted(set(words)), all(map(is_letters, words))
    (True, True)
    """
    words = {word.strip(",.;:?!").casefold() for one in sentences() for word in one.split()}
    return tuple(sorted(word for word in words if is_letters(word)))


@cache
def sentences() -> tuple[str, ...]:
    """The 50 sentences, written for this, that the stored figures are the mean of.

    >>> len(sentences())
    50
    """
    lines = assets.text(SENTENCES).splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def stored() -> dict[str, Float[Tensor, "sentence place"]]:
    """What the bundled models' states did on each stored sentence, in parts of the move at 0 places back.

    A move is nan where none was measured. `python -m training.stored` measures them.

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
    """The sentence that the page opens with, and its stored moves, in parts of the one at 0 places back.

    >>> text, found = opening()
    >>> found.words[0] in text, float(found.relative("gpt")[0])
    (True, 1.0)
    """
    try:
        kept = assets.data(STORED)["opening"]
        moves = {
            name: torch.tensor([torch.nan if value is None else value for value in row])
            for name, row in kept["moves"].items()
        }
        return kept["text"], Moves(kept["watched"], tuple(kept["words"]), moves)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise assets.damaged(STORED) from error


def _in_words(models: dict[str, Model], text: str) -> Encoding:
    """The text in the words of the model that reads whole words."""
    for model in models.values():
        if Ability.NEXT_WORD in model.abilities:
            return model.encode(text)
    raise ExplorerError("No model here reads whole words.", "Compare with ELMo.")


def _moves(model: Model, versions: Sequence[Sequence[str]], end: int) -> Float[Tensor, "place"]:
    """The mean move of each place's texts from the first, at the token that the watched word ends in."""
    (text,) = versions[0]
    flat = [one for some in versions for one in some]
    place = _token_at(model.encode(text), end)
    states = _states(model, flat, place)
    distances = (states[1:] - states[0]).norm(dim=-1).split([len(some) for some in versions[1:]])
    return torch.stack([some.mean() for some in distances])  # the mean of none is nan


def _token_at(encoding: Encoding, end: int) -> int:
    """The position of the token that ends a word; the text's last one where it was cut before."""
    real = [i for i, no in enumerate(encoding.special.tolist()) if not no]
    return next((i for i in real if encoding.spans[i][1] >= end), real[-1])


def _states(model: Model, texts: Sequence[str], place: int) -> Float[Tensor, "text d_model"]:
    """The last layer's state of every text at one token, what reads from the left of it."""
    encodings = [model.encode(text) for text in texts]
    if Ability.GENERATE not in model.abilities:
        traces = model.trace_encodings(encodings, Capture.HIDDEN)
        states = torch.stack([captured(trace.hidden_states)[-1, place] for trace in traces])
        return states.chunk(2, dim=-1)[0]
    # As in training, where a text begins with the start token.
    ids = torch.stack([model.tokenizer.with_start(encoding.ids) for encoding in encodings])
    place = min(place + ids.shape[1] - len(encodings[0]), model.config.positions - 1)
    ids = ids[:, : place + 1]  # what follows a token does not reach it
    return model.run(ids).last[:, place].cpu()
