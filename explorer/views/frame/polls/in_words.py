"""How far a class and a model are from each other, in a sentence or two."""

from math import log2
from statistics import median

from explorer.room.result import Result, Row, number_name
from explorer.room.tally import bits
from explorer.views.frame.polls.poll import Poll
from explorer.views.widgets.numbers import short


def in_words(result: Result, poll: Poll) -> str:
    """What the two have in common, and what each pays for the true word; empty before the first answer."""
    if not result.count:
        return ""
    if poll.question.kind == "number":
        numbers = [float(row.key) for row in result.rows for _ in range(row.count)]
        middle = number_name(poll.question, median(numbers), short)
        own = next((f"; {result.who}: {row.name}" for row in result.rows if row.model is not None), "")
        return f"Half of the class is at {middle} or below{own}."
    says = []
    if result.who:
        least = "at least " if any(row.model is None for row in result.rows) else ""
        common = sum(min(row.share, row.model or 0.0) for row in result.rows)
        says.append(f"The class and {result.who} have {least}{short(common)} in common.")
    for row in result.rows:
        if row.right and poll.question.choices:
            says.append(f"{row.count} of {result.count} in the class are right.")
        elif row.right:
            says.append(_price(result, row))
    return " ".join(says)


def _price(result: Result, right: Row) -> str:
    """The bits that the two pay for the true word."""
    says = f"For “{right.name}” the class pays {bits(right.count, result.count):.1f} bits"
    if not result.who:
        return f"{says}."
    least = right.model or min(row.model for row in result.rows if row.model)
    return f"{says}, {result.who} {'' if right.model else 'more than '}{log2(1 / least):.1f}."
