"""Prompts of equal length, with another name of the same kind, if two cannot be compared token by token."""

from collections.abc import Iterator
from difflib import SequenceMatcher

import streamlit as st

from explorer import assets
from explorer.assets import read_once
from explorer.locale import _
from explorer.views import kit
from explorer.views.frame.lecture.lecturing import plain
from explorer.views.types import LanguageModel
from explorer.views.why.prompts import RESETS
from explorer.views.why.settings import FIRST, SECOND

MOST = 3
ENDS = ".,;:!?"


def offer(page: kit.OpenPage[None]) -> None:
    """Draw a button for each of a few prompts that fit, if these two have different lengths."""
    settings = page.settings
    first, second = (settings[one].strip() for one in (FIRST, SECOND))
    if not first or not second or len(page.model.encode(first)) == len(page.model.encode(second)):
        return
    with st.container(horizontal=True, key="why-fixes"):
        for one, text in fitting(page.model, first, second):
            st.button(
                _("Try “{text}”", text=plain(text)),
                key=f"why/fix/{text}",
                on_click=lambda one=one, text=text: settings.set(one.to(text), *RESETS),
            )


def fitting(model: "LanguageModel", first: str, second: str) -> list[tuple[kit.Setting[str], str]]:
    """A few second prompts as long as the first, with their setting; or first ones as long as the second."""
    for one, text, other in ((SECOND, second, first), (FIRST, first, second)):
        length = len(model.encode(other))
        texts = dict.fromkeys(alike(text, other))
        if fit := [(one, new) for new in texts if new != text and len(model.encode(new)) == length]:
            return fit[:MOST]
    return []


def alike(text: str, other: str) -> Iterator[str]:
    """A text with single spaces, and with other names of the same kind where it differs from another text."""
    words, others = text.split(), other.split()
    yield " ".join(words)
    changes = SequenceMatcher(None, words, others, autojunk=False).get_opcodes()
    match [change for change in changes if change[0] != "equal"]:
        case [("replace", i, j, k, m)]:
            for back in range(2):  # with “the” before it
                name, theirs = (" ".join(part) for part in (words[i - back : j], others[k - back : m]))
                bare = name.rstrip(ENDS)
                for new in kind_of(bare, theirs.rstrip(ENDS)) if i >= back else ():
                    if new.casefold() not in (bare.casefold(), theirs.rstrip(ENDS).casefold()):
                        new = new if i > back else new[0].upper() + new[1:]
                        yield " ".join([*words[: i - back], new + name[len(bare) :], *words[j:]])


def kind_of(*names: str) -> tuple[str, ...]:
    """The names of the kind that has most of these; none if no kind has any."""
    lower = [name.casefold() for name in names]
    count = {kind: sum(name.casefold() in lower for name in kind) for kind in kinds()}
    best = max(kinds(), key=count.__getitem__)
    return best if count[best] else ()


@read_once
def kinds() -> tuple[tuple[str, ...], ...]:
    """Our lists of names, each of one kind."""
    lines = assets.text(assets.KINDS).splitlines()
    return tuple(tuple(line.split(", ")) for line in lines if line and not line.startswith("#"))
