"""Sentences: abbreviations and initials end none, nothing is lost, however the text arrives."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.corpus.splitting import LONGEST, PIECE, are_wrapped, parts, sentences, split


@pytest.mark.parametrize(
    "expected",
    [
        ["Dr. Brook met Mrs. Hill on Mt. Rowan.", "It rained."],
        ["They left at 5 p.m. on foot.", "We left at 6 p.m.", "The gauge fell."],
        ["Ropes, oars, etc. lay about.", "Ropes, oars, etc.", "They were wet."],
        ["J. R. Fox sailed for the U.S. Navy.", "So did I.", "The rest stayed."],
        ["See fig. 3 and p. 12 of No. 5.", "He said no.", "Then he left."],
        ["It cost $3.50 at 2.30 in v1.2.3.", "Cheap!", "Wasn't it?"],
        ["“Really?” she said.", "“Yes.”", "He nodded (twice).", "(It was late.)"],
        ["Well... no.", "Well...", "No!?", "Yes…"],
        ["1. Tie the rope.", "2. Pull."],
        ["It ended in 1999.", "The year 2000 began."],
        ["Plan A failed, e.g. Smith's, i.e. all of it.", "We had plan B.", "It worked."],
        ["Die Bank steht dort.", "¿Qué banco?", "Это банк.", "Ёлка здесь."],
    ],
)
def test_marks_that_end_sentences_and_marks_that_do_not(expected):
    assert split(" ".join(expected)) == expected


def test_chinese_marks_need_no_space():
    assert split("他去了银行。她没有去！“真的吗？”好 的") == [
        "他去了银行。",
        "她没有去！",
        "“真的吗？”",
        "好 的",
    ]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("नदी गहरी है। क्या तुम आए? हाँ! ठीक।", "है। आए? हाँ! ठीक।"),
        ("नदी गहरी है।बैंक बंद है॥", "है। है॥"),
        ("নদী গভীর। ব্যাংক বন্ধ।", "গভীর। বন্ধ।"),
        ("دریا گہرا ہے۔کیا تم آئے؟ ہاں۔", "ہے۔ آئے؟ ہاں۔"),
        ("نعم؛ ذهب أمس. قال «نعم.» ثم عاد!", "أمس. «نعم.» عاد!"),
        ("ወንዙ ጥልቅ ነው። መጣህ፧ 3።5 ነው።", "ነው። መጣህ፧ ነው።"),
        ("မြစ်နက်တယ်။ ဘဏ်ပိတ်တယ်။", "မြစ်နက်တယ်။ ဘဏ်ပိတ်တယ်။"),
        ("ទន្លេជ្រៅ។ ធនាគារបិទ៕", "ទន្លេជ្រៅ។ ធនាគារបិទ៕"),
        ("Գետը խորն է։ Բանկը փակ է։", "է։ է։"),
        ("ᠭᠣᠣᠯ ᠭᠦᠨ᠃ ᠪᠢ᠃", "ᠭᠦᠨ᠃ ᠪᠢ᠃"),
        ("ཆུ་གཏིང་ཟབ། ངས་མཐོང།", "ཆུ་གཏིང་ཟབ། ངས་མཐོང།"),
        ("川は深い｡バンクへ．３．１４だ。", "川は深い｡ バンクへ． ３．１４だ。"),
        (
            "河很深……我走了。你来吗?好.他说“好。”然后走了。",
            "河很深…… 我走了。 你来吗? 好. 他说“好。” 然后走了。",
        ),
        ("강이 깊다. 왔니? 네. 갔다.", "깊다. 왔니? 네. 갔다."),
        ("Ήρθες; Ναι, ήρθα. Τι; είπε.", "Ήρθες; ήρθα. είπε."),
        ("We came; They left. Really⁉ Yes‽ No.", "left. Really⁉ Yes‽ No."),
        ("მდინარე ღრმაა. მოვიდა? კი.", "ღრმაა. მოვიდა? კი."),
        ("Er sagte: „Ich gehe.“ Dann ging er. »Gut.« Er kam.", "gehe.“ er. »Gut.« kam."),
        ("Il dit : « Je pars. » Puis il part. « Bien ! » dit-elle.", "» part. dit-elle."),
        ("Он ушёл. «Хорошо», сказала она.", "ушёл. она."),
    ],
)
def test_sentences_end_at_the_marks_of_their_script(text, ends):
    assert [sentence.split()[-1] for sentence in split(text)] == ends.split()


LANGUAGES = (Path(__file__).parent / "languages.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    "language", ["de", "nl", "cs", "pl", "es", "pt", "ru", "it", "fr", "sv", "en", "ja", "zh"]
)
def test_sentences_end_where_those_of_a_language_do(language):
    """Our own lines; those that begin with an exclamation mark are split wrongly, which is known."""
    lines = [line for line in LANGUAGES if line.lstrip("!").startswith(language)]
    wrong = []
    for line in lines:
        expected = line.lstrip("!")[3:].split(" | ")
        if split(("" if language in ("ja", "zh") else " ").join(expected)) != expected:
            wrong.append(line)
    assert wrong == [line for line in lines if line.startswith("!")]


def test_a_line_ends_a_sentence_unless_the_lines_are_wrapped():
    text = "the bank of\nthe river\n\nA heading\nmore"
    lines = text.splitlines(keepends=True)
    assert list(sentences(lines)) == ["the bank of", "the river", "A heading", "more"]
    assert [re.sub(r"\s+", " ", s) for s in sentences(lines, wrapped=True)] == [
        "the bank of the river",
        "A heading more",
    ]


def test_wrapped_lines_are_told_from_a_sentence_a_line():
    filled = "\n".join(
        re.findall(r".{50,66}(?:\s|$)", "The boats lay along the bank while the keeper counted them. " * 40)
    )
    assert are_wrapped(filled)
    assert not are_wrapped("The boats lay there.\nShe counted them twice.\n" * 20)
    assert not are_wrapped("bank\nriver\nboat\nshore\n" * 20), "a list of words"
    assert not are_wrapped("we sat on the bank all afternoon and then we walked back home to eat\nok\n" * 30)
    assert not are_wrapped("")


@given(st.text(alphabet="ab .!?\n。Dr5,;", max_size=400), st.booleans(), st.integers(1, 40))
def test_no_character_is_lost_and_cuts_do_not_matter(text, wrapped, size):
    whole = list(sentences(text.splitlines(keepends=True), wrapped))
    kept = re.sub(r"\s", "", "".join(whole))
    assert kept == re.sub(r"\s", "", text)
    assert all(s == s.strip() and s for s in whole)


def test_a_line_without_end_is_split_as_it_comes():
    text = "The bank is closed today. " * 20_000
    pieces = [text[i : i + PIECE] for i in range(0, len(text), PIECE)]
    assert list(sentences(pieces)) == ["The bank is closed today."] * 20_000
    endless = "x" * (3 * PIECE)
    cut = list(sentences([endless[i : i + PIECE] for i in range(0, len(endless), PIECE)]))
    assert "".join(cut) == endless and max(map(len, cut)) == LONGEST


def test_long_sentences_come_in_parts_cut_after_a_clause():
    clause = "the keeper counted the boats that lay along the bank, "
    found = list(parts(clause * 20))
    assert all(len(part) <= LONGEST and part.endswith(",") for part in found)
    assert " ".join(found) == (clause * 20).strip()
    assert [part[-1] for part in parts("هذه جملة طويلة جدا، " * 40)] == ["،", "،"]
    assert list(parts("short")) == ["short"] and list(parts("")) == []


@pytest.mark.parametrize(
    "cluster", ["कि", "กำ", "น้ำ", "e\u0301", "\u110b\u1173\u11ab", "👨\u200d👩\u200d👧", "🇫🇷"]
)
def test_no_letter_is_parted_from_its_marks(cluster):
    found = list(parts("x" + cluster * 400))
    assert "".join(found) == "x" + cluster * 400 and max(map(len, found)) <= LONGEST
    assert all(part.startswith(cluster) for part in found[1:])
