"""Whole words with their places in the text; what is not known is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import FormatError, TextError
from explorer.text.folding import fold, variants
from explorer.tokenizers import words
from explorer.tokenizers.words import WordTokenizer, most_frequent, running_words

VOCABULARY = ["the", "king", "'s", "don't", "ships", "3", "1,000.5", "n't", "ca", "'ll", "we", "naïve", "i"]


@pytest.fixture
def tokenizer() -> WordTokenizer:
    return WordTokenizer(VOCABULARY)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The king's 3 ships.", ["the", "king", "'s", "3", "ships"]),
        ("THE KING’S", ["the", "king", "'s"]),
        ("Don't, don’t", ["don't", "don't"]),
        ("can't we'll", ["ca", "n't", "we", "'ll"]),  # cut where the vocabulary has the parts
        ("king-ships (king/ships)", ["king", "ships", "king", "ships"]),
        ("1,000.5 naïve", ["1,000.5", "naïve"]),
        ("</script>king", ["king"]),
        ("'king' ‘ships’ kings'", ["king", "ships"]),
        ("the_king", ["the", "king"]),
    ],
)
def test_words(tokenizer, text, tokens):
    assert tokenizer.encode(text).tokens == tokens


@pytest.mark.parametrize(
    ("vocabulary", "text", "tokens"),
    [
        ("नदी में बैंक है", "नदी में बैंक है।", ["नदी", "में", "बैंक", "है"]),
        ("don't cafe\u0301 istanbul", "Don\u02bct, café, İstanbul", ["don't", "cafe\u0301", "istanbul"]),
        ("l’eau", "L'eau", ["l’eau"]),
        ("می\u200cروم", "می\u200cروم", ["می\u200cروم"]),
        ("我 去 银行 银", "我去了银行。", ["我", "去", "银行"]),  # the longest that is known
        ("ไป ธนาคาร ธนา", "ไปธนาคารแล้ว", ["ไป", "ธนาคาร"]),
        ("bank 去", "去bank取", ["去", "bank"]),
        (
            "straße İzmir мʼята hawaiʻi",
            "STRASSE izmir м’ята Hawai‘i",
            ["straße", "İzmir", "мʼята", "hawaiʻi"],
        ),
        ("river کتاب น้ำ ὀδός", "ri\u00adver كتاب น\u0e4d้า", ["river", "کتاب", "น้ำ"]),
        ("e-mail c++ .net known", "An E‑mail, (C++) .NET well-known", ["e-mail", "c++", ".net", "known"]),
        (
            'new_york צה"ל u.s. col·lecció',
            "New_York, צה״ל U.S. col•lecció",
            ["new_york", 'צה"ל', "u.s.", "col·lecció"],
        ),
        ("👨\u200d👩\u200d👧 :)", "Wow 👨\u200d👩\u200d👧 :)", ["👨\u200d👩\u200d👧", ":)"]),
        (
            "l' eau dell acqua aujourd'hui",
            "L’eau dell'acqua d’aujourd’hui",
            ["l'", "eau", "dell", "acqua", "aujourd'hui"],
        ),
        ("will re t they", "they're won't", []),
        ("은행 은 bank", "은행에서 bank에서", ["은행", "bank"]),
    ],
)
def test_words_of_other_vocabularies(vocabulary, text, tokens):
    pieces = WordTokenizer(vocabulary.split()).split(text)
    assert [piece.word for piece in pieces if piece.id is not None] == tokens


def test_what_is_unknown_in_a_run_without_spaces_is_one_piece():
    pieces = [(piece.word, piece.id) for piece in WordTokenizer(["去", "银行"]).split("我们去银行取钱")]
    assert pieces == [("我们", None), ("去", 0), ("银行", 1), ("取钱", None)]


def test_of_a_long_run_without_spaces_only_likely_words_are_spelled_in_every_way(monkeypatch):
    calls = []
    monkeypatch.setattr(words, "variants", lambda word: calls.append(word) or variants(word))
    characters = [chr(0x4E00 + i) for i in range(2000)]
    tokenizer = WordTokenizer([one + other for one, other in zip(characters, characters[7:])])
    text = "".join(characters[i * 37 % 2000] for i in range(5000))
    assert "".join(piece.word for piece in tokenizer.split(text)) == text
    assert len(calls) < len(text)


def test_the_known_and_the_unknown(tokenizer):
    pieces = list(tokenizer.split("The old king, 1984!"))
    assert [(p.word, p.id) for p in pieces] == [("the", 0), ("old", None), ("king", 1), ("1984", None)]
    assert [p.span for p in pieces] == [(0, 3), (4, 7), (8, 12), (14, 18)]
    assert tokenizer.encode("The old king").ids.tolist() == [0, 1]


def test_every_span_holds_its_word(tokenizer):
    text = "  We can’t:\tthe KING'S\n1,000.5 İ ships"
    encoding = tokenizer.encode(text)
    for i, token in enumerate(encoding.tokens):
        assert fold(encoding.surface(i)) == token


@given(st.text(max_size=60))
def test_any_text_is_split_in_order_without_overlap(text):
    pieces = list(WordTokenizer(VOCABULARY).split(text))
    edges = [edge for piece in pieces for edge in piece.span]
    assert edges == sorted(edges) and all(p.span[0] < p.span[1] for p in pieces)
    assert all(character.isspace() for p in pieces for character in text[slice(*p.span)]) is (not pieces)


@given(st.lists(st.sampled_from([i for i, word in enumerate(VOCABULARY) if word != "'ll"]), min_size=1))
def test_there_and_back(ids):  # but for 'll, which is a word only after another
    tokenizer = WordTokenizer(VOCABULARY)
    text = tokenizer.decode(ids)
    assert tokenizer.decode(tokenizer.encode(text).ids.tolist()) == text


def test_a_long_text_is_cut_and_counted(tokenizer):
    encoding = tokenizer.encode("the king the old king", limit=3)
    assert len(encoding) == 3 and encoding.truncated == 1 and not encoding.special.any()


def test_what_cannot_be_read(tokenizer):
    assert len(tokenizer.encode("")) == 0
    for text, said in (("Quetzal", "“Quetzal” is not"), ("old old", "None of these"), ("!?", "no word")):
        with pytest.raises(TextError) as caught:
            tokenizer.encode(text)
        assert said in caught.value.message and caught.value.hint


def test_a_vocabulary_with_capitals():
    tokenizer = WordTokenizer(["turkey", "Turkey", "paris", "Apple"], lowercase=False)
    assert tokenizer.encode("Turkey turkey Paris apple Apple").tokens == [
        "Turkey",
        "turkey",
        "paris",
        "Apple",
    ]


def test_of_a_word_that_stands_twice_the_first_counts():
    assert WordTokenizer(["a", "b", "a"]).encode("a").ids.tolist() == [0]


def test_small_questions(tokenizer):
    assert tokenizer.size == len(VOCABULARY) and tokenizer.start is None and tokenizer.mask is None
    with pytest.raises(FormatError, match="mask"):
        tokenizer.special_id("mask")
    assert tokenizer.id("King") == 1 and tokenizer.id("queen") is None
    assert tokenizer.token(1) == tokenizer.readable(1) == "king" and tokenizer.raw(11) == "naïve".encode()
    assert tokenizer.pieces("the king's crown") == [0, 1, 2]


def test_a_vocabulary_is_counted_from_running_words():
    texts = ["The bank, the river’s bank.", "3 boats; 3 boats! the end"]
    assert running_words(texts[0]) == ["the", "bank", "the", "river", "'s", "bank"]
    assert most_frequent(texts, 4) == [("the", 3), ("3", 2), ("bank", 2), ("boats", 2)]
    assert [word for word, _ in most_frequent(texts, 99, least_count=2)] == ["the", "3", "bank", "boats"]
