"""Llama 2's kind of tokenizer: BPE over characters, with bytes for unknown ones.

    "The bank 🙂"  ->  <s>  ▁The  ▁bank  ▁  <0xF0>  <0x9F>  <0x99>  <0x82>

Touvron et al., "Llama 2" (2023), section 2.2; Mistral 7B and TinyLlama have it too. `▁` is written for a
space, and one is put before the text.
"""

import re
from collections.abc import Mapping
from typing import Any

from tokenizers import Tokenizer as Backend

from explorer.tokenizers.base import Tokenizer

SPACE = "▁"
BYTE = re.compile("<0x([0-9A-F]{2})>")


class FallbackTokenizer(Tokenizer):
    """Encodes for these models. As in GPT, a token includes the space before its word."""

    def __init__(self, backend: Backend, names: Mapping[str, str]) -> None:
        super().__init__(backend, dict(names), byte_level=True)

    def raw(self, id: int, before: int | None = None) -> bytes:
        """The bytes that a token adds to a text; none for a special token."""
        if id in self.special_ids or (token := self.backend.id_to_token(id)) is None:
            return b""
        if byte := BYTE.fullmatch(token):
            return bytes([int(byte[1], 16)])
        return token.replace(SPACE, " ").encode()

    def decode(self, ids: list[int]) -> str:
        """Ids back to text. With the start token, the space that was put before the text is removed."""
        if ids[:1] == [self.start]:
            # The backend recognises special tokens by their strings, which its normalizer may have changed.
            return self.backend.decode([id for id in ids if id not in self.special_ids])
        return b"".join(map(self.raw, ids)).decode("utf-8", errors="replace")

    def pieces(self, word: str) -> list[int]:
        """The ids of a text as part of another one, with only its own spaces."""
        tokens: list[Any] = self.backend.model.tokenize(word.replace(" ", SPACE))
        return [token.id for token in tokens]
