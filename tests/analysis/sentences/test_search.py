"""A search for words, a search by meaning and its reasons, and what counts as a right answer."""

from pathlib import Path
from time import process_time

import pytest
import torch

from explorer.analysis import sentences
from explorer.analysis.sentences import answering, our_town
from explorer.errors import TextError
from tests.shared_models import model

PASSAGES = ["The ferry sails at six.", "The old ferry and the new ferry lie in the harbour.", "It rains."]


@pytest.mark.parametrize(
    ("language", "misses"),  # of words that stand inside longer ones, as “this” in “today”
    [("zh", []), ("ja", []), ("th", ["นี้"]), ("km", ["នេះ"]), ("lo", ["ນີ້"]), ("ko", [])],
)
def test_words_are_found_where_no_spaces_part_them(language, misses):
    """Our own lines with their words: each word leads to the lines that have it, before all others."""
    every = (Path(__file__).parent / "words_without_spaces.txt").read_text(encoding="utf-8").splitlines()
    lines = [line[3:].split("|") for line in every if line.startswith(language)]
    passages = ["".join(words) for words in lines]
    wrong = []
    for word in sorted({word for words in lines for word in words if len(word) > 1}):
        right = {number for number, words in enumerate(lines) if word in words}
        matches = sentences.bm25(word, passages, len(right)).matches
        if {match.number for match in matches} != right:
            wrong.append(word)
    assert wrong == misses


@pytest.mark.parametrize(
    ("word", "passages"),
    [
        ("银行", ["我去银行取钱。", "河岸上有很多树。", "银行关门了。"]),
        ("銀行", ["我去銀行。", "樹很多。", "銀行關門了。"]),
        ("ธนาคาร", ["ฉันไปธนาคาร", "ต้นไม้มาก", "ธนาคารปิด"]),
        ("은행", ["은행에서 돈을 찾았다.", "나무가 많다.", "은행이 닫혔다."]),
    ],
)
def test_counts_of_words_find_them_too(word, passages):
    assert {match.number for match in sentences.bm25(word, passages).matches} == {0, 2}
    cosines = dict(sentences.read(None, passages).search(word, 3))
    assert min(cosines[0], cosines[2]) > 0 == cosines[1]
    shared = sentences.read(None, [*passages, "他在行走。"]).search("银行在哪里？", 4)
    assert word != "银行" or [index for index, _ in shared[:2]] == [2, 0]


def test_bm25_is_the_formula_of_the_paper():
    scores = {match.number: match.score for match in sentences.bm25("ferry", PASSAGES).matches}
    rarity = torch.log(torch.tensor(1 + (3 - 2 + 0.5) / (2 + 0.5)))
    lengths = torch.tensor([5.0, 11.0, 2.0])
    times = torch.tensor([1.0, 2.0, 0.0])
    damping = 1.2 * (0.25 + 0.75 * lengths / lengths.mean())
    right = (rarity * times * 2.2 / (times + damping)).tolist()
    assert scores == pytest.approx({0: right[0], 1: right[1]})


def test_a_search_for_words_lists_only_passages_with_one_of_them():
    ranking = sentences.bm25("When does it snow?", PASSAGES)
    assert [match.text for match in ranking.matches] == ["It rains."]
    assert not sentences.bm25("雪", PASSAGES).matches


@pytest.mark.parametrize("name", ["bert", "word2vec"])
def test_the_cosine_is_the_sum_over_pairs_of_tokens(name):
    vectors = sentences.read(model(name), PASSAGES)
    best = sentences.search("When does the ferry sail?", vectors).matches[0]
    pairs = sentences.explain(model(name), "When does the ferry sail?", best.text)
    assert pairs.cosine == pytest.approx(best.score, abs=1e-5)
    assert len(pairs.question.encoding.tokens), len(pairs.passage.encoding.tokens) == pairs.products.shape


def test_equal_passages_keep_their_order():
    vectors = sentences.read(None, ["It rains.", "We sat.", "It rains.", "It rains."])
    assert [match.number for match in sentences.search("It rains.", vectors, 3).matches] == [0, 2, 3]


def test_a_hundred_thousand_vectors_are_searched_in_50_ms():
    vectors = torch.nn.functional.normalize(torch.randn(100_000, 384), dim=-1)
    texts = list(map(str, range(100_000)))
    table = sentences.SentenceVectors(texts, vectors, lambda questions: vectors[[77_777]])
    times = []
    for _ in range(8):
        start = process_time()
        best = sentences.search("?", table).matches[0]
        times.append(process_time() - start)
    assert best.text == "77777" and min(times) < 0.05


@pytest.mark.parametrize("question", ["", "  "])
def test_an_empty_question_is_refused(question):
    with pytest.raises(TextError, match="no question"):
        sentences.search(question, sentences.read(None, PASSAGES))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("From Pier 4.", True), ("The ferry leaves from pier FOUR", True), ("From Pier 14.", False),
        ("It costs 4.50.", False), ("From pier four-hundred.", False), ("", False),
    ],
)  # fmt: skip
def test_a_right_answer_contains_the_short_one_as_a_word(text, right):
    assert answering.is_right(text, ("4", "four")) == right


def test_every_question_is_answered_by_its_own_passage_alone():
    passages = our_town.passages()
    for at, question in enumerate(our_town.questions()):
        assert question.passage in passages
        right = [answering.is_right(other.passage, question.answers) for other in our_town.questions()]
        assert right[at] and not right[(at + 10) % 20]


def test_the_passages_stand_in_the_prompt_and_only_there():
    prompt = answering.prompt(model("gpt"), "Who was late?", ["Ines was late.", "Petra was not."])
    assert "Ines was late.\nPetra was not." in prompt and prompt.endswith("Question: Who was late?\nAnswer:")
    assert answering.FROM_PASSAGES not in answering.prompt(model("gpt"), "Who was late?")
