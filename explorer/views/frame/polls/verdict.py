"""What a class's answers come to, in plain words: who is right, and whether the model agrees."""

from collections.abc import Sequence
from statistics import median

from explorer.room.result import Result, Row, number_name
from explorer.room.result_html import taste
from explorer.views.frame.polls.poll import Poll

MOST_ADDED = 6  # numbers of a sum that are written out
LONGEST_NAME = 72  # characters of an answer that is quoted
TORN = 0.95  # of the best answer’s share: a model says neither of two so near, as a head before its training


def verdict(result: Result, poll: Poll, first: Sequence[str] = ()) -> str:
    """A sentence or two; empty before the first answer, and where there is nothing to compare with.

    `first` are the answers to the first round of a question that was asked again.
    """
    if not result.count:
        return ""
    if poll.taste and not first:
        return taste()
    if poll.question.kind == "side":
        return _of_sides(result, poll.question.choices)
    if poll.die:
        return _of_sum(result, poll.die)
    if poll.question.kind == "number":
        return _of_numbers(result, poll, first)
    of_class = [_moved(result, poll, first)] if first else _of_right(result)
    return " ".join([*of_class, *_of_model(result, poll), *_of_lot(poll)])


def _of_sides(result: Result, sides: Sequence[str]) -> str:
    counts = [len(result.of_side(side)) for side in range(len(sides))]
    says = ", ".join(f"{count} for “{side}”" for side, count in zip(sides, counts, strict=True))
    kept = "" if all(counts) else " Where there is none, the list stays as it was."
    return f"Your sentences: {says}.{kept}"


def _of_right(result: Result) -> list[str]:
    """How many are right; and the right answer, unless it alone stands first."""
    right = next((row for row in result.rows if row.right), None)
    if right is None:
        return []
    if not right.count:
        return [f"Nobody is right: it is {_quoted(right)}."]
    answer = "" if result.leaders == [right] else f": {_quoted(right)}"
    return [f"{right.count} of {result.count} {'is' if right.count == 1 else 'are'} right{answer}."]


def _moved(result: Result, poll: Poll, first: Sequence[str]) -> str:
    """How many gave the right answer, or else the most frequent one, in the first round and now."""
    row = max(result.rows, key=lambda row: (row.right, row.count))
    before = [result.key_of(poll.question, answer) for answer in first].count(row.key)
    return f"{before} of {len(first)} → {row.count} of {result.count} say {_quoted(row)}."


def _of_numbers(result: Result, poll: Poll, first: Sequence[str]) -> str:
    numbers = [float(row.key) for row in result.rows for _ in range(row.count)]
    says = f"Half of you are at {number_name(poll.question, median(numbers))} or below"
    if first:
        says += f", at first {number_name(poll.question, median(map(float, first)))}"
    if poll.truth:
        answer = float(poll.question.check(poll.truth))
        return f"{says}; the answer is {number_name(poll.question, answer)}."
    of_model = next((f"; {result.who} says {row.name}" for row in result.rows if row.model is not None), "")
    return f"{says}{of_model}."


def _of_sum(result: Result, die: Sequence[str]) -> str:
    """The sum of the class's numbers, less the die's until one of its own is left; its word."""
    numbers = [int(row.key) for row in result.rows for _ in range(row.count)]
    total = sum(numbers)
    face = (total - 1) % len(die) + 1
    few = len(numbers) <= MOST_ADDED
    added = " + ".join(map(str, numbers)) if few else f"The sum of {len(numbers)} numbers"
    rounds = (total - face) // len(die)
    taken = f"{rounds} × {len(die)}" if rounds > 1 else len(die)
    rest = f". {total} − {taken} = {face}" if rounds else ""
    return f"{added} {'=' if few else 'is'} {total}{rest}: “{die[face - 1]}”."


def _of_model(result: Result, poll: Poll) -> list[str]:
    """Whether the class's first answer is the model's; nothing without a model.

    Beside a right answer it is said only what that leaves open: what the class agrees on with the model, or
    what the model held for likelier.
    """
    if not result.who or not any(row.model for row in result.rows):
        return []
    best, *others = sorted(result.rows, key=lambda row: row.model or 0.0, reverse=True)
    is_torn = bool(others) and (others[0].model or 0.0) > TORN * (best.model or 0.0)
    says = "is undecided" if is_torn else f"says {_quoted(best)}"
    tops, who = result.leaders, result.who
    share = tops[0].count / max(result.count, 1)
    many = f"{'Most' if share > 1 / 2 else 'Many' if share > 1 / 3 else 'Some'} of you"
    agree = [best] == tops and not is_torn
    if any(row.right for row in result.rows):
        if agree:
            return [f"{many} and {who} {'agree' if best.right else f'say {_quoted(best)}'}."]
        likelier = f"found {_quoted(best)} likelier" if poll.question.kind == "word" and not is_torn else says
        return [] if best.right and not is_torn else [f"{who} {likelier}."]
    if len(tops) > 2:
        return [f"You are divided; {who} {says}."]
    if len(tops) == 2:
        return [f"You are divided between {_quoted(tops[0])} and {_quoted(tops[1])}; {who} {says}."]
    if agree:
        return [f"{many} and {who} agree."]
    return [f"{many} say {_quoted(tops[0])}; {who} {says}."]


def _of_lot(poll: Poll) -> list[str]:
    """The word that was drawn, unless it is the likeliest all the same."""
    is_told = poll.drawn and poll.drawn != next(iter(poll.model), "")
    return [f"By lot it wrote “{poll.drawn}”."] if is_told else []


def _quoted(row: Row) -> str:
    name = row.name if len(row.name) <= LONGEST_NAME else f"{row.name[: LONGEST_NAME - 1]}…"
    name = name.removesuffix(".") or name  # a sentence within a sentence
    return name if "“" in name else f"“{name}”"
