"""The word senses page: it opens on our sentences for bank, at a layer that keeps its senses apart."""

from pathlib import Path

from explorer.views.frame import Preset

SENTENCES = Path(__file__).parents[3] / "assets" / "senses"


def sentences(word: str) -> str:
    """Our own sentences for a word, one a line, tagged with their sense."""
    return (SENTENCES / f"{word}.txt").read_text(encoding="utf-8").strip()


def library() -> list[str]:
    """The words that have sentences of our own."""
    return sorted(path.stem for path in SENTENCES.glob("*.txt"))


PUZZLE = "From the terrace of the bank you can see the water."

DEFAULTS = {
    "model": "bert",
    "word": "bank",
    "text": sentences("bank"),
    "layer": 6,
    "projection": "pca",
    "locked": "",
}

PRESETS = [
    Preset("Bank", "Three senses, three shores: nobody told the model which is which.", {}),
    Preset(
        "The first layer",
        "Before any context is read, every bank has nearly the same vector; only its place differs.",
        {"layer": 0},
    ),
    Preset(
        "A puzzle",
        "The terrace of a bank, a view of the water: its two nearest neighbours are a river's.",
        {"locked": f"{PUZZLE.index('bank')}:{PUZZLE}"},
    ),
]
