"""Ids as `transformers` gives them, round trips, readable tokens, texts cut to a limit."""

import json
import shutil

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explorer.errors import FormatError, NotFoundError
from explorer.tokenizers import read_tokenizer
from tests import tiny
from tests.tokenizers.test_spans import SCRIPT, TEXTS


@pytest.fixture(scope="module")
def wordpiece(bert_folder):
    return read_tokenizer(bert_folder)


@pytest.fixture(scope="module")
def byte_bpe(gpt_folder):
    return read_tokenizer(gpt_folder)


@pytest.fixture(scope="module")
def their_wordpiece(bert_folder):
    import transformers

    return transformers.BertTokenizerFast.from_pretrained(bert_folder)


@pytest.fixture(scope="module")
def their_byte_bpe(gpt_folder):
    import transformers

    return transformers.GPT2TokenizerFast.from_pretrained(gpt_folder)


@pytest.mark.parametrize("text", TEXTS)
def test_ids_are_those_of_transformers(wordpiece, their_wordpiece, byte_bpe, their_byte_bpe, text):
    assert wordpiece.encode(text).ids.tolist() == their_wordpiece(text)["input_ids"]
    assert byte_bpe.encode(text).ids.tolist() == their_byte_bpe(text)["input_ids"]


@given(text=st.text(max_size=40), pair=st.text(min_size=1, max_size=40))  # theirs drops an empty pair
def test_ids_of_any_pair_are_those_of_transformers(wordpiece, their_wordpiece, text, pair):
    ours, theirs = wordpiece.encode(text, pair), their_wordpiece(text, pair)
    assert ours.ids.tolist() == theirs["input_ids"]
    assert ours.segments.tolist() == theirs["token_type_ids"]


@given(text=st.text(max_size=40))
def test_ids_of_any_text_are_those_of_transformers(byte_bpe, their_byte_bpe, text):
    assert byte_bpe.encode(text).ids.tolist() == their_byte_bpe(text)["input_ids"]


@pytest.mark.parametrize("kind", ["wordpiece", "byte_bpe"])
def test_tokenizer_json_and_old_files_agree(kind, request, tmp_path):
    old, theirs = request.getfixturevalue(kind), request.getfixturevalue(f"their_{kind}")
    theirs.save_pretrained(tmp_path)
    assert not (tmp_path / "vocab.txt").exists() and not (tmp_path / "merges.txt").exists()
    new = read_tokenizer(tmp_path)
    assert new.size == old.size and new.special_ids == old.special_ids
    for text in TEXTS:
        a, b = old.encode(text), new.encode(text)
        assert (a.tokens, a.ids.tolist(), a.spans) == (b.tokens, b.ids.tolist(), b.spans)


@given(st.text(max_size=60))
@example("👩‍🚀 한국  café\n\ttab")
@example(SCRIPT)
def test_byte_bpe_round_trips_any_text(byte_bpe, text):
    assert byte_bpe.decode(byte_bpe.pieces(text)) == text
    assert byte_bpe.decode(byte_bpe.encode(text).ids.tolist()) == text


@pytest.mark.parametrize("text", ["", "we walk on", "</by>", "old, deep water."])
def test_wordpiece_round_trips_what_its_vocabulary_holds(wordpiece, text):
    back = wordpiece.decode(wordpiece.encode(text).ids.tolist())
    assert back.replace(" ", "") == text.replace(" ", "")
    assert wordpiece.pieces(back) == wordpiece.pieces(text)


def test_special_tokens(wordpiece, byte_bpe):
    names = {
        name: wordpiece.token(getattr(wordpiece, name)) for name in ("unknown", "mask", "start", "padding")
    }
    assert names == {"unknown": "[UNK]", "mask": "[MASK]", "start": "[CLS]", "padding": "[PAD]"}
    assert byte_bpe.token(byte_bpe.start) == "<|endoftext|>"
    assert (byte_bpe.mask, byte_bpe.unknown) == (None, None)
    assert wordpiece.id("bank") == tiny.VOCABULARY.index("bank") and wordpiece.id("absent") is None
    assert wordpiece.encode("the").tokens == ["[CLS]", "the", "[SEP]"]
    assert byte_bpe.encode("the").tokens == ["the"]


def test_readable_tokens(wordpiece, byte_bpe):
    assert [wordpiece.readable(wordpiece.id(t)) for t in ("[MASK]", "##s", "东")] == ["[MASK]", "##s", "东"]
    assert byte_bpe.readable(byte_bpe.id("Ġbank")) == " bank"
    assert byte_bpe.readable(byte_bpe.id("<|endoftext|>")) == "<|endoftext|>"
    assert {byte_bpe.readable(i) for i in byte_bpe.pieces("🙂")} == {"�"}


def test_raw_bytes_join_to_the_text(byte_bpe):
    text = "the 🙂 한국 é\n"
    assert b"".join(byte_bpe.raw(i) for i in byte_bpe.pieces(text)).decode() == text
    assert byte_bpe.raw(byte_bpe.start) == b""


def test_every_byte_is_a_token(byte_bpe):
    singles = {byte_bpe.raw(i) for i in range(byte_bpe.size)}
    assert all(bytes([b]) in singles for b in range(256))


@pytest.mark.parametrize("limit", [3, 4, 5, 7, 12, 100])
def test_a_pair_is_shortened_on_its_longer_side(wordpiece, limit):
    encoding = wordpiece.encode("the river is old and it is deep", "we walk on", limit)
    assert len(encoding) == max(min(limit, 14), 3) and encoding.truncated == 14 - len(encoding)
    assert [t for t in encoding.tokens if t.startswith("[")] == ["[CLS]", "[SEP]", "[SEP]"]
    first = sum(1 for i in range(len(encoding)) if not encoding.special[i] and encoding.segments[i] == 0)
    second = len(encoding) - 3 - first
    assert first == 8 - max(8 - first, 0) and second <= 3
    assert second == 3 or first - second in (0, -1, 1), "the longer side gives first"
    assert encoding.tokens[1 : 1 + first] == ["the", "river", "is", "old", "and", "it", "is", "deep"][:first]


def test_a_cut_keeps_the_beginning_and_the_frame(wordpiece, byte_bpe):
    assert wordpiece.encode("the old river", limit=4).tokens == ["[CLS]", "the", "old", "[SEP]"]
    assert wordpiece.encode("the old river", limit=4).truncated == 1
    assert byte_bpe.encode("the bank by the bank", limit=2).tokens == ["the", "Ġbank"]


def test_cased_or_not_is_said_by_the_configuration_or_by_the_vocabulary(tmp_path):
    (tmp_path / "vocab.txt").write_text("\n".join([*tiny.SPECIAL, "the", "The", "é", "e"]), encoding="utf-8")
    assert read_tokenizer(tmp_path).encode("The é").tokens[1:-1] == ["The", "é"]
    config = tmp_path / "tokenizer_config.json"
    config.write_text(json.dumps({"do_lower_case": True}), encoding="utf-8")
    assert read_tokenizer(tmp_path).encode("The é").tokens[1:-1] == ["the", "e"]
    config.write_text(json.dumps({"do_lower_case": True, "strip_accents": False}), encoding="utf-8")
    assert read_tokenizer(tmp_path).encode("The é").tokens[1:-1] == ["the", "é"]
    (tmp_path / "vocab.txt").write_text("\n".join([*tiny.SPECIAL, "the", "e"]), encoding="utf-8")
    config.unlink()
    assert read_tokenizer(tmp_path).encode("The é").tokens[1:-1] == ["the", "e"]


def test_a_vocabulary_may_hold_line_separators(tmp_path):
    words = [*tiny.SPECIAL, "a", "\u2028", "\x85", "b"]
    (tmp_path / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    assert read_tokenizer(tmp_path).id("b") == words.index("b")


PANICS = (  # the library does, at this table
    '{"version": "1.0", "added_tokens": [], "model": {"type": "BPE", "vocab": {}, "merges": []},'
    ' "normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}}'
)


@pytest.mark.parametrize("name", ["vocab.txt", "tokenizer.json"])
@pytest.mark.parametrize("content", ["", "{", "\x00\x01", "only\nwords\n", PANICS])
def test_damaged_files_are_told_of(tmp_path, name, content):
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match="tokenizer files"):
        read_tokenizer(tmp_path)


def test_missing_files_are_told_of(tmp_path, gpt_folder):
    with pytest.raises(NotFoundError, match="no tokenizer files"):
        read_tokenizer(tmp_path)
    shutil.copy(gpt_folder / "vocab.json", tmp_path)
    with pytest.raises(NotFoundError, match=r"merges\.txt"):
        read_tokenizer(tmp_path)


def test_another_token_may_stand_before_a_text(tmp_path, gpt_folder):
    shutil.copytree(gpt_folder, tmp_path, dirs_exist_ok=True)
    vocab = json.loads((tmp_path / "vocab.json").read_text(encoding="utf-8"))
    vocab["<s>"] = vocab.pop("<|endoftext|>")
    (tmp_path / "vocab.json").write_text(json.dumps(vocab), encoding="utf-8")
    assert read_tokenizer(tmp_path).start is None and read_tokenizer(tmp_path).size == 293
    (tmp_path / "tokenizer_config.json").write_text('{"bos_token": {"content": "<s>"}}', encoding="utf-8")
    assert read_tokenizer(tmp_path).token(292) == "<s>" and read_tokenizer(tmp_path).start == 292


def test_other_kinds_of_tokenizer_are_told_of(tmp_path):
    from tokenizers import Tokenizer, models

    for model in (models.Unigram([("a", -1.0)], unk_id=0), models.BPE({"a": 0}, [])):
        Tokenizer(model).save(str(tmp_path / "tokenizer.json"))
        with pytest.raises(FormatError, match="of ALBERT and XLM-R, not this"):
            read_tokenizer(tmp_path)
