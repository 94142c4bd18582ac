"""How surprising every token of a text is to a model that reads from left to right.

    surprisal = -log2 P(token | the text before it)                  bits
    perplexity = 2 ** (mean surprisal of a token)
    bits per byte = sum of surprisals / bytes of the text in UTF-8   the same for every tokenizer

A text beyond the context is read in windows: each reads the second half of the one before again,
so that every token but the first ones knows half a context of what came before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.prediction.likelihood import (
    batch_tokens,
    batches,
    log_probabilities,
    one_masked_at_a_time,
)
from explorer.analysis.words import words
from explorer.errors import at_least_one
from explorer.models.base import Model, context_length
from explorer.text.letters import has_letters
from explorer.trace import Ability, Capture, Encoding, captured

BATCH_WINDOWS = 4
ROWS_OF_LOGITS = 256  # logits are wide: so many positions at a time


@dataclass(frozen=True, eq=False)
class ScoredText:
    """A text with the surprisal of every token, in bits, and its rank in the model's list.

    `windows` says in how many parts it was read; the encoding's `cut` how many tokens were not read.
    `unscored` is 1 where the model has no token for the beginning of a text, so that nothing stands
    before the first token: its bits and its rank are then 0, and the means leave it out.
    """

    encoding: Encoding
    bits: Float[Tensor, "pos"]
    ranks: Int[Tensor, "pos"]
    windows: int
    unscored: int = 0

    @property
    def read(self) -> str:
        """The part of the text that was read."""
        return self.encoding.text[: max((end for _, end in self.encoding.spans), default=0)]

    @property
    def per_token(self) -> float:
        """Mean surprisal of a token, in bits; 0 for an empty text."""
        scored = self.bits[self.unscored :].double()
        return float(scored.mean()) if len(scored) else 0.0

    @property
    def perplexity(self) -> float:
        """As many equally likely tokens would be as surprising as the text was on average."""
        return 2**self.per_token

    @property
    def per_byte(self) -> float:
        """Bits for a byte of the text: comparable between models whatever their tokens are."""
        first = max((end for _, end in self.encoding.spans[: self.unscored]), default=0)
        size = len(self.read[first:].encode("utf-8", "replace"))
        return float(self.bits.double().sum()) / size if size else 0.0


@dataclass(frozen=True, eq=False)
class Piece:
    """Some characters of the text and how surprising they were; the tokens of one character are one piece."""

    start: int
    end: int
    bits: float
    rank: int
    tokens: int


def read(model: Model, text: str, limit: int | None = None) -> ScoredText:
    """Read a text and score every token, the first one after the start token, if the model has one.

    Tokens after the first `limit` are not read. Raises AbilityError for a model that does not
    read from left to right.
    """
    model.require(Ability.GENERATE, "say how surprising a text is, reading from left to right,")
    at_least_one(limit=limit)
    encoding = model.tokenizer.encode(text, limit=limit).without_frame()
    ids, context = encoding.ids, context_length(model.config)
    stride = context // 2
    start, again = model.tokenizer.start, model.tokenizer.adds_start
    unscored = 1 if start is None and len(ids) else 0
    bits, ranks = torch.zeros(len(ids)), torch.zeros(len(ids), dtype=torch.long)
    # A window holds the positions first..last-1; those before `new` were scored in the one before.
    windows = [(unscored, min(unscored + context, len(ids)), unscored)] if len(ids) > unscored else []
    while windows and windows[-1][1] < len(ids):
        last = windows[-1][1]
        until = min(last + stride, len(ids))
        windows.append((until - context, until, last))
    for group in _of_one_length(windows):
        read_ = torch.stack([_before(ids, start, first, last, again) for first, last, _ in group])
        states = model.run(read_).last
        for row, (first, last, new) in enumerate(group):
            _score(model, states[row, new - first :], ids[new:last], bits[new:last], ranks[new:last])
    return ScoredText(encoding, bits, ranks, len(windows), unscored)


def pieces(reading: ScoredText) -> list[Piece]:
    """The tokens as people can see them: the bytes of one character together, their bits added up.

    What a normalizer dropped between two tokens belongs to the later one.
    """
    made: list[Piece] = []
    scored = zip(reading.encoding.spans, reading.bits.tolist(), reading.ranks.tolist(), strict=True)
    for (start, end), bits, rank in scored:
        if made and start < made[-1].end:
            old = made[-1]
            made[-1] = Piece(
                old.start, max(old.end, end), old.bits + bits, max(old.rank, rank), old.tokens + 1
            )
        else:
            made.append(Piece(made[-1].end if made else 0, end, bits, rank, 1))
    return made


def of_words(reading: ScoredText) -> list[Piece]:
    """The words of the text, without spaces alone; a word's surprisal is the sum of its tokens'."""
    bits, ranks = reading.bits.tolist(), reading.ranks.tolist()
    return [
        Piece(
            word.start,
            word.end,
            sum(bits[p] for p in word.positions),
            max(ranks[p] for p in word.positions),
            len(word.positions),
        )
        for word in words(reading.encoding)
        if word.text.strip()
    ]


def most_surprising(reading: ScoredText, count: int) -> list[Piece]:
    """The most surprising words of a text, each where it surprised most; punctuation is none."""
    at_least_one(count=count)
    text = reading.encoding.text
    found: dict[str, Piece] = {}
    for word in sorted(of_words(reading), key=lambda word: -word.bits):
        letters = text[word.start : word.end].casefold()
        if has_letters(letters):
            found.setdefault(letters, word)
    return list(found.values())[:count]


def _before(ids: Tensor, start: int | None, first: int, last: int, again: bool) -> Int[Tensor, "pos"]:
    """What is read to score the positions first..last-1: each one's predecessor, the start token for none.

    With `again`, every window begins with the start token: the model has never read without it.
    """
    if first and not again:
        return ids[first - 1 : last - 1]
    assert start is not None, "the first position is scored only where something stands before it"
    return torch.cat([torch.tensor([start]), ids[first : last - 1]])


def _of_one_length(windows: list[tuple[int, int, int]]) -> list[list[tuple[int, int, int]]]:
    """The windows in groups that fit one batch: all but an only one are a full context long."""
    return [windows[i : i + BATCH_WINDOWS] for i in range(0, len(windows), BATCH_WINDOWS)]


def _score(
    model: Model,
    states: Float[Tensor, "pos d_model"],
    ids: Int[Tensor, "pos"],
    bits: Float[Tensor, "pos"],
    ranks: Int[Tensor, "pos"],
) -> None:
    """Fill in the surprisal and the rank of some tokens, from the states before each."""
    for at in range(0, len(ids), ROWS_OF_LOGITS):
        part = slice(at, at + ROWS_OF_LOGITS)
        logits = model.unembed(states[part])
        own = logits.gather(1, ids[part, None].to(logits.device))
        bits[part] = (logits.logsumexp(1) - own[:, 0]).cpu() / log(2)
        ranks[part] = (logits > own).sum(1).cpu() + 1


def read_both_sides(model: Model, text: str, limit: int) -> tuple[Encoding, list[float | None]]:
    """Bits of every token for a model that fills blanks, each masked while all others are seen.

    None for special tokens. Not comparable with `read`: such a model knows what comes after.
    Raises AbilityError for a model that fills no blanks.
    """
    model.require(Ability.FILL, "score a word by what stands around it")
    encoding = model.encode(text, limit=limit)
    found: list[float | None] = [None] * len(encoding)
    for batch in batches(one_masked_at_a_time(model, encoding, 0), batch_tokens(model)):
        for row, score in zip(batch, log_probabilities(model, batch).tolist(), strict=True):
            found[row.positions[0]] = -score / log(2)
    return encoding, found


def read_words(model: Model, text: str, limit: int) -> tuple[Encoding, list[float | None]]:
    """Bits of every word for a model with a word vocabulary, read from the left.

    None for special tokens and for words that it does not list: these share one entry of its
    vocabulary. Raises AbilityError for a model without a word vocabulary.
    """
    model.require(Ability.NEXT_WORD, "guess the next word")
    encoding = model.encode(text, limit=limit)
    last = captured(model.trace_encodings([encoding], Capture.HIDDEN)[0].hidden_states)[-1]
    found: list[float | None] = [None] * len(encoding)
    for at in range(1, len(encoding), ROWS_OF_LOGITS):
        ids = encoding.ids[at : at + ROWS_OF_LOGITS]
        scores = model.next_word(last[at - 1 : at - 1 + len(ids)]).log_softmax(-1)
        for offset, id in enumerate(ids.tolist()):
            if id != model.tokenizer.unknown and not encoding.special[at + offset]:
                found[at + offset] = -float(scores[offset, id]) / log(2)
    return encoding, found


def in_words(spots: Sequence[Piece], encoding: Encoding, bits: Sequence[float | None]) -> list[float | None]:
    """Another model's bits over the same words: the sum of its tokens that begin in each.

    None for a word of which it did not score every token, or none.
    """
    starts = [start for start, _ in encoding.spans]
    order = [i for i in range(len(starts)) if not encoding.special[i]]
    made: list[float | None] = []
    at = 0
    for spot in spots:
        while at < len(order) and starts[order[at]] < spot.start:
            at += 1
        inside = []
        while at < len(order) and starts[order[at]] < spot.end:
            inside.append(bits[order[at]])
            at += 1
        whole = inside and all(value is not None for value in inside)
        made.append(sum(value for value in inside if value is not None) if whole else None)
    return made
