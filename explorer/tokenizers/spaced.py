"""Tokenizers of encoders that mark the space before a word: RoBERTa's bytes and SentencePiece's pieces.

    RoBERTa       "The riverbank."  ->  <s>  The  Ġriver  bank  .  </s>           byte-level BPE
    XLM-R         "The riverbank."  ->  <s>  ▁The  ▁river  bank  .  </s>          SentencePiece, unigram
    ModernBERT    "The riverbank."  ->  [CLS]  The  Ġriver  bank  .  [SEP]        byte-level BPE
    ALBERT        "The riverbank."  ->  [CLS]  ▁the  ▁river  bank  .  [SEP]       the same, in lower case

BERT marks the continuation of a word instead (`##bank`). Here both are shown in BERT's way:
`readable` gives `river` and `##bank`, and `id` takes them; `token` is the vocabulary's own string.
"""

from collections.abc import Mapping
from typing import Any

from tokenizers import Tokenizer as Backend

from explorer.text.byte_letters import CHAR_OF
from explorer.text.letters import continues
from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.spans import MASK

SPACE, AROUND = "␣", 20  # shown where a space is not expected; characters that decide it
BYTE_SPACE, PIECE_SPACE = "Ġ", "▁"


class SpacedTokenizer(Tokenizer):
    """Encodes for these models; a span covers a word without the space before it.

    `bytewise` is True for RoBERTa's alphabet of bytes, False for SentencePiece's characters.
    """

    def __init__(self, backend: Backend, names: Mapping[str, str], bytewise: bool) -> None:
        super().__init__(backend, dict(names), byte_level=False)
        self.bytewise = bytewise
        self.space = BYTE_SPACE if bytewise else PIECE_SPACE

    def tokens_and_offsets(self, full: Any, texts: list[str]) -> tuple[list[str], list[tuple[int, int]]]:
        """Vocabulary strings and character offsets, without the space before a word."""
        tokens = [self.token(id) for id in full.ids]
        spans: list[tuple[int, int]] = []
        for token, (start, end), text in zip(tokens, full.offsets, texts, strict=True):
            start += len(text[start:end]) - len(text[start:end].lstrip() or text[start:end])
            # ALBERT reads two of these as one quotation mark, with the span of the second.
            before = spans[-1][1] if spans else 0
            if before < start and text[start - 1 : start + 1] in ("``", "''"):
                start -= 1
            # A mark alone has no character: the backend gives it the span of the letter after it.
            spans.append((start, start) if token == PIECE_SPACE else (start, end))
        return tokens, spans

    def readable(self, id: int) -> str:
        """A token as people read it: a word as it is, `##` before a piece that continues one."""
        if id in self.special_ids or self.backend.id_to_token(id) is None:
            return self.token(id)
        text = self.raw(id).decode("utf-8", errors="replace")
        if text.startswith(" "):
            return text[1:] or text
        return f"##{text}" if _continues(text) else text

    def readable_after(self, id: int, before: str) -> str:
        """A token as people read it after a text: `bank` after a bracket, where `␣bank` brings a space."""
        text, end = self.readable(id), before[-AROUND:]
        if id in self.special_ids or self.backend.id_to_token(id) is None:
            return text
        last = self.backend.encode(self.as_read(f"{end}a"), add_special_tokens=False).tokens[-1:]
        if end[-1:].isspace() or last == [f"{self.space}a"]:
            return text
        if self.raw(id).startswith(b" "):
            return f"{SPACE}{text}"
        return text if end and _continues(end[-1]) else text.removeprefix("##")

    def raw(self, id: int, before: int | None = None) -> bytes:
        """The bytes that a token adds to a text, the space before a word among them."""
        if self.bytewise:
            return super().raw(id)
        return b"" if id in self.special_ids else self.token(id).replace(PIECE_SPACE, " ").encode()

    def id(self, token: str) -> int | None:
        """The id of a readable token, `river` or `##bank`, or of a vocabulary string; or None."""
        if token == MASK:
            return self.mask
        if token.startswith(SPACE) and len(token) > 1:
            return self.backend.token_to_id(self.space + self._written(token[1:]))
        continued = token.startswith("##") and len(token) > 2
        written = self._written(token[2:] if continued else token)
        word = _continues(token)  # without a mark, its letters alone are a piece inside another word
        spellings = [written] if continued else [self.space + written, *([] if word else [written])]
        if not word:
            spellings = [token, *reversed(spellings)]
        return next((i for i in map(self.backend.token_to_id, spellings) if i is not None), None)

    def pieces(self, word: str) -> list[int]:
        """The ids of a word inside a text, after a space."""
        text = f" {word}" if self.bytewise else word
        return self.backend.encode(self.as_read(text), add_special_tokens=False).ids

    def _written(self, text: str) -> str:
        if self.bytewise:
            return "".join(CHAR_OF[byte] for byte in text.encode())
        return text.replace(" ", PIECE_SPACE)


def _continues(text: str) -> bool:
    """Whether a text, without a space before it, continues the word before it."""
    return text != "" and continues(text[0])
