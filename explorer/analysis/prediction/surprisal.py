"""How surprising every token of a text is to a model.

    surprisal = -log2 P(token | the text before it)                  bits, for a model that writes
    surprisal = -log2 P(token | all other tokens)                    bits, for a model that fills blanks
    perplexity = 2 ** (mean surprisal of a token)
    bits per byte = sum of surprisals / bytes of the text in UTF-8   the same for every tokenizer

From the left, a text longer than the context is read in overlapping windows: each begins with the second half
of the one before, so that every token except the first ones has at least half a context before it.

From both sides, each token is masked in turn, and the sum with a minus sign is the pseudo-log-likelihood
(Salazar, Liang, Nguyen, Kirchhoff, "Masked Language Model Scoring", ACL 2020). The pieces of a word see one
another, so a word of several pieces seems less surprising than it is, unless the later pieces are masked, too
(Kauf and Ivanova, ACL 2023).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.prediction.likelihood import batch_tokens, batches, one_masked_at_a_time, states_at
from explorer.analysis.words import words
from explorer.errors import at_least_one
from explorer.models.base import Model, context_length
from explorer.short_text import WithShortText
from explorer.text.letters import has_letters
from explorer.trace import Ability, Capture, Encoding, captured

BATCH_WINDOWS = 4
ROWS_OF_LOGITS = 256  # logits are large: at most this many positions at a time


@dataclass(frozen=True, eq=False, repr=False)
class ScoredText(WithShortText):
    """A text with the surprisal of every token, in bits, and its rank among all tokens.

    `windows` is the number of windows; the encoding's `cut` is the number of tokens that were not read.
    `unscored` is 1 if the model has no start token, so that the first token cannot be predicted: its bits
    and its rank are then 0, and the means ignore it. `both_sides` says that each token was masked in turn.
    """

    encoding: Encoding
    bits: Float[Tensor, "pos"]
    ranks: Int[Tensor, "pos"]
    windows: int
    unscored: int = 0
    both_sides: bool = False

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
        """The number of equally likely tokens that would be as surprising as the text is on average."""
        return 2**self.per_token

    @property
    def per_byte(self) -> float:
        """Bits for each byte of the text: comparable between models with different tokens."""
        first = max((end for _, end in self.encoding.spans[: self.unscored]), default=0)
        size = len(self.read[first:].encode("utf-8", "replace"))
        return float(self.bits.double().sum()) / size if size else 0.0


@dataclass(frozen=True, eq=False)
class Piece:
    """Some characters of the text and their surprisal; the tokens of one character form one piece."""

    start: int
    end: int
    bits: float
    rank: int
    tokens: int


def read(model: Model, text: str, limit: int | None = None, rest_of_word: bool = False) -> ScoredText:
    """The surprisal of every token of a text.

    From the left, the first one follows the start token, if there is one. Tokens after the first `limit` are
    not read. From both sides, `rest_of_word` masks the later tokens of a token's word with it. Figures from
    the left and from both sides are not comparable. Raises AbilityError for a model
    that neither writes nor fills blanks.
    """
    model.require(Ability.GENERATE | Ability.FILL, "say how surprising a text is")
    at_least_one(limit=limit)
    if Ability.GENERATE not in model.abilities:
        return _read_both_sides(model, text, limit, rest_of_word)
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
    """The visible pieces of the text: the bytes of one character together, their bits added up.

    What a normalizer dropped between two tokens belongs to the later one.
    """
    merged: list[Piece] = []
    scored = zip(reading.encoding.spans, reading.bits.tolist(), reading.ranks.tolist(), strict=True)
    for (start, end), bits, rank in scored:
        if merged and start < merged[-1].end:
            last = merged[-1]
            merged[-1] = Piece(
                last.start, max(last.end, end), last.bits + bits, max(last.rank, rank), last.tokens + 1
            )
        else:
            merged.append(Piece(merged[-1].end if merged else 0, end, bits, rank, 1))
    return merged


def of_words(reading: ScoredText) -> list[Piece]:
    """The words of the text, without mere spaces; a word's surprisal is the sum over its tokens."""
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
    """The most surprising words of a text, each at its most surprising occurrence, without punctuation."""
    at_least_one(count=count)
    text = reading.encoding.text
    by_letters: dict[str, Piece] = {}
    for word in sorted(of_words(reading), key=lambda word: -word.bits):
        letters = text[word.start : word.end].casefold()
        if has_letters(letters):
            by_letters.setdefault(letters, word)
    return list(by_letters.values())[:count]


def _before(ids: Tensor, start: int | None, first: int, last: int, again: bool) -> Int[Tensor, "pos"]:
    """The ids read to score the positions first..last-1: each one's predecessor, or the start token.

    With `again`, every window begins with the start token: the model never read without it in training.
    """
    if first and not again:
        return ids[first - 1 : last - 1]
    assert start is not None, "the first position is scored only if there is a token before it"
    return torch.cat([torch.tensor([start]), ids[first : last - 1]])


def _of_one_length(windows: list[tuple[int, int, int]]) -> list[list[tuple[int, int, int]]]:
    """The windows in groups that fit one batch; several windows are all a full context long."""
    return [windows[i : i + BATCH_WINDOWS] for i in range(0, len(windows), BATCH_WINDOWS)]


def _score(
    model: Model,
    states: Float[Tensor, "pos d_model"],
    ids: Int[Tensor, "pos"],
    bits: Float[Tensor, "pos"],
    ranks: Int[Tensor, "pos"],
) -> None:
    """Fill in the surprisal and the rank of some tokens, from the states one position before each."""
    for at in range(0, len(ids), ROWS_OF_LOGITS):
        part = slice(at, at + ROWS_OF_LOGITS)
        logits = model.unembed(states[part])
        own = logits.gather(1, ids[part, None].to(logits.device))
        bits[part] = (logits.logsumexp(1) - own[:, 0]).cpu() / log(2)
        ranks[part] = (logits > own).sum(1).cpu() + 1


def _read_both_sides(model: Model, text: str, limit: int | None, rest_of_word: bool) -> ScoredText:
    """The surprisal of every token that is not special, each masked in turn."""
    encoding = model.encode(text, limit=limit)
    rows = one_masked_at_a_time(model, encoding, 0, rest_of_word)
    own = encoding.at([position for row in rows for position in row.positions])
    bits, ranks = torch.zeros(len(own)), torch.zeros(len(own), dtype=torch.long)
    start = 0
    for batch in batches(rows, batch_tokens(model)):  # rows of one length keep their order
        part = slice(start, start + len(batch))
        _score(model, states_at(model, batch), own.ids[part], bits[part], ranks[part])
        start = part.stop
    return ScoredText(own, bits, ranks, windows=1, both_sides=True)


def read_words(model: Model, text: str, limit: int) -> tuple[Encoding, list[float | None]]:
    """Bits of every word for a model with a word vocabulary, read from the left.

    None for special tokens and for words outside the vocabulary, which share one entry of it.
    Raises AbilityError for a model without a word vocabulary.
    """
    model.require(Ability.NEXT_WORD, "guess the next word")
    encoding = model.encode(text, limit=limit)
    last = captured(model.trace_encodings([encoding], Capture.HIDDEN)[0].hidden_states)[-1]
    bits: list[float | None] = [None] * len(encoding)
    for at in range(1, len(encoding), ROWS_OF_LOGITS):
        ids = encoding.ids[at : at + ROWS_OF_LOGITS]
        scores = model.next_word(last[at - 1 : at - 1 + len(ids)]).log_softmax(-1)
        for offset, id in enumerate(ids.tolist()):
            if id != model.tokenizer.unknown and not encoding.special[at + offset]:
                bits[at + offset] = -float(scores[offset, id]) / log(2)
    return encoding, bits


def in_words(spots: Sequence[Piece], encoding: Encoding, bits: Sequence[float | None]) -> list[float | None]:
    """Another model's bits for the same words: the sum over its tokens that end in each word.

    A token may begin with the space before its word. None for a word whose tokens were not all scored, or
    that has none.
    """
    ends = [end for _, end in encoding.spans]
    order = [i for i in range(len(ends)) if not encoding.special[i]]
    sums: list[float | None] = []
    at = 0
    for spot in spots:
        while at < len(order) and ends[order[at]] <= spot.start:
            at += 1
        inside = []
        while at < len(order) and ends[order[at]] <= spot.end:
            inside.append(bits[order[at]])
            at += 1
        whole = inside and all(value is not None for value in inside)
        sums.append(sum(value for value in inside if value is not None) if whole else None)
    return sums
