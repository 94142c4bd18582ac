"""Neighbours, arithmetic and axes, against cases worked out by hand."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import explorer
from explorer.analysis import vectors
from explorer.analysis.vectors.table import Vectors
from explorer.errors import TextError

# A plane of royalty (x) and sex (y), and a third direction for fruit. Lengths differ on purpose.
ROWS = {
    "the": (0.1, 0.0, 0.1), "king": (3.0, 3.0, 0.0), "queen": (1.0, -1.0, 0.0), "man": (0.0, 2.0, 0.1),
    "woman": (0.0, -0.5, 0.025), "apple": (0.0, 0.0, 4.0), "pear": (0.1, 0.0, 1.0),
}  # fmt: skip


@pytest.fixture
def royal() -> Vectors:
    return Vectors(list(ROWS), torch.tensor(list(ROWS.values())))


def test_a_cosine_by_hand(royal):
    assert vectors.similarity(royal, "king", "queen") == pytest.approx(0.0, abs=1e-6)
    assert vectors.similarity(royal, "king", "man") == pytest.approx(6 / (18**0.5 * 4.01**0.5), abs=1e-6)
    assert vectors.similarity(royal, "apple", "pear") == pytest.approx(1 / 1.01**0.5, abs=1e-6)


def test_nearest_leaves_the_word_itself_out_and_length_does_not_count(royal):
    found = vectors.nearest(royal, "apple", top=2)
    assert [n.word for n in found] == ["pear", "the"] and [n.rank for n in found] == [1, 2]
    assert found[0].cosine == pytest.approx(1 / 1.01**0.5, abs=1e-6)
    found = vectors.nearest(royal, torch.tensor([0.0, -7.0, 0.0]), top=1)
    assert found[0].word == "woman" and found[0].id == 4
    assert [n.word for n in vectors.nearest(royal, "apple", top=1, leave_out=["pear"])] == ["the"]


def test_an_analogy_with_and_without_the_words_it_is_made_of(royal):
    found = vectors.analogy(royal, "king", "man", "woman", top=3)
    assert found.answers[0].word == "queen"
    assert not {"king", "man", "woman"} & {n.word for n in found.answers}
    one, two, three = royal.unit(["king", "man", "woman"])
    torch.testing.assert_close(found.target, one - two + three)
    unit = torch.nn.functional.normalize(royal.matrix, dim=-1)
    to = {word: (unit @ vector + 1) / 2 for word, vector in zip(("king", "man", "woman"), (one, two, three))}
    product = to["king"] * to["woman"] / (to["man"] + 0.001)
    order = [royal.words[i] for i in product.argsort(descending=True).tolist()]
    assert found.by_product == next(word for word in order if word not in to)
    asked = {n.word: n.in_query for n in found.everything}
    assert all(asked[word] == (word in ("king", "man", "woman")) for word in asked)
    assert [n.cosine for n in found.everything] == sorted((n.cosine for n in found.everything), reverse=True)


def test_the_nearest_to_the_sum_is_often_a_word_of_the_question(royal):
    """apple - man + man is apple: the ranking that hides nothing says so."""
    found = vectors.analogy(royal, "apple", "man", "man", top=1)
    assert found.everything[0].word == "apple" and found.everything[0].in_query
    assert found.answers[0].word == "pear"


def test_an_axis_is_minus_one_at_its_start_and_one_at_its_end(royal):
    placed = vectors.along(royal, ["man", "woman", "apple", "king"], "man", "woman")
    assert placed[:2].tolist() == pytest.approx([-1, 1], abs=1e-6)
    assert placed[2] == pytest.approx(0, abs=1e-6)  # neither man nor woman
    assert -1 < placed[3] < 0
    both = vectors.along(royal, ["man", "king"], ["man", "king"], ["woman"])
    assert both.mean() == pytest.approx(-1, abs=1e-6)
    with pytest.raises(TextError):
        vectors.along(royal, ["king"], "man", "Man")


def test_the_arrows_of_an_analogy_close_on_the_plane(royal):
    one, two, three = royal.unit(["king", "man", "woman"])
    flat = vectors.plane(royal, ["king", "man", "woman", "queen"], one - two, one - two + three, one * 0)
    king, man, woman, _, partial, target, origin = flat.points
    torch.testing.assert_close(king - man, partial - origin)
    torch.testing.assert_close(target - partial, woman - origin)
    assert flat.points.shape == (7, 2) and 0 <= flat.explained[1] <= flat.explained[0] <= 1
    assert sum(flat.explained) <= 1 + 1e-6


@pytest.mark.parametrize("words", [["king"], ["king", "king"], ["king", "man"]])
def test_a_plane_of_few_words(royal, words):
    flat = vectors.plane(royal, words)
    assert flat.points.shape == (len(words), 2) and flat.points.isfinite().all()


@pytest.mark.parametrize(("written", "found"), [("King", "king"), (" king ", "king"), ("PEAR", "pear")])
def test_a_word_is_found_in_either_case(royal, written, found):
    assert royal.words[royal.id(written)] == found and written in royal


def test_the_spelling_as_written_comes_first():
    both = Vectors(["turkey", "Turkey"], torch.eye(2))
    assert both.id("Turkey") == 1 and both.id("turkey") == 0
    assert Vectors(["Paris"], torch.eye(1)).id("paris") == 0


def test_an_unknown_word_is_named_with_a_suggestion(royal):
    with pytest.raises(TextError) as caught:
        vectors.nearest(royal, "aple")
    assert "“aple”" in caught.value.message and "7 words" in caught.value.message
    assert "apple" in caught.value.hint
    for ask in (lambda: vectors.similarity(royal, "king", ""), lambda: royal.unit(["zzz"])):
        with pytest.raises(TextError):
            ask()


@given(st.integers(1, 9), st.integers(1, 12), st.integers(0, 2**31))
def test_rankings_are_sorted_and_complete(rows, top, seed):
    matrix = torch.randn(rows, 5, generator=torch.Generator().manual_seed(seed))
    some = Vectors([f"w{i}" for i in range(rows)], matrix)
    found = vectors.nearest(some, matrix[0], top=top)
    assert len(found) == min(top, rows) and len({n.id for n in found}) == len(found)
    wanted = torch.nn.functional.cosine_similarity(matrix, matrix[:1]).sort(descending=True).values[:top]
    torch.testing.assert_close(torch.tensor([n.cosine for n in found]), wanted, atol=1e-5, rtol=1e-5)


def test_of_equals_the_more_frequent_comes_first():
    same = Vectors(list("abcd"), torch.ones(4, 3))
    assert [n.word for n in vectors.nearest(same, "b", top=2)] == ["a", "c"]


def test_a_word_is_found_as_a_search_finds_it_and_frequent_words_may_be_one_ideograph():
    words = ["straße", "İzmir", "мʼята", "کتاب", "水", "x", "strasse"]
    table = Vectors(words, torch.eye(7))
    asked = ["STRASSE", "izmir", "м’ята", "كتاب", "ri\u00advers", "STRAẞE"]
    assert [table.find(word) for word in asked] == [6, 1, 2, 3, None, 0]
    assert vectors.frequent(table, 9) == ["straße", "İzmir", "мʼята", "کتاب", "水", "strasse"]


def test_a_network_with_context_gives_its_embedding_of_whole_words(tiny_bert, tiny_gpt):
    words = vectors.of(tiny_bert)
    assert {"bank", "river", "东"} <= set(words.words) and not {"[CLS]", "##a", "."} & set(words.words)
    torch.testing.assert_close(
        words.matrix[words.id("bank")], tiny_bert.network.tokens.weight[tiny_bert.tokenizer.id("bank")]
    )
    assert all(word.isalpha() for word in vectors.of(tiny_gpt).words)


def test_it_can_be_reached_by_name():
    assert explorer.analysis.vectors.Vectors is Vectors


def test_nearest_to_each_leaves_the_words_themselves_out():
    known = Vectors(["n", "e", "ne"], torch.tensor([[0.0, 2.0], [1.0, 0.0], [3.0, 4.0]]))
    found = vectors.nearest_to_each(known, ["n", "e"], top=1)
    assert [[near.word for near in row] for row in found] == [["ne"], ["ne"]]
    (row,) = vectors.nearest_to_each(known, ["n"], top=2)
    assert row[0].cosine == pytest.approx(0.8) and [near.rank for near in row] == [1, 2]
    assert vectors.nearest_to_each(known, []) == []


def test_nearest_to_each_is_nearest_for_each():
    generator = torch.Generator().manual_seed(0)
    known = Vectors([f"w{i}" for i in range(40)], torch.randn(40, 7, generator=generator))
    for word, row in zip(known.words, vectors.nearest_to_each(known, known.words, top=5), strict=True):
        expected = vectors.nearest(known, word, top=5)
        assert [(near.word, near.id, near.rank) for near in row] == [(n.word, n.id, n.rank) for n in expected]
        assert [near.cosine for near in row] == pytest.approx([n.cosine for n in expected], abs=1e-5)


def test_words_of_any_script_are_words():
    words = "है में बैंक नदी किनारा पैसा घर जल".split()
    assert vectors.frequent(Vectors([*words, "।", "\u093e"], torch.eye(10)), 99) == words


def test_a_word_is_found_in_the_other_ways_of_writing_it():
    known = Vectors(["don't", "l’eau", "cafe\u0301", "İzmir"], torch.eye(4))
    assert [known.find(word) for word in ("don’t", "L'eau", "café", "İzmir")] == [0, 1, 2, 3]


def test_the_most_frequent_are_words():
    known = Vectors(["a", "the", "king", "the", "rain", "42"], torch.eye(6))
    assert vectors.frequent(known, 10) == ["the", "king", "rain"] and vectors.frequent(known, 1) == ["the"]
