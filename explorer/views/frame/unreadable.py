"""The notice that a page's model cannot read what was typed, judged by its tokenizer."""

from typing import TYPE_CHECKING

from explorer.server import memory
from explorer.server.kept import kept

if TYPE_CHECKING:
    from explorer.tokenizers import Tokenizer

FEWEST = 3  # pieces: for fewer, the view itself says which word is unknown
SHARE = 0.5  # of the pieces that must be unknown
BROKEN = "\ufffd"  # the replacement for bytes that are no character


def notice(name: str, texts: list[str]) -> str:
    """A notice about texts whose pieces are mostly unknown to a model; empty if it can read them.

    A piece is unknown if the tokenizer replaces it by its unknown token or, with byte-level BPE, if it is
    only a part of a character.
    """
    counts = [_count_unknown(name, text) for text in texts]
    unknown, count = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0)
    if count < FEWEST or unknown < SHARE * count:
        return ""
    model = memory.short_label(name).removeprefix("hub:")
    return (
        f"{model} cannot read this text: {unknown:,} of its {count:,} pieces are unknown to it. "
        "What it says about them means nothing."
    )


@kept(256)
def _count_unknown(name: str, text: str) -> tuple[int, int]:
    """The number of pieces of a text that are unknown to the model, and of all its pieces."""
    model = memory.get(name)
    encoding = model.encode(text, limit=1000)
    ordinary = [id for id, special in zip(encoding.ids.tolist(), encoding.special.tolist()) if not special]
    return sum(_is_unknown(model.tokenizer, id) for id in ordinary), len(ordinary)


def _is_unknown(tokenizer: "Tokenizer", id: int) -> bool:
    return id == tokenizer.unknown or (
        getattr(tokenizer, "bytewise", False) and BROKEN in tokenizer.decode([id])
    )
