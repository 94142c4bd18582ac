"""What stands beside a vocabulary: added tokens, whose way of splitting it wants, ends, and small files."""

import json

import pytest

from explorer.errors import FormatError
from explorer.tokenizers import as_files, read_tokenizer
from tests import decoders, tiny

TEXTS = ["we saw [E1] riverbank", "the riverbanks", "[E1][E1]", "We saw [e1] Riverbank"]
SETTINGS = {"special": False, "lstrip": False, "rstrip": False, "single_word": False}


def read_by_transformers(folder):
    import transformers

    return transformers.AutoTokenizer.from_pretrained(folder)


@pytest.mark.parametrize("normalized", [None, False, True])
@pytest.mark.parametrize("first", [97, 293])
def test_added_tokens_are_whole(first, normalized, tmp_path):
    if first == 97:
        tiny.write_bert(tmp_path, vocab_size=99)
    else:
        tiny.write_gpt(tmp_path, vocab_size=295)
    ids = {"riverbank": first, "[E1]": first + 1}
    if normalized is None:
        (tmp_path / "added_tokens.json").write_text(json.dumps(ids))
    else:
        stated = {
            str(id): {"content": token, "normalized": normalized, **SETTINGS} for token, id in ids.items()
        }
        (tmp_path / "tokenizer_config.json").write_text(json.dumps({"added_tokens_decoder": stated}))
    ours, theirs = read_tokenizer(tmp_path), read_by_transformers(tmp_path)
    for text in TEXTS:
        assert ours.encode(text).ids.tolist() == theirs(text)["input_ids"]
    encoding = ours.encode(TEXTS[0])
    assert encoding.surface(encoding.ids.tolist().index(first + 1)).strip() == "[E1]"


def test_an_added_token_whose_id_cannot_be(tmp_path):
    tiny.write_merges(tmp_path)
    (tmp_path / "added_tokens.json").write_text(json.dumps({"[E1]": 400}))
    with pytest.raises(FormatError, match="token 400, and by their vocabulary it is 293"):
        read_tokenizer(tmp_path)


@pytest.mark.parametrize("model_type", ["qwen2", "qwen3"])
def test_qwens_merges_are_split_as_it_splits(model_type, tmp_path):
    decoders.write(model_type, tmp_path)
    ours, theirs = read_tokenizer(tmp_path), read_by_transformers(tmp_path)
    for text in ["12345 6", "a\n\n  b", "it's (the)bank", "e\u0301 \u1112\u1161\u11ab", "!\n\n"]:
        encoding = ours.encode(text)
        assert encoding.tokens == theirs.convert_ids_to_tokens(theirs(text)["input_ids"])
        assert encoding.spans[0][0] == 0 and encoding.spans[-1][1] == len(text)


def test_a_text_is_read_the_same_way_each_time(tmp_path):
    tiny.write_merges(tmp_path)
    plain = read_tokenizer(tmp_path)
    written = json.loads(plain.backend.to_str())
    written["model"]["dropout"] = 0.9  # as in its training
    (tmp_path / "tokenizer.json").write_text(json.dumps(written))
    assert read_tokenizer(tmp_path).encode("the bank").tokens == plain.encode("the bank").tokens


def test_the_highest_id_may_stand_before_a_single_text_alone(tmp_path):
    tiny.write_merges(tmp_path)
    written = json.loads(read_tokenizer(tmp_path).backend.to_str())
    written["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "x", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"x": {"id": "x", "ids": [999], "tokens": ["x"]}},
    }
    (tmp_path / "tokenizer.json").write_text(json.dumps(written))
    assert read_tokenizer(tmp_path).highest == 999


def test_berts_vocabulary_ends_a_text_with_its_separator(tmp_path):
    tiny.write_vocab(tmp_path)
    tokenizer = read_tokenizer(tmp_path)
    assert tokenizer.ends == {tokenizer.id("[SEP]")}


@pytest.mark.parametrize("name", ["generation_config.json", "tokenizer_config.json", "added_tokens.json"])
@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_a_small_file_that_is_damaged_is_named(name, content, tmp_path):
    tiny.write_merges(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match=f"{name} in .* is not JSON"):
        read_tokenizer(tmp_path)


@pytest.mark.parametrize("ids", [{}, [[1]], [None, 1.5, "292"], True])
def test_ends_that_are_none(ids, tmp_path):
    tiny.write_merges(tmp_path)
    (tmp_path / "generation_config.json").write_text(json.dumps({"eos_token_id": ids}))
    assert read_tokenizer(tmp_path).ends == {292}


@pytest.mark.parametrize(
    "template", [["x"], [{"name": "default"}], [{"name": ["x"], "template": "y"}], [{}], {"default": "x"}, 5]
)
def test_a_chat_template_that_is_none(template, tmp_path):
    tiny.write_merges(tmp_path)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": template}))
    assert read_tokenizer(tmp_path).chat is None


def test_files_of_a_tokenizer_give_it_back(tmp_path):
    tiny.write_merges(tmp_path)
    tokenizer = read_tokenizer(tmp_path)
    again = tmp_path / "again"
    again.mkdir()
    for name, content in as_files(tokenizer).items():
        (again / name).write_bytes(content)
    other = read_tokenizer(again)
    assert other.encode("the [E1] bank").ids.tolist() == tokenizer.encode("the [E1] bank").ids.tolist()
    assert other.start == tokenizer.start and other.ends == tokenizer.ends
