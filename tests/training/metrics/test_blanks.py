"""The lists of sentences: what they are, and how a model's guesses are counted."""

import json
import re

import pytest
import torch

from explorer.analysis.prediction import fill_mask
from explorer.analysis.prediction.shannon import Spot, next_words
from explorer.assets import CHECKPOINTS
from explorer.errors import AbilityError, TextError
from tests.chinese_script import SIMPLIFIED, TRADITIONAL, script
from training.metrics.blanks import (
    BEGINNINGS,
    CLASSROOM,
    CLASSROOM_ZH,
    CLOZE,
    Line,
    content_words,
    everyday,
    frequent_words,
    judge,
    rank_after,
    read_halves,
    share,
)
from training.text import Corpus

HAN = re.compile("[\u4e00-\u9fff]")
IN_BOTH = {"There are seven days in a [MASK]."}  # every lecture's, and a line of the cloze list


def line(text, *words):
    return Line(text, frozenset(words))


def shipped(path):
    return [
        (sentence, words.split(","))
        for sentence, words in (row.split("\t") for row in path.read_text(encoding="utf-8").splitlines())
    ]


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
        joined = sentence.replace("[MASK]", "".join(characters))
        assert script(joined) == written, characters
    halves = read_halves(CLASSROOM_ZH)
    assert [len(half) for half in halves.values()] == [60, 60]


def test_accepted_words_are_single_tokens_and_new_to_their_sentence():
    settings = json.loads((CHECKPOINTS / "bert" / "tokenizer.json").read_text(encoding="utf-8"))
    for sentence, words in shipped(CLASSROOM):
        assert set(words) <= set(settings["model"]["vocab"]), sentence
        assert not set(words) & content_words(sentence), sentence


def test_no_line_is_the_cloze_lists_too():
    cloze = {line.text for half in read_halves(CLOZE).values() for line in half}
    assert cloze & {sentence for sentence, _ in shipped(CLASSROOM)} == IN_BOTH


def test_ranks_are_those_of_the_fill_mask_list(tiny_bert):
    texts = ["we sat on the [MASK].", "the [MASK] was old", "[MASK] water"]
    best = [[token for token, _ in fill_mask(tiny_bert, text, 12)[0]] for text in texts]
    lines = [line(texts[0], best[0][0], best[0][11]), line(texts[1], best[1][9]), line(texts[2], best[2][10])]
    results = judge(tiny_bert, lines)
    assert results == [(1, best[0][0]), (10, best[1][0]), (11, best[2][0])]
    ranks = [rank for rank, _ in results]
    assert [share(ranks, most) for most in (1, 10, 11)] == pytest.approx([1 / 3, 2 / 3, 1])


def test_a_word_that_is_no_token_has_no_rank_and_counts_as_wrong(tiny_bert):
    far = "the " * 70 + "[MASK]"
    results = judge(tiny_bert, [line("the [MASK] was old", "hippopotamus"), line(far, "bank")])
    ranks = [rank for rank, _ in results]
    assert ranks == [None, None] and share(ranks, 10) == 0
    assert [figure.value for figure in everyday("classroom", "dev", ranks)] == [0, 0]
    assert everyday("classroom", "dev", ranks)[0].note.endswith("frozen at d1f82c5; out of reach in 2")


def test_a_tie_counts_as_wrong(tiny_bert, monkeypatch):
    for shared in (10, 11):
        scores = torch.zeros(tiny_bert.config.d_vocab)
        scores[:shared] = 1.0
        scores = scores.roll(tiny_bert.tokenizer.id("bank"))
        monkeypatch.setattr(tiny_bert.network, "unembed", lambda states, s=scores: s.expand(len(states), -1))
        assert judge(tiny_bert, [line("the [MASK] was old", "bank")])[0][0] == shared


def always(model, monkeypatch, word):
    scores = torch.zeros(model.config.d_vocab)
    scores[model.tokenizer.id(word)] = 1.0
    monkeypatch.setattr(model.network, "unembed", lambda states: scores.expand(len(states), -1))


def test_the_first_guess_is_known_even_where_no_accepted_word_is_a_token(tiny_bert, monkeypatch):
    always(tiny_bert, monkeypatch, "bank")
    assert judge(tiny_bert, [line("The Bank [MASK]", "hippopotamus")]) == [(None, "bank")]


def test_a_function_word_may_come_twice():
    assert content_words("The [MASK] and the other bank") == {"other", "bank"}


def test_beginnings_are_guessed_by_whole_words(tiny_gpt):
    text = "we sat on the"
    guesses = [c.token.casefold() for c in next_words(tiny_gpt, f"{text} ", Spot(14, 14, "", " "), 5)]
    lines = [line(text, guesses[0]), line(text, guesses[-1]), line(text, "quartz")]
    assert [rank_after(tiny_gpt, line) for line in lines] == [1, len(guesses), 6]


def test_what_cannot_be_scored(tiny_bert, tiny_gpt):
    with pytest.raises(AbilityError):
        judge(tiny_gpt, [line("the [MASK]", "bank")])
    with pytest.raises(AbilityError):
        rank_after(tiny_bert, line("the", "bank"))
    for bad in (line("no gap", "bank"), line("[MASK] [MASK]", "bank"), line("the [MASK]")):
        with pytest.raises(TextError):
            judge(tiny_bert, [bad])


def test_the_most_frequent_words_of_a_text(tmp_path):
    path = tmp_path / "en.txt"
    path.write_text("The bank, the river.\n\nThe light and THE bank\n", encoding="utf-8")
    words = frequent_words(Corpus((path,)), count=3)
    assert words[:2] == ["the", "bank"] and len(words) == 3
