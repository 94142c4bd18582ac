"""One tokenizer class over the `tokenizers` library: WordPiece and byte-level BPE alike."""

from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Literal
from unicodedata import category, combining

import torch
from jaxtyping import Int
from tokenizers import Tokenizer as Backend
from torch import Tensor

from explorer.errors import FormatError, TextError
from explorer.tokenizers.chat import ChatFrame, read_frame
from explorer.tokenizers.languages import Language, languages
from explorer.trace import Ability, Encoding

# Byte-level BPE writes every byte as one printable character (Radford et al. 2019, the
# reference encoder's bytes_to_unicode): printable bytes stand for themselves, the other
# 68 are moved up past U+0100 in order.
_PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_MOVED = [byte for byte in range(256) if byte not in _PRINTABLE]
_BYTE_OF = {chr(b): b for b in _PRINTABLE} | {chr(256 + i): b for i, b in enumerate(_MOVED)}
CHAR_OF = {byte: char for char, byte in _BYTE_OF.items()}
SPACES = "Ġ▁"  # how GPT's alphabet of bytes and SentencePiece write a space
MASK = "[MASK]"  # how a blank is written, whatever the model's own token for it is


class Tokenizer:
    """Encodes a text (or a pair) for one model and reads tokens back.

    `byte_level` tells GPT's alphabet of bytes from BERT's WordPieces. `unknown`, `mask` and
    `start` are ids, or None where the vocabulary has no such token; `start` is what stands
    before a text when the model needs a first token (`[CLS]`, `<|endoftext|>`), and `ends` are the ids
    that end a text where a model writes them. `bytewise` says that a token may be a part of a character.
    A blank is written [MASK] in every text, and read as the model's own token for it. `rowless` are tokens of
    the files that the model has no row for: they are read as plain text.

    >>> import explorer
    >>> tokenizer = explorer.load("bert").tokenizer
    >>> tokenizer.encode("Two riverbanks.").tokens
    ['[CLS]', 'two', 'river', '##bank', '##s', '.', '[SEP]']
    """

    ends: frozenset[int] = frozenset()
    template: str | None = None  # the chat template of the checkpoint, as its files have it
    rowless: tuple[str, ...] = ()

    def __init__(self, backend: Backend, special: dict[str, str], byte_level: bool) -> None:
        self.backend = backend
        self.byte_level = self.bytewise = byte_level
        self.names = special
        self.unknown = backend.token_to_id(special.get("unknown", ""))
        self.mask = backend.token_to_id(special.get("mask", ""))
        self.start = backend.token_to_id(special.get("start", ""))
        self.padding = backend.token_to_id(special.get("padding", "")) or 0
        added = backend.get_added_tokens_decoder().items()
        # The backend gives a special token with the space that its normalizer puts before a text.
        self.marks = {i: token.content for i, token in added if token.special}
        ids = [*map(backend.token_to_id, special.values()), *(i for i, token in added if token.special)]
        self.special_ids = frozenset(i for i in ids if i is not None)
        # GPT-2 ends a text with the token that begins one, a GPT-2 with BERT's vocabulary with [SEP].
        last = ("end", "start") if byte_level else ("end", "separator")
        known = (id for name in last if (id := backend.token_to_id(special.get(name, ""))) is not None)
        self.ends = frozenset(islice(known, 1))
        self._raw: dict[int, bytes] = {}

    @property
    def size(self) -> int:
        """How many ids there are, d_vocab."""
        return self.backend.get_vocab_size(with_added_tokens=True)

    @property
    def highest(self) -> int:
        """The highest id that a text can be read as: there may be gaps below it."""
        # The special tokens of a frame may have ids of their own.
        frames = [*self.backend.encode("a").ids, *self.backend.encode("a", "b").ids]
        return max([*self.backend.get_vocab(with_added_tokens=True).values(), *frames], default=-1)

    @cached_property
    def languages(self) -> frozenset[Language]:
        """The languages, of English and Chinese, that the vocabulary was made for."""
        return languages(self.token(id) for id in range(self.size))

    def encode(self, text: str, pair: str | None = None, limit: int | None = None) -> Encoding:
        """Encode a text, or two, keeping at most `limit` tokens.

        A pair is shortened from the end of its longer side, token by token, so that both
        sentences stay in view; the encoding's `cut` says how many tokens went. Half of a
        surrogate pair, which is no character, is read as `�`. Characters that the vocabulary cannot
        spell are passed over, and `lost` counts them.
        """
        text, pair = well_formed(text), None if pair is None else well_formed(pair)
        read = [self.as_read(one) for one in (text, pair) if one is not None]
        full = self.backend.encode(read[0], read[1] if len(read) > 1 else None)
        # The library builds each of these lists anew whenever it is asked.
        ids, segments, special = full.ids, full.type_ids, full.special_tokens_mask
        sequences = full.sequence_ids
        texts = [read[number or 0] for number in sequences]
        tokens, offsets = self.placed(full, texts)
        spans = _with_accents(offsets, texts, special)
        if read != [one for one in (text, pair) if one is not None]:
            mapped = [_places(one, self.names["mask"]) for one in (text, pair or "")]
            places = [mapped[number or 0] for number in sequences]
            spans = [(at[start], at[end]) for (start, end), at in zip(spans, places, strict=True)]
        kept = range(len(ids)) if limit is None else _kept(special, sequences, limit)
        typed = self.special_ids - {self.mask, self.unknown}  # special where a person writes them, too
        return Encoding(
            text=text,
            pair=pair,
            tokens=[tokens[i] for i in kept],
            ids=torch.tensor([ids[i] for i in kept], dtype=torch.long),
            spans=[spans[i] for i in kept],
            special=torch.tensor([bool(special[i]) or ids[i] in typed for i in kept], dtype=torch.bool),
            segments=torch.tensor([segments[i] for i in kept], dtype=torch.long),
            sides=None if pair is None else torch.tensor(_sides(sequences), dtype=torch.long)[list(kept)],
            truncated=len(ids) - len(kept),
            dropped_characters=sum(
                _lost(which, [span for span, i in zip(spans, sequences, strict=True) if (i or 0) == number])
                for number, which in enumerate((text, pair or ""))
            ),
        )

    def as_read(self, text: str) -> str:
        """The text as the backend is given it: with the model's own token in a blank."""
        own = self.names.get("mask", MASK)
        return text if self.mask is None or own == MASK else text.replace(MASK, own)

    def placed(self, full: Any, texts: list[str]) -> tuple[list[str], list[tuple[int, int]]]:
        """What the backend gave, as vocabulary strings and their characters; each has its text in `texts`."""
        tokens = [self.token(id) for id in full.ids]  # it gives an added token with the spaces that it takes
        offsets = [
            _without_mark(*one) if self.byte_level else one[1]
            for one in zip(tokens, full.offsets, texts, strict=True)
        ]
        if self.byte_level and self.backend.normalizer is not None:
            return tokens, _without_gaps(offsets, texts, full.sequence_ids)
        return tokens, offsets

    @cached_property
    def leading(self) -> int:
        """How many tokens `encode` puts in front of every text."""
        special = self.backend.encode("a").special_tokens_mask
        return special.index(0) if 0 in special else 0

    @cached_property
    def adds_start(self) -> bool:
        """Whether `encode` puts the start token in front of every text by itself."""
        return self.start is not None and self.backend.encode("a").ids[:1] == [self.start]

    def with_start(self, ids: Int[Tensor, "pos"]) -> Int[Tensor, "pos"]:
        """A text's ids with the start token in front, once; as they are where the model has none.

        >>> import explorer
        >>> explorer.load("gpt").tokenizer.with_start(torch.tensor([7, 8])).tolist()
        [0, 7, 8]
        """
        if self.start is None or (self.adds_start and ids[:1].tolist() == [self.start]):
            return ids
        return torch.cat([ids.new_tensor([self.start]), ids])

    @cached_property
    def chat(self) -> ChatFrame | None:
        """How a conversation is written for the model; None where its files do not say."""
        if self.template is None:
            return None
        start = "" if self.start is None or self.adds_start else self.token(self.start)
        return read_frame(self.template, start)

    def encode_words(self, words: Sequence[str], limit: int | None = None) -> Encoding:
        """Encode words that somebody has separated, for a model that reads whole words.

        The text is then these words with a space between. Raises TextError: this tokenizer splits
        a text by itself, into pieces that are no words.
        """
        raise TextError(
            "This model splits a text into its own pieces, and cannot take a list of words.",
            "Pass one string: “ ”.join(words).",
        )

    def id(self, token: str) -> int | None:
        """The id of a vocabulary string, or None."""
        return self.backend.token_to_id(token)

    def allows(self) -> Ability:
        """The abilities that the vocabulary does not rule out, found by trying.

        To fill a blank takes a token that `[MASK]` is read as; to judge a pair, a frame around it
        that tells its two sentences apart.
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
        """Whether two texts stand in a frame, with a token between them."""
        special = self.backend.encode("a", "b").special_tokens_mask
        return special[:1] == [1] and 1 in special[1:-1]

    def special_id(self, name: Literal["unknown", "mask", "start"]) -> int:
        """The id of a special token that the model cannot do without. Raises FormatError."""
        id = {"unknown": self.unknown, "mask": self.mask, "start": self.start}[name]
        if id is None:
            raise FormatError(
                f"The tokenizer has no token for “{name}”.",
                "Choose a checkpoint whose tokenizer is complete.",
            )
        return id

    def token(self, id: int) -> str:
        """The vocabulary string of an id (`##ing`, `Ġbank`).

        A model may have more rows than its vocabulary has tokens: such a row is `<unused 50300>`.
        """
        token: str | None = self.marks.get(id) or self.backend.id_to_token(id)
        return f"<unused {id}>" if token is None else token

    def readable(self, id: int) -> str:
        """A token as people read it: bytes back to text, WordPieces as they are.

        A token that holds only a part of a character shows as `�`.
        """
        if not self.byte_level or id in self.special_ids or self.backend.id_to_token(id) is None:
            return self.token(id)
        return self.raw(id).decode("utf-8", errors="replace")

    def raw(self, id: int, before: int | None = None) -> bytes:
        """The bytes that a token adds to a text, after the token `before`; none for a special token."""
        if id not in self._raw:  # asked for again and again while a text is written
            token = (None if id in self.special_ids else self.backend.id_to_token(id)) or ""
            spelled = all(char in _BYTE_OF for char in token)  # a run of spaces may be a token as it is
            self._raw[id] = bytes(_BYTE_OF[char] for char in token) if spelled else token.encode()
        return self._raw[id]

    def decode(self, ids: list[int]) -> str:
        """Ids back to text; special tokens are left out."""
        return self.backend.decode(ids, skip_special_tokens=True)

    def pieces(self, word: str) -> list[int]:
        """The ids of a word alone, without special tokens."""
        return self.backend.encode(word, add_special_tokens=False).ids


def placed(words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Words with a space between as one text, and the characters of each.

    >>> placed(["U.S.", "banks"])
    ('U.S. banks', [(0, 4), (5, 10)])

    Raises TextError for what is no word: empty, or with a space in it.
    """
    spans, at = [], 0
    for i, word in enumerate(words, 1):
        if not isinstance(word, str) or not word or any(map(str.isspace, word)):
            raise TextError(
                f"Number {i} of these words is {word!r:.40}, which is no word.",
                "Each is a string without spaces.",
            )
        spans.append((at, at + len(word)))
        at += len(word) + 1
    return " ".join(words), spans


def well_formed(text: str) -> str:
    """The text with half surrogates, which no encoding can hold, as `�`. Raises TextError for no text."""
    if not isinstance(text, str):  # a list of words would read as one word, without its spaces
        raise TextError(f"{text!r:.40} is no text.", "Pass one string: “ ”.join(words) for words.")
    return "".join("�" if "\ud800" <= char <= "\udfff" else char for char in text)


def _without_mark(token: str, span: tuple[int, int], text: str) -> tuple[int, int]:
    """A token's span: empty for the mark of a space that was put before the text, which no character is.

    The backend places it on the letter that comes after it.
    """
    start, end = span
    alone = token != "" and set(token) <= set(SPACES) and not text[start:end].isspace()
    return (start, start) if alone and text[start:end] != token else span


def _with_accents(
    offsets: list[tuple[int, int]], texts: list[str], special: list[int]
) -> list[tuple[int, int]]:
    """Spans, each with the combining accents after it that the normalizer took off its token."""
    spans = []
    for i, (start, end) in enumerate(offsets):
        if special[i]:
            spans.append((0, 0))
            continue
        text = texts[i]
        following = offsets[i + 1][0] if i + 1 < len(offsets) and not special[i + 1] else len(text)
        while end < following and combining(text[end]):
            end += 1
        spans.append((start, end))
    return spans


def _without_gaps(
    offsets: list[tuple[int, int]], texts: list[str], sequences: list[int | None]
) -> list[tuple[int, int]]:
    """Spans, each with the characters after it that a normalizer joined to it."""
    spans = list(offsets)
    following: dict[int, int] = {}  # where the next token of each text begins
    for i in range(len(spans) - 1, -1, -1):
        if (number := sequences[i]) is not None:
            start, end = spans[i]
            spans[i] = (start, max(end, following.get(number, len(texts[i]))))
            following[number] = start
    return spans


def _sides(sequences: list[int | None]) -> list[int]:
    """Which text each token is of; one of the frame goes with the text before it, if there is one."""
    sides, last = [], 0
    for number in sequences:
        last = last if number is None else number
        sides.append(last)
    return sides


def _places(text: str, mask: str) -> list[int]:
    """For each place between characters of a text with `mask` in its blanks, the place in the text itself."""
    places = [0]
    for i, part in enumerate(text.split(MASK)):
        if i:
            at = places[-1]
            places += [*[at] * (len(mask) - 1), at + len(MASK)]
        places += range(places[-1] + 1, places[-1] + len(part) + 1)
    return places


def _lost(text: str, spans: list[tuple[int, int]]) -> int:
    """How many characters that can be seen lie in no token's span."""
    lost = at = 0
    for start, end in [*spans, (len(text), len(text))]:
        gap = text[at:start]
        if gap and not gap.isspace():
            lost += sum(category(char)[0] not in "ZCM" for char in gap)
        at = max(at, end)
    return lost


def _kept(special: list[int], sequences: list[int | None], limit: int) -> list[int]:
    """Positions kept when an encoding is cut to `limit`: special tokens always stay."""
    frame = [i for i, flag in enumerate(special) if flag]
    first, second = ([i for i, s in enumerate(sequences) if s == side and not special[i]] for side in (0, 1))
    room = max(limit - len(frame), 0)
    while len(first) + len(second) > room:
        (first if len(first) >= len(second) else second).pop()
    return sorted(frame + first + second)


def check_text(text: object, pair: object) -> None:
    """Raises TextError unless these are a text, or a list of words, and perhaps a second text."""
    words = isinstance(text, Sequence) and not isinstance(text, bytes | bytearray)
    if not words or not (pair is None or isinstance(pair, str)):
        other = pair if words else text
        raise TextError(f"{other!r:.40} is no text.", "Pass a string.")
    if pair is not None and not isinstance(text, str):
        raise TextError("A list of words cannot have a second text beside it.", "Pass both as strings.")
