"""A model's guesses and texts at each snapshot of its training, as the page draws and saves them."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from explorer.locale import N_, _, format_number, localised, ngettext, translate
from explorer.room.result import whole_percent
from explorer.text.letters import joined_at
from explorer.views.about.record import Guess, Record, count
from explorer.views.frame.trained import duration
from explorer.views.look.blocklist import DOTS, Blocklist, covers, written

MASK = "[MASK]"
SUSPECTED = "replaced"  # `numbers` in the record of a discriminator
NUMBERS = {"probability": N_("probability"), "cosine": N_("cosine"), SUSPECTED: N_("replaced")}
PLACES = 5  # guesses in a column
MOST_SHOWN = 12  # so that none is cut off
MOST_PRESENTED = 5  # in presenter mode, so that each can be read from far away
CLOSES = frozenset(".,;:!?)]}%’")


def snapshots_shown(record: Record, chosen: int, most: int = MOST_SHOWN) -> list[int]:
    """The snapshots in a picture: all if they fit, else the first, the last and some well spread.

    The chosen one is always among them. Of neighbours that follow soon after each other (in proportion to
    the text read) the earlier go.
    """
    indices = list(range(len(record.snapshots)))
    read = [max(snapshot.tokens, 1) for snapshot in record.snapshots]
    while len(indices) > most:
        inner = [place for place in range(1, len(indices) - 1) if indices[place] != chosen]
        del indices[min(inner, key=lambda place: read[indices[place + 1]] / read[indices[place - 1]])]
    return indices


def table(record: Record, sentence: int, blocked: Blocklist, indices: Sequence[int]) -> dict[str, Any]:
    """The first guesses for a sentence, a column for each snapshot with one of these indices.

    A word has the same number in all columns.

    `words` have a text; `final` is the best guess at the end of the training, -1 if there is
    none. Blocked words are shown as dots.
    """
    text = record.sentences[sentence]
    guesses = record.guesses(sentence)
    columns = [guesses[index][:PLACES] for index in indices]
    tokens = list(dict.fromkeys(token for best in columns for token, __ in best))
    measure = translate(NUMBERS.get(record.numbers, record.numbers))
    hidden = {token for token in tokens if hides(blocked, text, token)}
    labels = [times(record)[index] for index in indices]
    return {
        "columns": [
            {
                "tokens": label,
                "when": when(record, index),
                "cells": [
                    _cell(
                        tokens.index(token),
                        p,
                        _(
                            "{measure} {number}, rank {rank}",
                            measure=measure,
                            number=localised(f"{p:.6g}"),
                            rank=rank,
                        ),
                    )
                    for rank, (token, p) in enumerate(best, 1)
                ],
                **_filled(text, best, hidden, pointed if record.numbers == SUSPECTED else fill),
            }
            for index, label, best in zip(indices, labels, columns, strict=True)
        ],
        "words": [{"token": token, "text": DOTS if token in hidden else readable(token)} for token in tokens],
        "final": tokens.index(columns[-1][0][0]) if columns[-1] else -1,
    }


def texts(record: Record, sentence: int, blocked: Blocklist, indices: Sequence[int]) -> list[dict[str, str]]:
    """The model's continuation of a sentence at the snapshots with these indices; blocked words are dots."""
    prompt, labels = record.sentences[sentence], times(record)
    rows = []
    for index in indices:
        snapshot = record.snapshots[index]
        text = snapshot.continuations[sentence] if snapshot.continuations else ""
        line = "".join(written(blocked, [text], prompt)).replace("\n", " ↵ ")
        rows.append({"tokens": labels[index], "when": when(record, index), "text": line})
    return rows


def times(record: Record) -> list[str]:
    """The snapshots as tokens read."""
    return [count(snapshot.tokens) for snapshot in record.snapshots]


def when(record: Record, index: int) -> str:
    """A snapshot in full: `40,960 tokens read, 20 steps, 1 min`."""
    snapshot = record.snapshots[index]
    if not snapshot.steps:
        return _("before the first step")
    steps = ngettext("{count} step", "{count} steps", snapshot.steps, count=format_number(snapshot.steps))
    return _(
        "{count} tokens read, {steps}, {time}",
        count=format_number(snapshot.tokens),
        steps=steps,
        time=duration(snapshot.seconds),
    )


def readable(token: str) -> str:
    """A token for a list: the space before a word stays, other spaces and line ends become visible.

    >>> [readable(t) for t in (" road", "##ing", "  ", chr(10), "")]
    [' road', '##ing', '␣␣', '↵', '∅']
    """
    word = token.lstrip(" ")
    space = " " if word and len(token) == len(word) + 1 else "␣" * (len(token) - len(word))
    return (space + word.replace(" ", "␣").replace("\n", "↵").replace("\ufffd", "▯")) or "∅"


def fill(sentence: str, token: str) -> tuple[str, str, str]:
    """A sentence with a token in its blank, or at its end if it has none: before, the token, after."""
    if MASK not in sentence:
        word = token.removeprefix(" ")
        return sentence + token[: len(token) - len(word)], readable(word), ""
    before, _, after = sentence.partition(MASK)
    continued = token.startswith("##") and len(token) > 2
    word = token[2:] if continued else token
    return before.rstrip() if continued or token in CLOSES else before, readable(word), after


def pointed(sentence: str, token: str) -> tuple[str, str, str]:
    """A sentence cut at a token that occurs in it: before, the token as written there, after.

    If it occurs more than once, a record does not say which is meant, and it is put at the end.

    >>> pointed("The doctor ate.", "doctor"), pointed("A banana.", "##ana")
    (('The ', 'doctor', ' ate.'), ('A ban', 'ana', '.'))
    >>> pointed("The cat saw the dog.", "the"), pointed("It ran.", ".")
    (('The cat saw the dog. ', 'the', ''), ('It ran', '.', ''))
    """
    continued = token.startswith("##") and len(token) > 2
    piece = token[2:] if continued else token
    matches = re.finditer(f"(?={re.escape(piece)})", sentence, re.IGNORECASE)
    starts = [match.start() for match in matches if _is_joined(sentence, match.start()) == continued]
    if continued:
        starts = [start for start in starts if not _is_joined(sentence, start + len(piece))]
    if len(starts) != 1:
        return fill(f"{sentence} ", token)
    start, end = starts[0], starts[0] + len(piece)
    return sentence[:start], sentence[start:end], sentence[end:]


def _is_joined(text: str, place: int) -> bool:
    return 0 < place < len(text) and joined_at(text, place)


def _cell(word: int, probability: float, tip: str) -> dict[str, Any]:
    return {
        "word": word,
        "width": round(min(probability, 1.0), 4),
        "number": whole_percent(probability),
        "tip": tip,
    }


def _filled(
    sentence: str, best: Sequence[Guess], hidden: set[str], place: Callable[[str, str], tuple[str, str, str]]
) -> dict[str, str]:
    if not best:
        return {"before": sentence, "word": "", "after": "", "probability": ""}
    token, probability = best[0]
    before, word, after = place(sentence, token)
    word = DOTS if token in hidden else word
    return {"before": before, "word": word, "after": after, "probability": whole_percent(probability)}


def hides(blocked: Blocklist, sentence: str, token: str) -> bool:
    """Whether a token, set into a sentence, is shown as dots."""
    before, blank, after = sentence.partition(MASK)
    return covers(blocked, before, token, after if blank else "")
