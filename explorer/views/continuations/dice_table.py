"""A table of counted words as HTML: the numbers of a die for what follows some words, and all of them."""

from collections.abc import Sequence
from html import escape
from typing import Any

from explorer.analysis.generation import ngrams
from explorer.locale import N_, _, format_number, ngettext
from explorer.views import kit

SHOWN = 8  # words that follow, one below the other
MOST_LINES = 150  # of the whole table, so that it can be read on one page of paper
NAMES = {
    6: N_("a die"),
    20: N_("a die with 20 faces"),
    100: N_("two ten-sided dice"),
    1_000: N_("three ten-sided dice"),
}
TEN_SIDED = N_("ten-sided dice")


@kit.kept(32)
def counted(text: str, back: int) -> ngrams.Ngrams:
    """The table of a text, with so many words before each; raises TextError where nothing can be counted."""
    return ngrams.count(text, back + 1)


def next_word(
    table: ngrams.Ngrams, words: Sequence[str], before: Sequence[str] = (), word: str = "", number: int = 0
) -> str:
    """The last words of a text, one fewer on each line down to those that were seen; what followed these.

    Beside them stands the die that was thrown last: after the words `before`, a `number` gave a `word`. Where
    the table does not give it, as another table has not, it is left out.
    """
    seen, last = table.seen(words), table.seen(before)
    was_thrown = number in ngrams.die(table.following[last]).numbers.get(word, ())
    thrown = _followers(table, last, _("Thrown"), number) if was_thrown else ""
    next_die = _ladder(table, words, len(seen)) + _followers(table, seen, _("Next") if thrown else "")
    return f'<div class="rb-dice{" thrown" if thrown else ""}">{thrown}{next_die}</div>'


def _ladder(table: ngrams.Ngrams, words: Sequence[str], seen: int) -> str:
    """The lines from as many words as are counted down to none."""
    lines = []
    for back in range(min(table.order - 1, len(words)), -1, -1):
        last = tuple(words[len(words) - back :])
        count = table.following[last].total() if last in table.following else 0
        look = "used" if back == seen else "never" if back > seen else "below"
        name = _("“{word}”", word=escape(" ".join(last))) if last else _("any word")
        says = _("never seen")
        if count:
            says = ngettext("{count} time", "{count} times", count, count=format_number(count))
        current = ' aria-current="true"' if look == "used" else ""
        lines.append(f'<li class="{look}"{current}><span translate="no">{name}</span><b>{says}</b></li>')
    return f"<ol>{''.join(lines)}</ol>"


def _followers(table: ngrams.Ngrams, seen: tuple[str, ...], when: str = "", number: int = 0) -> str:
    """The words that followed, each with numbers and a bar for its share; the `number` thrown is marked."""
    die = ngrams.die(table.following[seen])
    listed = [
        (escape(word), numbers, "follower hit" if number in numbers else "follower")
        for word, numbers in die.numbers.items()
    ]
    rest, listed = listed[SHOWN:], listed[:SHOWN]
    if rest:
        others = range(rest[0][1].start, die.used + 1)
        listed.append((_("{count} others", count=format_number(len(rest))), others, "follower rest"))
        listed += [line for line in rest if number in line[1]]
    single = len(die.numbers) == 1
    dice, most = _(NAMES.get(die.faces, TEN_SIDED)), format_number(die.used)
    says = _("{dice}, 1 to {most}", dice=dice, most=most)
    if single:
        says = _("only one word followed: no die")
    elif die.used < die.faces:
        over = _range(range(die.used + 1, die.faces + 1))
        says = _("{dice}, 1 to {most}; {over}: throw again", dice=dice, most=most, over=over)
    if number:
        face = "" if single else f"<b>{format_number(number)}</b> "
        word = f'<strong translate="no">{face}{escape(die.word(number))}</strong>'
        says = f"{word} {says}" if single else word
    lines = []
    for name, numbers, look in listed:
        share = f"{len(numbers) / die.used:.2%}"
        cells = f'<td>{"" if single else _range(numbers)}</td><td translate="no">{name}</td>'
        lines.append(f'<tr class="{look}" title="{share}">{cells}<td><i style="width:{share}"></i></td></tr>')
    name = _("After “{words}”", words=escape(" ".join(seen))) if seen else _("After any word")
    names = "".join(f"<th>{name}</th>" for name in (_("numbers"), _("word"), _("share")))
    head = f'<thead class="rb-unseen"><tr>{names}</tr></thead>'
    body = f"<table>{head}<tbody>{''.join(lines)}</tbody></table>"
    label = f"<small>{when}</small>" if when else ""
    return f'<section>{label}<h3 translate="no">{name}</h3><p>{says}</p>{body}</section>'


def _range(numbers: range) -> str:
    first, last = format_number(numbers[0]), format_number(numbers[-1])
    return first if len(numbers) == 1 else f"{first}–{last}"


def contexts(table: ngrams.Ngrams) -> list[tuple[str, ...]]:
    """All runs of as many words as the table goes back, in alphabetical order."""
    return sorted(
        (one for one in table.following if len(one) == table.order - 1),
        key=lambda one: [word.casefold() for word in one],
    )


def whole(table: ngrams.Ngrams) -> str:
    """All runs of words, each with the numbers of what follows: for paper, where dice are thrown by hand."""
    every, lines = contexts(table), []
    often = set(sorted(every, key=lambda one: -table.following[one].total())[:MOST_LINES])
    for one in every:
        if one in often:
            die = ngrams.die(table.following[one])
            single = len(die.numbers) == 1  # needs no die
            words = [
                f"<span><b>{'' if single else _range(numbers)}</b> {escape(word)}</span>"
                for word, numbers in die.numbers.items()
            ]
            faces = "" if single else f"<small>d{die.faces}</small>"
            lines.append(f"<p><strong>{escape(' '.join(one))}</strong>{faces} {' '.join(words)}</p>")
    says = _("d6 is a die with 6 faces, d20 one with 20, d100 two with ten.")
    if len(every) > MOST_LINES:
        says = _(
            "d6 is a die with 6 faces, d20 one with 20, d100 two with ten, the {shown} most frequent of "
            "{count}; the CSV has all.",
            shown=MOST_LINES,
            count=format_number(len(every)),
        )
    head = f"<p class='rb-note'>{says}</p>"
    return f'{head}<div class="rb-dice-table" translate="no" tabindex="0"><div>{"".join(lines)}</div></div>'


def rows(table: ngrams.Ngrams) -> list[list[Any]]:
    """The whole table for a CSV."""
    every = []
    for one in contexts(table):
        die = ngrams.die(table.following[one])
        for word, numbers in die.numbers.items():
            count = table.following[one][word]
            every.append([" ".join(one), word, count, die.faces, numbers[0], numbers[-1]])
    return every
