"""How many characters a tokenizer's normalizer may make of one: a stranger's file could fill the memory.

Only steps with texts of their own can multiply: Replace, Prepend and Precompiled. The others at most follow
Unicode, where one character becomes 18 at the most.
"""

import base64
import re
import struct
from collections.abc import Mapping
from typing import Any

from explorer.errors import FormatError

MOST = 100  # characters from one
_LOOKS_AROUND = re.compile(r"\(\?|\\[bBAGKZz]|[\^$]")
OTHER = ""  # stands for every character that no step names


def check_growth(normalizer: Any, folder: str) -> None:
    """Raise FormatError if a normalizer, as in tokenizer.json, may make more than MOST characters of one."""
    if (growth := most_from_one(normalizer)) > MOST:
        raise FormatError(
            f"The normalizer of tokenizer.json in {folder} can make {growth:,.0f} characters of one.",
            "Choose another checkpoint: a text would fill the memory.",
        )


def most_from_one(normalizer: Any) -> float:
    """An upper bound on the characters that the steps of a normalizer make of one.

    From the last step to the first: the length that each character has in the end, if it is there before
    that step. An occurrence of a pattern shares the length of its replacement among its characters.
    """
    lengths: dict[str, float] = {OTHER: 1.0}
    added = 0.0
    for step in reversed(_steps(normalizer)):
        match step:
            case {"type": "Prepend", "prepend": str(text)}:
                added += _length(text, lengths)
            case {"type": "Precompiled", "precompiled_charsmap": str(table)}:
                lengths = {OTHER: max(lengths.values()) * _longest_entry(table)}
            case {"type": "Replace", "pattern": {"String": str(pattern)}, "content": str(content)} if pattern:
                share = _length(content, lengths) / len(pattern)
                own = {letter: max(lengths.get(letter, lengths[OTHER]), share) for letter in pattern}
                if len(pattern) == 1:
                    own = {pattern: share}  # none of them is left
                lengths = lengths | own
            case {"type": "Replace", "pattern": dict(pattern), "content": str(content)}:
                new = _length(content, lengths)
                between = new if _matches_nothing(str(pattern.get("Regex", ""))) else 0.0
                added += between  # at both ends
                lengths = {letter: max(length, new) + between for letter, length in lengths.items()}
    return max(lengths.values()) + added


def _steps(normalizer: Any) -> list[Any]:
    """The steps of a normalizer, those within sequences too."""
    match normalizer:
        case {"type": "Sequence", "normalizers": list(steps)}:
            return [inner for step in steps for inner in _steps(step)]
    return [normalizer]


def _length(text: str, lengths: Mapping[str, float]) -> float:
    return sum(lengths.get(letter, lengths[OTHER]) for letter in text)


def _matches_nothing(pattern: str) -> bool:
    """Whether a pattern may match between two characters; True where that is not certain."""
    try:
        return bool(_LOOKS_AROUND.search(pattern)) or re.compile(pattern).match("") is not None
    except (re.error, RecursionError, OverflowError):
        return True


def _longest_entry(table: str) -> int:
    """The most bytes that a precompiled table gives for one character: after its trie come the texts."""
    try:
        data = base64.b64decode(table)
        (trie,) = struct.unpack_from("<I", data)
    except (ValueError, struct.error):
        return 1  # the library refuses it
    return max(map(len, data[4 + trie :].split(b"\0")), default=1) or 1
