"""The word senses page: it opens on our sentences for bank, at a layer that keeps its senses apart."""

from pathlib import Path

from explorer.views.frame import Preset

SENTENCES = Path(__file__).parents[3] / "assets" / "senses"


A_SENSE = 4  # a map of a dozen dots is read at a glance


def sentences(word: str, each: int = A_SENSE) -> str:
    """The first few of our own sentences for each sense of a word, one a line, tagged with their sense."""
    lines = (SENTENCES / f"{word}.txt").read_text(encoding="utf-8").splitlines()
    plain = [line.partition(" ~")[0] for line in lines]
    senses = [line.rpartition("#")[2] for line in plain]
    return "\n".join(line for i, line in enumerate(plain) if senses[:i].count(senses[i]) < each)


def library() -> list[str]:
    """The words that have sentences of our own."""
    return sorted(path.stem for path in SENTENCES.glob("*.txt"))


PUZZLE = "From the terrace of the bank you can see the water."

DEFAULTS = {
    "model": "bert",
    "word": "bank",
    "text": f"{sentences('bank')}\n{PUZZLE}",
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
