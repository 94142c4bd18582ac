"""The columns of lines without names: numbers in front are left out, and a class that comes first is moved.

1⇥Good film⇥pos      ->   Good film⇥pos
pos⇥Good film        ->   Good film⇥pos      where fewer values stand first than last
"""

from collections.abc import Sequence

from explorer.errors import TextError

Rows = list[tuple[int, list[str]]]  # the fields of each line, with the line's number
FEWEST = 3  # lines whose numbers are surely a count


def without_numbers(rows: Rows, count: int) -> tuple[Rows, str]:
    """The rows without a first column of different numbers, if all have one column more than `count`; a note.

    >>> without_numbers([(1, ["1", "Good film", "pos"]), (2, ["2", "Bad film", "neg"])], 2)[0]
    [(1, ['Good film', 'pos']), (2, ['Bad film', 'neg'])]
    """
    numbers = [row[0].strip().rstrip(".)") for _, row in rows]
    if all(map(str.isdecimal, numbers)) and len(set(numbers)) == len(numbers):
        if all(len(row) == count + 1 for _, row in rows):
            return [(number, row[1:]) for number, row in rows], "The numbers in front are left out."
        starts = [int(number) - i for i, number in enumerate(numbers)]
        last = {row[-1].strip() for _, row in rows}
        if len(set(starts)) == 1 and len(last) == len(rows) >= FEWEST and len(rows[0][1]) == count:
            raise TextError(
                f"The first of the {count} columns holds the numbers of the lines, so that one is missing.",
                "Leave the numbers out, and add what is missing.",
            )
    return rows, ""


def class_last(rows: Rows) -> tuple[Rows, str]:
    """The rows with the class as their last field, and a note if it was the first.

    It was if the first fields have fewer different values than the last; in a few lines, where they have as
    many, if the first are a word each and the last several words.

    >>> class_last([(1, ["pos", "Good film"]), (2, ["neg", "A bad film"])])[0]
    [(1, ['Good film', 'pos']), (2, ['A bad film', 'neg'])]
    """
    first, last = ([row[place] for _, row in rows] for place in (0, -1))
    as_many = len(set(first)) == len(set(last))
    is_first = len(set(first)) < len(set(last)) or (as_many and _are_words(first) and _are_texts(last))
    if not rows or not is_first:
        return rows, ""
    moved = [(number, [*row[1:], row[0]]) for number, row in rows]
    return moved, f"The class is read from the front of each line: “{first[0]:.40}” is that of the first."


def _are_words(fields: Sequence[str]) -> bool:
    return all(len(field.split()) == 1 for field in fields)


def _are_texts(fields: Sequence[str]) -> bool:
    return all(len(field.split()) > 1 for field in fields)
