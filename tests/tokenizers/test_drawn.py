"""Tokenizers drawn at random, beside those of `transformers`: ids, places and text.

Every difference that is left out here is one that a docstring tells of.
"""

import json
import random
import shutil
import unicodedata
from pathlib import Path

import pytest

from explorer.tokenizers import read_tokenizer
from explorer.tokenizers.prompt import encode_prompt
from explorer.tokenizers.wordpiece import WordPieceTokenizer
from tests.tokenizers.drawn import KINDS, PUBLISHED, WORDPIECE, Drawn, drawn, text_of

TEXTS = 10  # of each tokenizer


def compare(made: Drawn, draw: random.Random) -> None:
    """A tokenizer's files, the tokenizer.json that they become, and that with other settings beside it."""
    theirs = by_transformers(made.folder, **made.given)
    tokenizers = [(theirs, read_tokenizer(made.folder))]
    # A GPT-NeoX that is read from its tokenizer.json forgets the frame that it was saved with.
    forgets = made.kind == "gpt_neox" and {"add_bos_token", "add_eos_token"} & made.config.keys()
    if made.kind not in PUBLISHED and not forgets:
        as_json = made.folder / "json"
        theirs.save_pretrained(as_json)
        shutil.copy(made.folder / "config.json", as_json)
        tokenizers.append((theirs, read_tokenizer(as_json)))
        change(as_json, made.kind, draw)
        tokenizers.append((by_transformers(as_json), read_tokenizer(as_json)))
    for _ in range(TEXTS):
        text, pair = (text_of(draw, made.mask, [*made.added, "[E9]"]) for _ in range(2))
        for theirs, ours in tokenizers:
            try:
                same(ours, theirs, text, pair or "the", made.mask)  # they take an empty pair for none
            except AssertionError as error:
                raise AssertionError(f"{made}: {text!r}, {pair!r}") from error


def change(folder: Path, kind: str, draw: random.Random) -> None:
    """Let tokenizer_config.json say something else than tokenizer.json, and name one token more."""
    path = folder / "tokenizer_config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    letters = ["do_lower_case", "tokenize_chinese_chars", "strip_accents"]
    config[draw.choice(letters) if kind in WORDPIECE else "add_prefix_space"] = draw.choice([True, False])
    if not isinstance(config.get("extra_special_tokens"), dict):
        config["extra_special_tokens"] = [*(config.get("extra_special_tokens") or []), "[E9]"]
    path.write_text(json.dumps(config), encoding="utf-8")


def by_transformers(folder: Path, **given):
    import transformers

    return transformers.AutoTokenizer.from_pretrained(folder, **given)


def same(ours, theirs, text: str, pair: str, mask: str) -> None:
    read, second = (one.replace("[MASK]", mask or "[MASK]") for one in (text, pair))
    expected, both = theirs(read, return_offsets_mapping=True), theirs(read, second)
    encoding, of_both = ours.encode(text), ours.encode(text, pair)
    assert encoding.ids.tolist() == expected["input_ids"]
    assert encoding.tokens == theirs.convert_ids_to_tokens(expected["input_ids"])
    assert of_both.ids.tolist() == both["input_ids"]
    assert of_both.segments.tolist() == both.get("token_type_ids", of_both.segments.tolist())
    assert sides_of(of_both, text, pair)
    for i, offsets in enumerate(expected["offset_mapping"]):
        assert placed(encoding, i, offsets, text == read)
    written, theirs_written = (
        ours.decode(expected["input_ids"]),
        theirs.decode(expected["input_ids"], skip_special_tokens=True),
    )
    if isinstance(ours, WordPieceTokenizer):  # it writes Chinese without spaces between characters
        written, theirs_written = ("".join(one.split()) for one in (written, theirs_written))
    assert written == theirs_written
    own = (~encoding.frame).nonzero().flatten().tolist()
    assert not own or encode_prompt(ours, text).ids[-1] == encoding.ids[own[-1]]


def placed(encoding, i: int, offsets: tuple[int, int], comparable: bool) -> bool:
    """Whether a span covers theirs, and beyond that only spaces and what is joined to a character."""
    (start, end), text = encoding.spans[i], encoding.text
    if encoding.frame[i]:
        return (start, end) == (0, 0)
    if not 0 <= start <= end <= len(text):
        return False
    if not comparable or encoding.tokens[i] in ("▁", "Ġ"):  # the mark alone stands on no character
        return True
    first, last = offsets
    last -= len(text[first:last]) - len(text[first:last].rstrip())
    first += len(text[first:last]) - len(text[first:last].lstrip())
    more = text[start:first] + text[last:end]
    return first >= last or (start <= first and last <= end and all(map(is_joined, more)))


def is_joined(char: str) -> bool:
    """Whether a character is a space, or makes one with a neighbour: an accent, a jamo, a mark."""
    return (
        char.isspace()
        or char in "`'"
        or unicodedata.category(char)[0] in "MC"
        or "\u1100" <= char <= "\u11ff"
    )


def sides_of(encoding, text: str, pair: str) -> bool:
    """Whether the texts stand one after the other, and each span lies in its own."""
    sides = encoding.sides.tolist()
    ends = [end <= len((text, pair)[side]) for (_, end), side in zip(encoding.spans, sides, strict=True)]
    return sides == sorted(sides) and all(ends)


@pytest.mark.parametrize("kind", KINDS)
def test_a_few(kind):
    compare_all(range(5), kind)


@pytest.mark.slow
def test_a_hundred():
    compare_all(range(100))


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_ten_thousand(part):
    compare_all(range(100 + 500 * part, 600 + 500 * part))


def compare_all(seeds: range, kind: str = "") -> None:
    for seed in seeds:
        with drawn(seed, kind) as made:
            compare(made, random.Random(seed))
