"""Which words are found in sentences of many scripts, in every way of writing them."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.text.folding import IGNORABLE, fold, fold_with_places
from explorer.text.search import WordSearch, note

SENTENCES = [
    ("कल बाज़ार में एक नई कला देखी, कल फिर जाएँगे।", "कल", ["कल", "कल"]),
    ("कल बाज़ार में एक नई कला देखी।", "कला", ["कला"]),
    ("बैंक में पैसा है, बैंकों में और भी।", "बैंक", ["बैंक"]),
    ("বাজার থেকে ব\u09c7\u09beন ফিরল।", "ব\u09cbন", ["ব\u09c7\u09beন"]),  # o in two parts
    ("নদীর ধারে নদী দেখি।", "নদী", ["নদী"]),
    ("வங்கியில் பணம் உள்ளது, வங்கி மூடியது.", "வங்கி", ["வங்கி"]),
    ("ไปธนาคารแล้วกลับบ้าน", "ธนาคาร", ["ธนาคาร"]),
    ("เขาเจ็บขา", "ขา", ["ขา"]),  # เ belongs to the letter after it
    ("កាលពីម្សិលមិញខ្ញុំទៅធនាគារ", "ធនាគារ", ["ធនាគារ"]),
    ("ក្រ រ", "រ", ["រ"]),  # the first one is stacked
    ("ကျွန်တော်ဘဏ်ကိုသွားတယ်။", "ဘဏ်", ["ဘဏ်"]),
    ("ຂ້ອຍໄປທະນາຄານ", "ທະນາຄານ", ["ທະນາຄານ"]),
    ("은행에서 돈을 찾아 중앙은행으로 갔다.", "은행", ["은행"]),
    ("KBS에서 bank에 관한 이야기를 했다.", "bank", ["bank"]),
    (normalize("NFD", "은행에서 돈을 찾았다."), "은행", [normalize("NFD", "은행")]),
    ("そのバンクに行く。", "バンク", ["バンク"]),
    ("銀行のとなりの川に行く。", "銀行", ["銀行"]),
    ("赤いシャツとシ", "シ", ["シ"]),  # ャ belongs to the letter before it
    (normalize("NFD", "そのバンクに行く。"), "バンク", [normalize("NFD", "バンク")]),
    ("我去bank取钱。", "bank", ["bank"]),
    ("我去银行取钱。", "银行", ["银行"]),
    ("银\ufe00行在河边。", "银行", ["银\ufe00行"]),
    ("ذَهَبَ الوَلَدُ إلى البَنْكِ.", "البنك", ["البَنْكِ"]),
    ("ذهب الولد إلى البنك والبنك مغلق.", "البنك", ["البنك"]),
    ("ذهب الولد إلى البنـــك.", "البَنْك", ["البنـــك"]),
    ("می\u200cروم به بانک و میروم.", "میروم", ["می\u200cروم", "میروم"]),
    ("הַיֶּלֶד קָרָא סֵפֶר.", "ספר", ["סֵפֶר"]),
    ("הספר על השולחן, ספר אחר כאן.", "ספר", ["ספר"]),
    ("צה״ל הודיע.", 'צה"ל', ["צה״ל"]),
    ("Tôi đi ngân hàng.", "ngân hàng", ["ngân hàng"]),
    (normalize("NFD", "Tôi đi ngân hàng."), "ngân hàng", [normalize("NFD", "ngân hàng")]),
    ("Tôi đi ngân hàng.", normalize("NFD", "NGÂN HÀNG"), ["ngân hàng"]),
    ("İSTANBUL'da, ıstanbul, i\u0307stanbul", "istanbul", ["İSTANBUL", "ıstanbul", "i\u0307stanbul"]),
    ("Η ΟΔΟΣ και η οδός, η οδος.", "οδος", ["ΟΔΟΣ", "οδος"]),
    ("Die Straße, DIE STRASSE, die STRAẞE", "straße", ["Straße", "STRASSE", "STRAẞE"]),
    ("Пахне м’ята, росте м\u02bcята.", "м'ята", ["м’ята", "м\u02bcята"]),
    ("Aujourd’hui, l’eau monte.", "aujourd'hui", ["Aujourd’hui"]),
    ("Aujourd’hui, l’eau monte.", "eau", ["eau"]),
    ("We can't swim, I don’t know.", "can’t", ["can't"]),
    ("We can't swim, I don’t know.", "don't", ["don’t"]),
    ("The bank's door; e.g.bank; a riverbank.", "bank", ["bank", "bank"]),
    ("A well-known bank, a well\u2011known one.", "well-known", ["well-known", "well\u2011known"]),
    ("The blood\u00a0bank is open.", "blood bank", ["blood\u00a0bank"]),
    ("A well-known bank, a well\u2011known one.", "known", ["known", "known"]),
    ("The ri\u00adver and the riv\u00e9r.", "river", ["ri\u00adver"]),
    ("bank🛶bank 1️⃣bank", "bank", ["bank", "bank", "bank"]),
    ("I ❤️ 👩‍🚀 here", "👩‍🚀", ["👩‍🚀"]),
    ("ＢＡＮＫ and ｂａｎｋ", "bank", ["ＢＡＮＫ", "ｂａｎｋ"]),
    ("ﾊﾞﾝｸに行く。", "バンク", ["ﾊﾞﾝｸ"]),
    ("The ﬁne ﬂow", "fine", ["ﬁne"]),
    ("ﻻ أعرف", "لا", ["ﻻ"]),
    ("H₂O, x², ①, ℝ", "H2O", []),
    ("كتاب وکتاب کتاب", "كتاب", ["كتاب", "کتاب"]),
    ("على کبير", "علی", ["على"]),
    ("ٱلكتاب", "الكتاب", ["ٱلكتاب"]),
    (
        "la col·lecció, coŀlecció, col•lecció, COL·LECCIÓ",
        "col·lecció",
        "col·lecció coŀlecció col•lecció COL·LECCIÓ".split(),
    ),
    ("la col·lecció", "col", []),
    ("ไปแม่น้ำ แม่น้\u0e4dา แม่น\u0e4d้า", "น้ำ", ["น้ำ", "น้\u0e4dา", "น\u0e4d้า"]),
    ("ນໍ້າ ນ້ຳ", "ນ້ຳ", ["ນໍ້າ", "ນ້ຳ"]),
    ("അവന്\u200d അവൻ അവന്", "അവൻ", ["അവന്\u200d", "അവൻ"]),
    ("উত্\u200dসব উৎসব", "উৎসব", ["উত্\u200dসব", "উৎসব"]),
    ("Ի՞նչ, ինչ, ի՜նչ", "ինչ", ["Ի՞նչ", "ինչ", "ի՜նչ"]),
    ("ကျောင်း", "ကျော", []),  # the last letter ends the syllable
    (
        "New York, New  York, New\u3000York, New\nYork",
        "new york",
        ["New York", "New  York", "New\u3000York", "New\nYork"],
    ),
    ("👨\u200d👩\u200d👧 👍🏽 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3", "👨", []),
    ("👍🏽 👍", "👍", ["👍"]),
    ("❤\ufe0fok ❤\ufe0f\u200d🔥", "❤", ["❤\ufe0f"]),
    ("❤\ufe0fok", "ok", ["ok"]),
    ("🇫🇷🇩🇪", "🇩🇪", ["🇩🇪"]),
    ("🇫🇷🇩🇪", "🇷🇩", []),
    ("bank_note, bank2, b\u0301ank, bank\u0301", "bank", []),
]


@pytest.mark.parametrize(("sentence", "word", "expected"), SENTENCES)
def test_what_is_found(sentence, word, expected):
    spans = WordSearch(word).spans(sentence)
    assert [sentence[start:end] for start, end in spans] == expected


def test_of_several_words_those_that_do_not_overlap_are_found_in_order():
    assert WordSearch("银行家", "银行", "家").spans("家在银行家") == [(0, 1), (2, 5)]


ODD = "aßİıﬁŀl·•L\u0301\u0307\u00adनि्\u200d❤👩🏽🇫น้\u0e4dาນໍາന്ﾊﾞがＢ！ﻻيك\u064eԻ՞각\u1100\u1161 \u3000"


@given(st.text(ODD, max_size=12))
def test_places_are_those_of_the_folded_text(text):
    folded, starts, ends = fold_with_places(text)
    assert folded == fold(text) and len(folded) == len(starts) == len(ends)
    assert list(starts) == sorted(starts) and list(ends) == sorted(ends)


@given(st.text(max_size=30), st.text(max_size=8))
def test_a_word_between_spaces_is_always_found(around, word):
    if fold(word).strip() != fold(word) or not fold(word):
        return
    sentence = f"{around} {word} {around}"
    spans = WordSearch(word).spans(sentence)
    assert spans == sorted(spans)
    assert any(fold(sentence[start:end]) == fold(word) for start, end in spans)


@pytest.mark.parametrize(("word", "says"), [("ธนาคาร", "without spaces"), ("은행", "Korean"), ("bank", "")])
def test_a_note_says_where_a_word_may_stand(word, says):
    assert says in note(word) and bool(note(word)) == bool(says)


def test_all_that_unicode_has_no_sign_for_is_dropped():
    import regex

    ignorable = regex.compile(r"\p{Default_Ignorable_Code_Point}")
    listed = regex.compile(f"[{IGNORABLE}]")
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    assert [char for char in every if bool(ignorable.match(char)) != bool(listed.match(char))] == []
