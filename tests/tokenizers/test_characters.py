"""Words with their spelling: where they stand in the text, and which characters a network reads."""

from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.words import words
from explorer.tokenizers import characters, read_tokenizer


@pytest.fixture(scope="module")
def tokenizer():
    return characters.CharacterTokenizer(
        characters.words_backend([*characters.MARKS, "the", "bank", "n't"]), 11
    )


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("We sat, and it rained.", ["We", "sat", ",", "and", "it", "rained", "."]),
        ("Don't! CAN'T isn’t", ["Do", "n't", "!", "CA", "N'T", "is", "n’t"]),
        ("the bank's, we'll, I'm", ["the", "bank", "'s", ",", "we", "'ll", ",", "I", "'m"]),
        ("1,234.5 m, 3.14. 7,", ["1,234.5", "m", ",", "3.14", ".", "7", ","]),
        ("well-known (e.g.)", ["well", "-", "known", "(", "e", ".", "g", ".", ")"]),
        ("東京bank🙂", ["東", "京", "bank", "🙂"]),
        ("café cafe\u0301 naïve", ["café", "cafe\u0301", "naïve"]),
        ("<S> </S> <UNK>", ["<", "S", ">", "<", "/", "S", ">", "<", "UNK", ">"]),
        ("  \n\t ", []),
        ("", []),
    ],
)
def test_a_text_is_split_into_words(tokenizer, text, tokens):
    encoding = tokenizer.encode(text)
    assert encoding.tokens == ["<S>", *tokens, "</S>"]
    assert [text[a:b] for a, b in encoding.spans[1:-1]] == tokens
    assert encoding.special.tolist() == [True, *[False] * len(tokens), True]


@given(text=st.text(max_size=60))
def test_every_character_but_spaces_belongs_to_one_word(tokenizer, text):
    encoding = tokenizer.encode(text)
    spans = encoding.spans[1:-1]
    assert all(a < b for a, b in spans) and all(a[1] <= b[0] for a, b in pairwise(spans))
    inside = {i for a, b in spans for i in range(a, b)}
    assert {i for i, char in enumerate(text) if not char.isspace()} <= inside
    assert encoding.characters.shape == (len(encoding), 11)


def test_the_numbers_are_those_of_bilm_tf(tokenizer):
    rows = tokenizer.encode("go").characters
    assert rows.tolist() == [
        [258, 256, 259, *[260] * 8],
        [258, ord("g"), ord("o"), 259, *[260] * 7],
        [258, 257, 259, *[260] * 8],
    ]
    assert (
        characters.BEGIN_TEXT,
        characters.END_TEXT,
        characters.BEGIN_WORD,
        characters.END_WORD,
        characters.PADDING,
    ) == (256, 257, 258, 259, 260)
    assert characters.word_row([characters.BEGIN_TEXT]) == [258, 256, 259, *[260] * 47]


def test_a_word_is_its_bytes_as_far_as_they_fit():
    assert characters.spelled("é", 6) == [258, 0xC3, 0xA9, 259, 260, 260]
    assert characters.spelled("abcdef", 6) == [258, *b"abcd", 259]  # an end always, as in bilm-tf
    assert characters.spelled("東京", 6) == [258, *"東京".encode()[:4], 259]
    assert len(characters.spelled("x" * 99)) == 50


def test_ids_are_places_in_the_vocabulary(tokenizer):
    encoding = tokenizer.encode("the bank isn't The")
    assert encoding.ids.tolist() == [0, 3, 4, 2, 5, 2, 1]
    assert tokenizer.start == 0 and tokenizer.unknown == 2 and tokenizer.size == 6
    assert tokenizer.readable(4) == "bank" and tokenizer.pieces("bank") == [4]


def test_a_cut_keeps_both_marks(tokenizer):
    encoding = tokenizer.encode("the bank the bank the bank", limit=5)
    assert encoding.tokens == ["<S>", "the", "bank", "the", "</S>"] and encoding.truncated == 3
    assert torch.equal(encoding.characters[-1], torch.tensor(characters.word_row([characters.END_TEXT], 11)))


def test_half_a_surrogate_pair_is_no_character(tokenizer):
    assert tokenizer.encode("bank \ud83d").tokens == ["<S>", "bank", "�", "</S>"]


def test_words_as_a_person_points_at_them(tokenizer):
    shown = [word.text for word in words(tokenizer.encode("Don't go to the bank's edge."))]
    assert shown == ["<S>", "Don't", "go", "to", "the", "bank", "'s", "edge", ".", "</S>"]


def test_it_comes_back_from_its_file(tokenizer, tmp_path):
    tokenizer.backend.save(str(tmp_path / "tokenizer.json"))
    again = read_tokenizer(tmp_path, 11)
    ours, theirs = tokenizer.encode("the bank isn't deep"), again.encode("the bank isn't deep")
    assert ours.tokens == theirs.tokens and torch.equal(ours.characters, theirs.characters)
    assert read_tokenizer(tmp_path).length == 50
    bare = read_tokenizer(tmp_path / "nothing", 13)
    assert bare.encode("the bank").ids.tolist() == [0, 2, 2, 1] and bare.length == 13
