"""Labelled sets to train and measure heads with, read from a folder that does not ship.

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

from explorer.analysis.probing.sentences import OUTSIDE, read_names
from explorer.finetuning import library
from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged
from training.text import SENTENCE_END

SHARE = 0.15  # of the training questions
LEFT_OUT = 0.5  # share of these: the others are put elsewhere
FEWEST = 2  # sentences of a passage that must remain


def left_out(question: Question) -> Question | None:
    """The question with its passage without the answer; None if too little of the passage remains.

    >>> question = Question("Ann came in May. She sang. Bo danced.", "When did Ann come?", "May")
    >>> left_out(question).passage
    'She sang. Bo danced.'
    """
    answer = question.answer.lower()
    sentences = SENTENCE_END.split(question.passage.strip())
    remaining = [sentence for sentence in sentences if answer not in sentence.lower()]
    passage = " ".join(remaining)
    # An answer across the end of a sentence is in no single sentence.
    removed = FEWEST <= len(remaining) < len(sentences) and answer not in passage.lower()
    return Question(passage, question.question) if removed else None


def mixed(questions: Sequence[Question], share: float, draw: random.Random) -> list[Question]:
    """The questions in their order, a share of them without an answer.

    These are asked of the passage of another question, or of their own without the sentences that contain
    the answer.
    """
    passages = [question.passage for question in questions]
    result = []
    for question in questions:
        passage = draw.choice(passages)
        shortened = left_out(question) if draw.random() < LEFT_OUT else None
        if draw.random() >= share:
            result.append(question)
        elif shortened is not None:
            result.append(shortened)
        elif question.answer.lower() not in passage.lower():
            result.append(Question(passage, question.question))
        else:
            result.append(question)
    return result


FOLDER = "RIVERBANK_LABELLED"  # the environment's name for the folder


@dataclass(frozen=True)
class Sets:
    """Examples to train on, to choose by, and to measure with once."""

    train: Sequence[Example]
    dev: Sequence[Example]
    test: Sequence[Example]


def sst2(folder: Path) -> Sets:
    """Sentences and phrases of film reviews, negative or positive."""
    names = {"0": "negative", "1": "positive"}

    def examples(name: str) -> list[Example]:
        return [Labelled(row["sentence"], names[row["label"]]) for row in _rows(folder / "sst2/sst2" / name)]

    test = folder / "sst2/sst2/test-labeled.tsv"
    lines = [line.rsplit("\t", 1) for line in test.read_text(encoding="utf-8").splitlines()[1:]]
    held_out = [Labelled(text, names[label.strip()]) for text, label in lines]
    return Sets(examples("train_full.tsv"), examples("dev.tsv"), held_out)


def slots(folder: Path) -> Sets:
    """Requests with their slots."""
    return _snips(folder, "seq.out", lambda text, tags: Tagged(tuple(text.split()), tuple(tags.split())))


def intents(folder: Path) -> Sets:
    """Requests with their intents."""
    return _snips(folder, "label", lambda text, label: Labelled(text.strip(), label.strip()))


def _snips(folder: Path, answers: str, example: Callable[[str, str], Example]) -> Sets:
    """Sets of SNIPS, from each line of a text and the same line of the file with the answers."""
    parts = []
    for part in ("train", "valid", "test"):
        place = folder / "snips/snips" / part
        texts, labels = (
            (place / name).read_text(encoding="utf-8").splitlines() for name in ("seq.in", answers)
        )
        parts.append([example(text, label) for text, label in zip(texts, labels, strict=True)])
    return Sets(*parts)


def names(folder: Path) -> Sets:
    """Sentences of Wikipedia with names of persons, places, organisations and others, as BIO tags."""
    file = folder / "ner/ner/wikigold/CONLL-format/data/wikigold.conll.txt"
    with file.open(encoding="utf-8") as lines:
        documents = read_names(lines)
    random.Random(0).shuffle(documents)
    parts: list[list[Example]] = [[], [], []]
    for i, document in enumerate(documents):
        part = parts[(0, 0, 0, 0, 1, 0, 0, 0, 0, 2)[i % 10]]
        part += [Tagged(tuple(s.words), with_beginnings(s.entities)) for s in document]
    return Sets(*parts)


def with_beginnings(types: Sequence[str]) -> tuple[str, ...]:
    """BIO tags from the types of names: the first word of each name begins it.

    >>> with_beginnings(["PER", "PER", "O", "LOC"])
    ('B-PER', 'I-PER', 'O', 'B-LOC')
    """
    before = [OUTSIDE, *types]
    return tuple(
        t if t == OUTSIDE else f"{'I' if t == b else 'B'}-{t}" for b, t in zip(before, types, strict=False)
    )


def rte(folder: Path) -> Sets:
    """Two sentences each: does the second follow from the first?"""

    def examples(name: str) -> list[Example]:
        rows = _rows(folder / "rte/rte" / f"{name}.tsv")
        return [LabelledPair(row["sentence1"], row["sentence2"], row["label"]) for row in rows]

    return Sets(examples("train"), examples("dev"), examples("test"))


# QAMR's passages are single sentences: at most a third of all questions are of that kind.
SENTENCES = 0.5  # for each question on a whole passage


def answers(folder: Path, unanswerable: float = SHARE, seed: int = 0) -> Sets:
    """Questions on passages of Wikipedia; a share of the training questions has no answer.

    XQuAD's part is the test set: its passages, and their sentences, are in no other part. The dev set has
    only whole passages, like the test set.
    """
    rows = {
        name: [json.loads(line) for line in (folder / f"qa_en/qa_en/{name}.jsonl").open(encoding="utf-8")]
        for name in ("train", "dev")
    }
    test = [row for part in rows.values() for row in part if row["source"] == "xquad"]
    test_passages = " ".join({_letters(row["context"]) for row in test})
    contexts = {row["context"] for part in rows.values() for row in part}
    tested = {context for context in contexts if _letters(context) in test_passages}
    train, dev = ([row for row in rows[name] if row["context"] not in tested] for name in ("train", "dev"))
    draw = random.Random(seed)
    draw.shuffle(train)
    draw.shuffle(dev)
    questions = [_question(row) for row in _few_sentences(train)]
    return Sets(
        mixed(questions, unanswerable, draw),
        [_question(row) for row in dev if row["source"] != "qamr"],
        [_question(row) for row in test],
    )


def _few_sentences(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Questions in their order, with at most the share of questions on single sentences."""
    whole = sum(row["source"] != "qamr" for row in rows)
    room = int(whole * SENTENCES)
    sentences = [row for row in rows if row["source"] == "qamr"][:room]
    selected = {row["id"] for row in sentences}
    return [row for row in rows if row["source"] != "qamr" or row["id"] in selected]


def _letters(text: str) -> str:
    """Letters and digits of a text in lower case, which copies of it have in common."""
    return "".join(char for char in text.lower() if char.isalnum())


def _question(row: dict[str, str]) -> Question:
    return Question(row["context"], row["question"], row["answer"], int(row["answer_start"]))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def films(folder: Path) -> Sets:
    """Our own sentences about films, without a folder: six of ten to train on, four to measure with."""
    parts: list[list[Example]] = [[], []]
    # Two neighbours have opposite meanings in similar words, and stay together.
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
