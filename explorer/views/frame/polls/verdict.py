"""What a class's answers come to, in plain words: who is right, and whether the model agrees."""

from collections.abc import Sequence
from statistics import median

from explorer.locale import _, close_up, ngettext
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
    says = [
        _("{count} for “{side}”", count=count, side=side) for side, count in zip(sides, counts, strict=True)
    ]
    sentences = _("Your sentences: {sentences}.", sentences=_(", ").join(says))
    return sentences if all(counts) else f"{sentences} {_('Where there is none, the list stays as it was.')}"


def _of_right(result: Result) -> list[str]:
    """How many are right; and the right answer, unless it alone stands first."""
    right = next((row for row in result.rows if row.right), None)
    if right is None:
        return []
    if not right.count:
        return [_("Nobody is right: it is {answer}.", answer=_quoted(right))]
    every, answer = result.count, _quoted(right)
    if result.leaders == [right]:
        return [
            ngettext(
                "{count} of {every} is right.", "{count} of {every} are right.", right.count, every=every
            )
        ]
    return [
        ngettext(
            "{count} of {every} is right: {answer}.",
            "{count} of {every} are right: {answer}.",
            right.count,
            every=every,
            answer=answer,
        )
    ]


def _moved(result: Result, poll: Poll, first: Sequence[str]) -> str:
    """How many gave the right answer, or else the most frequent one, in the first round and now."""
    row = max(result.rows, key=lambda row: (row.right, row.count))
    before = [result.key_of(poll.question, answer) for answer in first].count(row.key)
    return _(
        "{before} of {first} → {count} of {every} say {answer}.",
        before=before,
        first=len(first),
        count=row.count,
        every=result.count,
        answer=_quoted(row),
    )


def _of_numbers(result: Result, poll: Poll, first: Sequence[str]) -> str:
    numbers = [float(row.key) for row in result.rows for _each in range(row.count)]
    says = _("Half of you are at {number} or below", number=number_name(poll.question, median(numbers)))
    if first:
        before = number_name(poll.question, median(map(float, first)))
        says = _("{says}, at first {number}", says=says, number=before)
    if poll.truth:
        answer = float(poll.question.check(poll.truth))
        name = number_name(poll.question, answer)
        return _("{says}; the answer is {number}.", says=says, number=name)
    if of_model := next((row.name for row in result.rows if row.model is not None), ""):
        return _("{says}; {who} says {number}.", says=says, who=result.who, number=of_model)
    return _("{says}.", says=says)


def _of_sum(result: Result, die: Sequence[str]) -> str:
    """The sum of the class's numbers, less the die's until one of its own is left; its word."""
    numbers = [int(row.key) for row in result.rows for _each in range(row.count)]
    total = sum(numbers)
    face = (total - 1) % len(die) + 1
    few = len(numbers) <= MOST_ADDED
    added = " + ".join(map(str, numbers))
    says = f"{added} = {total}"
    if not few:
        says = _("The sum of {count} numbers is {total}", count=len(numbers), total=total)
    rounds = (total - face) // len(die)
    taken = f"{rounds} × {len(die)}" if rounds > 1 else len(die)
    rest = f"{_('{text}.', text=says)} {total} − {taken} = {face}" if rounds else says
    return _("{sum}: “{word}”.", sum=close_up(rest), word=die[face - 1])


def _of_model(result: Result, poll: Poll) -> list[str]:
    """Whether the class's first answer is the model's; nothing without a model.

    Beside a right answer it is said only what that leaves open: what the class agrees on with the model, or
    what the model held for likelier.
    """
    if not result.who or not any(row.model for row in result.rows):
        return []
    best, *others = sorted(result.rows, key=lambda row: row.model or 0.0, reverse=True)
    is_torn = bool(others) and (others[0].model or 0.0) > TORN * (best.model or 0.0)
    tops, who, answer = result.leaders, result.who, _quoted(best)
    says = _("{who} is undecided", who=who) if is_torn else _("{who} says {answer}", who=who, answer=answer)
    share = tops[0].count / max(result.count, 1)
    many = _("Most of you") if share > 1 / 2 else _("Many of you") if share > 1 / 3 else _("Some of you")
    agree = [best] == tops and not is_torn
    if any(row.right for row in result.rows):
        if agree:
            if best.right:
                return [_("{many} and {who} agree.", many=many, who=who)]
            return [_("{many} and {who} say {answer}.", many=many, who=who, answer=answer)]
        if best.right and not is_torn:
            return []
        if poll.question.kind == "word" and not is_torn:
            return [_("{who} found {answer} likelier.", who=who, answer=answer)]
        return [_("{says}.", says=says)]
    if len(tops) > 2:
        return [_("You are divided; {says}.", says=says)]
    one, *others_first = map(_quoted, tops)
    if others_first:
        other = others_first[0]
        return [_("You are divided between {one} and {other}; {says}.", one=one, other=other, says=says)]
    if agree:
        return [_("{many} and {who} agree.", many=many, who=who)]
    return [_("{many} say {answer}; {says}.", many=many, answer=one, says=says)]


def _of_lot(poll: Poll) -> list[str]:
    """The word that was drawn, unless it is the likeliest all the same."""
    is_told = poll.drawn and poll.drawn != next(iter(poll.model), "")
    return [_("By lot it wrote “{word}”.", word=poll.drawn)] if is_told else []


def _quoted(row: Row) -> str:
    name = row.name if len(row.name) <= LONGEST_NAME else f"{row.name[: LONGEST_NAME - 1]}…"
    name = name.removesuffix(".") or name  # a sentence within a sentence
    return name if "“" in name else _("“{text}”", text=name)
