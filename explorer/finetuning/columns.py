"""Which column of a table is which: by the names in its first line, or by how that line looks.

review,rating            the commonest names, in several languages, and with words around them (review_text)
Good film,5
opinie⇥punkty            other names: short cells above a column of numbers, or above texts with a class that
Good film⇥5              no other line has

Of lines without names, numbers in front are left out, and a class that comes first is moved:

1⇥Good film⇥pos      ->   Good film⇥pos
pos⇥Good film        ->   Good film⇥pos      where fewer values stand first than last
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import regex

from explorer.errors import TextError
from explorer.finetuning.tasks import Kind
from explorer.locale import _
from explorer.text.letters import LETTERS

TEXTS = (
    "text sentence review tweet comment message utterance content document body phrase satz kommentar texto "
    "avis commentaire frase oración reseña comentario testo recensione zin tekst zdanie recenzja věta "
    "recenze текст отзыв предложение 文本 评论 句子 テキスト レビュー"
).split()
LABELS = (
    "label class category sentiment rating stars score target polarity intent emotion topic klasse bewertung "
    "kategorie étiquette classe catégorie note etiqueta clase categoría puntuación etichetta voto oordeel "
    "klasa etykieta ocena třída hodnocení класс метка оценка 标签 类别 评分 ラベル 評価"
).split()
# Each column with its names in common files, ours first.
COLUMNS: Mapping[Kind, Mapping[str, Sequence[str]]] = {
    "classes": {"text": TEXTS, "label": LABELS},
    "pairs": {
        "text": ["text", "sentence1", "premise", "text1", "sentence_a", "question1"],
        "pair": ["pair", "sentence2", "hypothesis", "text2", "sentence_b", "question2"],
        "label": [*LABELS, "is_duplicate"],
    },
    "tags": {
        "words": ["words", "text", "tokens", "sentence"],
        "tags": ["tags", "labels", "ner_tags", "pos_tags"],
    },
    "answers": {
        "passage": "passage context text kontext texte contexte contexto contesto контекст".split(),
        "question": "question frage pregunta pergunta domanda vraag pytanie вопрос".split(),
        "answer": "answer antwort réponse respuesta resposta risposta antwoord odpowiedź ответ".split(),
    },
}
COUNTS = {"id", "idx", "index", "no", "nr", "number", "count", "length"}  # what label_id is not
NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
NO_LETTERS = regex.compile(r"[^\p{L}\p{N}\p{M}]+")
NAME = regex.compile(rf"{LETTERS}(?:[ _-]{LETTERS})?")
LONGEST_NAME = 30  # characters
FEWEST_WORDS = 3  # of a text that is surely no name
Rows = list[tuple[int, list[str]]]  # the fields of each line, with the line's number
FEWEST = 3  # lines whose numbers are surely a count


def find_columns(kind: Kind, header: Sequence[str], strict: bool = False) -> dict[str, int]:
    """The number of each column that a first line names, whole or in its last word; others are left out.

    If `strict`, a line with a cell that is too long for a name has none.

    >>> find_columns("classes", ["id", "Review_Text", "stars"])
    {'text': 1, 'label': 2}
    """
    names = [" ".join(re.sub(r"\(.*\)", "", name).lower().split()) for name in header]
    if strict and not all(len(name) <= LONGEST_NAME and len(name.split()) < FEWEST_WORDS for name in names):
        return {}
    parts = [{name, name.replace(" ", "_"), *NO_LETTERS.split(name.split(" ")[-1])} for name in names]
    numbers: dict[str, int] = {}
    for column, known in COLUMNS[kind].items():
        exact = [names.index(other) for other in known if other in names]
        inside = [i for other in known for i, part in enumerate(parts) if other in part and not part & COUNTS]
        left = [i for i in (*exact, *inside) if i not in numbers.values()]
        if left:
            numbers[column] = left[0]
    return numbers


def looks_like_names(rows: Sequence[Sequence[str]]) -> bool | None:
    """Whether the first of some rows names their columns; None where it may be an example as well.

    >>> looks_like_names([["opinie", "punkty"], ["Good film", "5"], ["Bad film", "1"]])
    True
    >>> looks_like_names([["opinie", "punkty"], ["A good film", "yes"], ["A bad film", "no"]]) is None
    True
    """
    first, others = rows[0], rows[1:]
    columns = list(zip(*others, strict=False))
    if len(others) < 2 or len(columns) != len(first) or len({*first}) < len(first):
        return False
    if not all(0 < len(cell) <= LONGEST_NAME for cell in first):
        return False
    if any(cell in column for cell, column in zip(first, columns, strict=True)):
        return False
    for cell, column in zip(first, columns, strict=True):
        if not NUMBER.fullmatch(cell) and all(map(NUMBER.fullmatch, column)):
            return True
    are_words = all(NAME.fullmatch(cell) for cell in first)
    if not are_words or not any(
        all(len(cell.split()) >= FEWEST_WORDS for cell in column) for column in columns
    ):
        return False
    few = min((Counter(column) for column in columns), key=len)
    return True if min(few.values()) > 1 else None


def without_numbers(rows: Rows, count: int) -> tuple[Rows, str]:
    """The rows without a first column of different numbers, if all have one column more than `count`; a note.

    >>> without_numbers([(1, ["1", "Good film", "pos"]), (2, ["2", "Bad film", "neg"])], 2)[0]
    [(1, ['Good film', 'pos']), (2, ['Bad film', 'neg'])]
    """
    numbers = [row[0].strip().rstrip(".)") for __, row in rows]
    if all(map(str.isdecimal, numbers)) and len(set(numbers)) == len(numbers):
        if all(len(row) == count + 1 for __, row in rows):
            return [(number, row[1:]) for number, row in rows], _("The numbers in front are left out.")
        starts = [int(number) - i for i, number in enumerate(numbers)]
        last = {row[-1].strip() for __, row in rows}
        if len(set(starts)) == 1 and len(last) == len(rows) >= FEWEST and len(rows[0][1]) == count:
            raise TextError(
                _(
                    "The first of the {count} columns holds the numbers of the lines, "
                    "so that one is missing.",
                    count=count,
                ),
                _("Leave the numbers out, and add what is missing."),
            )
    return rows, ""


def class_last(rows: Rows) -> tuple[Rows, str]:
    """The rows with the class as their last field, and a note if it was the first.

    It was if the first fields have fewer different values than the last; in a few lines, where they have as
    many, if the first are a word each and the last several words.

    >>> class_last([(1, ["pos", "Good film"]), (2, ["neg", "A bad film"])])[0]
    [(1, ['Good film', 'pos']), (2, ['A bad film', 'neg'])]
    """
    first, last = ([row[place] for __, row in rows] for place in (0, -1))
    as_many = len(set(first)) == len(set(last))
    is_first = len(set(first)) < len(set(last)) or (as_many and _are_words(first) and _are_texts(last))
    if not rows or not is_first:
        return rows, ""
    moved = [(number, [*row[1:], row[0]]) for number, row in rows]
    text = _(
        "The class is read from the front of each line: “{label}” is that of the first.", label=first[0][:40]
    )
    return moved, text


def _are_words(fields: Sequence[str]) -> bool:
    return all(len(field.split()) == 1 for field in fields)


def _are_texts(fields: Sequence[str]) -> bool:
    return all(len(field.split()) > 1 for field in fields)
