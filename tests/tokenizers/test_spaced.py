"""Tokenizers that mark the space before a word, beside those of `transformers`."""

import pytest

from explorer.analysis.prediction import masking
from explorer.analysis.words import words
from explorer.errors import FormatError
from explorer.tokenizers import complete, read_tokenizer
from explorer.trace import Ability
from tests import encoders, tiny

TEXTS = [
    "", "the bank", "  the bank  by ", "🙂", "한국어 은행", "东京 你好", "</script>",
    "café nai\u0308ve e\u0301", "a [MASK] bank, [MASK].", "a <mask> bank", "old\tmoney\n1,000,000 ``x''",
    "<s> a </s>", "\u200b\u00a0x ﬁne ①",
]  # fmt: skip


@pytest.fixture(scope="module", params=sorted(encoders.TOKENIZERS))
def folder(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    encoders.write(request.param, folder)
    return folder


@pytest.fixture(scope="module")
def theirs(folder):
    import transformers

    return transformers.AutoTokenizer.from_pretrained(folder)


@pytest.fixture(scope="module")
def as_json(theirs, tmp_path_factory):
    """The same tokenizer, from the one file that newer checkpoints have."""
    folder = tmp_path_factory.mktemp("json")
    theirs.save_pretrained(folder)
    return read_tokenizer(folder)


@pytest.fixture(scope="module")
def ours(folder):
    return read_tokenizer(folder)


def test_a_special_token_that_a_person_typed_is_special_but_for_a_blank(ours, theirs):
    end, start, padding = theirs.sep_token, theirs.cls_token, theirs.pad_token
    result = ours.encode(f"the bank {end} by {start} old {padding}")
    ids = result.ids.tolist()
    assert ids == theirs(f"the bank {end} by {start} old {padding}")["input_ids"]
    apart = {*theirs.all_special_ids} - {theirs.unk_token_id}
    assert result.special.tolist() == [id in apart for id in ids]
    assert result.frame.tolist() == [True, *[False] * (len(result) - 2), True]
    assert len(result.without_frame()) == len(result) - 2, "what was typed is text"
    assert [word.text for word in words(result) if word.special and word.end] == [end, start, padding]
    assert not ours.encode("a [MASK] bank").without_frame().special.any()


@pytest.mark.parametrize("text", TEXTS)
def test_ids_strings_and_pairs_are_those_of_transformers(ours, as_json, theirs, text):
    ids = theirs(text.replace("[MASK]", theirs.mask_token))["input_ids"]
    pair = theirs(text.replace("[MASK]", theirs.mask_token), "the river")["input_ids"]
    for one in (ours, as_json):
        encoding = one.encode(text)
        assert encoding.ids.tolist() == ids and encoding.tokens == theirs.convert_ids_to_tokens(ids)
        assert one.encode(text, "the river").ids.tolist() == pair
        assert encoding.text == text
    assert ours.encode(text).spans == as_json.encode(text).spans


def test_a_blank_is_written_as_everywhere_and_read_as_the_models_own_token(ours):
    encoding = ours.encode("the [MASK] by the river")
    at = encoding.ids.tolist().index(ours.mask)
    assert encoding.surface(at) == "[MASK]" and encoding.tokens[at] == ours.token(ours.mask)
    assert [word.text for word in words(encoding) if not word.special][1] == "[MASK]"
    assert ours.id("[MASK]") == ours.mask and ours.pieces("[MASK]") == [ours.mask]
    assert ours.allows() & Ability.FILL


def test_no_token_is_special_but_the_models_own(ours):
    assert ours.special_ids <= {
        i for i in range(ours.size) if ours.token(i)[:1] + ours.token(i)[-1:] in ("<>", "[]")
    }
    assert ours.ends <= ours.special_ids


def test_words_are_what_a_person_points_at(ours):
    text = "we saw old money, and light"
    encoding = ours.encode(text)
    result = [word for word in words(encoding) if not word.special]
    assert [word.text for word in result] == ["we", "saw", "old", "money", ",", "and", "light"]
    assert all(text[word.start : word.end] == word.text for word in result)


def test_what_is_readable_is_looked_up_again(ours):
    for id in range(5, ours.highest):
        shown = ours.readable(id)
        if "�" in shown or id in ours.special_ids:
            continue
        assert ours.readable(ours.id(shown)) == shown
    assert ours.readable(ours.id("bank")) == "bank" and ours.token(ours.id("bank")).lstrip("Ġ▁") == "bank"
    inside = ours.id("##k")
    assert ours.token(inside).removeprefix("##") == "k" and ours.readable(inside) == "##k"
    assert masking.fill("a ban [MASK] is", 0, ours.readable(inside)) == "a bank is"


def test_a_sign_of_a_vowel_goes_on_with_its_word(tmp_path):
    texts = ["नदी के किनारे बैंक है।", "बैंक में पैसा है।", "नदी में जल है।", "घर नदी के किनारे है।"]
    encoders.train(tmp_path, "sentencepiece.bpe.model", texts * 4)
    hindi = read_tokenizer(tmp_path)
    encoding = hindi.encode("नदी के बैंक में है।")
    result = [word.text for word in words(encoding) if not word.special]
    assert result == ["नदी", "के", "बैंक", "में", "है", "।"]
    shown = [hindi.readable(id) for id in encoding.ids.tolist()]
    assert "##ी" in shown and [hindi.id(token) for token in shown] == encoding.ids.tolist()


def test_a_word_is_spelled_as_it_stands_in_a_text(ours):
    inside = ours.encode("the bank was").ids.tolist()
    assert ours.pieces("bank") == [ours.id("bank")] and ours.id("bank") in inside
    assert ours.id("doesnotoccur") is None and len(ours.pieces("doesnotoccur")) > 1


def test_the_files_that_are_enough():
    assert (
        complete(["spiece.model"]) and complete(["sentencepiece.bpe.model"]) and not complete(["merges.txt"])
    )


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("spiece.model", {}, r"lacks \[MASK\]|lacks .*\[CLS\]"),
        ("sentencepiece.bpe.model", {"model_type": "char"}, "no unigram"),
    ],
)
def test_another_models_sentencepiece_file_is_refused(tmp_path, name, options, message):
    encoders.train(tmp_path, name, **options)
    with pytest.raises(FormatError, match=message):
        read_tokenizer(tmp_path)


def test_a_file_that_is_none_is_refused(tmp_path):
    (tmp_path / "spiece.model").write_bytes(b"no model at all")
    with pytest.raises(FormatError, match="damaged"):
        read_tokenizer(tmp_path)


def test_gpts_bytes_stay_without_a_frame(tmp_path):
    tiny.write_merges(tmp_path)
    result = read_tokenizer(tmp_path)
    assert result.byte_level and result.mask is None and not result.encode("the bank").special.any()


def test_camembert_has_names_that_are_not_used(tmp_path):
    import transformers

    encoders.train(tmp_path, "sentencepiece.bpe.model")
    (tmp_path / "config.json").write_text('{"model_type": "camembert"}', encoding="utf-8")
    theirs = transformers.CamembertTokenizer.from_pretrained(tmp_path)
    ours = read_tokenizer(tmp_path)
    theirs.save_pretrained(tmp_path / "json")
    as_json = read_tokenizer(tmp_path / "json")
    assert (ours.start, ours.token(0), ours.token(ours.highest)) == (5, "<s>NOTUSED", "<mask>")
    for text in TEXTS:
        ids = theirs(text.replace("[MASK]", "<mask>"))["input_ids"]
        assert as_json.encode(text).ids.tolist() == ids
        assert ours.encode(text).ids.tolist() == ids
    assert ours.allows() & as_json.allows() & Ability.FILL


def test_albert_reads_two_marks_as_one_and_loses_none(tmp_path):
    encoders.write("albert", tmp_path)
    encoding = read_tokenizer(tmp_path).encode("``bank''s ``old''", "the ''bank")
    shown = [encoding.surface(i) for i, special in enumerate(encoding.frame) if not special]
    assert encoding.dropped_characters == 0 and "".join(shown) == "``bank''s``old''the''bank"
