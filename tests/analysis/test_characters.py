"""A word's way through the character network, step by step, ends where the network itself arrives."""

import pytest
import torch

import explorer
from explorer.analysis import characters
from explorer.errors import AbilityError, TextError
from tests.models import bilm

WORDS = ["bank", "unbankable", "blorping", "a", "Zürich", "銀行", "x" * 90, "“"]


def published(folder, **changes):
    bilm.write(folder, seed=3, **changes)
    return explorer.load(f"folder:{folder}")


@pytest.fixture(scope="module")
def shipped():
    return explorer.load("elmo")


@pytest.mark.parametrize("word", WORDS)
def test_the_vector_is_layer_0_of_the_network(shipped, word):
    found = characters.read(shipped, word)
    layer_0 = shipped.trace([word]).hidden_states[0, 1]
    assert torch.allclose(torch.cat([found.vector] * 2), layer_0, atol=1e-5)


@pytest.mark.parametrize("highways", [None, 1, 2])
def test_so_it_is_in_networks_of_other_sizes(tmp_path, highways):
    model = published(tmp_path, char_cnn={"n_highway": highways})
    found = characters.read(model, "river")
    assert len(found.carried) == (highways or 0)
    assert torch.allclose(
        found.vector, model.trace(["river"]).hidden_states[0, 1, : len(found.vector)], atol=1e-5
    )


def test_a_filter_scores_best_where_it_says(shipped):
    """Each match again, by hand: the window at its place, and no other is better."""
    found, words = characters.read(shipped, "bunkers"), shipped.network.words
    ids = shipped.encode(["bunkers"]).characters[1]
    with torch.no_grad():
        letters = words.characters[ids]
        for filters, look in zip(found.filters, words.filters, strict=True):
            weight = look.weight[0]
            scores = torch.stack(
                [
                    torch.einsum("wd,wdf->f", letters[at : at + filters.width], weight)
                    for at in range(len(letters) - filters.width + 1)
                ]
            )
            at_best = scores.gather(0, filters.starts[None])[0]
            assert torch.allclose(at_best, scores.amax(0), atol=1e-5)
            assert torch.allclose(filters.values, (at_best + look.bias).relu(), atol=1e-5)


def test_what_is_carried_and_what_is_replaced_make_the_whole(shipped):
    found, (highway,) = characters.read(shipped, "river"), shipped.network.words.highways
    x = torch.cat([filters.values for filters in found.filters])
    with torch.no_grad():
        made = found.carried[0] * x + (1 - found.carried[0]) * highway.transform(x).relu()
        assert torch.allclose(shipped.network.words.project(made), found.vector, atol=1e-5)


def test_many_words_at_once_are_as_one_by_one(shipped):
    words = ["river", "a", "unbankable", "Zürich"]
    many = characters.vocabulary(shipped, words)
    assert many.words == words
    for word, row in zip(words, many.matrix, strict=True):
        assert torch.allclose(row, characters.read(shipped, word).vector, atol=1e-5)


def test_letters_of_several_bytes_are_numbered(shipped):
    assert characters.read(shipped, "né").characters == ["begin", "n", "é₁", "é₂", "end"]


def test_a_word_beyond_the_room_is_cut_and_says_so(shipped):
    found = characters.read(shipped, "a" * 60)
    assert len(found.characters) == 50 and found.cut == 12


def test_the_marks_are_no_words(shipped):
    words = characters.own_words(shipped)
    assert len(words) == shipped.tokenizer.size - 3 and "<S>" not in words and "the" in words


@pytest.mark.parametrize(("word", "said"), [("  ", "no word"), ("ice cream", "more than one word")])
def test_one_word_it_must_be(shipped, word, said):
    with pytest.raises(TextError, match=said):
        characters.read(shipped, word)


def test_a_model_that_does_not_spell_is_told(tiny_bert):
    with pytest.raises(AbilityError, match="by their characters"):
        characters.read(tiny_bert, "bank")
