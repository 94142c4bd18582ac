"""A file or a folder that is a part of a model, or of another program: what it is, and what to do.

vectors.tsv        numbers of the embedding projector, whose words are in metadata.tsv
tokenizer.model    a tokenizer without a network
model.onnx         another program's model
"""

import re
from collections.abc import Collection
from pathlib import Path

from explorer.checkpoints.vector_layout import BLOCK, WORDLESS, hint_on
from explorer.errors import FormatError
from explorer.files.kinds import Kind, read_kind
from explorer.tokenizers import TOKENIZER_FILES

TABLES, WORDS = (".tsv", ".csv"), "metadata.tsv"
WHOLE = "Name the folder of the whole model, with config.json and model.safetensors."
JOIN = f"Put the two side by side: “paste {WORDS} vectors.tsv | tr '\\t' ' ' > vectors.txt”."
# Endings or names of files, what they are, and what to do.
FILES = (
    (r"\.onnx$", "an ONNX file, a network for another program", WHOLE),
    (r"\.(tflite|mlmodel|pt2|engine)$", "a network for another program", WHOLE),
    (r"imatrix.*\.(dat|gguf)$", "an importance matrix (imatrix), by which llama.cpp packs a model", WHOLE),
)


def file_alone(path: Path) -> FormatError | None:
    """The error for a file that is no model by itself, by its name and content; None for any other.

    >>> file_alone(Path("model.onnx")).message
    'model.onnx is an ONNX file, a network for another program.'
    """
    if path.is_file() and path.suffix.lower() in TABLES:
        return _table(path)
    if path.is_file() and (kind := read_kind(path)) in (Kind.TIKTOKEN, Kind.SENTENCEPIECE):
        return FormatError(f"{path} is {kind.phrase}.", kind.hint)
    if path.name in TOKENIZER_FILES:
        return FormatError(f"{path} is a file of a tokenizer, without a network.", WHOLE)
    for pattern, what, hint in FILES:
        if re.search(pattern, path.name, re.IGNORECASE):
            return FormatError(f"{path} is {what}.", hint)
    return None


def folder_alone(names: Collection[str], folder: Path) -> FormatError | None:
    """The error for a folder without config.json that holds such files; None for any other."""
    if tables := [name for name in names if name.endswith(TABLES) and name != WORDS]:
        return _table(folder / tables[0])
    kinds = [file_alone(folder / name) for name in names]
    tokenizers = [
        name
        for name in names
        if name in TOKENIZER_FILES or name.endswith((".tiktoken", ".spm", "tokenizer.model"))
    ]
    if tokenizers:
        return FormatError(f"{folder} holds a tokenizer alone ({tokenizers[0]}), without a network.", WHOLE)
    return next((error for error in kinds if error is not None), None)


def _table(path: Path) -> FormatError:
    """The error for a table, as the embedding projector reads them."""
    with path.open("rb") as file:
        hint = hint_on(file.read(BLOCK).partition(b"\n")[0])
    if WORDLESS in hint:
        return FormatError(f"{path} holds the numbers of the embedding projector, without words.", JOIN)
    if hint:
        return FormatError(f"{path} holds words and numbers in a table.", f"Save it as .txt. {hint}")
    if path.name == WORDS:
        return FormatError(f"{path} holds the words of the embedding projector, without numbers.", JOIN)
    hint = f"Word vectors have a name that ends in .txt, .vec or .bin. {WHOLE}"
    return FormatError(f"{path} is a table, and no file of word vectors.", hint)
