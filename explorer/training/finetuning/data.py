"""The labelled sets that heads are trained on and measured with, read from a folder that never ships.

sst2     sentiment of film reviews (Socher et al. 2013): train_full.tsv, dev.tsv, test-labeled.tsv
intents  SNIPS (Coucke et al. 2018): what a request is for
slots    SNIPS: the words of a request that fill its slots
names    wikigold (Balasuriya et al. 2009), split here by document: of ten, eight, one, one
rte      entailment, as split in its folder
answers  qa_en; XQuAD's part is the test set, and the part of squadshifts is left out of training
"""

import csv
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged

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


LEFT_OUT = ("xquad", "squadshifts_newwiki")  # public test sets


def answers(folder: Path, unanswerable: float = 0.2, seed: int = 0) -> Sets:
    """Questions on passages of Wikipedia; some asked of another passage, and so without an answer.

    The set itself has none: a share of questions is put to the passage of another question.
    """
    rows = [
        json.loads(line)
        for name in ("train", "dev")
        for line in (folder / f"qa_en/qa_en/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    mine = [row for row in rows if row["source"] not in LEFT_OUT]
    test = [_question(row) for row in rows if row["source"] == "xquad"]
    draw = random.Random(seed)
    draw.shuffle(mine)
    held = {row["context"] for row in mine[:300]}
    dev = [_question(row) for row in mine if row["context"] in held]
    train: list[Example] = []
    for row in mine:
        if row["context"] in held:
            continue
        other = draw.choice(mine)
        strange = draw.random() < unanswerable and row["answer"] not in other["context"]
        strange = strange and other["context"] not in held
        train.append(Question(other["context"], row["question"]) if strange else _question(row))
    return Sets(train, dev[:300], test)


def _question(row: dict[str, str]) -> Question:
    return Question(row["context"], row["question"], row["answer"], int(row["answer_start"]))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


SETS: dict[str, Callable[[Path], Sets]] = {
    "sst2": sst2,
    "slots": slots,
    "intents": intents,
    "names": names,
    "rte": rte,
    "answers": answers,
}
