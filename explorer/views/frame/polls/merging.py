"""Answers that the teacher counts as one, such as two spellings of a word; kept in the session."""

from collections.abc import Mapping

import streamlit as st

from explorer.room.tally import key

MERGED = "/room/merged"  # by the number of a question: what is merged, after each change


def merged(question: int) -> dict[str, str]:
    """For the key of each merged answer, the answer with which it is counted."""
    return (_history(question) or [{}])[-1]


def join(question: int, answer: str, target: str) -> None:
    """Count an answer, by its key, with another; what was counted with it goes along."""
    _history(question).append(joined(merged(question), answer, target))


def undo(question: int) -> None:
    """Count them apart again, as before the last change."""
    if _history(question):
        _history(question).pop()


def joined(before: Mapping[str, str], answer: str, target: str) -> dict[str, str]:
    """What is merged once an answer has joined another.

    >>> joined({"monies": "money"}, "money", "cash")
    {'monies': 'cash', 'money': 'cash'}
    """
    return {own: target if key(other) == answer else other for own, other in before.items()} | {
        answer: target
    }


def _history(question: int) -> list[dict[str, str]]:
    history: list[dict[str, str]] = st.session_state.setdefault(MERGED, {}).setdefault(question, [])
    return history
