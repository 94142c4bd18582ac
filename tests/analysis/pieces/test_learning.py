"""Merges, against the `tokenizers` library's trainer and against counting everything again."""

import json
import random
from collections import Counter
from itertools import pairwise

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from explorer.analysis.pieces import Learning, byte_pairs, word_pieces
from explorer.errors import TextError

PARTS = ("ab ", "aab", "a", "b", " ", "c", "aaa", "é", "你", "\n")


def library_merges(text: str, count: int) -> list[tuple[str, str]]:
    """What the library's trainer merges."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    letters = {letter for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(text) for letter in word}
    size = len(letters) + count
    tokenizer.train_from_iterator(
        [text], trainers.BpeTrainer(vocab_size=size, min_frequency=2, show_progress=False)
    )
    return [tuple(pair) for pair in json.loads(tokenizer.to_str())["model"]["merges"]]


@pytest.mark.parametrize("seed", range(40))
def test_byte_pairs_are_those_of_the_library_ties_included(seed):
    rng = random.Random(seed)
    text = "".join(rng.choice(PARTS) for _ in range(rng.randint(20, 300)))
    assert [merge.pair for merge in byte_pairs(text, 40).merges] == library_merges(text, 40)


@pytest.mark.parametrize("learn", [byte_pairs, word_pieces])
def test_each_merge_has_the_largest_score_when_all_is_counted_again(learn):
    rng = random.Random(7)
    learning = learn("".join(rng.choice("ab de ") for _ in range(400)), 25)
    for k, merge in enumerate(learning.merges):
        pairs, symbols = counts_after(learning, k)
        for candidate in merge.candidates:
            assert candidate.count == pairs[candidate.pair]
        scores = {
            pair: float(count) if learn is byte_pairs else count / (symbols[pair[0]] * symbols[pair[1]])
            for pair, count in pairs.items()
            if count > 1
        }
        ranked = sorted(scores.values(), reverse=True)[: len(merge.candidates)]
        assert [candidate.score for candidate in merge.candidates] == pytest.approx(ranked)
        assert merge.tokens == counts_after(learning, k + 1)[1].total()


def counts_after(learning: Learning, merges: int) -> tuple[Counter, Counter]:
    """All adjacent pairs and all symbols of the text after so many merges."""
    pairs, symbols = Counter(), Counter()
    for word, count in learning.words.items():
        cut = learning.cut(word, merges)
        for pair in pairwise(cut):
            pairs[pair] += count
        for symbol in cut:
            symbols[symbol] += count
    return pairs, symbols


def test_a_run_of_one_letter_doubles():
    learning = byte_pairs("a" * 20_000, 1_000)
    assert [len(merge.piece) for merge in learning.merges[:5]] == [2, 4, 8, 16, 32]
    assert learning.characters_per_token()[:3] == [1.0, 2.0, 4.0]


def test_half_a_character_and_control_characters_are_read_as_bytes():
    assert byte_pairs("\ud800\x00\x00 \x00\x00", 1).merges[0].count == 2


@pytest.mark.parametrize(("text", "count"), [("", 5), ("a" * 100_001, 5), ("aa", 0), ("aa", 1_001)])
def test_what_cannot_be_learnt_from(text, count):
    with pytest.raises(TextError):
        byte_pairs(text, count)
