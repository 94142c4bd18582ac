"""One notice on every page: that the model cannot read what was typed, by what its tokenizer makes of it."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame import memory

if TYPE_CHECKING:
    from explorer.tokenizers import Tokenizer

FEWEST = 3  # pieces: of fewer, a view itself says which word is unknown
SHARE = 0.5  # of the pieces must be unknown
BROKEN = "\ufffd"  # what stands for bytes that are no character


def notice(name: str, texts: list[str]) -> str:
    """What to say of texts whose pieces are mostly unknown to a model; empty where it can read them.

    Unknown is a piece that the tokenizer replaces by its unknown token or, with byte-level BPE, one that is
    a part of a character only.
    """
    counted = [_counted(name, text) for text in texts]
    unknown, count = (sum(each) for each in zip(*counted, strict=True)) if counted else (0, 0)
    if count < FEWEST or unknown < SHARE * count:
        return ""
    model = memory.short_label(name).removeprefix("hub:")
    return (
        f"{model} cannot read this text: {unknown:,} of its {count:,} pieces are unknown to it. "
        "What it says about them means nothing."
    )


@st.cache_data(max_entries=256, show_spinner=False)
def _counted(name: str, text: str) -> tuple[int, int]:
    """How many of a text's pieces the model does not know, and how many there are."""
    model = memory.get(name)
    encoding = model.encode(text, limit=1000)
    ordinary = [id for id, own in zip(encoding.ids.tolist(), encoding.special.tolist()) if not own]
    return sum(_unread(model.tokenizer, id) for id in ordinary), len(ordinary)


def _unread(tokenizer: "Tokenizer", id: int) -> bool:
    return id == tokenizer.unknown or (
        getattr(tokenizer, "bytewise", False) and BROKEN in tokenizer.decode([id])
    )
