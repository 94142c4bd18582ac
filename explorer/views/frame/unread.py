"""One notice on every page: that the model cannot read what was typed, by what its tokenizer makes of it."""

from typing import TYPE_CHECKING

from explorer.views.frame import memory

if TYPE_CHECKING:
    from explorer.models import LanguageModel

FEWEST = 3  # pieces: of fewer, a view itself says which word is unknown
SHARE = 0.5  # of the pieces must be unknown
BROKEN = "\ufffd"  # what stands for bytes that are no character


def notice(model: "LanguageModel", texts: list[str]) -> str:
    """What to say of texts whose pieces are mostly unknown to the model; empty where it can read them.

    Unknown is a piece that the tokenizer replaces by its unknown token or, with byte-level BPE, one that is
    a part of a character only.
    """
    unknown = count = 0
    for text in texts:
        encoding = model.encode(text, limit=1000)
        ordinary = [id for id, own in zip(encoding.ids.tolist(), encoding.special.tolist()) if not own]
        unread = [id for id in ordinary if _unread(model, id)]
        count, unknown = count + len(ordinary), unknown + len(unread)
    if count < FEWEST or unknown < SHARE * count:
        return ""
    name = memory.short_label(str(model.checkpoint)).removeprefix("hub:")
    return (
        f"{name} cannot read this text: {unknown:,} of its {count:,} pieces are unknown to it. "
        "What it says about them means nothing."
    )


def _unread(model: "LanguageModel", id: int) -> bool:
    tokenizer = model.tokenizer
    return id == tokenizer.unknown or (
        getattr(tokenizer, "byte_level", False) and BROKEN in tokenizer.decode([id])
    )
