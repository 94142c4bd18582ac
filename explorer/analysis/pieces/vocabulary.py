"""What a vocabulary holds: the script of each token, whether it begins a word, and its length.

Tokens that a model has met in no text keep about the vector with which training began, so that vectors of the
same, small length are a sign of them, and no proof: Land and Bartolo, "Fishing for Magikarp" (EMNLP 2024).
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import regex

from explorer.locale import N_
from explorer.text.byte_letters import in_bytes, is_part, readable

if TYPE_CHECKING:
    from explorer.tokenizers import Tokenizer

MARK = "▁"  # SentencePiece's space
# The scripts of tokens by the kind in which they are counted, in the order of a chart.
SCRIPTS = {
    N_("Latin"): r"\p{Latin}",
    N_("Greek, Cyrillic"): r"[\p{Greek}\p{Cyrillic}\p{Armenian}\p{Georgian}]",
    N_("Chinese and neighbours"): r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}]",
    N_("Arabic, Hebrew"): r"[\p{Arabic}\p{Hebrew}\p{Syriac}]",
    N_("other scripts"): r"\p{L}",
    N_("digits and signs"): r"[\s\S]",
}
PARTS = N_("parts of a character")
SPECIAL = N_("special")
KINDS = (*SCRIPTS, PARTS, SPECIAL)
_PATTERNS = [(kind, regex.compile(pattern)) for kind, pattern in SCRIPTS.items()]


@dataclass(frozen=True)
class Vocabulary:
    """The tokens of a tokenizer by their ids.

    `tokens` are the strings as they are stored and `texts` as people read them, with ␣ for a space and ##
    before what is inside a word. `kinds` are indices of `KINDS`; `begins` says whether a token can begin a
    word.

    >>> vocabulary = read(explorer.load_tokenizer("gpt"))
    >>> vocabulary.texts[300], KINDS[vocabulary.kinds[300]], vocabulary.begins[300]
    ('␣I', 'Latin', True)
    """

    tokens: list[str]
    texts: list[str]
    kinds: list[int]
    begins: list[bool]

    @cached_property
    def lengths(self) -> list[int]:
        """How many characters each token has, its space left out."""
        return [len(_plain(text)) for text in self.texts]

    def shares(self) -> dict[str, float]:
        """The share of each kind, those that occur.

        >>> shares = read(explorer.load_tokenizer("bert-zh")).shares()
        >>> max(shares, key=shares.get)
        'Chinese and neighbours'
        """
        counts = Counter(self.kinds)
        return {kind: counts[i] / len(self.kinds) for i, kind in enumerate(KINDS) if counts[i]}

    def longest(self, count: int) -> list[int]:
        """The ids of the longest tokens that have letters, the longest first.

        >>> vocabulary = read(explorer.load_tokenizer("bert"))
        >>> [vocabulary.texts[id] for id in vocabulary.longest(1)]
        ['telecommunications']
        """
        spelled = [id for id, kind in enumerate(self.kinds) if kind < len(SCRIPTS) - 1]
        return sorted(spelled, key=lambda id: -self.lengths[id])[:count]

    def alone(self, other: "Vocabulary") -> list[bool]:
        """For each token whether another vocabulary lacks it, as text.

        >>> words, pieces = (read(explorer.load_tokenizer(name)) for name in ("word2vec", "bert"))
        >>> words.alone(pieces)[:3]
        [False, False, False]
        """
        texts = {_plain(text) for text in other.texts}
        return [_plain(text) not in texts for text in self.texts]


def _plain(text: str) -> str:
    """A token's letters, without the signs of a space or of the inside of a word."""
    return text.removeprefix("␣").removeprefix("##") or text


def read(tokenizer: "Tokenizer") -> Vocabulary:
    """The vocabulary of a tokenizer, special tokens with it."""
    tokens = [tokenizer.token(id) for id in range(tokenizer.highest + 1)]
    texts, kinds = [], []
    for id, token in enumerate(tokens):
        bytewise = tokenizer.byte_level and in_bytes(token)
        is_special = id in tokenizer.special_ids
        plain = readable(token) if bytewise else token.replace(MARK, "␣")
        texts.append(token if is_special else plain)
        kind = SPECIAL if is_special else PARTS if bytewise and is_part(token) else ""
        kinds.append(KINDS.index(kind) if kind else _script(plain))
    return Vocabulary(tokens, texts, kinds, [_begins(token, tokenizer) for token in tokens])


def _script(text: str) -> int:
    """The kind of a text: that of its first letter, or none of the scripts."""
    signs = len(SCRIPTS) - 1
    return next((kind for character in text if (kind := _script_of(character)) < signs), signs)


@lru_cache(maxsize=1 << 16)
def _script_of(letter: str) -> int:
    return next(i for i, (_, pattern) in enumerate(_PATTERNS) if pattern.match(letter))


def _begins(token: str, tokenizer: "Tokenizer") -> bool:
    """Whether a token can begin a word: it has the mark of a space, or none of a piece inside."""
    if tokenizer.byte_level:
        return token.startswith("Ġ")
    return token.startswith(MARK) or not token.startswith("##")
