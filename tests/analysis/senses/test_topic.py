"""The readers of the topic never see the word itself."""

import torch

from explorer.analysis.senses.occurrences import occurrences
from explorer.analysis.senses.topic import bag_of_words, other_words

SENTENCES = ["The bank of the river.", "no such word", "Bank, old bank!"]


def test_a_bag_holds_the_other_words(static):
    found = occurrences(static, SENTENCES, "bank")
    bags = bag_of_words(SENTENCES, found)
    assert bags.shape == (3, 1, 5), "bank is in it for the other bank of its sentence"
    vocabulary = ["bank", "of", "old", "river", "the"]
    assert [dict(zip(vocabulary, map(int, bag[0]))) for bag in bags] == [
        {"bank": 0, "of": 1, "old": 0, "river": 1, "the": 2},
        {"bank": 1, "of": 0, "old": 1, "river": 0, "the": 0},
        {"bank": 1, "of": 0, "old": 1, "river": 0, "the": 0},
    ]


def test_a_bag_of_chinese_holds_characters(tiny_bert):
    said = ["打水用桶，用大桶。", "他打iPhone電話"]
    bags = bag_of_words(said, occurrences(tiny_bert, said, "打"))
    assert bags[:, 0].sum(1).tolist() == [6, 4]
    assert bags.shape[-1] == len({*"水用桶大他電話", "iphone"})


def test_the_other_words_mean_leaves_the_word_out(static):
    found = occurrences(static, SENTENCES, "bank")
    means = other_words(static, SENTENCES, found)
    table, tokenizer = static.network.tokens.weight, static.tokenizer
    first = torch.stack([table[tokenizer.id(word)] for word in ("the", "of", "the", "river")]).mean(0)
    torch.testing.assert_close(means[0, 0], first)
    both = (table[tokenizer.id("bank")] + table[tokenizer.id("old")]) / 2
    torch.testing.assert_close(means[1, 0], both)
    alone = occurrences(static, ["bank"], "bank")
    assert not other_words(static, ["bank"], alone).any(), "no other word, no vector"
