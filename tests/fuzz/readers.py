"""Files that each reader reads rightly, and what reading one comes to."""

import gzip
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

import explorer
from explorer.checkpoints.gguf.file import GgufFile
from explorer.tokenizers import read_tokenizer
from explorer.trace import Ability
from explorer.views.frame.saving import saving
from explorer.views.settings.setting import Setting
from tests import gguf_files
from tests.models import bilm
from tests.tokenizers import small

TEXT = "It isn't by the old bank: \u2603 1,000.5"


@dataclass(frozen=True)
class Case:
    """A folder, the file in it that is damaged, and the reading of it."""

    file: Path
    read: Callable[[Path], object]


def model(folder: Path) -> object:
    """A whole model, which then reads a text."""
    loaded = explorer.load(f"folder:{folder}")
    vectors = loaded.abilities is Ability.VECTORS
    return loaded.trace(loaded.tokenizer.token(0) if vectors else TEXT, limit=12)


def tokenizer(folder: Path) -> object:
    """A tokenizer, which then reads a text."""
    read = read_tokenizer(folder)
    read.allows()
    found = read.encode(TEXT, limit=12)
    return read.highest, [read.readable(id) for id in found.ids.tolist()], read.decode(found.ids.tolist())


def gguf(path: Path) -> object:
    """A GGUF file in all its parts, whose tokenizer then reads a text."""
    file = GgufFile.open(path)
    shapes = {name: tensor.shape for name, tensor in file.shapes().items()}
    assert shapes == {name: tensor.shape for name, tensor in file.tensors().items()}
    return file.tokenizer().encode(TEXT, limit=12).tokens


def session(folder: Path) -> object:
    """A session file, as a page takes it over."""
    content = (folder / "session.json").read_bytes()
    text = content.decode("utf-8", "replace")
    defaults = {"text": "a", "layer": 3, "own": False, "heat": 0.5, "heads": [1], "at": {"a": 1}, "x": None}
    declared = (Setting(name, value) for name, value in defaults.items())
    settings = saving.Settings("senses", *declared)
    taken: dict[str, object] = {}
    settings.set = lambda *changes: taken.update(changes)  # type: ignore[method-assign]  # no session is there to write to
    saving.apply(saving.read("s.json", len(content), text, ["senses"]), settings)
    for name, value in defaults.items():
        assert value is None or type(taken[name]) is type(value), name
    return taken


def cases(reader: str, folder: Path, bert: Path, gpt: Path) -> Iterator[Case]:
    """The cases of a reader, in folders of their own; `bert` and `gpt` are tiny models."""
    folder = folder / reader
    if reader == "safetensors":
        for source in (bert, gpt):
            place = shutil.copytree(source, folder / source.name)
            yield Case(place / "model.safetensors", model)
    if reader == "tokenizer":
        for source in (bert, gpt):
            place = shutil.copytree(source, folder / source.name)
            for name in ("vocab.txt", "vocab.json", "merges.txt", "tokenizer_config.json"):
                if (place / name).exists():
                    yield Case(place / name, tokenizer)
            (single := folder / f"{source.name}-single").mkdir()
            read_tokenizer(source).backend.save(str(single / "tokenizer.json"))
            yield Case(single / "tokenizer.json", tokenizer)
    if reader == "config":
        for source in (bert, gpt):
            place = shutil.copytree(source, folder / source.name)
            yield Case(place / "config.json", model)
            (place / "SHA256SUMS").write_text(f"{'0' * 64}  card.md\n")
            yield Case(place / "SHA256SUMS", model)
        place = shutil.copytree(gpt, folder / "shards")
        (place / "model.safetensors").rename(place / "model-1.safetensors")
        (place / "model.safetensors.index.json").write_text('{"weight_map": {"a": "model-1.safetensors"}}')
        yield Case(place / "model.safetensors.index.json", model)
        (place := folder / "elmo").mkdir()
        bilm.write(place)
        yield Case(place / "config.json", model)
    if reader == "vectors":
        folder.mkdir()
        numbers = np.random.default_rng(0).normal(size=(7, 5)).astype("<f4")
        words = ["the", "of", "caf\u00e9", "\u6771\u4eac", "'s", "u.s.", "3"]
        rows = [f"{word} {' '.join(map(str, row.tolist()))}\n" for word, row in zip(words, numbers)]
        packed = b"".join(word.encode() + b" " + row.tobytes() + b"\n" for word, row in zip(words, numbers))
        text = "".join(rows).encode()
        for name, content in (
            ("glove.txt", text),
            ("word2vec.vec", b"7 5\n" + text),
            ("word2vec.bin", b"7 5\n" + packed),
            ("word2vec.txt.gz", gzip.compress(b"7 5\n" + text, mtime=0)),
        ):
            (folder / name).write_bytes(content)
            yield Case(folder / name, lambda folder, name=name: model(folder / name))
    if reader == "gguf":
        folder.mkdir()
        gguf_files.write_model(folder / "gpt2.gguf", "gpt2", n_layer=1)
        yield Case(folder / "gpt2.gguf", lambda folder: model(folder / "gpt2.gguf"))
        small.write_llama_2(folder)
        pieces = gguf_files.vocabulary_of(folder, "")
        for architecture, keys in (("llama", {}), ("qwen3", {}), ("gemma2", pieces)):
            path = folder / f"{architecture}.gguf"
            gguf_files.write_model(path, architecture, keys, num_hidden_layers=1)
            yield Case(path, lambda folder, path=path: gguf(path))
        stored = (
            gguf_files.quantised(torch.randn(3, 256), "Q5_K"),
            gguf_files.quantised(torch.randn(3, 64), "Q4_1"),
        )
        known = {"general.architecture": "qwen2"} | gguf_files.vocabulary(folder / "vocabulary")
        known |= gguf_files.metadata("qwen2", gguf_files.model("qwen2").config)
        names = ("blk.0.ffn_up.weight", "blk.0.ffn_down.weight")
        gguf_files.write(folder / "packed.gguf", known, dict(zip(names, stored, strict=True)))
        yield Case(folder / "packed.gguf", lambda folder: gguf(folder / "packed.gguf"))
    if reader == "session":
        folder.mkdir()
        told = (
            '{"riverbank": 1, "page": "senses", "settings": {"text": "We sat \\u00e9", "layer": 4, '
            '"own": true, "heat": 0.25, "heads": [1, 2], "at": {"a": 2}, "x": "y"}}'
        )
        (folder / "session.json").write_text(told)
        yield Case(folder / "session.json", session)


READERS = ("safetensors", "tokenizer", "config", "vectors", "gguf", "session")
