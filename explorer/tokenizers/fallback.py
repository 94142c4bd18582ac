"""Llama 2's kind of tokenizer: BPE over characters, and bytes for those that it does not know.

    "The bank 🙂"  ->  <s>  ▁The  ▁bank  ▁  <0xF0>  <0x9F>  <0x99>  <0x82>

Touvron et al., "Llama 2" (2023), section 2.2; Mistral 7B and TinyLlama have it too. `▁` stands where a
space was, and one is put before the text.
"""

import re
from collections.abc import Mapping
from typing import Any

from tokenizers import Tokenizer as Backend

from explorer.tokenizers.base import Tokenizer

SPACE = "▁"
BYTE = re.compile("<0x([0-9A-F]{2})>")


class FallbackTokenizer(Tokenizer):
    """Reads a text for one of these models. As GPT's, a token begins with the space before its word."""

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
        """Ids back to text. A text from its start token on loses the space that was put before it."""
        if ids[:1] == [self.start]:
            # The backend knows a special token by its string, which its normalizer may have changed.
            return self.backend.decode([id for id in ids if id not in self.special_ids])
        return b"".join(map(self.raw, ids)).decode("utf-8", errors="replace")

    def pieces(self, word: str) -> list[int]:
        """The ids of some text as it stands inside another, with the spaces that it has itself."""
        tokens: list[Any] = self.backend.model.tokenize(word.replace(" ", SPACE))
        return [token.id for token in tokens]
