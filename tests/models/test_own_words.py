"""Words that somebody has separated: taken as they are by models of whole words, refused by others."""

import pytest
import torch

import explorer
from explorer.analysis import senses
from explorer.errors import TextError
from explorer.tokenizers.texts import check_text
from explorer.trace import Capture
from tests.models import bilm

GOLDEN = [
    ["The", "U.S.", "team", "met", "in", "mid-October", "."],
    ["Ms.", "Haag", "plays", "Elianti", "--", "again", "."],
    ["caf\u00e9", "\u6771\u4eac", "U.S.", "\U0001f642"],
    ["x"],
]


@pytest.fixture(scope="module")
def elmo(folder):
    return explorer.load(f"folder:{folder}")


@pytest.mark.parametrize("words", GOLDEN, ids=lambda words: words[0])
def test_every_layer_is_the_references(folder, elmo, words):
    trace = elmo.trace(words)
    assert trace.tokens[1:-1] == words and trace.encoding.text == " ".join(words)
    assert [trace.encoding.surface(i) for i in range(1, len(words) + 1)] == words
    expected = torch.from_numpy(bilm.Reference(folder).layers(words)).float()
    torch.testing.assert_close(trace.hidden_states, expected, atol=1e-5, rtol=1e-5)


def test_many_and_a_limit(elmo):
    for trace, words in zip(elmo.trace_many([*GOLDEN, "plain text"]), GOLDEN):
        assert trace.tokens[1:-1] == words
        alone = elmo.trace(words, capture=Capture.HIDDEN).hidden_states
        torch.testing.assert_close(trace.hidden_states, alone, atol=1e-5, rtol=1e-5)
    short = elmo.encode(GOLDEN[0], limit=4)
    assert short.tokens == ["<S>", "The", "U.S.", "</S>"] and short.truncated == 5


def test_a_text_that_needs_no_splitting_is_the_same_either_way(elmo):
    text = "We sat on the bank ."
    assert torch.equal(elmo.trace(text).hidden_states, elmo.trace(text.split()).hidden_states)


def test_occurrences_among_separated_words(elmo):
    sentences = [GOLDEN[0], ["The", "U.S.A.", "won"], "in the U.S. they met", ("u.s.", "banks")]
    result = senses.occurrences(elmo, sentences, "U.S.")
    assert result.sentence_index == [0, 2, 3] and result.missing == [1]
    assert result.tokens[0] == ["U.S."] and result.tokens[1] != ["U.S."] and result.tokens[2] == ["u.s."]
    assert result.span[0] == (4, 8)
    torch.testing.assert_close(result.vectors[0], elmo.trace(GOLDEN[0]).hidden_states[:, 2])
    first = senses.isolated_vectors(elmo, sentences, result)[0]
    torch.testing.assert_close(first, elmo.trace(["U.S."]).hidden_states[0, 1])


def test_a_model_with_a_vector_a_word_takes_them_too(tmp_path):
    (tmp_path / "v.txt").write_text("new_york 0 1\nu.s. 1 0\nthe 1 1\n")
    model = explorer.load(f"folder:{tmp_path / 'v.txt'}")
    trace = model.trace(["The", "U.S.", "zzz", "New_York"])
    assert trace.tokens == ["the", "u.s.", "new_york"] and trace.encoding.spans[2] == (13, 21)
    with pytest.raises(TextError, match="vector"):
        model.trace(["zzz"])


@pytest.mark.parametrize("words", [["a", "b"], [], ("we", "saw"), ["a b"]])
def test_other_models_refuse_a_list_and_say_how(tiny_bert, tiny_gpt, words):
    for model in (tiny_bert, tiny_gpt):
        for ask in (
            lambda model=model: model.trace(words),
            lambda model=model: list(model.trace_many([words])),
            lambda model=model: senses.occurrences(model, [words], "we"),
            lambda model=model: model.tokenizer.encode(words),  # as what scores a whole text calls it
        ):
            with pytest.raises(TextError) as caught:
                ask()
            assert "string" in caught.value.hint


@pytest.mark.parametrize("words", [[1, 2], ["a", None], ["a", ""], ["a b"], ["a", ["b"]], [" "]])
def test_a_list_of_other_things_is_refused(elmo, words):
    with pytest.raises(TextError, match="not a word") as caught:
        elmo.tokenizer.encode_words(words)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "pair"), [(None, None), (3, None), (b"a", None), ({"a": 1}, None), ("a", ["b"]), (["a"], "b")]
)
def test_what_is_neither_is_refused(elmo, text, pair):
    # Called by itself: while tests run, the checker of types would speak first where a model calls it.
    with pytest.raises(TextError) as caught:
        check_text(text, pair)
    assert caught.value.hint


def test_one_text_is_not_many(elmo):
    with pytest.raises(TextError):
        list(elmo.trace_many("one text"))
    with pytest.raises(TextError):
        elmo.trace(["a"], pair="b")
