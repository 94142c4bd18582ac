"""How the pieces of a vocabulary are learnt from a text: one merge of two adjacent symbols after the other.

Byte-pair encoding merges the pair that occurs most often: Sennrich, Haddow and Birch, "Neural Machine
Translation of Rare Words with Subword Units" (ACL 2016), section 3.2; over bytes as in GPT-2, Radford et al.,
"Language Models are Unsupervised Multitask Learners" (2019), section 2.2.

WordPiece, as it is usually described, merges the pair with the largest count(ab) / (count(a) count(b)).
Schuster and Nakajima, "Japanese and Korean Voice Search" (ICASSP 2012), section 4, merge the pair that makes
the text most probable, which is another rule: the gain of a merge counts as often as the pair occurs, so
that frequent pairs come first. Here pairs that occur once are left out.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float
from tokenizers import pre_tokenizers

from explorer.analysis.pieces.corpus import Corpus
from explorer.errors import TextError
from explorer.locale import _
from explorer.text.letters import without_halves

if TYPE_CHECKING:
    from explorer.tokenizers import Tokenizer

LONGEST = 100_000  # characters of a text that is learnt from
MOST = 1_000  # merges
LISTED = 10  # pairs that are listed at each merge
INSIDE = "##"  # before a piece inside a word, in WordPiece


@dataclass(frozen=True)
class Candidate:
    """A pair of adjacent symbols, its count in the text, and the score by which pairs are ranked."""

    pair: tuple[str, str]
    count: int
    score: float


@dataclass(frozen=True)
class Merge:
    """A step of the learning: the pair that becomes one symbol, `piece`.

    `candidates` are the pairs with the largest scores before the merge, this pair first. `tokens` is the
    number of symbols in the text after it.

    >>> merge = byte_pairs("low lower lowest", 1).merges[0]
    >>> merge.pair, merge.piece, merge.count, merge.tokens
    (('l', 'o'), 'lo', 3, 13)
    """

    piece: str
    candidates: tuple[Candidate, ...]
    tokens: int

    @property
    def pair(self) -> tuple[str, str]:
        """The two symbols."""
        return self.candidates[0].pair

    @property
    def count(self) -> int:
        """How often the pair stood in the text."""
        return self.candidates[0].count


@dataclass(frozen=True)
class Learning:
    """What was learnt from a text: first its single symbols, then the merges in their order.

    `words` are the different words as symbols, with their counts; `tokens` is the number of symbols before
    the first merge, and `characters` that of the text's characters.
    """

    symbols: tuple[str, ...]
    words: dict[tuple[str, ...], int]
    merges: tuple[Merge, ...]
    tokens: int
    characters: int

    def cut(self, word: Sequence[str], merges: int | None = None) -> list[str]:
        """Cut a word, given as single symbols, with the first of the merges, by default all.

        >>> learning = byte_pairs("low lower lowest", 3)
        >>> learning.cut("lowly")
        ['low', 'l', 'y']
        """
        pieces = list(word)
        for merge in self.merges[:merges]:
            pieces = list(_merge_in(pieces, merge.pair, merge.piece))
        return pieces

    def characters_per_token(self) -> list[float]:
        """How many characters of the text a token has, before the first merge and after each."""
        return [
            self.characters / tokens for tokens in (self.tokens, *(merge.tokens for merge in self.merges))
        ]


def byte_pairs(text: str, count: int) -> Learning:
    """Learn byte-pair merges from a text, at most `count`; fewer if no pair is left that stands in it twice.

    The text is split into words as GPT-2 splits it; bytes are written as GPT-2's vocabulary writes them (`Ġ`
    is a space). Of pairs that are equally frequent the one whose symbols were learnt earlier is merged.
    Raises TextError for a text without words and for one that is too long.

    >>> [merge.pair for merge in byte_pairs("low lower lowest", 3).merges]
    [('l', 'o'), ('lo', 'w'), ('Ġ', 'low')]
    """
    return _learn(text, split_bytes, count, _frequency, lambda left, right: left + right)


def merges_of(tokenizer: "Tokenizer", count: int) -> list[tuple[str, str]]:
    """The first merges of a model's own tokenizer, in the order in which they were learnt.

    Empty for one that was not made by merging pairs, such as WordPiece's, whose file has no order.

    >>> merges_of(explorer.load("gpt").tokenizer, 3)
    [('Ġ', 't'), ('h', 'e'), ('Ġ', 'a')]
    """
    merges = json.loads(tokenizer.backend.to_str())["model"].get("merges", [])[:count]
    return [tuple(merge) if isinstance(merge, list) else tuple(merge.split(" ", 1)) for merge in merges]


def follow(text: str, tokenizer: "Tokenizer", count: int) -> Learning:
    """Make the first merges of a model's own tokenizer in a text, in the order in which they were learnt.

    The candidates of a merge are the next ones of the tokenizer; their counts and scores say how often each
    is made in this text, which may be never. Raises TextError for a tokenizer without merges.

    >>> follow("the theme", explorer.load_tokenizer("gpt"), 2).tokens
    9
    """
    pairs = merges_of(tokenizer, count)
    if not pairs:
        raise TextError(_("This tokenizer was not made by merging pairs."), _("Choose GPT or SmolLM2."))
    words = Counter(split_as(tokenizer, text))
    cut = {word: list(word) for word in words}
    tokens = [sum(len(word) * number for word, number in words.items())]
    for left, right in pairs:
        cut = {word: list(_merge_in(pieces, (left, right), left + right)) for word, pieces in cut.items()}
        tokens.append(sum(len(pieces) * words[word] for word, pieces in cut.items()))
    steps = [
        Candidate(pair, before - after, float(before - after))
        for pair, before, after in zip(pairs, tokens, tokens[1:])
    ]
    merges = [
        Merge("".join(pair), tuple(steps[i : i + LISTED]), tokens[i + 1]) for i, pair in enumerate(pairs)
    ]
    letters = {letter for piece in [*words, *pairs] for part in piece for letter in part}
    return Learning(tuple(sorted(letters)), dict(words), tuple(merges), tokens[0], len(text))


def word_pieces(text: str, count: int) -> Learning:
    """Learn WordPiece merges from a text, at most `count`; fewer if no pair is left that stands in it twice.

    The text is split at spaces and punctuation; symbols inside a word begin with `##`. Of pairs with equal
    scores the more frequent is merged, then the one whose symbols were learnt earlier. Raises TextError for
    a text without words and for one that is too long.

    >>> [merge.piece for merge in word_pieces("hug hug hugs pug", 2).merges]
    ['##ug', 'hug']
    """
    return _learn(
        text, split_letters, count, _likelihood, lambda left, right: left + right.removeprefix(INSIDE)
    )


def split_bytes(text: str) -> list[tuple[str, ...]]:
    """The words of a text as GPT-2 splits it, each as its bytes; a space belongs to the word after it.

    >>> split_bytes("a bé")
    [('a',), ('Ġ', 'b', 'Ã', '©')]
    """
    splitter = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return [tuple(word) for word, _ in splitter.pre_tokenize_str(without_halves(text))]


def split_as(tokenizer: "Tokenizer", text: str) -> list[tuple[str, ...]]:
    """The words of a text as a model's byte-level tokenizer splits it before any merge, each as its bytes.

    >>> split_as(explorer.load_tokenizer("gpt"), "a b")
    [('a',), ('Ġ', 'b')]
    """
    splitter = tokenizer.backend.pre_tokenizer
    return [tuple(word) for word, _ in splitter.pre_tokenize_str(without_halves(text))]


def split_letters(text: str) -> list[tuple[str, ...]]:
    """The words of a text as BERT splits it, each as its letters; `##` is before a letter inside a word.

    >>> split_letters("a bé.")
    [('a',), ('b', '##é'), ('.',)]
    """
    splitter = pre_tokenizers.BertPreTokenizer()
    words = [word for word, _ in splitter.pre_tokenize_str(without_halves(text))]
    return [(word[0], *(INSIDE + letter for letter in word[1:])) for word in words]


def _learn(
    text: str,
    split: Callable[[str], list[tuple[str, ...]]],
    count: int,
    score: Callable[[Corpus], Float[np.ndarray, " pair"]],
    join: Callable[[str, str], str],
) -> Learning:
    if len(text) > LONGEST:
        raise TextError(
            _("The text has {count} characters.", count=f"{len(text):,}"),
            _("Pieces are learnt from {most} at most: shorten it.", most=f"{LONGEST:,}"),
        )
    words = Counter(split(text))
    if not words:
        raise TextError(_("The text has no words."), _("Write a few sentences."))
    if not 0 < count <= MOST:
        raise TextError(
            _("{count} merges cannot be learnt.", count=f"{count:,}"),
            _("Choose from 1 to {most}.", most=f"{MOST:,}"),
        )
    corpus = Corpus(words)
    symbols, tokens = tuple(corpus.symbols), corpus.tokens()
    merges: list[Merge] = []
    while len(merges) < count:
        scores = np.where(corpus.counts > 1, score(corpus), -1.0)
        order = _best(corpus, scores)
        if not len(order):
            break
        candidates = tuple(
            Candidate(
                (corpus.symbols[corpus.left[i]], corpus.symbols[corpus.right[i]]),
                int(corpus.counts[i]),
                float(scores[i]),
            )
            for i in order
        )
        piece = join(*candidates[0].pair)
        corpus.merge(int(order[0]), piece)
        merges.append(Merge(piece, candidates, corpus.tokens()))
    return Learning(symbols, dict(words), tuple(merges), tokens, len(text))


def _best(corpus: Corpus, scores: Float[np.ndarray, " pair"]) -> list[int]:
    """The pairs with the largest scores: by score, then by count, then by the age of their symbols."""
    if len(scores) > LISTED:
        bound = np.partition(scores, -LISTED)[-LISTED]
        likely = np.flatnonzero(scores >= max(bound, 0.0))
    else:
        likely = np.flatnonzero(scores >= 0)
    keys = (corpus.right[likely], corpus.left[likely], -corpus.counts[likely], -scores[likely])
    return [int(pair) for pair in likely[np.lexsort(keys)][:LISTED]]


def _frequency(corpus: Corpus) -> Float[np.ndarray, " pair"]:
    """The score of byte-pair encoding: how often a pair occurs."""
    return corpus.counts.astype(float)


def _likelihood(corpus: Corpus) -> Float[np.ndarray, " pair"]:
    """WordPiece's score: how much more often two symbols are adjacent than by their own counts."""
    of_symbol = corpus.symbol_counts()
    by_chance = of_symbol[corpus.left] * of_symbol[corpus.right]
    scores: Float[np.ndarray, " pair"] = corpus.counts / np.maximum(by_chance, 1)
    return scores


def _merge_in(pieces: Sequence[str], pair: tuple[str, str], piece: str) -> Iterator[str]:
    """A word with one piece for each pair, from the left to the right."""
    i = 0
    while i < len(pieces):
        is_pair = tuple(pieces[i : i + 2]) == pair
        yield piece if is_pair else pieces[i]
        i += 2 if is_pair else 1
