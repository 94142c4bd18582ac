"""Byte-level BPE from vocab.json and merges.txt: GPT-2's tokenizer and its variants.

    GPT-2       "The riverbank."  ->  The  Ġriver  bank  .                    Radford et al. 2019
    RoBERTa     "The riverbank."  ->  <s>  The  Ġriver  bank  .  </s>         the same in a frame

GPT-NeoX composes accents first (NFC), and Qwen2 also splits a text in its own way. The two files do not tell
these apart: the tokenizer's class does, or the model's type. If neither is known, a decoder is read as GPT-2
and an encoder as RoBERTa.
"""

import json
from codecs import BOM_UTF8
from pathlib import Path

from tokenizers import Tokenizer as Backend
from tokenizers import normalizers, processors
from tokenizers.models import BPE

from explorer.errors import FormatError
from explorer.tokenizers.added import add_tokens
from explorer.tokenizers.frame import END_OF_TEXT, names_of, put_frame
from explorer.tokenizers.settings import CLASSES, GPT2, NEOX, QWEN2, ROBERTA, Settings
from explorer.tokenizers.splitting import split_as

BYTE_CLASSES = (GPT2, ROBERTA, NEOX, QWEN2)
VOCAB, MERGES = "vocab.json", "merges.txt"


def byte_bpe(folder: Path, settings: Settings) -> tuple[Backend, dict[str, str]]:
    """The tokenizer in a folder, and the strings of its special tokens. Raises FormatError."""
    backend = Backend(_read_bpe(folder / VOCAB, folder / MERGES))
    kind = settings.kind
    if kind not in BYTE_CLASSES:
        ends = (settings.token(role, ROBERTA) or "" for role in ("cls_token", "sep_token"))
        has_ends = all(backend.token_to_id(end) is not None for end in ends)
        kind = ROBERTA if has_ends and settings.model_type in CLASSES else GPT2
    space = bool(settings.switch("add_prefix_space"))
    split_as(backend, "qwen2" if kind == QWEN2 else "gpt2", space)
    if kind == NEOX:
        backend.normalizer = normalizers.NFC()
    add_tokens(backend, settings, settings.special(kind))
    if kind != ROBERTA:
        put_frame(backend, settings, kind)
        return backend, names_of(settings, kind, settings.token("bos_token", kind) or END_OF_TEXT)
    first, last = (settings.token(role, kind) or "" for role in ("cls_token", "sep_token"))
    if lacking := [token for token in dict.fromkeys((first, last)) if backend.token_to_id(token) is None]:
        raise FormatError(
            f"{VOCAB} lacks {', '.join(lacking)}: it is not a RoBERTa’s.",
            "Fetch the checkpoint again, or choose another.",
        )
    end, start = ((token, backend.token_to_id(token) or 0) for token in (last, first))
    backend.post_processor = processors.RobertaProcessing(end, start, add_prefix_space=space)
    return backend, names_of(settings, kind, first, last)


def _read_bpe(vocabulary: Path, merges: Path) -> BPE:
    """The BPE model of two files, which the library itself cannot read with a byte order mark."""
    if not any(path.read_bytes().startswith(BOM_UTF8) for path in (vocabulary, merges)):
        return BPE.from_file(str(vocabulary), str(merges))
    lines = merges.read_text(encoding="utf-8-sig").split("\n")
    pairs = [
        line.rstrip("\r").split(" ") for line in lines if line.strip() and not line.startswith("#version")
    ]
    ids = json.loads(vocabulary.read_text(encoding="utf-8-sig"))
    return BPE(ids, [(first, second) for first, second in pairs])
