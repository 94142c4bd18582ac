"""BERT's tokenizer: a text is split at spaces and punctuation, and words into pieces of a vocabulary.

    "The riverbank."  ->  [CLS]  the  river  ##bank  .  [SEP]

Devlin et al., "BERT" (2019). DistilBERT, ELECTRA and ERNIE have it too, and so do GPT-2s that write Chinese.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from unicodedata import category

from tokenizers import Tokenizer as Backend
from tokenizers import decoders, normalizers, pre_tokenizers, processors
from tokenizers.models import WordPiece

from explorer.errors import FormatError
from explorer.text.letters import has_letters, has_unspaced
from explorer.tokenizers.added import add_tokens
from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.frame import names_of
from explorer.tokenizers.settings import BERT, JAPANESE, Settings
from explorer.tokenizers.spans import MASK

WORDPIECE_NAMES = {
    "unknown": "[UNK]",
    "mask": MASK,
    "start": "[CLS]",
    "separator": "[SEP]",
    "padding": "[PAD]",
}
VOCAB, CONTINUED = "vocab.txt", "##"
CLOSING, OPENING = ("Pe", "Pf"), ("Ps", "Pi")  # brackets and quotation marks
TIGHT = "'’-"  # joined to both sides: don't, riverside-walk
AFTER_WORD = ".,!?;:%…"
WIDE = re.compile("[\u3000-\u303f\uff00-\uff65]")  # as 、 and 「, which include their space


class WordPieceTokenizer(Tokenizer):
    """Encodes a text as WordPieces, and decodes them.

    The pieces do not record the spaces of a text. `transformers` writes one before every word, and so writes
    Chinese with a space between any two characters. Here spaces are written as a reader expects them: between
    words, but not between Chinese, Japanese or Thai characters, not before a comma, not inside `don't`.

    >>> tokenizer = explorer.load("bert-zh").tokenizer
    >>> tokenizer.decode(tokenizer.encode("他去银行。").ids.tolist())
    '他去银行。'
    """

    def __init__(self, backend: Backend, special: Mapping[str, str] = WORDPIECE_NAMES) -> None:
        super().__init__(backend, dict(special), byte_level=False)

    def raw(self, id: int, before: int | None = None) -> bytes:
        """The bytes that a token adds to a text, after the token `before`; none for a special token."""
        token = self.token(id)
        if id in self.special_ids:
            return b""
        if token.startswith(CONTINUED):
            return token.removeprefix(CONTINUED).encode()
        left = "" if before is None or before in self.special_ids else self.token(before)[-1:]
        return f"{' ' if _spaced(left, token) else ''}{token}".encode()

    def decode(self, ids: list[int]) -> str:
        """Ids back to text, without special tokens; with the start token, without a leading space."""
        own = [id for id in ids if id not in self.special_ids]
        befores = [None, *own[:-1]]
        text = b"".join(map(self.raw, own, befores)).decode()
        return text.removeprefix(" ") if ids[:1] == [self.start] else text


def _spaced(left: str, token: str) -> bool:
    """Whether to write a space between a character and a token that begins a word."""
    first = token[:1]
    if not first or WIDE.match(first) or WIDE.match(left):
        return False
    if has_unspaced(first):
        return has_letters(left) and not has_unspaced(left)
    if has_unspaced(left):
        return has_letters(first)
    if first in TIGHT or first in AFTER_WORD or category(first) in CLOSING:
        return False
    return not (left and (left in TIGHT or category(left) in OPENING))


def wordpiece(folder: Path, settings: Settings) -> tuple[Backend, dict[str, str]]:
    """BERT's tokenizer from vocab.txt, and the strings of its special tokens. Raises FormatError.

    Accents are stripped if the text is lower-cased, unless the settings say otherwise. If they do not
    say whether to lower-case, the vocabulary decides: one with many capitalised words is cased
    (`transformers` lower-cases in any case, and never uses these words).
    """
    ids = {word: i for i, word in enumerate(read_lines(folder / VOCAB))}
    unknown, first, last = (settings.token(f"{role}_token", BERT) or "" for role in ("unk", "cls", "sep"))
    needed = [unknown, *(mark for mark in (first, last) if mark not in settings.special_strings)]
    if lacking := [mark for mark in needed if mark not in ids]:
        raise FormatError(
            f"The tokenizer files lack {', '.join(lacking)}: {VOCAB} is not a BERT’s.",
            "Fetch the checkpoint again, or choose another.",
        )
    backend = Backend(WordPiece(ids, unk_token=unknown, max_input_chars_per_word=100))
    lowercase, chinese = settings.switch("do_lower_case"), settings.switch("tokenize_chinese_chars")
    japanese = settings.class_name == JAPANESE  # composes accents, and does not split words at kanji
    if lowercase is None:
        lowercase = not japanese and not _has_capitals(ids)
    normalizer = normalizers.BertNormalizer(
        lowercase=lowercase,
        strip_accents=None if japanese else settings.switch("strip_accents"),
        handle_chinese_chars=chinese is not False and not japanese,
    )
    backend.normalizer = normalizers.Sequence([normalizers.NFC(), normalizer]) if japanese else normalizer
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece()
    add_tokens(backend, settings, settings.special(BERT))
    backend.post_processor = processors.TemplateProcessing(
        single=[f"{first}:0", "$A:0", f"{last}:0"],
        pair=[f"{first}:0", "$A:0", f"{last}:0", "$B:1", f"{last}:1"],
        special_tokens=[(token, backend.token_to_id(token)) for token in {first, last}],
    )
    return backend, names_of(settings, BERT, first, last)


def _has_capitals(vocabulary: Iterable[str]) -> bool:
    """Whether at least one word in twenty is capitalised, as `Bank`; `<S>` or `Ⅱ` do not count."""
    words = [word for word in vocabulary if word[1:].islower() and not word.startswith((CONTINUED, "[", "<"))]
    return 20 * sum(word[0].isupper() for word in words) > len(words)


def read_lines(path: Path) -> list[str]:
    """The lines of a vocabulary, split at line feeds only: U+2028 and the like may be tokens."""
    lines = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines
