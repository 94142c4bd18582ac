"""The labelled sets that heads are trained on and measured with, read from a folder that never ships.

sst2     sentiment of film reviews (Socher et al. 2013): train_full.tsv, dev.tsv, test-labeled.tsv
intents  SNIPS (Coucke et al. 2018): what a request is for
slots    SNIPS: the words of a request that fill its slots
names    wikigold (Balasuriya et al. 2009), split here by document: of ten, eight, one, one
rte      entailment, as split in its folder
answers  qa_en; XQuAD's part is the test set
films    our own sentences about films, which ship
"""

import csv
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.finetuning import library
from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged
from training.finetuning.unanswerable import SHARE, mixed

FOLDER = "RIVERBANK_LABELLED"  # the environment's name for the folder


@dataclass(frozen=True)
class Sets:
    """Examples to learn from, to choose by, and to measure with once."""

    train: Sequence[Example]
    dev: Sequence[Example]
    test: Sequence[Example]


def sst2(folder: Path) -> Sets:
    """Sentences and phrases of film reviews, negative or positive."""
    names = {"0": "negative", "1": "positive"}

    def one(name: str) -> list[Example]:
        return [Labelled(row["sentence"], names[row["label"]]) for row in _rows(folder / "sst2/sst2" / name)]

    test = folder / "sst2/sst2/test-labeled.tsv"
    lines = [line.rsplit("\t", 1) for line in test.read_text(encoding="utf-8").splitlines()[1:]]
    return Sets(one("train_full.tsv"), one("dev.tsv"), [Labelled(t, names[n.strip()]) for t, n in lines])


def slots(folder: Path) -> Sets:
    """Requests with their slots."""

    def one(part: str) -> list[Example]:
        place = folder / "snips/snips" / part
        texts = (place / "seq.in").read_text(encoding="utf-8").splitlines()
        tags = (place / "seq.out").read_text(encoding="utf-8").splitlines()
        return [Tagged(tuple(a.split()), tuple(b.split())) for a, b in zip(texts, tags, strict=True)]

    return Sets(one("train"), one("valid"), one("test"))


def intents(folder: Path) -> Sets:
    """Requests, and what each is for."""

    def one(part: str) -> list[Example]:
        place = folder / "snips/snips" / part
        texts = (place / "seq.in").read_text(encoding="utf-8").splitlines()
        labels = (place / "label").read_text(encoding="utf-8").splitlines()
        return [Labelled(a.strip(), b.strip()) for a, b in zip(texts, labels, strict=True)]

    return Sets(one("train"), one("valid"), one("test"))


def names(folder: Path) -> Sets:
    """Sentences of Wikipedia with names of persons, places, organisations and others, as BIO tags."""
    file = folder / "ner/ner/wikigold/CONLL-format/data/wikigold.conll.txt"
    documents: list[list[Example]] = [[]]
    words: list[str] = []
    tags: list[str] = []
    for line in [*file.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("-DOCSTART-"):
            documents.append([])
        elif line.strip():
            word, tag = line.split()
            words.append(word)
            tags.append(tag)
        elif words:
            documents[-1].append(Tagged(tuple(words), begun(tags)))
            words, tags = [], []
    documents = [document for document in documents if document]
    random.Random(0).shuffle(documents)
    parts: list[list[Example]] = [[], [], []]
    for i, document in enumerate(documents):
        parts[(0, 0, 0, 0, 1, 0, 0, 0, 0, 2)[i % 10]] += document
    return Sets(*parts)


def begun(tags: Sequence[str]) -> tuple[str, ...]:
    """Tags without beginnings as BIO: the first word of each stretch of one name begins it.

    >>> begun(["I-PER", "I-PER", "O", "I-LOC"])
    ('B-PER', 'I-PER', 'O', 'B-LOC')
    """
    before = ["O", *tags]
    return tuple("B-" + t[2:] if t != "O" and t != b else t for b, t in zip(before, tags, strict=False))


def rte(folder: Path) -> Sets:
    """Two sentences each: does the second follow from the first?"""

    def one(name: str) -> list[Example]:
        rows = _rows(folder / "rte/rte" / f"{name}.tsv")
        return [LabelledPair(row["sentence1"], row["sentence2"], row["label"]) for row in rows]

    return Sets(one("train"), one("dev"), one("test"))


# QAMR's passages are single sentences: of all questions at most a third is of that kind.
SENTENCES = 0.5  # for each question on a whole passage


def answers(folder: Path, unanswerable: float = SHARE, seed: int = 0) -> Sets:
    """Questions on passages of Wikipedia; a share of those that are learnt from has no answer.

    The set itself has none without: they are made, see `unanswerable`. XQuAD's part is the test set: its
    passages, and sentences out of them, are in no other part. The dev set has whole passages alone, like
    the test set.
    """
    rows = {
        name: [json.loads(line) for line in (folder / f"qa_en/qa_en/{name}.jsonl").open(encoding="utf-8")]
        for name in ("train", "dev")
    }
    test = [row for part in rows.values() for row in part if row["source"] == "xquad"]
    passages = " ".join({_letters(row["context"]) for row in test})
    known = {context for part in rows.values() for context in {row["context"] for row in part}}
    seen = {context for context in known if _letters(context) in passages}
    train, dev = ([row for row in rows[name] if row["context"] not in seen] for name in ("train", "dev"))
    draw = random.Random(seed)
    draw.shuffle(train)
    draw.shuffle(dev)
    learn = [_question(row) for row in _few_sentences(train)]
    return Sets(
        mixed(learn, unanswerable, draw),
        [_question(row) for row in dev if row["source"] != "qamr"],
        [_question(row) for row in test],
    )


def _few_sentences(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The questions, with no more on single sentences than their share; in the order given."""
    whole = sum(row["source"] != "qamr" for row in rows)
    room = int(whole * SENTENCES)
    sentences = [row for row in rows if row["source"] == "qamr"][:room]
    taken = {row["id"] for row in sentences}
    return [row for row in rows if row["source"] != "qamr" or row["id"] in taken]


def _letters(text: str) -> str:
    """A text without what differs between copies of it: case, spaces and punctuation."""
    return "".join(char for char in text.lower() if char.isalnum())


def _question(row: dict[str, str]) -> Question:
    return Question(row["context"], row["question"], row["answer"], int(row["answer_start"]))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def films(folder: Path) -> Sets:
    """Our own sentences about films, without a folder: of ten, six to learn from, four to measure with."""
    parts: list[list[Example]] = [[], []]
    # Two neighbours say the opposite in like words, and stay together.
    for i, example in enumerate(library.examples("films")):
        parts[(0, 1, 0, 1, 0)[i // 2 % 5]].append(example)
    return Sets(parts[0], [], parts[1])


SETS: dict[str, Callable[[Path], Sets]] = {
    "sst2": sst2,
    "slots": slots,
    "intents": intents,
    "names": names,
    "rte": rte,
    "answers": answers,
    "films": films,
}
