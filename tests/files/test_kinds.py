"""What a file is by its first bytes: each kind is told, and no text is taken for one."""

import bz2
import gzip
import io
import lzma
import pickle
import tarfile
import zipfile

import numpy as np
import pytest
import torch

from explorer.files.kinds import Kind, kind_of


def zipped(name: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "text")
    return file.getvalue()


def written(write, *args, **kwargs) -> bytes:
    file = io.BytesIO()
    write(file, *args, **kwargs) if write is not torch.save else torch.save(*args, file, **kwargs)
    return file.getvalue()


def tarred() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("model.bin"))
    return file.getvalue()


WEIGHTS = {"weight": torch.zeros(2)}


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 440449768\n", Kind.POINTER),
        (b"", Kind.EMPTY),
        (b"\0" * 900, Kind.ZEROS),
        (b"\n<!DOCTYPE html>\n<html>", Kind.HTML),
        (b"\xef\xbb\xbf<HTML lang='en'>", Kind.HTML),
        (b"<!-- saved -->\n<html>", Kind.HTML),
        (b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">\n<html>', Kind.HTML),
        (b'<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', Kind.XML),
        (b'{"error": "Repository not found"}', Kind.ANSWER),
        (gzip.compress(b"text"), Kind.GZIP),
        (bz2.compress(b"text"), Kind.BZIP2),
        (bz2.compress(b""), Kind.BZIP2),
        (lzma.compress(b"text"), Kind.XZ),
        (tarred(), Kind.TAR),
        (zipped("a.txt"), Kind.ZIP),
        (zipped("[Content_Types].xml"), Kind.OFFICE),
        (written(np.savez, a=np.zeros(2)), Kind.NPZ),
        (written(np.save, np.zeros(2)), Kind.NPY),
        (written(torch.save, WEIGHTS), Kind.PYTORCH),
        (written(torch.save, WEIGHTS, _use_new_zipfile_serialization=False), Kind.PICKLE),
        (b"GGUF\3\0\0\0", Kind.GGUF),
        (b"\x89HDF\r\n\x1a\n\0", Kind.HDF5),
    ],
    ids=range(22),
)  # fmt: skip
def test_kinds(content, kind):
    assert kind_of(content[:4096]) is kind


class KeyedVectors:
    def __init__(self) -> None:
        self.vectors, self.words = np.zeros((2, 3)), ["king", "queen"]


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize(
    "value", [{"king": np.zeros(3)}, ["king", 1], np.arange(5.0), KeyedVectors()], ids=type
)
def test_a_pickle_is_known_by_its_first_commands(value, protocol):
    assert kind_of(pickle.dumps(value, protocol)[:200]) is Kind.PICKLE


@pytest.mark.parametrize(
    "text",
    [
        "the 0.1 0.2\n", "400 300\n", "cat\ndog\nqueen\n", "(the\n", "}\n]\n", "[PAD]\n[UNK]\n",
        "# A lecture", "{{ bos }}",
    ],
)  # fmt: skip
def test_a_text_is_none_of_them(text):
    assert kind_of(text.encode()) is None
