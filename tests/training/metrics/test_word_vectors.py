"""Word similarity and analogies on vectors made by hand; the tables of tokens that models have."""

import pytest
import torch

from explorer.errors import NotFoundError, TextError
from training.metrics.word_vectors import FEWEST, Vectors, analogies, rated, similarity, vectors_of


def test_words_are_found_as_written_else_in_lower_case():
    vectors = Vectors(["May", "may", "paris"], torch.eye(3))
    assert [vectors.place(w) for w in ("May", "may", "MAY", "Paris", "Rome")] == [0, 1, 1, 2, None]


@pytest.fixture
def circle():
    """Words a to l on a circle: the further in the alphabet, the further from a."""
    angles = torch.linspace(0, 2, 12)
    return Vectors(list("abcdefghijkl"), torch.stack([angles.cos(), angles.sin()], 1))


def test_a_list_in_the_order_of_the_cosines_correlates_fully(circle, tmp_path):
    rows = [f"a\t{other}\t{10 - i}" for i, other in enumerate("bcdefghijkl")]
    (tmp_path / "EN-UP.txt").write_text("\n".join([*rows, "a\tzebra\t3"]), encoding="utf-8")
    (tmp_path / "EN-DOWN.txt").write_text(
        "\n".join(r.replace("\t", "\t", 1) for r in rows[::-1]), encoding="utf-8"
    )
    (tmp_path / "EN-FEW.txt").write_text("\n".join(rows[: FEWEST - 1]), encoding="utf-8")
    mean, down, few, up = similarity(circle, tmp_path)
    assert mean.value == up.value == down.value == pytest.approx(1)
    assert (up.items, up.of, mean.items) == (11, "of 12 pairs", 11 + 11 + FEWEST - 1)
    assert few.value is None and few.items == FEWEST - 1
    (tmp_path / "EN-BACK.txt").write_text(
        "\n".join(f"a\t{other}\t{i}" for i, other in enumerate("bcdefghijkl")), encoding="utf-8"
    )
    assert rated(circle, tmp_path / "EN-BACK.txt").value == pytest.approx(-1)


def test_a_folder_without_lists(circle, tmp_path):
    with pytest.raises(NotFoundError):
        similarity(circle, tmp_path)


QUESTIONS = """: family
man woman king queen
man woman King Queen
man woman king throne
: gram1-plural
cat cats dog dogs
cat cats dog unheard
"""


@pytest.fixture
def royal():
    """The third axis tells women, the fourth plurals."""
    rows = {
        "man": [1, 0, 0, 0, 0],
        "woman": [1, 0, 1, 0, 0],
        "king": [0, 1, 0, 0, 0],
        "queen": [0, 1, 1, 0, 0],
        "cat": [0, 0, 0, 0, 1],
        "cats": [0, 0, 0, 1, 1],
        "dog": [1, 0, 0, 0, 1],
        "dogs": [1, 0, 0, 1, 1],
        "throne": [0, 1, 0, 0, 1],
    }
    return Vectors(list(rows), torch.tensor(list(rows.values())).float())


def test_analogies_by_section(royal, tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text(QUESTIONS, encoding="utf-8")
    found = {figure.label: (figure.value, figure.items, figure.of) for figure in analogies(royal, path)}
    assert list(found) == ["all", "facts", "forms", "family", "gram1-plural"]
    assert found["family"] == found["facts"] == (pytest.approx(2 / 3), 3, "of 3 questions")
    assert found["forms"] == (1, 1, "of 2 questions")
    assert found["all"] == (pytest.approx(3 / 4), 4, "of 5 questions")


def test_the_query_words_may_not_answer_and_ties_are_wrong(tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text(": x\na b c d\n", encoding="utf-8")
    same = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [0.0, 1.0]])
    alone = analogies(Vectors(list("abcd"), same[:4]), path)  # b - a + c is c itself; d is what is left
    assert alone[0].value == 1
    tied = analogies(Vectors(list("abcde"), same), path)  # e stands where d does
    assert tied[0].value == 0


def test_no_questions(royal, tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text("", encoding="utf-8")
    with pytest.raises(TextError):
        analogies(royal, path)


def test_the_tokens_of_a_model_that_are_words(tiny_bert, tiny_gpt):
    found = vectors_of(tiny_bert)
    assert "bank" in found.words and "##a" not in found.words and "[MASK]" not in found.words
    row = tiny_bert.network.tokens.weight[tiny_bert.tokenizer.id("bank")]
    assert torch.equal(found.matrix[found.place("Bank")], row)
    found = vectors_of(tiny_gpt)
    id = tiny_gpt.tokenizer.id("Ġbank")
    assert torch.equal(found.matrix[found.place("bank")], tiny_gpt.network.tokens.weight[id])
    assert all(word.isalpha() for word in found.words)
