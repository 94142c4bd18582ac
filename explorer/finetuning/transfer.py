"""Our own sentences for the test from English to Chinese (see `assets/transfer/README.md`)."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import regex

from explorer import assets
from explorer.analysis import senses
from explorer.analysis.two_languages import retrieval, zero_shot
from explorer.analysis.two_languages.vectors import centre, means
from explorer.analysis.two_languages.zero_shot import ZeroShotResult
from explorer.assets import TRANSFER
from explorer.errors import TextError
from explorer.finetuning.examples import Labelled

if TYPE_CHECKING:
    from jaxtyping import Float
    from torch import Tensor

    from explorer.models.base import Model

TASKS = ("topics", "feelings")  # the first is the one that counts
WORD = "bank"
SENSES = ("money", "river")  # of the word; each is a word of its own in Chinese
IN_CHINESE = "銀行/银行/河岸"
ALONE = ("bert", "bert-zh")  # bundled models of one language, for comparison
BOTH = "bert-en-zh"  # the bundled model of both languages
PAIRS = "pairs"  # in the file by layer, the translations
FILE_ALONE = TRANSFER / "alone.json"  # python -m measuring.stored writes it, and the next
FILE_BY_LAYER = TRANSFER / "by_layer.json"
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*|\d+")


@dataclass(frozen=True)
class Transfer:
    """A task's sentences: English ones to train on, Chinese ones for the test only.

    `shared` says whether each Chinese sentence has digits or Latin words. English sentences of the same
    number in `groups` are much alike. If a word is classified and not its sentence, `words` has it in
    English and in Chinese, as `senses.find` takes it.
    """

    task: str
    english: tuple[Labelled, ...]
    chinese: tuple[Labelled, ...]
    shared: tuple[bool, ...]
    groups: tuple[int, ...]
    words: tuple[str, str] = ("", "")

    @property
    def labels(self) -> list[str]:
        """The classes, in order of appearance."""
        return list(dict.fromkeys(example.label for example in self.english))


def read(task: str) -> Transfer:
    """A task's sentences in both languages, or those of the word. Raises TextError for another name.

    >>> topics = read("topics")
    >>> topics.labels, len(topics.english), len(topics.chinese)
    (['food', 'travel', 'school', 'health'], 200, 240)
    """
    if task == WORD:
        return _word()
    if task not in TASKS:
        raise TextError(f"There is no task “{task}”.", f"There are: {', '.join((*TASKS, WORD))}.")
    english, chinese = (_rows(f"{task}-{language}.tsv") for language in ("en", "zh"))
    return Transfer(
        task,
        tuple(Labelled(row["text"], row["label"]) for row in english),
        tuple(Labelled(row["text"], row["label"]) for row in chinese),
        tuple(row["shared"] == "yes" for row in chinese),
        tuple(i // 2 if task == "feelings" else i for i in range(len(english))),  # feelings come in pairs
    )


def pairs() -> list[tuple[str, str]]:
    """Our own English sentences, each with its Chinese translation.

    >>> len(pairs()), pairs()[1]
    (40, ('The lamp on my desk is broken.', '我书桌上的灯坏了。'))
    """
    return [(row["en"], row["zh"]) for row in _rows("pairs.tsv")]


def vectors(model: "Model", texts: Sequence[str], word: str = "") -> "Float[Tensor, 'text depth d_model']":
    """The vector of each text at every layer, without its punctuation: the mean of its tokens.

    With a `word`, which each text must have once, it is the mean of the word's own tokens. Raises
    AbilityError for a model without hidden states, TextError for a text that does not have the word once.
    """
    plain = [without_punctuation(text) for text in texts]
    if not word:
        return means(model, plain)
    occurrences = senses.occurrences(model, plain, word)
    if occurrences.sentence_index != list(range(len(plain))):
        raise TextError(f"Not every sentence has “{word}” once.", "Leave out those that do not.")
    return occurrences.vectors


def both_vectors(
    model: "Model", task: Transfer
) -> "tuple[Float[Tensor, 'text depth d_model'], Float[Tensor, 'other depth d_model']]":
    """The vectors of a task's English sentences, and of its Chinese ones (see `vectors`)."""
    english, chinese = (
        vectors(model, [example.text for example in side], word)
        for side, word in zip((task.english, task.chinese), task.words, strict=True)
    )
    return english, chinese


def classify_by_layer(
    task: Transfer,
    english: "Float[Tensor, 'text depth d_model']",
    chinese: "Float[Tensor, 'other depth d_model']",
    without_means: bool,
) -> list[ZeroShotResult]:
    """Predictions for the Chinese sentences by a classifier of each layer, trained on the English vectors.

    With `without_means` each language's mean vector is subtracted first.
    """
    if without_means:
        english, chinese = centre(english), centre(chinese)
    labels, truth = ([example.label for example in side] for side in (task.english, task.chinese))
    return zero_shot.classify_by_layer(english, labels, chinese, truth, task.groups)


def translations_found(model: "Model", without_means: bool) -> tuple[list[float], list[float]]:
    """For each layer the share of English sentences that find their translation, and of Chinese ones.

    A sentence finds its translation if that is the nearest of all by cosine. With `without_means` each
    language's mean vector is subtracted first.
    """
    english, chinese = (vectors(model, texts) for texts in zip(*pairs(), strict=True))
    if without_means:
        english, chinese = centre(english), centre(chinese)
    there, back = retrieval.accuracy(english, chinese), retrieval.accuracy(chinese, english)
    return there.tolist(), back.tolist()


def shared_tokens_accuracy(task: Transfer) -> float:
    """Accuracy on the Chinese sentences from what both languages write alike, and nothing else.

    Logistic regression on which digits and Latin words occur, trained on the English sentences.
    """
    from sklearn.feature_extraction.text import CountVectorizer  # takes a second
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(CountVectorizer(analyzer=shared_tokens, binary=True), LogisticRegression())
    (train, labels), (test, truth) = (
        ([example.text for example in side], [example.label for example in side])
        for side in (task.english, task.chinese)
    )
    return float(model.fit(train, labels).score(test, truth))


def monolingual_accuracy(task: str, without_means: bool) -> dict[str, list[float]]:
    """Accuracy on the Chinese sentences by layer, of each model of one language, from a file."""
    vectors_used = _vectors_used(without_means)
    return {name: tasks[task][vectors_used] for name, tasks in assets.data(FILE_ALONE).items()}


def by_layer(task: str, without_means: bool) -> dict[str, list[dict[str, Any]]]:
    """What the bundled model of both languages reaches, from a file: `lines` by layer, and `levels`.

    A line has a `name`, and a share for each layer with its 95 % interval, as `values` and `ends`.

    >>> [line["name"] for line in by_layer("topics", without_means=False)["lines"]]
    ['Chinese', 'English']

    Raises TextError for another task.
    """
    tasks = assets.data(FILE_BY_LAYER)
    if task not in tasks:
        raise TextError(f"There is no task “{task}”.", f"There are: {', '.join(tasks)}.")
    figures: dict[str, list[dict[str, Any]]] = tasks[task][_vectors_used(without_means)]
    return figures


def _vectors_used(without_means: bool) -> str:
    return "centred" if without_means else "as they are"


def without_punctuation(text: str) -> str:
    """A text without its punctuation, which both languages share and which carries no meaning.

    >>> without_punctuation("Wash it, please!"), without_punctuation("她說：「好吃！」")
    ('Wash it please', '她說 好吃')
    """
    return " ".join(regex.sub(r"[^\p{L}\p{M}\p{N}\s]", " ", text).split())


def shared_tokens(text: str) -> list[str]:
    """The digits and Latin words of a text, in lower case: what a Chinese and an English text can share.

    >>> shared_tokens("我们在KFC买了3份。"), shared_tokens("Two for KFC")
    (['kfc', '3'], ['two', 'for', 'kfc'])
    """
    return [token.lower() for token in _LATIN.findall(text)]


def _word() -> Transfer:
    sentences = [sentence for sentence in senses.library(WORD) if sentence.sense in SENSES]
    chinese = senses.read_sentences(assets.text(TRANSFER / f"{WORD}-zh.txt"))
    english, other = (
        tuple(Labelled(sentence.text, sentence.sense) for sentence in side if sentence.sense)
        for side in (sentences, chinese)
    )
    marks = [sentence.mark or f"alone {i}" for i, sentence in enumerate(sentences)]
    groups = tuple(marks.index(mark) for mark in marks)
    return Transfer(WORD, english, other, (False,) * len(other), groups, (WORD, IN_CHINESE))


def _rows(name: str) -> list[dict[str, str]]:
    text = assets.text(TRANSFER / name)
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))
