"""Shannon's game: guess the next word of a text before it is shown.

Claude Shannon, "Prediction and Entropy of Printed English" (1951), section 3, played it with letters.
"""

from dataclasses import dataclass

import regex
import torch
from jaxtyping import Int
from torch import Tensor

from explorer.analysis.prediction.answers import ids_spaced
from explorer.analysis.prediction.fill import Candidate, Probe, ranked
from explorer.errors import AbilityError, at_least_one
from explorer.locale import _
from explorer.models.base import Model
from explorer.text.folding import fold
from explorer.text.letters import LETTERS_AND_DIGITS, has_letters
from explorer.tokenizers.prompt import encode_prompt
from explorer.trace import Ability

WORD = regex.compile(rf"{LETTERS_AND_DIGITS}(?:['’‘\-\u2010\u2011]{LETTERS_AND_DIGITS})*")
READ_BACK = 256  # tokens read before the word
PIECES = 6  # the most tokens of a guess
SEARCHED = 200  # likeliest tokens that are searched for beginnings of words


@dataclass(frozen=True)
class Spot:
    """A word of the text, and the space in front of it."""

    start: int
    end: int
    word: str
    gap: str

    def is_(self, guess: str) -> bool:
        """Whether a guess is this word, ignoring case and variants of spelling."""
        return fold(guess.strip()) == fold(self.word)


def spots(text: str) -> list[Spot]:
    """The words of a text that can be guessed, in order."""
    matches = WORD.finditer(text)
    return [Spot(m.start(), m.end(), m.group(), " " * text.endswith(" ", 0, m.start())) for m in matches]


def next_word(model: Model, text: str, spot: Spot, word: str) -> Probe:
    """How probable a word is in place of another one, for a model that has read the text before it.

    The probability is the product over the word's tokens; a word of one token has a rank.
    Raises AbilityError for a model that does not read from left to right, and for the first word of a text
    if the model has no start token.
    """
    model.require(Ability.GENERATE, "guess the next word")
    left = text[: spot.start].rstrip(" ") if spot.gap else text[: spot.start]
    before, ids = _ids_before(model, left), ids_spaced(model, left, spot.gap, word.strip())
    names = [model.tokenizer.readable(i) for i in ids]
    if not ids:
        return Probe(word, None, None, [], [], "There is no word to look up.")
    states = model.run(torch.cat([before, torch.tensor(ids[:-1], dtype=torch.long)])[None]).last[
        0, len(before) - 1 :
    ]
    rows = model.unembed(states).softmax(-1)
    chain = rows[torch.arange(len(ids)), torch.tensor(ids)].tolist()
    rank = int((rows[0] > rows[0, ids[0]]).sum()) + 1 if len(ids) == 1 else None
    note = "" if rank else f"{len(ids)} tokens, one after the other"
    return Probe(word, float(torch.tensor(chain, dtype=torch.float64).prod()), rank, names, chain, note)


def next_words(model: Model, text: str, spot: Spot, count: int) -> list[Candidate]:
    """The model's guesses at a word: the likeliest tokens that begin a word, each completed greedily.

    A guess is complete when the likeliest next token does not continue the word. Raises AbilityError for a
    model that does not read from left to right.
    """
    model.require(Ability.GENERATE, "guess the next word")
    at_least_one(count=count)
    before = _ids_before(model, text[: spot.start].rstrip(" ") if spot.gap else text[: spot.start])
    first = model.unembed(model.run(before[None]).last[0, -1]).softmax(-1)
    guesses: list[Candidate] = []
    words: set[str] = set()
    for candidate in ranked(model, first, SEARCHED):
        begins = candidate.token.startswith(spot.gap) and WORD.fullmatch(candidate.token[len(spot.gap) :])
        if len(guesses) == count or not begins:
            continue
        word, probability = _completed(model, before, candidate)
        word = word[len(spot.gap) :]
        if word.casefold() not in words:
            words.add(word.casefold())
            guesses.append(Candidate(candidate.id, word, probability, len(guesses) + 1))
    return guesses


def _ids_before(model: Model, before: str) -> Int[Tensor, "pos"]:
    """The ids read before the word: the start token, if any, and the text; of a long text its end."""
    room = min(READ_BACK, model.config.positions // 2)
    ids = encode_prompt(model.tokenizer, before, room).ids
    if model.tokenizer.start is None and not len(ids):
        raise AbilityError(
            _(
                "{model} cannot guess the first word: it has no token for the beginning of a text.",
                model=model.checkpoint,
            ),
            _("Begin with a later word."),
        )
    return ids if len(ids) >= room else model.tokenizer.with_start(ids)


def _completed(model: Model, before: Int[Tensor, "pos"], first: Candidate) -> tuple[str, float]:
    """A word completed from its first token, and its probability."""
    word, ids, probability = first.token, [first.id], first.probability
    for __ in range(PIECES - 1):
        last = model.run(torch.cat([before, torch.tensor(ids)])[None]).last[0, -1]
        best = ranked(model, model.unembed(last).softmax(-1), 1)[0]
        if not has_letters(best.token[:1]) or best.id in model.tokenizer.special_ids:
            break
        word, probability = word + best.token, probability * best.probability
        ids.append(best.id)
    return word, probability
