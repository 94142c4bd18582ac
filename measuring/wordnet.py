"""Extract of WordNet for the words of our sense library and of courses, from Debian's `wordnet-base`.

    apt-get download wordnet-base && dpkg-deb -x wordnet-base*.deb wn
    python -m measuring.wordnet wn/usr/share/wordnet

writes assets/wordnet/senses.json: for every word of the library, and of assets/wordnet/words.txt, its senses
by part of speech in WordNet's order, the more frequent first, with synonyms and definitions. The format of
WordNet's files is that of the manual page wndb(5WN).
"""

import argparse
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from explorer.assets import SENSES, WORDNET
from explorer.errors import FormatError

COURSE = WORDNET / "words.txt"  # words that courses use
PARTS = {"noun": "noun", "verb": "verb", "adj": "adjective", "adv": "adverb"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the extract."""
    parser = argparse.ArgumentParser(prog="python -m measuring.wordnet", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with index.noun and data.noun")
    parser.add_argument("--to", type=Path, default=WORDNET / "senses.json")
    options = parser.parse_args(arguments)
    words = sorted({*(path.stem for path in SENSES.glob("*.txt")), *COURSE.read_text("utf-8").split()})
    extract = {word: senses(options.folder, word) for word in words}
    options.to.parent.mkdir(parents=True, exist_ok=True)
    options.to.write_text(json.dumps(extract, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def senses(folder: Path, word: str) -> list[dict[str, Any]]:
    """All senses of a word, with base form, part of speech, number, synonyms and definition.

    Raises FormatError for a folder without WordNet's files.
    """
    result = []
    for part, name in PARTS.items():
        for lemma in _bases(folder, part, word):
            for number, offset in enumerate(_offsets(folder, part, lemma), 1):
                synonyms, definition = _synset(folder, part, offset)
                others = [synonym for synonym in synonyms if synonym.lower() != lemma]
                result.append(
                    {
                        "lemma": lemma,
                        "part": name,
                        "number": number,
                        "synonyms": others,
                        "definition": definition,
                    }
                )
    return result


def _bases(folder: Path, part: str, word: str) -> list[str]:
    """Base forms of a word in the index: itself, or the word that it is a form of."""
    irregular = [line.split()[1:] for line in _lines(folder / f"{part}.exc") if line.startswith(f"{word} ")]
    regular = [word[:-1]] if word.endswith("s") else []
    candidates = dict.fromkeys([word, *(base for bases in irregular for base in bases), *regular])
    return [base for base in candidates if _offsets(folder, part, base)]


def _offsets(folder: Path, part: str, lemma: str) -> list[str]:
    """Offsets of a base form's senses in the data file, in their order."""
    for line in _lines(folder / f"index.{part}"):
        if line.startswith(f"{lemma} "):
            fields = line.split()
            return fields[-int(fields[2]) :]
    return []


def _synset(folder: Path, part: str, offset: str) -> tuple[list[str], str]:
    """Words of a sense, and its definition without the examples."""
    for line in _lines(folder / f"data.{part}"):
        if line.startswith(f"{offset} "):
            fields, _, gloss = line.partition(" | ")
            columns = fields.split()
            count = int(columns[3], 16)
            words = [column.split("(")[0].replace("_", " ") for column in columns[4 : 4 + 2 * count : 2]]
            return words, gloss.partition('; "')[0].strip()
    raise FormatError(f"data.{part} has no line {offset}.", "Unpack wordnet-base again.")


@cache
def _lines(path: Path) -> list[str]:
    if not path.exists():
        raise FormatError(f"{path} is not there.", "Name the folder with WordNet's files.")
    return path.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    main()
