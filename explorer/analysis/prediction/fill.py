"""What a model expects: masked words, the next token, a whole text, the next sentence.

P(word | text with a blank)     softmax of the logits at [MASK]            (BERT)
                                words tried, the rest read on: `reading_on`  (GPT)
P(token | text before it)       softmax of the logits at the last position (GPT)

For ELMo's two directions see `one_side.py`.
"""

from dataclasses import dataclass, field, replace

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.prediction.answers import ids_in_blank, text_before
from explorer.analysis.prediction.likelihood import log_likelihoods
from explorer.analysis.prediction.masking import MASK, mask_positions
from explorer.analysis.prediction.reading_on import TRIES, ReadOn, read_blanks, try_word
from explorer.analysis.prompt import encode_prompt
from explorer.errors import TextError, at_least_one
from explorer.locale import N_, _
from explorer.models.base import Model, context_length
from explorer.short_text import WithShortText
from explorer.trace import Ability, Edit, Encoding


@dataclass(frozen=True, eq=False)
class Candidate:
    """A possible token at some position; rank 1 is the most probable."""

    id: int
    token: str
    probability: float
    rank: int


@dataclass(frozen=True, eq=False, repr=False)
class Blanks(WithShortText):
    """The distributions at every [MASK] of a text; each row sums to 1.

    Of a model that reads from left to right, `encoding` is that of the text with the likeliest words in
    its blanks, and `readings` has the words tried in each.
    """

    encoding: Encoding
    positions: list[int]
    probabilities: Float[Tensor, "mask d_vocab"]
    readings: list[ReadOn] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Probe:
    """How probable one given word is in a blank.

    `pieces` are its vocabulary strings, `piece_probabilities` their conditional probabilities, and
    `probability` is the product. `rank` exists only for a word of one piece. Both are None for a word that
    the vocabulary cannot spell. `note` explains the number in a sentence.
    """

    word: str
    probability: float | None
    rank: int | None
    pieces: list[str]
    piece_probabilities: list[float]
    note: str = ""


class Guesses(list[list[tuple[str, float]]]):
    """The likeliest tokens of each blank with their probabilities, and the `blanks` themselves."""

    def __init__(self, lists: list[list[tuple[str, float]]], blanks: Blanks) -> None:
        super().__init__(lists)
        self.blanks = blanks


def blanks(
    model: Model, text: str, pair: str | None = None, tries: int = TRIES, edit: Edit | None = None
) -> Blanks:
    """The distributions at every [MASK] of a text: from one forward pass, or by reading on (`reading_on`).

    A model that reads from left to right tries `tries` words in each blank, reads on up to the next one, and
    goes on with the likeliest word. `edit` changes the one pass of a model that fills blanks.
    Raises TextError if there is no [MASK] within the model's context, AbilityError for a model that does
    neither.

    >>> result = blanks(explorer.load("bert"), "The [MASK] by the [MASK].")
    >>> result.positions, result.probabilities.sum(-1).round(decimals=3)
    ([2, 5], tensor([1., 1.]))
    """
    model.require(Ability.FILL if edit else Ability.FILL | Ability.GENERATE, "guess masked words")
    if Ability.FILL not in model.abilities:
        return _read_on(model, text, tries)
    encoding = model.encode(text, pair)
    positions = mask_positions(model, encoding)
    if not positions and MASK in text + (pair or ""):
        raise TextError(
            _(
                "{model} reads {count} tokens, and every [MASK] comes after them.",
                model=model.checkpoint,
                count=len(encoding),
            ),
            _("Shorten the text."),
        )
    if not positions:
        raise _no_blank()
    last = model.run(encoding.ids[None], segments=encoding.segments[None], edit=edit).last[0]
    return Blanks(encoding, positions, model.unembed(last[positions]).softmax(-1))


def _no_blank() -> TextError:
    return TextError(
        _("There is no [MASK] in the text."),
        _("Write [MASK], in capitals and square brackets, where a word is to be guessed, or press a word."),
    )


def _read_on(model: Model, text: str, tries: int) -> Blanks:
    if MASK not in text:
        raise _no_blank()
    text, starts, readings = read_blanks(model, text, tries)
    encoding = model.encode(text)
    positions = [next(i for i, (_, end) in enumerate(encoding.spans) if end > start) for start in starts]
    probabilities = torch.zeros(len(readings), model.config.d_vocab)
    for row, reading in zip(probabilities, readings, strict=True):
        row[reading.ids] = reading.probabilities()
    return Blanks(encoding, positions, probabilities, readings)


def top(model: Model, blanks: Blanks, which: int = 0, k: int = 10) -> list[Candidate]:
    """The k most probable tokens of blank number `which` (0 is the first), best first.

    >>> bert = explorer.load("bert")
    >>> candidates = top(bert, blanks(bert, "A cup of [MASK]."), k=5)
    >>> [candidate.rank for candidate in candidates], candidates[0].probability > candidates[4].probability
    ([1, 2, 3, 4, 5], True)
    """
    at_least_one(k=k)
    return _best(model, blanks, which, k)


def _best(model: Model, blanks: Blanks, which: int, k: int) -> list[Candidate]:
    """The k most probable tokens of a blank; of those tried, without the space that belongs to the token."""
    row = _row(blanks, which)
    if not blanks.readings:
        return ranked(model, row, k, text_before(blanks.encoding, blanks.positions[which]))
    best = ranked(model, row, min(k, int((row > 0).sum())))
    return [replace(candidate, token=candidate.token.strip()) for candidate in best]


def ranked(
    model: Model, probabilities: Float[Tensor, "d_vocab"], k: int, before: str = " "
) -> list[Candidate]:
    """The k most probable tokens of one distribution, best first, as they are read after a text."""
    best = probabilities.topk(min(k, len(probabilities)))
    pairs = zip(best.indices.tolist(), best.values.tolist(), strict=True)
    read = model.tokenizer.readable_after
    return [Candidate(i, read(i, before), p, rank) for rank, (i, p) in enumerate(pairs, 1)]


def probe(model: Model, blanks: Blanks, word: str, which: int = 0) -> Probe:
    """Probability and rank of any word in blank number `which`.

    A word of one WordPiece is looked up. For a word of n pieces the blank is extended to n masks, which are
    filled from left to right; the other blanks stay as they are:

        P(w1 w2 | _ _) = P(w1 | _ _) P(w2 | w1 _)

    Such a product cannot be ranked among single tokens. A model that reads from left to right tries the
    word, of however many tokens, beside the words tried. Raises TextError for an empty word, or if the
    extended text does not fit the context.

    >>> bert = explorer.load("bert")
    >>> result = probe(bert, blanks(bert, "They walked along the [MASK]."), "riverbank")
    >>> result.pieces, result.rank, 0 < result.probability < 1
    (['river', '##bank'], None, True)
    """
    word = word.strip()
    if not word:
        raise TextError(_("There is no word to look up."), _("Type one."))
    if blanks.readings:
        _row(blanks, which)
        ids, probability, rank = try_word(model, blanks.readings[which], word)
        note = (
            N_("“{word}” was tried beside the likeliest words.", word=word)
            if word not in blanks.readings[which].words
            else ""
        )
        return Probe(word, probability, rank, [model.tokenizer.readable(i) for i in ids], [], note)
    _row(blanks, which)
    position = blanks.positions[which]
    ids = ids_in_blank(model, blanks.encoding, position, word)
    pieces = [model.tokenizer.readable(i) for i in ids]
    if pieces:
        pieces[0] = model.tokenizer.readable_after(ids[0], text_before(blanks.encoding, position))
    unknown = model.tokenizer.unknown
    if not ids or (unknown in ids and model.tokenizer.id(word) != unknown):
        note = N_(
            "“{word}” cannot be spelled with this model's vocabulary: it reads it as nothing.", word=word
        )
        if unknown is not None:
            note = N_(
                "“{word}” cannot be spelled with this model's vocabulary: it reads it as {token}.",
                word=word,
                token=model.tokenizer.token(unknown),
            )
        return Probe(word, None, None, pieces, [], note)
    if len(ids) == 1:
        row = _row(blanks, which)
        probability = float(row[ids[0]])
        return Probe(word, probability, int((row > row[ids[0]]).sum()) + 1, pieces, [probability])
    chain = _chain(model, blanks, which, ids)
    note = N_(
        "{count} pieces: the blank was extended to {count} masks and filled from left to right.",
        count=len(ids),
    )
    return Probe(word, float(torch.tensor(chain, dtype=torch.float64).prod()), None, pieces, chain, note)


def _row(blanks: Blanks, which: int) -> Float[Tensor, "d_vocab"]:
    """The distribution in one blank. Raises TextError if there is no such blank."""
    if not 0 <= which < len(blanks.positions):
        raise TextError(
            _("There is no blank number {number} in the text.", number=which),
            _("They are counted from 0; it has {count}.", count=len(blanks.positions)),
        )
    return blanks.probabilities[which]


def _chain(model: Model, blanks: Blanks, which: int, ids: list[int]) -> list[float]:
    """P(piece | the pieces before it, masks after it) for all pieces, in one batch."""
    _row(blanks, which)
    encoding, at, n = blanks.encoding, blanks.positions[which], len(ids)
    if len(encoding) + n - 1 > model.config.positions:
        raise TextError(
            _("A word of {count} pieces does not fit: the text fills the context.", count=n), _("Shorten it.")
        )
    masks = torch.full((n,), model.tokenizer.special_id("mask"))
    row = torch.cat([encoding.ids[:at], masks, encoding.ids[at + 1 :]])
    segments = torch.cat(
        [encoding.segments[:at], encoding.segments[at].repeat(n), encoding.segments[at + 1 :]]
    )
    rows = row.repeat(n, 1)
    for i in range(1, n):
        rows[i, at : at + i] = torch.tensor(ids[:i])
    last = model.run(rows, segments=segments.repeat(n, 1)).last
    states = last[torch.arange(n), at + torch.arange(n)]
    return model.unembed(states).softmax(-1)[torch.arange(n), torch.tensor(ids)].tolist()


def fill_mask(model: Model, text: str, top: int = 10, tries: int = TRIES) -> Guesses:
    """The likeliest tokens for each [MASK], with probabilities; vocabulary strings such as `##ing`.

    A model that reads from left to right tries `tries` words in each. Raises TextError and AbilityError as
    `blanks` does.

    >>> guesses = fill_mask(explorer.load("bert"), "She put her money in the [MASK].", top=3)
    >>> len(guesses), sum(probability for token, probability in guesses[0]) < 1
    (1, True)
    """
    at_least_one(top=top)
    result = blanks(model, text, tries=tries)
    numbers = range(len(result.positions))
    lists = [[(c.token, c.probability) for c in _best(model, result, number, top)] for number in numbers]
    return Guesses(lists, result)


def next_tokens(model: Model, text: str, top: int = 10) -> list[tuple[str, float]]:
    """The likeliest next tokens, as readable text, with probabilities.

    Of a text longer than the context the end is read; an empty one is the start token.
    Raises AbilityError for a model that does not read from left to right.

    >>> first, second = next_tokens(explorer.load("gpt"), "She put her money in the", top=2)
    >>> first[0].startswith(" "), first[1] >= second[1]  # a token includes the space before it
    (True, True)
    """
    model.require(Ability.GENERATE, "continue a text")
    at_least_one(top=top)
    ids = encode_prompt(model, text, context_length(model.config)).ids
    last = model.run(ids[None]).last[0, -1]
    return [(c.token, c.probability) for c in ranked(model, model.unembed(last).softmax(-1), top)]


def log_likelihood(model: Model, text: str) -> float:
    """How probable a model finds a whole text, in nats; 0 for an empty one.

        GPT    sum_i log P(t_i | <|endoftext|> t_1 .. t_i-1), every token scored
               (without a start token, every token but the first; a warning says so)
        BERT   sum_i log P(t_i | all other tokens), one masked at a time
               (pseudo-log-likelihood: Salazar, Liang, Nguyen, Kirchhoff, ACL 2020)

    The two are not comparable with each other. Raises TextError for a text that is longer than the context,
    AbilityError for a model that predicts no tokens.

    >>> gpt = explorer.load("gpt")
    >>> log_likelihood(gpt, "The dog was asleep.") > log_likelihood(gpt, "Asleep the was dog.")
    True
    """
    return log_likelihoods(model, [text])[0]


def next_sentence(model: Model, first: str, second: str) -> float:
    """The probability that `second` follows `first` in a text (BERT's second training task).

    Raises AbilityError for a checkpoint without that head.

    >>> 0 < next_sentence(explorer.load("bert"), "I was hungry.", "So I made some soup.") < 1
    True
    """
    model.require(Ability.NEXT_SENTENCE, "judge whether one sentence follows another")
    encoding = model.encode(first, second)
    last = model.run(encoding.ids[None], segments=encoding.segments[None]).last
    return float(model.next_sentence(last).softmax(-1)[0, 0])
