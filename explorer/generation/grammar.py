"""A grammar for what is written: a regular expression, of which every text that is written is a match.

The mask of the tokens that may come next is that of the package `llguidance`, which takes derivatives of the
pattern and does not backtrack. Where the pattern leaves one text only, it allows that text in the tokens that
the tokenizer would make of it. The idea: Willard and Louf, "Efficient Guided Generation for Large Language
Models" (2023).
"""

import re
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
import torch
from jaxtyping import Bool
from torch import Tensor

from explorer.errors import ExplorerError
from explorer.locale import _
from explorer.tokenizers.base import Tokenizer

if TYPE_CHECKING:
    from llguidance import LLTokenizer

LONGEST = 1_000  # characters of a pattern
KEPT = 64  # masks: what draws a text asks again for those with which it was written


def allowed(tokenizer: Tokenizer, pattern: str, ids: Sequence[int], d_vocab: int) -> Bool[Tensor, "d_vocab"]:
    """Which tokens may follow the tokens written so far, `ids`; once the text is whole, those that end it.

    Raises ExplorerError for a pattern that is none, or is too large, and where no token can follow.

    >>> tokenizer = explorer.load("gpt").tokenizer
    >>> mask = allowed(tokenizer, "yes|no", tokenizer.pieces("y"), tokenizer.size)
    >>> [tokenizer.readable(id) for id in mask.nonzero().flatten().tolist()]
    ['es']
    """
    if len(pattern) > LONGEST:
        raise ExplorerError(
            _("This grammar has {count} characters.", count=f"{len(pattern):,}"),
            _("Shorten it to {count}.", count=f"{LONGEST:,}"),
        )
    mask = torch.zeros(d_vocab, dtype=torch.bool)
    mask[: tokenizer.size] = _mask(_vocabulary(tokenizer), pattern, tuple(ids))[: tokenizer.size]
    if not mask.any():
        raise ExplorerError(
            _("The grammar leads nowhere: no token can follow what is written."), _("Change the pattern.")
        )
    return mask


@lru_cache(KEPT)
def _mask(vocabulary: "LLTokenizer", pattern: str, ids: tuple[int, ...]) -> Bool[Tensor, "bits"]:
    """The mask of all tokens, at its end bits that fill a word; none is set after tokens that do not fit."""
    from llguidance import LLMatcher

    matcher = LLMatcher(vocabulary, LLMatcher.grammar_from_regex(pattern), log_level=0)
    if matcher.is_error():
        *_earlier, cause = re.findall("error: (.+)", matcher.get_error()) or [matcher.get_error()]
        raise ExplorerError(
            _("The grammar {pattern} cannot be read: {cause}.", pattern=f"{pattern!r:.60}", cause=cause),
            _("Try “yes|no”."),
        )
    if not matcher.consume_tokens(list(ids)):
        return torch.zeros(vocabulary.vocab_size, dtype=torch.bool)
    bits = np.unpackbits(np.frombuffer(matcher.compute_bitmask(), np.uint8), bitorder="little")
    return torch.from_numpy(bits.astype(bool))


class _Vocabulary:
    """What llguidance asks of a tokenizer."""

    bos_token_id = None

    def __init__(self, tokenizer: Tokenizer) -> None:
        letter = tokenizer.pieces("a")[-1]  # after which some tokenizers put a space before a word
        self.tokens = [tokenizer.raw(id, letter) for id in range(tokenizer.size)]
        self.special_token_ids, self.eos_token_id = sorted(tokenizer.special_ids), min(tokenizer.ends)
        self._backend = tokenizer.backend  # not the tokenizer, which would be kept by what is kept for it

    def __call__(self, text: str | bytes) -> list[int]:
        text = text.decode() if isinstance(text, bytes) else text
        return self._backend.encode(text, add_special_tokens=False).ids


_vocabularies: "WeakKeyDictionary[Tokenizer, LLTokenizer]" = WeakKeyDictionary()
_lock = threading.Lock()


def _vocabulary(tokenizer: Tokenizer) -> "LLTokenizer":
    """The vocabulary as a tree of bytes, which takes a third of a second to build."""
    from llguidance import LLTokenizer, TokenizerWrapper

    if not tokenizer.ends:
        raise ExplorerError(_("This model has no token that ends a text."), _("Choose a model that has one."))
    with _lock:
        if tokenizer not in _vocabularies:
            wrapper = TokenizerWrapper(_Vocabulary(tokenizer))
            _vocabularies[tokenizer] = LLTokenizer(wrapper, eos_token=sorted(tokenizer.ends))
        return _vocabularies[tokenizer]
