"""Words with their characters, for a network that builds a word's vector from them (ELMo).

    "Don't go."  ->  <S>  Do  n't  go  .  </S>         and for each of them, as in bilm-tf:
    "go"         ->  258 103 111 259 260 260 ...       begin, the UTF-8 bytes of g and o, end, padding

The numbers are rows of the weights. (bilm-tf's batches count from 1 and keep 0 for the
padding of a sentence; here a mask marks the padding.)
"""

from collections.abc import Sequence
from dataclasses import replace

import torch
from tokenizers import Regex, pre_tokenizers, processors
from tokenizers import Tokenizer as Backend
from tokenizers.models import WordLevel

from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.texts import join_words, well_formed
from explorer.trace import Encoding

BEGIN_TEXT, END_TEXT, BEGIN_WORD, END_WORD, PADDING = range(256, 261)
CHARACTERS = 261
LENGTH = 50  # characters of a word, its begin and end included

SPECIAL = {"start": "<S>", "end": "</S>", "unknown": "<UNK>"}
MARKS = tuple(SPECIAL.values())

IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Words as in the Penn Treebank's texts, roughly: “don't” is do and n't, “bank's” is bank and 's.
# A number keeps its points and commas; a Chinese character, and any other sign, is a word.
WORD = "|".join(
    [
        "[nN]['’][tT](?!\\w)",
        "['’](?:[sSdDmM]|re|RE|ve|VE|ll|LL)(?!\\w)",
        f"[{IDEOGRAPHS}]",
        "\\d+(?:[.,]\\d+)+",
        f"[\\w&&[^{IDEOGRAPHS}]]+?(?=[nN]['’][tT](?!\\w))",
        f"[\\w&&[^{IDEOGRAPHS}]]+",
        "[^\\s]",
    ]
)


class CharacterTokenizer(Tokenizer):
    """Splits a text into words between `<S>` and `</S>`, and spells each of them.

    `ids` are rows of the vocabulary of the network's predictions, `<UNK>` for a word that it
    lacks; tokens and characters are those of the text in any case. `length` is the room for a
    word's characters: of a longer word the first bytes are read.
    """

    def __init__(self, backend: Backend, length: int = LENGTH) -> None:
        super().__init__(backend, SPECIAL, byte_level=False)
        self.length = length
        self.padding = PADDING  # characters are padded, since the network reads them

    def encode(self, text: str, pair: str | None = None, limit: int | None = None) -> Encoding:
        """Encode a text, keeping at most `limit` tokens, with the characters of each."""
        return self._spelled(super().encode(text, pair, limit))

    def encode_words(self, words: Sequence[str], limit: int | None = None) -> Encoding:
        """Encode words as they are, such as `U.S.` or `mid-October`, without splitting them."""
        words = [well_formed(word) if isinstance(word, str) else word for word in words]
        text, spans = join_words(words)
        room = len(words) if limit is None else max(min(len(words), limit - 2), 0)
        start, end = self.start, self.id(SPECIAL["end"])
        rows = [self.id(word) for word in words[:room]]
        ids = [start, *(self.unknown if id is None else id for id in rows), end]
        return self._spelled(
            Encoding(
                text=text,
                tokens=[SPECIAL["start"], *words[:room], SPECIAL["end"]],
                ids=torch.tensor(ids, dtype=torch.long),
                spans=[(0, 0), *spans[:room], (0, 0)],
                special=torch.tensor([True, *[False] * room, True]),
                segments=torch.zeros(room + 2, dtype=torch.long),
                truncated=len(words) - room,
            )
        )

    def _spelled(self, encoding: Encoding) -> Encoding:
        """An encoding with the characters of each of its words."""
        surfaces = [encoding.surface(position) for position in range(len(encoding))]
        marks = {self.start: BEGIN_TEXT, self.id(SPECIAL["end"]): END_TEXT}
        rows = [
            word_row([marks[id]], self.length) if special else spelled(surface, self.length)
            for surface, id, special in zip(
                surfaces, encoding.ids.tolist(), encoding.special.tolist(), strict=True
            )
        ]
        characters = torch.tensor(rows, dtype=torch.long).view(-1, self.length)
        return replace(encoding, tokens=surfaces, characters=characters)


def spelled(word: str, length: int = LENGTH) -> list[int]:
    """A word's character ids: begin, its UTF-8 bytes as far as they fit, end, padding."""
    return word_row(list(word.encode("utf-8"))[: length - 2], length)


def word_row(ids: list[int], length: int = LENGTH) -> list[int]:
    """Character ids between the begin and the end mark of a word, padded to `length`."""
    row = [BEGIN_WORD, *ids, END_WORD]
    return row + [PADDING] * (length - len(row))


def words_backend(vocabulary: Sequence[str]) -> Backend:
    """A backend that splits into words, with a vocabulary: the three marks, then words by frequency."""
    backend = Backend(WordLevel({word: i for i, word in enumerate(vocabulary)}, unk_token=SPECIAL["unknown"]))
    # “removed” drops the text between the words; each word stays a separate piece.
    backend.pre_tokenizer = pre_tokenizers.Split(Regex(WORD), behavior="removed", invert=True)
    start, end = SPECIAL["start"], SPECIAL["end"]
    backend.post_processor = processors.TemplateProcessing(
        single=f"{start} $A {end}",
        special_tokens=[(mark, backend.token_to_id(mark)) for mark in (start, end)],
    )
    return backend
