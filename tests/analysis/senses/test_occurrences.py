"""Occurrences against single traces; separation worked by hand."""

import pytest
import torch

from explorer.analysis.senses.occurrences import (
    Occurrences,
    Sentence,
    cosine_matrix,
    find,
    isolated_vectors,
    library,
    library_words,
    occurrences,
    read_sentences,
    senses_of,
    spellings,
    write_sentences,
)
from explorer.analysis.senses.separation import separation
from explorer.errors import TextError

SENTENCES = ["We sat on the bank.", "no such word", "The BANK was a bank", "", "bankers in the bank?"]


def made_of(vectors) -> Occurrences:
    n = len(vectors)
    return Occurrences("w", torch.as_tensor(vectors).float(), list(range(n)), [(0, 1)] * n, [["w"]] * n, [])


def test_sentences_read_and_write():
    text = "We sat on the bank. #river\n\n  Our team is #1\nIt was money. #blood-bank ~12\nAbout ~3\n"
    found = read_sentences(text)
    assert found == [
        Sentence("We sat on the bank.", "river"),
        Sentence("Our team is #1"),
        Sentence("It was money.", "blood-bank", "12"),
        Sentence("About ~3"),
    ]
    assert read_sentences(write_sentences(found)) == found
    assert read_sentences("") == [] and write_sentences([]) == ""


def test_a_tag_alone_is_a_sentence():
    assert read_sentences("#river") == [Sentence("#river")]


@pytest.mark.parametrize("word", library_words())
def test_every_library_sentence_holds_its_word_once(word):
    sentences = library(word)
    assert all(len(find(s.text, word)) == 1 for s in sentences)
    assert all(5 <= len(s.text.split()) <= 26 for s in sentences)
    assert len({s.text for s in sentences}) == len(sentences)
    for sense in {s.sense for s in sentences if s.sense}:
        assert sum(s.sense == sense for s in sentences) >= 3


def test_an_unknown_library_names_the_known():
    with pytest.raises(TextError) as error:
        library("../bank")
    assert "spring" in error.value.hint


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("Bank, bank; banker sandbank", "bank", [(0, 4), (6, 10)]), ("我去银行取钱", "银行", [(2, 4)]),
        ("C++ and c++", "C++", [(0, 3), (8, 11)]), ("new york, New York", "New York", [(0, 8), (10, 18)]),
        ("anything", "  ", []), ("कला और कल", " कल ", [(7, 9)]), ("I don’t know.", "don't", [(2, 7)]),
    ],
)  # fmt: skip
def test_find(text, word, expected):
    assert find(text, word) == expected


def test_a_word_in_two_scripts_is_one_word():
    assert spellings("蘋果/苹果") == ["蘋果", "苹果"]
    assert find("苹果和蘋果", " 蘋果/苹果 ") == [(0, 2), (3, 5)]
    for word in ("and/or", "蘋果/", "/", "蘋果/apple"):
        assert spellings(word) == [word]


@pytest.mark.parametrize("name", ["bert", "gpt"])
def test_occurrences_are_the_hidden_states_of_the_word(name, request):
    model = request.getfixturevalue(name)
    found = occurrences(model, iter(SENTENCES), "bank")
    assert found.sentence_index == [0, 2, 2, 4] and found.missing == [1, 3]
    assert [SENTENCES[i][slice(*span)].lower() for i, span in zip(found.sentence_index, found.span)] == [
        "bank"
    ] * 4
    assert found.vectors.shape == (4, model.config.layers + 1, model.config.d_model)
    trace = model.trace("We sat on the bank.")
    last = trace.tokens.index("bank" if name == "bert" else "Ġbank")
    torch.testing.assert_close(found.vectors[0], trace.hidden_states[:, last], atol=1e-5, rtol=1e-4)


def test_a_word_of_several_tokens_has_their_mean(bert):
    found = occurrences(bert, ["we walking home"], "Walking")
    trace = bert.trace("we walking home")
    torch.testing.assert_close(found.vectors[0], trace.hidden_states[:, 2:4].mean(1))
    assert found.tokens == [["walk", "##ing"]]


def test_many_sentences_keep_their_order(bert):
    sentences = [("the " * (i % 7)) + f"bank {'was ' * (i % 5)}" for i in range(150)]
    found = occurrences(bert, sentences, "bank")
    assert found.sentence_index == list(range(150))
    for i in (0, 63, 64, 149):
        alone = occurrences(bert, [sentences[i]], "bank").vectors[0]
        torch.testing.assert_close(found.vectors[i], alone, atol=1e-5, rtol=1e-4)


def test_nothing_found_is_empty_and_past_the_context_is_missing(bert):
    found = occurrences(bert, ["the " * 60 + "bank", "we sat"], "bank")
    assert found.vectors.shape == (0, 4, 22) and found.missing == [0, 1] and len(found) == 0
    with pytest.raises(TextError):
        occurrences(bert, ["we"], " ")


@pytest.mark.parametrize("name", ["bert", "gpt"])
def test_a_word_by_itself_has_one_vector_wherever_it_stands(name, request):
    model = request.getfixturevalue(name)
    texts = ["We sat on the bank.", "In the deep water the bank was clean bank"]
    found = occurrences(model, texts, "bank")
    vectors = isolated_vectors(model, texts, found)
    assert vectors.shape == (3, model.config.d_model)
    assert torch.equal(vectors[0], vectors[1]) and torch.equal(vectors[0], vectors[2])
    assert not torch.allclose(found.vectors[0, 0], found.vectors[1, 0]), "in a sentence it has a place"
    single = occurrences(model, [" bank"], "bank")
    torch.testing.assert_close(vectors[0], single.vectors[0, 0])
    assert isolated_vectors(model, [], occurrences(model, [], "bank")).shape == (0, model.config.d_model)


def test_senses_come_from_the_sentences(bert):
    sentences = [Sentence("the bank", "river"), Sentence("a bank and bank")]
    found = occurrences(bert, [s.text for s in sentences], "bank")
    assert senses_of(found, sentences) == ["river", None, None]


def test_cosine_matrix_by_hand():
    found = made_of([[[3.0, 0.0]], [[1.0, 1.0]], [[0.0, -2.0]]])
    half = 0.5**0.5
    expected = torch.tensor([[1.0, half, 0.0], [half, 1.0, -half], [0.0, -half, 1.0]])
    torch.testing.assert_close(cosine_matrix(found, 0), expected)


def test_a_model_without_context_gives_one_and_the_same_vector(static):
    sentences = ["The bank by the river.", "no such word", "Old money in the bank, quetzal bank"]
    found = occurrences(static, sentences, "bank")
    assert found.vectors.shape == (3, 1, static.config.d_model) and found.missing == [1]
    assert found.sentence_index == [0, 2, 2] and found.tokens == [["bank"]] * 3
    assert (found.vectors == static.network.tokens.weight[static.tokenizer.id("bank")]).all()
    judged = separation(found.vectors, ["river", "money", "money"])
    assert judged.margin.tolist() == pytest.approx([0.0], abs=1e-6)  # nothing is told apart


def test_a_word_without_a_vector_is_named(static):
    with pytest.raises(TextError) as caught:
        occurrences(static, ["A quetzal by the river."], "quetzal")
    assert "“quetzal”" in caught.value.message
