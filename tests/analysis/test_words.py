"""Tokens grouped into words."""

import pytest

from explorer.analysis.words import words

TEXTS = [
    "", "We sat on the unbelievable bank.", "walking, don't!", "x_y 🙂🙂 é naïve", "东京 bank", "</script>",
    "  a\n\nb ",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["bert", "gpt"])
def test_every_token_is_in_exactly_one_word_and_spans_read_back(name, text, request):
    encoding = request.getfixturevalue(name).encode(text)
    found = words(encoding)
    assert [p for word in found for p in word.positions] == list(range(len(encoding)))
    for word in found:
        if not word.special:
            assert word.text == text[word.start : word.end] != ""


def test_pieces_join_and_punctuation_stands_alone(bert):
    found = [w.text for w in words(bert.encode("Walking, we don't: unbelievable"))]
    assert found == ["[CLS]", "Walking", ",", "we", "don", "'", "t", ":", "unbelievable", "[SEP]"]


def test_byte_pieces_join_and_leave_their_space_behind(gpt):
    found = [w.text for w in words(gpt.encode("the banks.")) if w.text.strip()]
    assert found == ["the", "banks", "."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("नदी के किनारे बैंक है।", ["नदी", "के", "किनारे", "बैंक", "है", "।"]),
        ("the 🙂 банк", ["the", "🙂", "банк"]),
        ("the  ไป", ["the", " ", "ไป"]),
    ],
)
def test_a_space_of_its_own_belongs_to_the_word_after_it(gpt, text, expected):
    assert [word.text for word in words(gpt.tokenizer.encode(text))] == expected


def test_the_bytes_of_one_character_are_one_word(gpt):
    found = words(gpt.encode("🙂🙂"))
    assert [(w.text, len(w.positions)) for w in found] == [("🙂", 4), ("🙂", 4)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("नदी के बैंक।", ["नदी", "के", "बैंक", "।"]),
        ("ஆற்றின் கரை.", ["ஆற்றின்", "கரை", "."]),
        ("سَأَلَ הַיֶּלֶד", ["سَأَلَ", "הַיֶּלֶד"]),
        ("nga\u0302n ha\u0300ng", ["nga\u0302n", "ha\u0300ng"]),
        ("은행에서 돈을", ["은행에서", "돈을"]),
        ("เก่าแล้ว", ["เก่า", "แล้", "ว"]),
        ("バンクに行", ["バ", "ン", "ク", "に", "行"]),
    ],
)
def test_marks_belong_to_their_letters(gpt, text, expected):
    assert [word.text for word in words(gpt.encode(text)) if word.text.strip()] == expected


def test_a_hash_that_gpt_wrote_is_no_continuation_mark(gpt):
    assert [w.text for w in words(gpt.encode("#a##b"))] == ["#", "a", "#", "#", "b"]


def test_words_of_a_pair_do_not_join_across_it(bert):
    found = words(bert.encode("bank", "er boat"))
    assert [(w.text, w.side) for w in found if not w.special and w.side == 1][-1] == ("boat", 1)
    assert found[1].text == "bank" and found[1].positions == [1]


def test_chinese_characters_stand_alone(bert):
    assert [w.text for w in words(bert.encode("东京"))][1:-1] == ["东", "京"]
