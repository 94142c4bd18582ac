"""A text of any shape is read in time that grows with its length: nobody can hold the server up with one."""

import contextlib
import gc
import io
import json
import time

import pytest

from explorer.analysis.prediction import shannon
from explorer.analysis.senses import find, read_sentences
from explorer.analysis.words import words
from explorer.corpus import matching, splitting
from explorer.corpus.inspection import inspect
from explorer.corpus.rows import Report, read
from explorer.errors import TextError
from explorer.views.frame.saving import saving
from explorer.views.look import blocklist
from explorer.views.masked import blanks
from explorer.views.masked.sentence import listed
from explorer.views.settings.link_values import unpack
from explorer.views.settings.setting import LIVE_TOKENS
from explorer.views.vectors import word_table
from tests import shared_models

SHORT, LONG = 5_000, 50_000
MOST_S, MOST_TIMES = 2.5, 20
FLOOR_S = 0.1  # what is over sooner says more of the clock than of the reader

SHAPES = {
    "letters": "a", "dots": ".", "initials": "U.", "abbreviations": "Mr.\t", "spaces": " ", "tabs": "\t",
    "lines": "a\n", "hashes": " #", "brackets": "[(", "accents": "e\u0301", "apostrophes": "a'",
    "hyphens": "a-", "colons": "a:\n", "ideographs": "银。",
}  # fmt: skip


def corpus(kind: str):
    """A visitor's own text, as a file of this kind."""

    def of(text: str) -> None:
        told = {"txt": text, "csv": "text\n" + text, "jsonl": json.dumps({"text": text})}[kind]
        file = io.BytesIO(told.encode())
        for _ in read(inspect(f"own.{kind}", file), file, Report()):
            pass

    return of


def model(name: str):
    """What every page with this model does to a text first: its tokens, and the words that they make."""
    return lambda text: words(shared_models.model(name).encode(text, limit=LIVE_TOKENS))


READERS = {
    "senses: sentences": read_sentences, "senses: a word": lambda text: find(text, "bank"),
    "senses: own text": corpus("txt"), "senses: own table": corpus("csv"),
    "senses: own records": corpus("jsonl"), "senses: one sentence": splitting.split,
    "senses: wrapped": lambda text: list(splitting.sentences([text], wrapped=True)),
    "senses: a search": lambda text: (matching.tidy(text), matching.search_key(text), matching.forms(text)),
    "vectors: groups": word_table.groups,
    "vectors: tokens": lambda text: list(shared_models.model("word2vec").tokenizer.split(text)),
    "masked: a list": listed,
    "masked: hidden words": lambda text: blanks.carry(text, ["a"], text[:-1] + "b"),
    "continuations: words to guess": shannon.spots, "attention, heads, masked: BERT": model("bert"),
    "attention, heads, continuations: GPT": model("gpt"), "from both sides: ELMo": model("elmo"),
    "every page: the block list": lambda text: blocklist.over("bert", text).spans(text),
    "every page: a file's name": saving.file_name, "every page: the link": lambda text: unpack(text, []),
    "every page: a session": lambda text: saving.read("a.json", len(text), text, ["senses"]),
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def no_collecting():
    """Garbage is not collected on the readers' time: what other tests have left would cost seconds."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_text_ten_times_as_long_takes_about_ten_times_as_long(name):
    reader = READERS[name]
    seconds(reader, "x")  # a model is loaded by its first text
    too_long = {}
    for shape, unit in SHAPES.items():
        taken = seconds(reader, long(unit, LONG))
        if taken <= FLOOR_S:
            continue
        first = seconds(reader, long(unit, SHORT))
        if taken > min(MOST_TIMES * first, MOST_S):
            too_long[shape] = f"{first:.3f} s, then {taken:.3f} s"
    assert not too_long


def long(unit: str, length: int) -> str:
    """So many characters of a shape between two letters: what stands at an end is often cut away."""
    return "x" + (unit * length)[: length - 2] + "x"


def seconds(reader, text: str) -> float:
    """The processor's time; a text that is refused is read as well."""
    begun = time.process_time()
    with contextlib.suppress(TextError):
        reader(text)
    return time.process_time() - begun
