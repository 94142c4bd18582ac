"""One tokenizer class over the `tokenizers` library: WordPiece and byte-level BPE alike."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import Any, Literal, cast

import torch
from jaxtyping import Int
from tokenizers import Tokenizer as Backend
from torch import Tensor

from explorer.errors import FormatError, TextError
from explorer.text.byte_letters import BROKEN, BYTE_OF
from explorer.tokenizers.chat import ChatTemplate
from explorer.tokenizers.guarded import Guarded
from explorer.tokenizers.languages import Language, languages
from explorer.tokenizers.spans import (
    MASK,
    count_dropped,
    in_text,
    origins,
    sides_of,
    truncate,
    with_accents,
    without_gaps,
    without_mark,
)
from explorer.tokenizers.texts import well_formed
from explorer.trace import Ability, Encoding


class Tokenizer:
    """Encodes a text (or a pair) for one model and reads tokens back.

    `byte_level` is True for GPT's alphabet of bytes, False for BERT's WordPieces. `unknown`, `mask` and
    `start` are ids, or None if the vocabulary has no such token; `start` is put
    before a text when the model needs a first token (`[CLS]`, `<|endoftext|>`), and `ends` are the ids
    that end a generated text. `bytewise` says that a token may be a part of a character.
    A blank is written [MASK] in every text, and read as the model's own token for it. `rowless` are tokens in
    the files without a row in the model: they are read as plain text. `characters` says by code point what is
    written for some characters before a text is read.

    >>> tokenizer = explorer.load("bert").tokenizer
    >>> tokenizer.encode("Two riverbanks.").tokens
    ['[CLS]', 'two', 'river', '##bank', '##s', '.', '[SEP]']
    """

    ends: frozenset[int] = frozenset()
    chat: ChatTemplate | None = None  # in the checkpoint's files
    rowless: tuple[str, ...] = ()
    characters: Mapping[int, str] = MappingProxyType({})

    def __init__(self, backend: Backend, special: dict[str, str], byte_level: bool) -> None:
        self.backend = backend = cast(Backend, Guarded(backend))
        self.byte_level = self.bytewise = byte_level
        self.names = special
        self.unknown = backend.token_to_id(special.get("unknown", ""))
        self.mask = backend.token_to_id(special.get("mask", ""))
        self.start = backend.token_to_id(special.get("start", ""))
        self.padding = backend.token_to_id(special.get("padding", "")) or 0
        added = backend.get_added_tokens_decoder().items()
        # The backend returns a special token with the space that its normalizer puts before a text.
        self.marks = {i: token.content for i, token in added if token.special}
        ids = [*map(backend.token_to_id, special.values()), *(i for i, token in added if token.special)]
        self.special_ids = frozenset(i for i in ids if i is not None)
        # GPT-2 ends a text with the token that begins one, a GPT-2 with BERT's vocabulary with [SEP].
        last = ("end", "start") if byte_level else ("end", "separator")
        ends = (id for name in last if (id := backend.token_to_id(special.get(name, ""))) is not None)
        self.ends = frozenset(islice(ends, 1))
        self._raw: dict[int, bytes] = {}

    @property
    def size(self) -> int:
        """The number of ids, d_vocab."""
        return self.backend.get_vocab_size(with_added_tokens=True)

    @property
    def highest(self) -> int:
        """The highest id in use; ids below it may be missing."""
        # The special tokens of a frame may have higher ids than the vocabulary.
        frames = [*self.backend.encode("a").ids, *self.backend.encode("a", "b").ids]
        return max([*self.backend.get_vocab(with_added_tokens=True).values(), *frames], default=-1)

    @cached_property
    def languages(self) -> frozenset[Language]:
        """The languages, of English and Chinese, that the vocabulary was made for."""
        return languages(self.token(id) for id in range(self.size))

    def encode(self, text: str, pair: str | None = None, limit: int | None = None) -> Encoding:
        """Encode a text, or two, keeping at most `limit` tokens.

        A pair is shortened from the end of its longer side, token by token, so that both
        sentences stay in view; the encoding's `truncated` is the number of dropped tokens. Half of a
        surrogate pair is read as `�`. Characters without a token are skipped, and counted by
        `dropped_characters`.
        """
        text, pair = well_formed(text), None if pair is None else well_formed(pair)
        read = [self.as_read(side) for side in (text, pair) if side is not None]
        full = self.backend.encode(read[0], read[1] if len(read) > 1 else None)
        # The library builds each of these lists again on every access.
        ids, segments, special = full.ids, full.type_ids, full.special_tokens_mask
        sequences = full.sequence_ids
        texts = [read[number or 0] for number in sequences]
        tokens, offsets = self.tokens_and_offsets(full, texts)
        spans = with_accents(offsets, texts, special)
        if read != [side for side in (text, pair) if side is not None]:
            whole = [text, pair or ""]
            maps = [origins(side, self.names["mask"], self.characters) for side in whole]
            spans = [
                in_text(span, maps[number or 0], len(whole[number or 0]))
                for span, number in zip(spans, sequences, strict=True)
            ]
        sides = sides_of(sequences)
        positions = range(len(ids)) if limit is None else truncate(special, sequences, limit)
        marks = self.special_ids - {self.mask, self.unknown}  # special also if they are typed
        return Encoding(
            text=text,
            pair=pair,
            tokens=[tokens[i] for i in positions],
            ids=torch.tensor([ids[i] for i in positions], dtype=torch.long),
            spans=[spans[i] for i in positions],
            special=torch.tensor([bool(special[i]) or ids[i] in marks for i in positions], dtype=torch.bool),
            segments=torch.tensor([segments[i] for i in positions], dtype=torch.long),
            sides=None if pair is None else torch.tensor([sides[i] for i in positions], dtype=torch.long),
            truncated=len(ids) - len(positions),
            dropped_characters=sum(
                count_dropped(side, [span for span, i in zip(spans, sequences, strict=True) if (i or 0) == n])
                for n, side in enumerate((text, pair or ""))
            ),
        )

    def as_read(self, text: str) -> str:
        """The backend's input: the text in `characters`, with the model's own mask token for each blank."""
        own = self.names.get("mask", MASK)
        text = text if self.mask is None or own == MASK else text.replace(MASK, own)
        return text.translate(self.characters) if self.characters else text

    def tokens_and_offsets(self, full: Any, texts: list[str]) -> tuple[list[str], list[tuple[int, int]]]:
        """Vocabulary strings and character offsets of a backend's encoding; `texts` has each token's text."""
        tokens = [self.token(id) for id in full.ids]  # the backend's own strings may include spaces
        offsets = full.offsets
        if self.byte_level:
            offsets = [without_mark(*args) for args in zip(tokens, full.offsets, texts, strict=True)]
        if self.byte_level and self.backend.normalizer is not None:
            return tokens, without_gaps(offsets, texts, full.sequence_ids)
        return tokens, offsets

    @cached_property
    def leading(self) -> int:
        """The number of tokens that `encode` puts before every text."""
        special = self.backend.encode("a").special_tokens_mask
        return special.index(0) if 0 in special else 0

    @cached_property
    def adds_start(self) -> bool:
        """Whether `encode` puts the start token before every text."""
        return self.start is not None and self.backend.encode("a").ids[:1] == [self.start]

    def with_start(self, ids: Int[Tensor, "pos"]) -> Int[Tensor, "pos"]:
        """A text's ids with the start token before them, once; unchanged if the model has none.

        >>> explorer.load("gpt").tokenizer.with_start(torch.tensor([7, 8])).tolist()
        [0, 7, 8]
        """
        if self.start is None or (self.adds_start and ids[:1].tolist() == [self.start]):
            return ids
        return torch.cat([ids.new_tensor([self.start]), ids])

    def set_chat(self, source: str | None, tokens: Mapping[str, str]) -> None:
        """Give it a chat template, which may write these special tokens, named by their roles."""
        first = self.token(self.start) if self.start is not None and self.adds_start else ""
        self.chat = None if source is None else ChatTemplate(source, tokens, first)

    def encode_words(self, words: Sequence[str], limit: int | None = None) -> Encoding:
        """Encode a list of words, for a model that reads whole words.

        The text is then these words joined by spaces. Raises TextError for this tokenizer, which splits a
        text into its own pieces.
        """
        raise TextError(
            "This model splits a text into its own pieces, and cannot take a list of words.",
            "Pass one string: “ ”.join(words).",
        )

    def id(self, token: str) -> int | None:
        """The id of a vocabulary string, or of the blank; or None."""
        return self.backend.token_to_id(self.as_read(token))

    def allows(self) -> Ability:
        """The abilities that the vocabulary does not rule out, determined by encoding examples.

        Filling a blank needs a token for `[MASK]`; judging a pair needs a frame that tells its two sentences
        apart.
        """
        abilities = ~Ability.NONE
        if self.mask is None or self.mask not in self.backend.encode(self.as_read(MASK)).ids:
            abilities &= ~Ability.FILL
        pair = self.backend.encode("a", "b")
        if not self.frames_pairs or set(pair.type_ids) != {0, 1}:
            abilities &= ~(Ability.NEXT_SENTENCE | Ability.SENTENCE_ORDER)
        return abilities

    @cached_property
    def frames_pairs(self) -> bool:
        """Whether two texts are framed by special tokens, with one between them."""
        special = self.encode("a", "b").special.tolist()
        return special[:1] == [True] and True in special[1:-1]

    def special_id(self, name: Literal["unknown", "mask", "start"]) -> int:
        """The id of a required special token. Raises FormatError if there is none."""
        id = {"unknown": self.unknown, "mask": self.mask, "start": self.start}[name]
        if id is None:
            raise FormatError(
                f"The tokenizer has no token for “{name}”.",
                "Choose a checkpoint whose tokenizer is complete.",
            )
        return id

    def token(self, id: int) -> str:
        """The vocabulary string of an id (`##ing`, `Ġbank`).

        A model may have more rows than its vocabulary has tokens: those are `<unused 50300>`.
        """
        token: str | None = self.marks.get(id) or self.backend.id_to_token(id)
        return f"<unused {id}>" if token is None else token

    def readable(self, id: int) -> str:
        """A token as people read it: bytes back to text, WordPieces as they are.

        A token that is only a part of a character is `�`.
        """
        if not self.byte_level or id in self.special_ids or self.backend.id_to_token(id) is None:
            return self.token(id)
        return self.raw(id).decode("utf-8", errors="replace")

    def whole_or_bytes(self, id: int, text: str) -> str:
        """A token's text for a list, and of a part of a character the bytes as hexadecimal numbers: E4 BD."""
        return self.raw(id).hex(" ").upper() if BROKEN in text else text

    def readable_after(self, id: int, before: str) -> str:
        """A token as people read it after a text; the same as `readable` for most."""
        return self.readable(id)

    def raw(self, id: int, before: int | None = None) -> bytes:
        """The bytes that a token adds to a text, after the token `before`; none for a special token."""
        if id not in self._raw:  # needed again and again during generation
            token = (None if id in self.special_ids else self.backend.id_to_token(id)) or ""
            spelled = all(char in BYTE_OF for char in token)  # a run of spaces may be a token, unencoded
            self._raw[id] = bytes(BYTE_OF[char] for char in token) if spelled else token.encode()
        return self._raw[id]

    def decode(self, ids: list[int]) -> str:
        """Ids back to text; special tokens are left out."""
        return self.backend.decode(ids, skip_special_tokens=True)

    def pieces(self, word: str) -> list[int]:
        """The ids of a word alone, without special tokens."""
        return self.backend.encode(self.as_read(word), add_special_tokens=False).ids
