"""Split the words of the sense libraries into two frozen halves: `python -m training.splits`.

Words go to dev and test in turn, in the alphabetical order of their files. The file has each word's split and
the SHA-256 of its sentences, so that a later change is noticed.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from explorer.assets import SENSES, SENSES_ZH

FILE = Path(__file__).parent / "sets" / "senses.txt"
FILE_ZH = FILE.with_name("senses-zh.txt")
SPLITS = ("dev", "test")


@dataclass(frozen=True)
class Frozen:
    """Words of each split, and words whose sentences have changed, or that are new or missing."""

    words: dict[str, list[str]]
    changed: list[str]


def lines(folder: Path = SENSES) -> str:
    """Lines `word split sha256`."""
    words = sorted(path.stem for path in folder.glob("*.txt"))
    return "".join(f"{w} {SPLITS[i % 2]} {digest(folder, w)}\n" for i, w in enumerate(words))


def digest(folder: Path, word: str) -> str:
    """SHA-256 of a word's file with the line ends of Unix."""
    text = (folder / f"{word}.txt").read_text(encoding="utf-8")
    return hashlib.sha256(text.encode()).hexdigest()


def read(file: Path = FILE, folder: Path = SENSES) -> Frozen:
    """Frozen split of the words that the library still has.

    Without a file the split is computed, and every word counts as changed.
    """
    stored = file.read_text(encoding="utf-8") if file.exists() else ""
    now = {line.split()[0]: line.split()[2] for line in lines(folder).splitlines()}
    rows = [line.split() for line in (stored or lines(folder)).splitlines()]
    frozen = {word: sha for word, _, sha in rows} if stored else {}
    return Frozen(
        words={split: [w for w, s, _ in rows if s == split and w in now] for split in SPLITS},
        changed=sorted(w for w in frozen.keys() | now.keys() if frozen.get(w) != now.get(w)),
    )


if __name__ == "__main__":
    FILE.write_text(lines(), encoding="utf-8")
    FILE_ZH.write_text(lines(SENSES_ZH), encoding="utf-8")
