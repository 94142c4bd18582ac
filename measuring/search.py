"""Measure search and answers on our own town: `python -m measuring.search`, three minutes.

Twenty questions, each with the sentence that answers it. Search: the place of that sentence among all, by
the cosine of four kinds of vectors, and by BM25; a sentence with an equal score counts as before it. Answers:
what SmolLM2 writes, always taking the most probable token, from the right sentence, from the three that
MiniLM found, without any, from a wrong one, that of the question ten places on, and from the right one with
a poisoned one after it (`our_town.POISONS`). An answer is right if it contains the short answer
(`answering.is_right`). Lines: how many of these twenty come above the line that unrelated questions draw
(`unrelated.line`), and how many of twenty that the town does not answer stay below. Questions, rules and
prompt were written before any run.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import explorer
from explorer.analysis import sentences
from explorer.analysis.sentences import answering, our_town, unrelated
from explorer.analysis.sentences.our_town import Question
from explorer.analysis.sentences.word_search import best_by_words
from explorer.models import LanguageModel

VECTORS = {"tfidf": None, "word2vec": "word2vec", "bert-mini": "bert-mini", "minilm": "minilm"}
LINES = {**VECTORS, "bert": "bert", "e5": "e5"}
WRITER = "smollm2"
TOP = 3
Choice = Callable[[int, Question], Sequence[str]]


def passage_ranks(kind: str, questions: Sequence[Question]) -> list[int]:
    """The place of each question's passage, from 1; the last of those with an equal score."""
    passages = our_town.passages()
    name = VECTORS.get(kind)
    vectors = None if kind == "bm25" else sentences.read(explorer.load(name) if name else None, passages)
    ranks = []
    for question in questions:
        if vectors is None:
            matches = sentences.bm25(question.question, passages, len(passages)).matches
            places = {match.number: match.score for match in matches}
        else:
            places = dict(vectors.search(question.question, len(passages)))
        scores = [places.get(i, 0.0) for i in range(len(passages))]
        right = scores[passages.index(question.passage)]
        ranks.append(sum(score >= right for score in scores))
    return ranks


def line_counts(kind: str) -> dict[str, int]:
    """Of twenty questions that the town answers how many come above the line, and of twenty others below."""
    passages = our_town.passages()
    best: Callable[[Sequence[str]], list[float]]
    if kind == "bm25":
        line, best = unrelated.line(passages), partial(best_by_words, passages=passages)
    else:
        name = LINES[kind]
        vectors = sentences.read(explorer.load(name) if name else None, passages)
        line, best = unrelated.line(vectors), lambda texts: vectors.best(vectors.place(texts))
    answered = best([each.question for each in our_town.questions()])
    unanswered = best(our_town.unanswerable())
    return {
        "above": sum(score > line for score in answered),
        "below": sum(score <= line for score in unanswered),
    }


def passage_choices() -> dict[str, Choice]:
    """What stands in the prompt, by name."""
    questions = our_town.questions()
    vectors = sentences.read(explorer.load("minilm"), our_town.passages())

    def matches(number: int, question: Question) -> list[str]:
        return [match.text for match in sentences.search(question.question, vectors, TOP).matches]

    return {
        "right": lambda number, question: [question.passage],
        "search": matches,
        "none": lambda number, question: [],
        "wrong": lambda number, question: [questions[(number + 10) % len(questions)].passage],
        **{name: partial(_poisoned, poison) for name, poison in our_town.POISONS.items()},
    }


def _poisoned(poison: str, number: int, question: Question) -> list[str]:
    return [question.passage, poison]


def written_answers(model: LanguageModel, choice: Choice, questions: Sequence[Question]) -> list[Any]:
    """What the model writes for each question, and whether it is right."""
    answers = []
    for number, question in enumerate(questions):
        generation = answering.begin(model, question.question, choice(number, question))
        for _ in generation:
            pass
        text = generation.continuation
        answers.append({"text": text, "right": answering.is_right(text, question.answers)})
    return answers


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m measuring.search", description=__doc__).parse_args()
    twenty, writer = our_town.questions(), explorer.load(WRITER)
    content = {
        "writer": WRITER,
        "ranks": {kind: passage_ranks(kind, twenty) for kind in (*VECTORS, "bm25")},
        "lines": {kind: line_counts(kind) for kind in (*LINES, "bm25")},
        "answers": {
            name: written_answers(writer, choice, twenty) for name, choice in passage_choices().items()
        },
    }
    our_town.MEASURED.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
