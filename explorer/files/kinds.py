"""The kind of a file by its first bytes, whatever its name is.

version https://git-lfs...   a Git LFS pointer       \x89HDF        an HDF5 file
<!doctype html>              a web page              \x80\x04       a pickle, which is never opened
"""

import pickletools
import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

HEAD = 4096  # bytes
UNFINISHED = (".incomplete", ".part", ".partial", ".crdownload", ".download", ".aria2", ".!qb")

_UNPACK = "Unpack it first"
_TOKENIZER = (
    "Name the folder of the whole model. It needs tokenizer.json, which transformers writes: "
    "AutoTokenizer.from_pretrained(folder).save_pretrained(folder)."
)
_SAVE_AS_TEXT = "Save it as plain text (.txt) or as .csv first."


@dataclass(frozen=True)
class _Description:
    """The name of a kind of file, and a hint what to do about it."""

    name: str
    hint: str


class Kind(Enum):
    """A kind of file that is recognised by its first bytes."""

    POINTER = _Description("a Git LFS pointer, not the file itself", "Run “git lfs pull” in the folder.")
    EMPTY = _Description("empty", "The copy or the download broke off: fetch it again.")
    ZEROS = _Description("filled with zeros", "The copy or the download broke off: fetch it again.")
    HTML = _Description(
        "a web page (HTML), perhaps one that asks to sign in or says “not found”",
        "Fetch the file itself: on the Hugging Face hub by its download button, signed in where a model asks "
        "for it.",
    )
    ANSWER = _Description(
        "a server’s answer that there is no such file, or that it is not for everybody",
        "Fetch the file itself: look at its name on the Hugging Face hub, and sign in where a model asks for "
        "it.",
    )
    XML = _Description("an XML document, perhaps a server’s error", "Fetch the file itself again.")
    JSON = _Description("JSON", "Check whether two files were mixed up, or a server’s error was saved.")
    GZIP = _Description("a gzip archive", f"{_UNPACK} (gunzip, or tar xzf for a .tar.gz).")
    BZIP2 = _Description("a bzip2 archive", f"{_UNPACK} (bunzip2, or tar xjf for a .tar.bz2).")
    XZ = _Description("an xz archive", f"{_UNPACK} (unxz, or tar xJf for a .tar.xz).")
    ZSTD = _Description("a Zstandard archive", f"{_UNPACK} (unzstd).")
    TAR = _Description("a tar archive", f"{_UNPACK} (tar xf).")
    SEVEN_ZIP = _Description("a 7-Zip archive", f"{_UNPACK}.")
    RAR = _Description("a RAR archive", f"{_UNPACK}.")
    PYTORCH = _Description(
        "a file of PyTorch’s (a zip archive of pickles), which can run code when opened",
        "Riverbank never opens one. Choose a copy with model.safetensors; or, if you trust the file, load "
        "the model in transformers and call its save_pretrained.",
    )
    NPZ = _Description(
        "NumPy’s archive (.npz)",
        "Word vectors are read as text, a word and its numbers a line: save them so.",
    )
    NPY = _Description(
        "a NumPy array (.npy)",
        "gensim keeps numbers in such a file beside its own; save both as one: "
        'model.wv.save_word2vec_format("v.txt").',
    )
    OFFICE = _Description("a document of Word, Excel or the like (a zip archive)", _SAVE_AS_TEXT)
    ZIP = _Description("a zip archive", f"{_UNPACK} (unzip).")
    PICKLE = _Description(
        "a pickle, as gensim’s save and torch.save write it, which can run code when opened",
        "Riverbank never opens one. In gensim, save word vectors as text: "
        'model.wv.save_word2vec_format("v.txt"); a model of transformers: model.save_pretrained("folder").',
    )
    GGUF = _Description("a GGUF file", "Name it so that it ends in .gguf, and point to the file itself.")
    GGML = _Description("a GGML file, the format before GGUF", "Choose a .gguf file, or model.safetensors.")
    TIKTOKEN = _Description("a vocabulary of tiktoken, without a network", _TOKENIZER)
    SENTENCEPIECE = _Description("a SentencePiece model, a tokenizer without a network", _TOKENIZER)
    HDF5 = _Description(
        "an HDF5 file, as Keras and TensorFlow write it",
        "Choose a copy with model.safetensors; for ELMo’s published files, docs/own-model.md makes one.",
    )
    SAFETENSORS = _Description(
        "a safetensors file", "Point to the folder that it belongs in, with its config.json."
    )
    PDF = _Description("a PDF", _SAVE_AS_TEXT)
    OLD_OFFICE = _Description("an old Word or Excel file", _SAVE_AS_TEXT)
    RTF = _Description("an RTF document", _SAVE_AS_TEXT)
    SQLITE = _Description("a database (SQLite)", _SAVE_AS_TEXT)
    PARQUET = _Description("a Parquet table", "Save it as .csv first: in pandas, read_parquet and to_csv.")
    IMAGE = _Description("a picture", "Choose another file.")

    @property
    def phrase(self) -> str:
        """The kind in words, to be put after “is”."""
        return self.value.name

    @property
    def hint(self) -> str:
        """A hint what to do about such a file.

        >>> Kind.POINTER.hint
        'Run “git lfs pull” in the folder.'
        """
        return self.value.hint


_STARTS = (
    (b"version https://git-lfs", Kind.POINTER), (b"version https://hawser", Kind.POINTER),
    (b"\x1f\x8b", Kind.GZIP), (b"\xfd7zXZ\0", Kind.XZ), (b"\x28\xb5\x2f\xfd", Kind.ZSTD),
    (b"7z\xbc\xaf\x27\x1c", Kind.SEVEN_ZIP), (b"Rar!\x1a\x07", Kind.RAR), (b"\x93NUMPY", Kind.NPY),
    (b"GGUF", Kind.GGUF), (b"lmgg", Kind.GGML), (b"tjgg", Kind.GGML), (b"fmgg", Kind.GGML),
    (b"\x89HDF\r\n\x1a\n", Kind.HDF5), (b"%PDF", Kind.PDF), (b"\xd0\xcf\x11\xe0", Kind.OLD_OFFICE),
    (b"{\\rtf", Kind.RTF), (b"SQLite format 3", Kind.SQLITE), (b"PAR1", Kind.PARQUET),
    (b"\x89PNG", Kind.IMAGE), (b"\xff\xd8\xff", Kind.IMAGE)
)  # fmt: skip


def _markup(pattern: bytes) -> re.Pattern[bytes]:
    """A pattern after a byte order mark and white space, case-insensitive."""
    return re.compile(rb"(?:\xef\xbb\xbf)?\s*" + pattern, re.IGNORECASE | re.DOTALL)


_PATTERNS = (
    (re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), Kind.BZIP2),
    (_markup(rb"(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b"), Kind.HTML),
    (_markup(rb"<\?xml\b.*?<html\b"), Kind.HTML),
    (_markup(rb"<\?xml\b"), Kind.XML),
    (_markup(rb"\{\s*\"error\"\s*:\s*\""), Kind.ANSWER),
    (
        _markup(
            rb"(?:entry not found|(?:404: ?)?not found|repository not found|unauthorized|forbidden|"
            rb"invalid (?:username or password|credentials[^\n]*)\.?|"
            rb"access to [^\n]* is restricted[^\n]*)\s*\Z"
        ),
        Kind.ANSWER,
    ),
    (_markup(rb"\{\s*[\"}]"), Kind.JSON),
    (re.compile(rb".{4}\0\0\0\0\{\"", re.S), Kind.SAFETENSORS),
    (re.compile(rb"\x80[\x02-\x05]"), Kind.PICKLE),
    (re.compile(rb"[\w+/]+={0,2} 0\r?\n[\w+/]+={0,2} 1\r?\n[\w+/]+={0,2} 2\r?\n"), Kind.TIKTOKEN),
    (re.compile(rb"\n[\x08-\x7f]\n[\x01-\x40]<(?:unk|pad|s|/s|mask|cls)>\x15"), Kind.SENTENCEPIECE),
)  # fmt: skip
_OFFICE_NAMES = (b"[Content_Types].xml", b"_rels/", b"mimetype", b"word/", b"xl/", b"docProps/")


def kind_of(head: bytes) -> Kind | None:
    """The kind of a file from `head`, its first HEAD bytes or all of it; None if it is not recognised.

    >>> kind_of(b"version https://git-lfs.github.com/spec/v1").phrase
    'a Git LFS pointer, not the file itself'
    >>> kind_of(b"the 0.1 0.2") is None
    True
    """
    if not head:
        return Kind.EMPTY
    for start, kind in _STARTS:
        if head.startswith(start):
            return kind
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _kind_of_zip(head)
    for pattern, kind in _PATTERNS:
        if pattern.match(head):
            return kind
    if head[257:262] == b"ustar":
        return Kind.TAR
    if not head.strip(b"\0"):
        return Kind.ZEROS
    return Kind.PICKLE if _is_old_pickle(head) else None


def read_kind(path: Path, most: int = HEAD) -> Kind | None:
    """The kind of the file at a path; None if it is not recognised. Raises OSError."""
    with path.open("rb") as file:
        return kind_of(file.read(most))


def unfinished_download(folder: Path, names: Collection[str]) -> Path | None:
    """An incomplete download of one of these files in a folder; None if there is none."""
    downloads = {f"{name}{ending}".lower() for name in names for ending in UNFINISHED}
    return next((path for path in sorted(folder.iterdir()) if path.name.lower() in downloads), None)


def _kind_of_zip(head: bytes) -> Kind:
    """The kind of a zip archive, by the name of its first member."""
    name = head[30 : 30 + int.from_bytes(head[26:28], "little")]
    if name.endswith((b"/data.pkl", b"/version", b"/byteorder")) or name.startswith(b"archive/"):
        return Kind.PYTORCH
    if name.endswith(b".npy"):
        return Kind.NPZ
    return Kind.OFFICE if name.startswith(_OFFICE_NAMES) else Kind.ZIP


def _is_old_pickle(head: bytes) -> bool:
    """Whether bytes are a pickle of protocol 0 or 1, without a magic number: its opcodes are read, not run.

    Each stores its first object under the memo index 0, which no text does by chance.
    """
    if head[:1] not in b"c(}])":
        return False
    try:
        for command, argument, _ in pickletools.genops(head):
            if command.name in ("PUT", "BINPUT"):
                return argument == 0
    except Exception:  # the library raises many classes for such bytes
        return False
    return False
