"""A blank filled by a model that reads from left to right: words are tried, and the rest is read on.

    P(word | left, right) = P(left, word, right) / sum of P(left, v, right) over all words v

Such a model gives each term exactly, as a product of next-token probabilities. The sum here is over the
words tried, the likeliest ones after the left side. All of them are read on over the first word of the right
side, and the best of these to its end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.prediction.answers import ids_spaced
from explorer.analysis.prediction.branches import Branches, Prefix
from explorer.analysis.prediction.masking import MASK, fill
from explorer.analysis.words import words
from explorer.errors import TextError, at_least_one
from explorer.locale import _
from explorer.models.base import Model, context_length
from explorer.text.letters import is_letters

TRIES, FINALISTS = 100, 20  # words over the first word of the right side, and of these to its end
MOST_SPELLED = 2000  # words put into the text to see how they are spelled there, at most
SENTENCE_ENDS, AROUND = ".!?…。！？", " \"'“”‘’()[]«»"


@dataclass(frozen=True, eq=False)
class ReadOn:
    """The words tried in a blank between two texts, and how probable each makes the text on its right.

    `log_left` is log P(word | left), `log_first` log P(first word on the right | left, word). The first ones
    of the list are the finalists: `log_rest` has a row for each of them, and a column for each further word
    on the right, which `right_words` are. `passes` counts the passes of the network.

    >>> reading = read_on(explorer.load("gpt"), "A cup of ", " with milk.")
    >>> reading.right_words, round(float(reading.probabilities().sum()), 3)
    (['with', 'milk', '.'], 1.0)
    """

    left: str
    right: str
    words: list[str]
    ids: list[int]
    right_words: list[str]
    log_left: Float[Tensor, "word"]
    log_first: Float[Tensor, "word"]
    log_rest: Float[Tensor, "finalist rest"]
    passes: int

    @property
    def untried(self) -> float:
        """The share of P(next token | left) that belongs to none of the words tried."""
        return max(0.0, 1 - float(self.log_left.exp().sum()))

    @property
    def dropped(self) -> float:
        """The share of probability, after the first word, of the words that were not read to the end."""
        return float(self.probabilities(1)[len(self.log_rest) :].sum()) if self.right_words else 0.0

    @property
    def log_joint(self) -> Float[Tensor, "finalist"]:
        """log P(word, right | left) of the finalists."""
        n = len(self.log_rest)
        return self.log_left[:n] + self.log_first[:n] + self.log_rest.sum(-1)

    def probabilities(self, read: int | None = None) -> Float[Tensor, "word"]:
        """P(word | left, the first `read` words on the right), over the words that were read so far.

        By default after the whole right side; 0 is the left side alone. A word that was dropped has 0.
        """
        read = len(self.right_words) if read is None else read
        log_joint = self.log_left + self.log_first if read else self.log_left.clone()
        if read > 1:
            log_joint[: len(self.log_rest)] += self.log_rest[:, : read - 1].sum(-1)
            log_joint[len(self.log_rest) :] = -torch.inf
        return log_joint.softmax(-1)


@dataclass(frozen=True, eq=False)
class Filled:
    """A text with a word in its blank: the tokens on both sides of it, and the word's own.

    `lengths` are the numbers of tokens of the words on the right side, `right_words` their texts.
    """

    left: list[int]
    word: list[int]
    right: list[int]
    right_words: list[str]
    lengths: list[int]


def read_on(model: Model, left: str, right: str, tries: int = TRIES, finalists: int = FINALISTS) -> ReadOn:
    """Try the likeliest words of one token between two texts, and read on.

    Where a sentence begins, words with a capital letter are tried. Raises TextError if the text does not fit
    the context, or if no word of one token fits between its sides.
    """
    at_least_one(tries=tries, finalists=finalists)
    reader = LeftSide(model, left)
    chosen = list(islice(reader.fitting(right), tries))
    if not chosen:
        raise TextError(
            _("{model} knows no word of one token that fits into the blank.", model=model.checkpoint),
            _("Put a space before and after it."),
        )
    filled = chosen[0][1]
    ids = torch.tensor([each.word[0] for __, each in chosen])
    after = torch.tensor(filled.right, dtype=torch.long)
    first = sum(filled.lengths[:1])
    branches = reader.branches(ids, after)
    log_left = reader.next_token[ids]
    log_first = branches.score(torch.arange(len(ids)), after[:first], keep=True).sum(-1)
    order = (log_left + log_first).argsort(descending=True, stable=True)
    log_tokens = branches.score(order[:finalists], after[first:])
    log_rest = [part.sum(-1) for part in log_tokens.split(filled.lengths[1:], 1)]
    return ReadOn(
        left,
        right,
        [chosen[i][0] for i in order.tolist()],
        ids[order].tolist(),
        filled.right_words,
        log_left[order],
        log_first[order],
        torch.stack(log_rest, 1) if log_rest else log_tokens,
        passes=1 + branches.passes,
    )


def read_blanks(model: Model, text: str, tries: int = TRIES) -> tuple[str, list[int], list[ReadOn]]:
    """The blanks of a text, each read on up to the next one and filled with its best word.

    Returns the text without blanks, the characters where its words begin, and the words tried in each.
    """
    starts, readings = [], []
    while MASK in text:
        left, _, rest = text.partition(MASK)
        readings.append(read_on(model, left, rest.partition(MASK)[0], tries))
        starts.append(len(left))
        text = fill(text, 0, readings[-1].words[int(readings[-1].probabilities().argmax())])
    return text, starts, readings


def try_word(model: Model, reading: ReadOn, word: str) -> tuple[list[int], float, int]:
    """The tokens of any word, its probability among the words read to the end, and its rank there."""
    ids, log_joint = LeftSide(model, reading.left).log_joint(word, reading.right)
    finalists = reading.words[: len(reading.log_rest)]
    others = reading.log_joint.double()[[other != word for other in finalists]]
    probability = (log_joint - torch.cat([others, log_joint[None]]).logsumexp(0)).exp()
    return ids, float(probability), int((others > log_joint).sum()) + 1


def compare_words(model: Model, text: str, which: int, words: Sequence[str]) -> list[tuple[list[int], float]]:
    """The tokens of each word, and its probability among these words in blank number `which` of a text.

    The blanks before it are filled as `read_blanks` says.
    """
    parts = text.split(MASK)
    left = read_blanks(model, MASK.join(parts[: which + 1]))[0]
    side = LeftSide(model, left)
    joints = [side.log_joint(word, parts[which + 1]) for word in words]
    shares = torch.stack([log_joint for _, log_joint in joints]).softmax(0).tolist()
    return [(ids, share) for (ids, _), share in zip(joints, shares, strict=True)]


class LeftSide:
    """The text before a blank as a model has read it; `next_token` is log P of each token after it."""

    def __init__(self, model: Model, left: str) -> None:
        self.model = model
        self.space = " " if left.endswith(" ") else ""
        self.text = left.removesuffix(" ")
        own = model.tokenizer.encode(self.text).without_frame().ids
        self.own = own.tolist()
        self.ids = model.tokenizer.with_start(own)
        if not len(self.ids):
            raise TextError(
                _("{model} has no token to begin with.", model=model.checkpoint),
                _("Write a word before the blank."),
            )
        if len(self.ids) >= context_length(model.config):
            raise _too_long(model)
        self._prefix = Prefix(model, self.ids)
        self.next_token = model.unembed(self._prefix.last).log_softmax(-1).cpu()

    def fitting(self, right: str) -> Iterator[tuple[str, Filled]]:
        """The words of one token that the tokenizer keeps apart from both sides, the likeliest first."""
        before = self.text.rstrip(AROUND)
        capital = not before or before[-1] in SENTENCE_ENDS
        expected: list[int] = []  # the right side's tokens, as after the first such word
        spelled = 0
        for id in self.next_token.argsort(descending=True, stable=True).tolist():
            token = self.model.tokenizer.readable(id)
            word = token.removeprefix(self.space)
            if self.space + word != token or not is_letters(word) or (capital and word[0].islower()):
                continue
            filled, spelled = fill_in(self.model, self.text, token, right), spelled + 1
            if spelled > MOST_SPELLED:
                return
            if (filled.left, filled.word) != (self.own, [id]):
                continue
            expected = expected or filled.right
            if filled.right == expected:
                yield word, filled

    def branches(self, ids: Int[Tensor, "row"], after: Int[Tensor, "pos"]) -> Branches:
        """Texts that go on from here, each with a token, then with these. Raises TextError."""
        if len(self.ids) + len(after) > context_length(self.model.config):
            raise _too_long(self.model)
        return Branches(self._prefix, ids)

    def log_joint(self, word: str, right: str) -> tuple[list[int], Float[Tensor, ""]]:
        """The tokens of a word, and log P(word, right | left) in double precision."""
        filled = fill_in(self.model, self.text, self.space + word, right)
        ids = filled.word if filled.left == self.own else ids_spaced(self.model, self.text, self.space, word)
        after = torch.tensor([*ids[1:], *filled.right], dtype=torch.long)
        scores = self.branches(torch.tensor(ids[:1]), after).score(torch.tensor([0]), after)
        return ids, self.next_token[ids[0]].double() + scores.double().sum()


def fill_in(model: Model, left: str, word: str, right: str) -> Filled:
    """The tokens of a text in three parts; a token that crosses a border counts to the word."""
    encoding = model.tokenizer.encode(left + word + right).without_frame()
    start, end = len(left), len(left + word)
    sides = [-1 if e <= start else 1 if s >= end else 0 for s, e in encoding.spans]
    parts = {
        side: encoding.ids[[i for i, s in enumerate(sides) if s == side]].tolist() for side in (-1, 0, 1)
    }
    on_right = [[i for i in word.positions if sides[i] == 1] for word in words(encoding)]
    on_right = [positions for positions in on_right if positions]
    texts = [encoding.text[encoding.spans[p[0]][0] : encoding.spans[p[-1]][1]].strip() for p in on_right]
    return Filled(parts[-1], parts[0], parts[1], texts, [len(positions) for positions in on_right])


def _too_long(model: Model) -> TextError:
    return TextError(
        _(
            "The text does not fit: {model} reads {count} tokens.",
            model=model.checkpoint,
            count=context_length(model.config),
        ),
        _("Shorten it."),
    )
