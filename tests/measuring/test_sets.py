"""The lists of sentences: what they are."""

import json
import re

import pytest

from explorer.assets import CHECKPOINTS
from tests.chinese_script import SIMPLIFIED, TRADITIONAL, script
from tests.sentence_lists import BEGINNINGS, CLASSROOM, CLASSROOM_ZH, CLOZE, read_halves

HAN = re.compile("[\u4e00-\u9fff]")
IN_BOTH = {"There are seven days in a [MASK]."}  # every lecture's, and a line of the cloze list


def shipped(path):
    rows = (row.split("\t") for row in path.read_text(encoding="utf-8").splitlines())
    return [(sentence, words.split(",")) for sentence, words in rows]


@pytest.mark.parametrize(
    ("path", "count", "gaps"), [(CLASSROOM, 300, 1), (CLOZE, 160, 1), (BEGINNINGS, 150, 0)]
)
def test_the_lists_we_ship(path, count, gaps):
    lines = shipped(path)
    assert len(lines) == count == len({sentence for sentence, _ in lines})
    for sentence, words in lines:
        assert sentence.count("[MASK]") == gaps, sentence
        assert 1 <= len(words) <= 8 and len(set(words)) == len(words), sentence
        assert all(word == word.lower().strip() and word.isalpha() for word in words), sentence
    halves = read_halves(path)
    assert [len(half) for half in halves.values()] == [count // 2, count // 2]
    assert [half[0].text for half in halves.values()] == [lines[0][0], lines[1][0]]


def test_the_chinese_list_we_ship():
    lines = shipped(CLASSROOM_ZH)
    assert len(lines) == 120 == len({sentence for sentence, _ in lines})
    for i, (sentence, characters) in enumerate(lines):
        assert sentence.count("[MASK]") == 1, sentence
        assert 1 <= len(characters) <= 8 and len(set(characters)) == len(characters), sentence
        assert all(HAN.fullmatch(one) for one in characters), sentence
        written = script(sentence.replace("[MASK]", ""))
        assert written == (TRADITIONAL, SIMPLIFIED)[i % 4 // 2], sentence
        assert script(sentence.replace("[MASK]", "".join(characters))) == written, characters


def test_accepted_words_are_single_tokens_and_new_to_their_sentence():
    vocabulary = set(
        json.loads((CHECKPOINTS / "bert" / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    )
    for sentence, words in shipped(CLASSROOM):
        assert set(words) <= vocabulary, sentence
        others = set(re.findall(r"[^\W\d_]{4,}", sentence.lower()))  # a function word may stand there twice
        assert not set(words) & others, sentence


def test_no_line_is_the_cloze_lists_too():
    cloze = {sentence for sentence, _ in shipped(CLOZE)}
    assert cloze & {sentence for sentence, _ in shipped(CLASSROOM)} == IN_BOTH
