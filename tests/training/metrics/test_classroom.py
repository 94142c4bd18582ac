"""The everyday sentences: what the lists are, and how a model's guesses are counted."""

import json
import re

import pytest
import torch

from explorer.analysis.prediction import fill_mask
from explorer.analysis.prediction.shannon import Spot, next_words
from explorer.errors import AbilityError, TextError
from tests.chinese_script import SIMPLIFIED, TRADITIONAL, script
from training.card import CHECKPOINTS
from training.metrics.classroom import (
    BEGINNINGS,
    BLANKS,
    BLANKS_ZH,
    beginnings,
    classroom,
    content_words,
    read_halves,
    wilson,
)
from training.metrics.cloze import LINES, Line, read_lines

HAN = re.compile("[\u4e00-\u9fff]")
IN_BOTH = {"There are seven days in a [MASK]."}  # every lecture's, and a line of the cloze list


def line(text, *words):
    return Line(text, frozenset(words))


def shipped(path):
    return [
        (sentence, words.split(","))
        for sentence, words in (row.split("\t") for row in path.read_text(encoding="utf-8").splitlines())
    ]


@pytest.mark.parametrize(("path", "count", "gaps"), [(BLANKS, 300, 1), (BEGINNINGS, 150, 0)])
def test_the_lists_we_ship(path, count, gaps):
    lines = shipped(path)
    assert len(lines) == count == len({sentence for sentence, _ in lines})
    for sentence, words in lines:
        assert sentence.count("[MASK]") == gaps, sentence
        assert 1 <= len(words) <= 8 and len(set(words)) == len(words), sentence
        assert all(word == word.lower().strip() and word.isalpha() for word in words), sentence
    halves = read_halves(path.read_text(encoding="utf-8"))
    assert [len(half) for half in halves.values()] == [count // 2, count // 2]
    assert [half[0].text for half in halves.values()] == [lines[0][0], lines[1][0]]


def test_the_chinese_list_we_ship():
    lines = shipped(BLANKS_ZH)
    assert len(lines) == 120 == len({sentence for sentence, _ in lines})
    for i, (sentence, characters) in enumerate(lines):
        assert sentence.count("[MASK]") == 1, sentence
        assert 1 <= len(characters) <= 8 and len(set(characters)) == len(characters), sentence
        assert all(HAN.fullmatch(one) for one in characters), sentence
        written = script(sentence.replace("[MASK]", ""))
        assert written == (TRADITIONAL, SIMPLIFIED)[i % 4 // 2], sentence
        joined = sentence.replace("[MASK]", "".join(characters))
        assert script(joined) == written, characters
    halves = read_halves(BLANKS_ZH.read_text(encoding="utf-8"))
    assert [len(half) for half in halves.values()] == [60, 60]


def test_accepted_words_are_single_tokens_and_new_to_their_sentence():
    settings = json.loads((CHECKPOINTS / "bert" / "tokenizer.json").read_text(encoding="utf-8"))
    for sentence, words in shipped(BLANKS):
        assert set(words) <= set(settings["model"]["vocab"]), sentence
        assert not set(words) & content_words(sentence), sentence


def test_no_line_is_the_cloze_lists_too():
    cloze = {line.text for split in read_lines(LINES.read_text(encoding="utf-8")).values() for line in split}
    assert cloze & {sentence for sentence, _ in shipped(BLANKS)} == IN_BOTH


def test_counts_are_those_of_the_fill_mask_list(tiny_bert):
    texts = ["we sat on the [MASK].", "the [MASK] was old", "[MASK] water"]
    best = [[token for token, _ in fill_mask(tiny_bert, text, 6)[0]] for text in texts]
    found = classroom(
        tiny_bert,
        [line(texts[0], best[0][0], best[0][5]), line(texts[1], best[1][4]), line(texts[2], best[2][5])],
    )
    assert (found.first, found.among, found.lines, found.out_of_reach) == (1, 2, 3, 0)


def always(model, monkeypatch, word):
    scores = torch.zeros(model.config.d_vocab)
    scores[model.tokenizer.id(word)] = 1.0
    monkeypatch.setattr(model.network, "unembed", lambda states: scores.expand(len(states), -1))


def test_a_guess_from_the_sentence_is_a_repeat_even_where_no_accepted_word_is_a_token(tiny_bert, monkeypatch):
    always(tiny_bert, monkeypatch, "bank")
    found = classroom(tiny_bert, [line("The Bank [MASK]", "hippopotamus"), line("the [MASK]", "bank")])
    assert (found.first, found.repeats, found.out_of_reach) == (1, 1, 1)


def test_a_function_word_may_come_twice(tiny_bert, monkeypatch):
    always(tiny_bert, monkeypatch, "the")
    assert classroom(tiny_bert, [line("the bank and [MASK] river", "a")]).repeats == 0
    assert content_words("The [MASK] and the other bank") == {"other", "bank"}


def test_beginnings_are_guessed_by_whole_words(tiny_gpt):
    text = "we sat on the"
    guesses = [c.token.casefold() for c in next_words(tiny_gpt, f"{text} ", Spot(14, 14, "", " "), 5)]
    found = beginnings(tiny_gpt, [line(text, guesses[0]), line(text, guesses[-1]), line(text, "quartz")])
    assert (found.among, found.repeats, found.lines) == (2, None, 3)
    assert found.first == (2 if len(guesses) == 1 else 1)


def test_what_cannot_be_scored(tiny_bert, tiny_gpt):
    with pytest.raises(AbilityError):
        classroom(tiny_gpt, [line("the [MASK]", "bank")])
    with pytest.raises(AbilityError):
        beginnings(tiny_bert, [line("the", "bank")])
    with pytest.raises(TextError):
        classroom(tiny_bert, [line("no blank", "bank")])


def test_the_interval_is_wilsons():
    """Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662; 0 of 20 gives 0 to 0.1611."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)
