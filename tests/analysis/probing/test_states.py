"""The state of a word is the mean over its pieces, for every kind of tokenizer."""

import pytest
import torch

import explorer
from explorer.analysis.probing.sentences import split
from explorer.analysis.probing.states import pieces, word_states

TEXT = "Unmoored rowboats don't rock, quietly."


@pytest.mark.parametrize("name", ["bert-mini", "gpt", "elmo", "word2vec"])
def test_a_word_is_the_mean_of_its_pieces(name):
    model, sentence = explorer.load(name), split(TEXT)
    (found,) = word_states(model, [sentence])
    words = sentence.words
    whole = name in ("elmo", "word2vec")
    trace = model.trace(words if whole else TEXT)
    spans, at = [], 0
    for word in words:
        start = at if whole else TEXT.index(word, at)
        at = start + len(word) + whole
        spans.append((start, start + len(word)))
    for word, group in enumerate(pieces(trace.encoding, spans)):
        assert found.has_state[word] == bool(group)
        if group:
            wanted = trace.hidden_states[:, group].mean(1)
            torch.testing.assert_close(found.states[:, word], wanted, atol=1e-4, rtol=1e-4)
        else:
            assert found.states[:, word].abs().max() == 0
    if name in ("bert-mini", "gpt"):
        assert max(map(len, pieces(trace.encoding, spans))) > 1, "this text has a word of several pieces"


def test_sentences_in_a_batch_are_as_alone(tiny_bert):
    sentences = [split("the bank"), split("a river bank by the sea")]
    both = word_states(tiny_bert, sentences)
    for sentence, one in zip(sentences, both, strict=True):
        torch.testing.assert_close(one.states, word_states(tiny_bert, [sentence])[0].states)


def test_a_sentence_of_unknown_words_has_no_states():
    (found,) = word_states(explorer.load("word2vec"), [split("xqzzt ?")])
    assert not found.has_state.any() and found.states.abs().max() == 0
