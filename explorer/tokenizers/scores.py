"""SentencePiece's BPE from GGUF: tokens with scores; the pair with the best one is joined first.

    "The bank 🙂"  ->  ▁The  ▁bank  ▁  <0xF0>  <0x9F>  <0x99>  <0x82>         Llama 2, Mistral, Gemma

Kudo and Richardson, "SentencePiece" (2018). The library joins by merges in an order: a token's merges are
all its parts that are tokens themselves, in the order of the scores, as `transformers` converts them.
"""

from collections.abc import Sequence

from tokenizers import Tokenizer as Backend
from tokenizers import decoders, normalizers
from tokenizers.models import BPE

from explorer.tokenizers.fallback import SPACE

NORMAL, UNKNOWN, CONTROL, USER_DEFINED = 1, 2, 3, 4  # kinds of tokens, as GGUF counts them
LONGEST = 64  # characters of a token that is joined; SentencePiece makes them of 16 at most


def merges_by_score(
    tokens: Sequence[str], scores: Sequence[float], kinds: Sequence[int]
) -> list[tuple[str, str]]:
    """Every pair of tokens that makes a third one, by the score of that one, best first.

    >>> merges_by_score(["a", "b", "ab", "aba"], [-9, -9, -1, -2], [1, 1, 1, 1])
    [('a', 'b'), ('ab', 'a')]
    """
    joined = {
        token: score
        for token, score, kind in zip(tokens, scores, kinds, strict=True)
        if kind in (NORMAL, USER_DEFINED) and len(token) <= LONGEST
    }
    return [
        (token[:cut], token[cut:])
        for token in sorted(joined, key=joined.__getitem__, reverse=True)
        for cut in range(1, len(token))
        if token[:cut] in joined and token[cut:] in joined
    ]


def scored_backend(
    tokens: Sequence[str], scores: Sequence[float], kinds: Sequence[int], unknown: str, prefix: bool
) -> Backend:
    """The library's tokenizer of such a vocabulary; `prefix` puts a space before a text."""
    ids = {token: id for id, token in enumerate(tokens)}
    merges = merges_by_score(tokens, scores, kinds)
    backend = Backend(BPE(ids, merges, unk_token=unknown, fuse_unk=True, byte_fallback=True))
    spaces = normalizers.Replace(" ", SPACE)
    first = [normalizers.Prepend(SPACE)] if prefix else []
    backend.normalizer = normalizers.Sequence([*first, spaces])
    words = [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
    backend.decoder = decoders.Sequence([*words, *([decoders.Strip(" ", 1, 0)] if prefix else [])])
    return backend
