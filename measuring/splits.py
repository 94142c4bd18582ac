"""Split the words of the sense libraries into two frozen halves: `python -m measuring.splits`.

Words go to dev and test in turn, in the alphabetical order of their files. The file has each word's split and
the SHA-256 of its sentences; a test compares it with the library.
"""

import argparse
import hashlib
from pathlib import Path

from explorer.assets import SENSES, SENSES_ZH

FILE = Path(__file__).parent / "sets" / "senses.txt"
FILE_ZH = FILE.with_name("senses-zh.txt")
SPLITS = ("dev", "test")


def lines(folder: Path = SENSES) -> str:
    """Lines `word split sha256`."""
    paths = sorted(folder.glob("*.txt"), key=lambda path: path.stem)
    texts = [(path.stem, path.read_text(encoding="utf-8")) for path in paths]  # with the line ends of Unix
    return "".join(
        f"{word} {SPLITS[i % 2]} {hashlib.sha256(text.encode()).hexdigest()}\n"
        for i, (word, text) in enumerate(texts)
    )


def read(file: Path = FILE) -> dict[str, list[str]]:
    """Words of each split."""
    rows = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    return {split: [word for word, of, _ in rows if of == split] for split in SPLITS}


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m measuring.splits", description=__doc__).parse_args()
    FILE.write_text(lines(), encoding="utf-8")
    FILE_ZH.write_text(lines(SENSES_ZH), encoding="utf-8")
