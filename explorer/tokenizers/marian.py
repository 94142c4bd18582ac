"""Marian's tokenizer: SentencePiece for source and target, and one vocabulary for the pieces of both.

    "The bank lent us money."  ->  ▁The  ▁bank  ▁lent  ▁us  ▁money  .  </s>

`▁` is written for a space. The files are source.spm, target.spm (which may be the same) and
vocab.json, which has the ids. For a model of many languages a first token such as `>>fr<<` selects the
target's.
"""

import json
import re
from pathlib import Path

import torch
from sentencepiece import SentencePieceProcessor

from explorer.errors import FormatError
from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.settings import read_settings
from explorer.tokenizers.texts import well_formed
from explorer.trace import Ability, Encoding

FILES = ("source.spm", "target.spm", "vocab.json")
SPECIAL = {"unknown": "<unk>", "end": "</s>", "padding": "<pad>"}
SPACE = "▁"


class MarianTokenizer(Tokenizer):
    """Encodes a source text, ending in `</s>`, and a target text with a separate model; decodes the target.

    The models also normalise a text first (spaces, quotation marks); spans are offsets in the
    text as it was typed. Raises FormatError for a vocabulary without `</s>` or `<unk>`.
    """

    def __init__(self, source: Path, target: Path, ids: dict[str, int]) -> None:
        self.source = SentencePieceProcessor(model_file=str(source))
        self.target = SentencePieceProcessor(model_file=str(target))
        self.ids = ids
        self.strings = {id: piece for piece, id in ids.items()}
        if lacking := [mark for mark in ("</s>", "<unk>") if mark not in ids]:
            raise FormatError(
                f"vocab.json lacks {', '.join(lacking)}.", "Fetch the checkpoint again, or choose another."
            )
        self.byte_level = False
        self.names = SPECIAL
        self.unknown, self.end = ids["<unk>"], ids["</s>"]
        self.ends = frozenset({self.end})
        self.mask = self.start = None
        self.padding = ids.get("<pad>", 0)
        marks = [mark for mark in SPECIAL.values() if mark in ids]
        self.special_ids = frozenset(map(ids.__getitem__, marks))
        self._special = re.compile("(" + "|".join(map(re.escape, marks)) + ")")

    @classmethod
    def read(cls, folder: Path) -> "MarianTokenizer":
        """The tokenizer of a checkpoint's folder. Raises FormatError."""
        settings = read_settings(folder)
        roles = {"unk_token": "unknown", "eos_token": "end", "pad_token": "padding"}
        special = {settings.token(role) or SPECIAL[name] for role, name in roles.items()}
        more = special | settings.special_strings | {token.content for token in settings.added.values()}
        if other := sorted(more - set(SPECIAL.values())):
            raise FormatError(
                f"{settings.folder} adds “{other[0]:.40}” to Marian’s tokens: it would be split here.",
                "Choose a checkpoint without added tokens.",
            )
        if settings.values.get("separate_vocabs"):
            raise FormatError(
                f"{settings.folder} has a vocabulary for each of its languages (“separate_vocabs”).",
                "Choose a checkpoint with one vocabulary for both.",
            )
        ids = json.loads((folder / "vocab.json").read_text(encoding="utf-8-sig"))
        if not isinstance(ids, dict) or not all(type(id) is int and id >= 0 for id in ids.values()):
            raise FormatError("vocab.json gives ids that are not numbers.", "Fetch the checkpoint again.")
        return cls(folder / "source.spm", folder / "target.spm", ids)

    @property
    def size(self) -> int:
        """The number of pieces, including special tokens."""
        return len(self.ids)

    @property
    def highest(self) -> int:
        """The highest id."""
        return max(self.ids.values())

    def allows(self) -> Ability:
        """All except those that need a mask or a pair."""
        return ~(Ability.FILL | Ability.NEXT_SENTENCE | Ability.SENTENCE_ORDER)

    def encode(self, text: str, pair: str | None = None, limit: int | None = None) -> Encoding:
        """A source text in pieces, with `</s>` after it, at most `limit` tokens in all."""
        return self._encoded(self.source, well_formed(text), limit)

    def encode_target(self, text: str, limit: int | None = None) -> Encoding:
        """A target text in pieces, with `</s>` after it, at most `limit` tokens in all."""
        return self._encoded(self.target, well_formed(text), limit)

    def _encoded(self, model: SentencePieceProcessor, text: str, limit: int | None) -> Encoding:
        pieces: list[tuple[str, tuple[int, int]]] = []
        at = 0
        for part in self._special.split(text):  # a typed special token is special
            is_special = part in self.names.values()
            pieces += [(part, (at, at + len(part)))] if is_special else _pieces(model, part, at)
            at += len(part)
        tokens, spans = [piece for piece, _ in pieces], [span for _, span in pieces]
        room = len(tokens) if limit is None else max(min(len(tokens), limit - 1), 0)
        ids = [self.ids.get(token, self.unknown) for token in tokens[:room]]
        marks = self.special_ids - {self.unknown}  # special also if they are typed
        return Encoding(
            text=text,
            tokens=[*tokens[:room], "</s>"],
            ids=torch.tensor([*ids, self.end], dtype=torch.long),
            spans=[*spans[:room], (0, 0)],
            special=torch.tensor([*(id in marks for id in ids), True]),
            segments=torch.zeros(room + 1, dtype=torch.long),
            truncated=len(tokens) - room,
        )

    def id(self, token: str) -> int | None:
        """The id of a piece, or None."""
        return self.ids.get(token)

    def token(self, id: int) -> str:
        """The piece of an id, `▁bank`."""
        return self.strings.get(id, f"<unused {id}>")

    def readable(self, id: int) -> str:
        """A piece as people read it, with a space for `▁`."""
        return self.token(id).replace(SPACE, " ")

    def raw(self, id: int, before: int | None = None) -> bytes:
        """The bytes that a piece adds to a text; none for a special token."""
        return b"" if id in self.special_ids else self.readable(id).encode()

    def decode(self, ids: list[int]) -> str:
        """Target ids to text; special tokens are left out."""
        pieces = [self.token(id) for id in ids if id not in self.special_ids]
        text: str = self.target.decode_pieces(pieces).replace(SPACE, " ").strip()
        return text

    def pieces(self, word: str) -> list[int]:
        """The ids of a word alone, as part of a source text."""
        unknown = self.ids["<unk>"]
        return [self.ids.get(piece, unknown) for piece in self.source.encode(word, return_type=str)]


def _pieces(model: SentencePieceProcessor, text: str, at: int) -> list[tuple[str, tuple[int, int]]]:
    """The pieces of a text that begins at offset `at` of another one, with their spans in that one."""
    language = text.find("<<") + 2 if text.startswith(">>") and "<<" in text else 0
    pieces = [(text[:language], (at, at + language))] if language else []
    mapping = model.encode(text[language:], return_type="offset_mapping")
    for piece, (start, end) in zip(mapping["pieces"], mapping["offsets"], strict=True):
        surface, last = text[language + start : language + end], at + language + end
        pieces.append((piece, (last - len(surface.lstrip()), last)))
    return pieces
