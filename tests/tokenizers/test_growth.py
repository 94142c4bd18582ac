"""What a normalizer may make of a text is bounded before it runs."""

import base64
import json
import random
import struct

import pytest
from tokenizers import Regex, normalizers

from explorer.errors import FormatError
from explorer.tokenizers.growth import MOST, check_growth, most_from_one
from explorer.tokenizers.guarded import guarded


def replace(pattern, content):
    return normalizers.Replace(pattern, content)


def described(*steps) -> dict:
    """A sequence of steps as tokenizer.json has it."""
    return json.loads(normalizers.Sequence(list(steps)).__getstate__())


def random_step(draw: random.Random):
    """A step over the letters a, b and c."""

    def letters(least: int, most: int) -> str:
        return "".join(draw.choices("abc", k=draw.randint(least, most)))

    patterns = ["a*", "b+", "[ab]", "c?", "(?=a)", ".", r"\b", "[^a]", "(?<=b)"]
    kind = draw.randrange(4)
    if kind == 0:
        return replace(letters(1, 2), letters(0, 3))
    if kind == 1:
        return replace(Regex(draw.choice(patterns)), letters(0, 2))
    return normalizers.Prepend(letters(1, 2)) if kind == 2 else normalizers.Lowercase()


def test_the_bound_holds_for_random_steps_and_texts():
    draw = random.Random(0)
    tight = 0
    for _ in range(3_000):
        steps = [random_step(draw) for _ in range(draw.randint(1, 4))]
        text = "".join(draw.choices("abc", k=draw.randint(1, 12)))
        try:
            made = guarded(normalizers.Sequence(steps).normalize_str)(text)
        except FormatError:  # the library panics at an empty match at a text's end
            continue
        bound = most_from_one(described(*steps)) * len(text)
        assert len(made) <= bound + 1e-6, (described(*steps), text, made)
        tight += len(made) > bound / 2
    assert tight > 300, "the bound says something"


@pytest.mark.parametrize(
    "steps",
    [
        [replace("a", "a" * 10_000)],
        [replace("a", "b" * 20), replace("b", "c" * 20)],
        [replace(Regex("."), "a" * 200)],
        [normalizers.Prepend("b" * 50), replace("b", "c" * 50)],
    ],
)
def test_what_multiplies_is_refused(steps):
    with pytest.raises(FormatError, match="characters of one"):
        check_growth(described(*steps), "a folder")


def test_what_published_tokenizers_do_is_not():
    spaced = [replace(mark, f" {mark} ") for mark in ",.;:!?()[]{}'\"-/"]
    steps = [
        normalizers.NFKC(),
        *spaced,
        replace(Regex(" {2,}"), " "),
        replace(" ", "▁"),
        normalizers.Prepend("▁"),
    ]
    assert most_from_one(described(*steps)) < MOST
    check_growth(None, "a folder")


def test_the_longest_text_of_a_precompiled_table():
    table = base64.b64encode(struct.pack("<I", 4) + b"trie" + b"fi\0" + b"x" * 300 + b"\0").decode()
    assert most_from_one({"type": "Precompiled", "precompiled_charsmap": table}) == 300
