"""The extract of WordNet for the words of our sense library, made from Debian's package `wordnet-base`.

    apt-get download wordnet-base && dpkg-deb -x wordnet-base*.deb wn
    python -m training.wordnet wn/usr/share/wordnet

It writes assets/wordnet/senses.json: for every word of the library its parts of speech, and for each of
these its senses in WordNet's order, the more frequent first, with their synonyms and definitions. The
format of the files is that of the manual page wndb(5WN).
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from explorer.assets import SENSES, WORDNET
from explorer.errors import FormatError

PARTS = {"noun": "noun", "verb": "verb", "adj": "adjective", "adv": "adverb"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the extract."""
    parser = argparse.ArgumentParser(prog="python -m training.wordnet", description=__doc__)
    parser.add_argument("folder", type=Path, help="where index.noun and data.noun lie")
    parser.add_argument("--to", type=Path, default=WORDNET / "senses.json")
    chosen = parser.parse_args(arguments)
    words = sorted(path.stem for path in SENSES.glob("*.txt"))
    found = {word: senses(chosen.folder, word) for word in words}
    chosen.to.parent.mkdir(parents=True, exist_ok=True)
    chosen.to.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def senses(folder: Path, word: str) -> list[dict[str, Any]]:
    """All senses of a word: its base form, part of speech, number, synonyms and definition.

    Raises FormatError for a folder without WordNet's files.
    """
    found = []
    for part, name in PARTS.items():
        for lemma in _bases(folder, part, word):
            for number, offset in enumerate(_offsets(folder, part, lemma), 1):
                synonyms, definition = _synset(folder, part, offset)
                others = [one for one in synonyms if one.lower() != lemma]
                found.append(
                    {
                        "lemma": lemma,
                        "part": name,
                        "number": number,
                        "synonyms": others,
                        "definition": definition,
                    }
                )
    return found


def _bases(folder: Path, part: str, word: str) -> list[str]:
    """The forms under which a word may stand in the index: itself, or what it is an irregular form of."""
    irregular = [line.split()[1:] for line in _lines(folder / f"{part}.exc") if line.startswith(f"{word} ")]
    regular = [word[:-1]] if word.endswith("s") else []
    candidates = dict.fromkeys([word, *(one for bases in irregular for one in bases), *regular])
    return [one for one in candidates if _offsets(folder, part, one)]


def _offsets(folder: Path, part: str, lemma: str) -> list[str]:
    """Where the senses of a base form stand in the data file, in their order."""
    for line in _lines(folder / f"index.{part}"):
        if line.startswith(f"{lemma} "):
            fields = line.split()
            return fields[-int(fields[2]) :]
    return []


def _synset(folder: Path, part: str, offset: str) -> tuple[list[str], str]:
    """The words of a sense, and its definition without the examples that follow it."""
    for line in _lines(folder / f"data.{part}"):
        if line.startswith(f"{offset} "):
            fields, _, gloss = line.partition(" | ")
            columns = fields.split()
            count = int(columns[3], 16)
            words = [one.split("(")[0].replace("_", " ") for one in columns[4 : 4 + 2 * count : 2]]
            return words, gloss.partition('; "')[0].strip()
    raise FormatError(f"data.{part} has no line {offset}.", "Unpack wordnet-base again.")


_read: dict[Path, list[str]] = {}


def _lines(path: Path) -> list[str]:
    if path not in _read:
        if not path.exists():
            raise FormatError(f"{path} is not there.", "Name the folder with WordNet's files.")
        _read[path] = path.read_text(encoding="utf-8").splitlines()
    return _read[path]


if __name__ == "__main__":
    main()
