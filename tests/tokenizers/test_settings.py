"""What the small files beside a vocabulary say: it is followed, or refused by its name."""

import json

import pytest

from explorer.errors import FormatError
from explorer.tokenizers import read_tokenizer
from explorer.tokenizers.prompt import encode_prompt, prompt_or_start
from explorer.trace import Ability
from tests import encoders, tiny
from tests.tokenizers import small


def write(folder, name="tokenizer_config.json", **content) -> None:
    (folder / name).write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"do_lower_case": "false"}, "'false' for “do_lower_case”"),
        ({"strip_accents": "true"}, "strip_accents"),
        ({"tokenize_chinese_chars": 0}, "tokenize_chinese_chars"),
        ({"split_special_tokens": "no"}, "split_special_tokens"),
        (
            {"added_tokens_decoder": {"97": {"content": "[E1]", "lstrip": "false"}}},
            "“lstrip” of the token “\\[E1\\]”",
        ),
        ({"added_tokens_decoder": {"x": "[E1]"}}, "the id 'x'"),
        ({"added_tokens_decoder": ["[E1]"]}, "added_tokens_decoder"),
        ({"added_tokens_decoder": {"97": {}}}, "in the place of a token"),
        ({"extra_special_tokens": "[E1]"}, "extra_special_tokens"),
        ({"mask_token": 5}, "5 in the place of a token"),
        ({"do_basic_tokenize": False}, "do_basic_tokenize"),
        ({"never_split": ["[E1]"]}, "never_split"),
        ({"word_tokenizer_type": "mecab"}, "word_tokenizer_type"),
        ({"tokenizer_class": "BertJapaneseTokenizer"}, "BertJapaneseTokenizer”: MeCab"),
        ({"tokenizer_class": "MPNetTokenizer"}, "MPNetTokenizer"),
        ({"tokenizer_class": "GPT2TokenizerFast"}, "GPT2Tokenizer”, and has no files of one"),
    ],
)
def test_what_is_not_followed_is_named(settings, word, tmp_path):
    tiny.write_vocab(tmp_path)
    write(tmp_path, **settings)
    with pytest.raises(FormatError, match=word):
        read_tokenizer(tmp_path)


def test_a_llama_without_a_tokenizer_json_is_told_how_to_make_one(tmp_path):
    tiny.write_vocab(tmp_path)
    (tmp_path / "vocab.txt").rename(tmp_path / "tokenizer.model")
    write(tmp_path, tokenizer_class="LlamaTokenizer")
    with pytest.raises(FormatError, match=r"read from a tokenizer\.json") as error:
        read_tokenizer(tmp_path)
    assert "save_pretrained" in error.value.hint


@pytest.mark.parametrize(
    ("stated", "write_files", "settings"),
    [
        ("BertJapaneseTokenizer", tiny.write_vocab, {"word_tokenizer_type": "basic"}),
        ("MobileBertTokenizer", tiny.write_vocab, {}),
        ("LayoutLMTokenizerFast", tiny.write_vocab, {}),
        ("SqueezeBertTokenizer", tiny.write_vocab, {}),
        ("BartTokenizer", encoders.write_bytes, {}),
        ("LongformerTokenizerFast", encoders.write_bytes, {}),
    ],
)
def test_a_class_that_is_anothers_by_another_name(stated, write_files, settings, tmp_path):
    import transformers

    write_files(tmp_path)
    write(tmp_path, tokenizer_class=stated, **settings)
    write(tmp_path, "config.json", model_type="bart" if write_files is encoders.write_bytes else "bert")
    ours, theirs = read_tokenizer(tmp_path), transformers.AutoTokenizer.from_pretrained(tmp_path)
    for text in ("the bank, by", "東京は 东京 river", "e\u0301 The"):
        assert ours.encode(text, "old").ids.tolist() == theirs(text, "old")["input_ids"]


def test_a_class_may_be_named_by_the_models_own_file(tmp_path):
    tiny.write_vocab(tmp_path)
    write(tmp_path, "config.json", model_type="bert", tokenizer_class="BertJapaneseTokenizer")
    with pytest.raises(FormatError, match="MeCab"):
        read_tokenizer(tmp_path)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"model_type": "bpe"}, "is no unigram"),
        ({"model_type": "word", "vocab_size": 20}, "is no unigram"),
        ({"byte_fallback": True, "vocab_size": 400}, "byte_fallback"),
        ({"add_dummy_prefix": False}, "add_dummy_prefix"),
        ({"remove_extra_whitespaces": False}, "remove_extra_whitespaces"),
        ({"treat_whitespace_as_suffix": True}, "treat_whitespace_as_suffix"),
    ],
)
def test_sentencepieces_of_another_kind_are_named(options, word, tmp_path):
    encoders.train(tmp_path, "sentencepiece.bpe.model", **options)
    with pytest.raises(FormatError, match=word):
        read_tokenizer(tmp_path)


@pytest.mark.parametrize("section", ["normalizer", "pre_tokenizer", "post_processor", "decoder"])
def test_a_kind_that_only_a_newer_library_knows_is_named(section, tmp_path):
    small.write_pythia(tmp_path)
    path = tmp_path / "tokenizer.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(content | {section: {"type": "Tomorrow", "x": 1}}), encoding="utf-8")
    with pytest.raises(FormatError, match=f"{section} of the kind “Tomorrow”"):
        read_tokenizer(tmp_path)


def test_the_frame_is_the_classes_own_whatever_stands_in_the_vocabulary(tmp_path):
    encoders.write_bytes(tmp_path)
    (tmp_path / "tokenizer_config.json").unlink()
    for model_type, framed in [("roberta", True), ("bert", True), ("gpt2", False), ("llama", False)]:
        write(tmp_path, "config.json", model_type=model_type)
        assert bool(read_tokenizer(tmp_path).encode("the bank").special.any()) == framed


def test_a_gpt_with_berts_vocabulary_goes_on_after_the_text_and_ends_where_it_is_said(tmp_path):
    tiny.write_vocab(tmp_path)
    write(tmp_path, tokenizer_class="BertTokenizer", do_lower_case=True)
    write(tmp_path, "config.json", model_type="gpt2", eos_token_id=50256)
    tokenizer = read_tokenizer(tmp_path)
    assert encode_prompt(tokenizer, "the 东京 bank").tokens == ["[CLS]", "the", "东", "京", "bank"]
    assert prompt_or_start(tokenizer, "").tokens == ["[CLS]"]
    assert tokenizer.ends == {tokenizer.id("[SEP]")}
    write(tmp_path, tokenizer_class="BertTokenizer", do_lower_case=True, eos_token="[PAD]")
    assert read_tokenizer(tmp_path).ends == {0}


@pytest.mark.parametrize(
    "text",
    [
        "东京你。东，「京」（你）。", "“东京”，你：“京”", "the bank, it's old.", "(the river) walk-in",
        "the “old” bank", "东 the 京",
    ],
)  # fmt: skip
def test_words_are_written_as_a_reader_expects(text, tmp_path):
    tiny.write_vocab(tmp_path)
    with (tmp_path / "vocab.txt").open("a", encoding="utf-8") as file:
        file.write("\n".join("。，「」（）：“”") + "\n")
    tokenizer = read_tokenizer(tmp_path)
    encoding = tokenizer.encode(text)
    assert tokenizer.unknown not in encoding.ids.tolist()
    assert tokenizer.decode(encoding.ids.tolist()) == text
    own = encoding.without_frame().ids.tolist()
    written = [tokenizer.raw(id, own[i - 1] if i else None).decode() for i, id in enumerate(own)]
    assert "".join(written) == tokenizer.decode(own) and tokenizer.decode(own).strip() == text


def test_a_continuation_brings_its_own_space(tmp_path):
    tiny.write_vocab(tmp_path)
    tokenizer = read_tokenizer(tmp_path)
    assert tokenizer.decode(tokenizer.pieces("the riverbank")) == " the riverbank"
    assert tokenizer.decode(tokenizer.pieces("东京")) == "东京"


def test_what_ends_a_text_is_not_what_begins_one(tmp_path):
    tiny.write_merges(tmp_path)
    vocab = json.loads((tmp_path / "vocab.json").read_text(encoding="utf-8"))
    vocab |= {"<s>": 293, "</s>": 294}
    (tmp_path / "vocab.json").write_text(json.dumps(vocab), encoding="utf-8")
    for where in ("tokenizer_config.json", "special_tokens_map.json"):
        write(tmp_path, where, bos_token="<s>", eos_token={"content": "</s>", "lstrip": False})
        tokenizer = read_tokenizer(tmp_path)
        assert (tokenizer.start, tokenizer.ends) == (293, {294})
        assert tokenizer.raw(294) == b"" and 294 in tokenizer.special_ids
        (tmp_path / where).unlink()
    write(tmp_path, bos_token="<s>", eos_token="</s>", add_eos_token=True)
    assert prompt_or_start(read_tokenizer(tmp_path), "").ids.tolist() == [293]
    (tmp_path / "tokenizer_config.json").unlink()
    write(tmp_path, "generation_config.json", eos_token_id=294)  # no file says that it is special
    assert read_tokenizer(tmp_path).ends == {294} <= read_tokenizer(tmp_path).special_ids


def test_the_first_token_alone_may_have_a_name(tmp_path):
    tiny.write_merges(tmp_path)
    write(tmp_path, bos_token="Ġ")
    tokenizer = read_tokenizer(tmp_path)
    assert tokenizer.token(tokenizer.start) == "Ġ" and tokenizer.ends == {292}


def test_all_that_stands_before_a_text_stays_before_a_prompt(tmp_path):
    small.write_pythia(tmp_path)
    path = tmp_path / "tokenizer.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    frame = [{"SpecialToken": {"id": "x", "type_id": 0}}] * 2
    single = [*frame, {"Sequence": {"id": "A", "type_id": 0}}, frame[0]]
    marks = {"x": {"id": "x", "ids": [0], "tokens": ["<|endoftext|>"]}}
    last = {"type": "TemplateProcessing", "single": single, "pair": single, "special_tokens": marks}
    path.write_text(json.dumps(content | {"post_processor": last}), encoding="utf-8")
    tokenizer = read_tokenizer(tmp_path)
    assert encode_prompt(tokenizer, "the bank").ids.tolist()[:2] == [0, 0]
    assert encode_prompt(tokenizer, "the bank").tokens[2:] == ["the", "Ġbank"]
    assert encode_prompt(tokenizer, "the bank", limit=3).tokens[2:] == ["Ġbank"]


@pytest.mark.parametrize("mask", ["<mask>", "[unused1]", "<blank here>"])
def test_a_blank_is_read_as_the_models_own_token_of_any_length(mask, tmp_path):
    tiny.write_vocab(tmp_path)
    with (tmp_path / "vocab.txt").open("a", encoding="utf-8") as file:
        file.write(f"{mask}\n")
    write(tmp_path, mask_token=mask, do_lower_case=True)
    tokenizer = read_tokenizer(tmp_path)
    encoding = tokenizer.encode("the [MASK] by [MASK].", "old [MASK]")
    shown = [encoding.surface(i) for i in range(len(encoding)) if not encoding.special[i]]
    assert shown == ["the", "[MASK]", "by", "[MASK]", ".", "old", "[MASK]"]
    assert encoding.ids.tolist().count(97) == 3 and tokenizer.mask == 97
    assert tokenizer.allows() & Ability.FILL


def test_windows_line_ends(tmp_path):
    tiny.write_vocab(tmp_path)
    path = tmp_path / "vocab.txt"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_tokenizer(tmp_path).encode("the bank").tokens == ["[CLS]", "the", "bank", "[SEP]"]


def test_tokenizer_config_has_the_last_word_about_capitals(tmp_path):
    import transformers

    tiny.write_vocab(tmp_path)
    transformers.BertTokenizer.from_pretrained(tmp_path).save_pretrained(tmp_path)
    write(tmp_path, tokenizer_class="BertTokenizer", do_lower_case=False)
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert read_tokenizer(tmp_path).encode("The bank").ids.tolist() == theirs("The bank")["input_ids"]
    write(tmp_path, tokenizer_class="PreTrainedTokenizerFast", do_lower_case=False)
    assert read_tokenizer(tmp_path).encode("The bank").tokens[1] == "the"


@pytest.mark.parametrize("write_files", [small.write_llama_2, small.write_mistral])
@pytest.mark.parametrize("space", [False, True, None])
def test_a_llama_may_read_a_text_without_a_space_before_it(write_files, space, tmp_path):
    import transformers

    write_files(tmp_path)
    config = json.loads((tmp_path / "tokenizer_config.json").read_text(encoding="utf-8"))
    write(tmp_path, **config | {"tokenizer_class": "LlamaTokenizer", "add_prefix_space": space})
    write(tmp_path, "config.json", model_type="llama")
    theirs, ours = transformers.AutoTokenizer.from_pretrained(tmp_path), read_tokenizer(tmp_path)
    for text in ("the bank", "東京 river", "the  old bank"):
        ids = ours.encode(text).ids.tolist()
        assert ids == theirs(text)["input_ids"]
        assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=True) == text


def test_a_llama_may_be_given_the_space_and_names_its_marks_as_the_files_do(tmp_path):
    small.write_llama_2(tmp_path)
    path = tmp_path / "tokenizer.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["normalizer"]["normalizers"].pop(0)
    content["decoder"]["decoders"].pop()
    content["added_tokens"] = [one | {"normalized": True} for one in content["added_tokens"]]
    path.write_text(json.dumps(content), encoding="utf-8")
    for space in (None, True):
        write(tmp_path, tokenizer_class="LlamaTokenizer", bos_token="<s>", add_prefix_space=space)
        tokenizer = read_tokenizer(tmp_path)
        encoding = tokenizer.encode("the bank 🙂")
        assert encoding.tokens[:2] == ["<s>", "▁the" if space else "the"]
        assert tokenizer.decode(encoding.ids.tolist()) == "the bank 🙂"
    shown = tokenizer.encode("银行")
    assert [shown.surface(i) for i in range(1, len(shown))] == ["", *"银银银行行行"]


def test_the_mark_of_a_space_before_a_text_is_no_letter(tmp_path):
    tiny.write_merges(tmp_path)
    write(tmp_path, add_prefix_space=True)
    shown = read_tokenizer(tmp_path).encode("xwe  saw")
    assert (shown.tokens[0], shown.surface(0), shown.surface(1)) == ("Ġ", "", "x")
    assert [shown.surface(i) for i, token in enumerate(shown.tokens) if token == "Ġ"] == ["", " "]


@pytest.mark.parametrize(
    ("write_files", "settings", "framed"),
    [
        (tiny.write_vocab, {"cls_token": "[SEP]", "sep_token": "[PAD]"}, True),
        (tiny.write_vocab, {"tokenizer_class": "PreTrainedTokenizerFast", "cls_token": "[SEP]"}, False),
        (encoders.write_bytes, {"cls_token": "<pad>", "sep_token": "<unk>"}, True),
        (encoders.write_xlmr, {"bos_token": "<pad>", "eos_token": "<unk>"}, True),
    ],
)
def test_the_small_files_may_change_the_frame_of_a_tokenizer_json(write_files, settings, framed, tmp_path):
    import transformers

    write_files(tmp_path)
    kind = {tiny.write_vocab: "bert", encoders.write_bytes: "roberta", encoders.write_xlmr: "xlm-roberta"}[
        write_files
    ]
    write(tmp_path, "config.json", model_type=kind)
    saved = transformers.AutoTokenizer.from_pretrained(tmp_path)
    saved.save_pretrained(tmp_path)
    config = json.loads((tmp_path / "tokenizer_config.json").read_text(encoding="utf-8"))
    write(tmp_path, **config | settings)
    ours, theirs = read_tokenizer(tmp_path), transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert (theirs("the")["input_ids"] != saved("the")["input_ids"]) == framed
    for pair in (None, "old"):
        assert ours.encode("the bank", pair).ids.tolist() == theirs("the bank", pair)["input_ids"]


def test_a_gpt_neox_has_the_frame_that_it_asks_for(tmp_path):
    import transformers

    small.write_pythia(tmp_path)
    path = tmp_path / "tokenizer.json"
    backend = read_tokenizer(tmp_path).backend
    backend.post_processor = small.template(backend, "<|endoftext|>")
    backend.save(str(path))
    for asked in ({}, {"add_bos_token": True}):
        write(tmp_path, tokenizer_class="GPTNeoXTokenizerFast", bos_token="<|endoftext|>", **asked)
        ids = read_tokenizer(tmp_path).encode("the bank").ids.tolist()
        assert (ids[0] == 0) == bool(asked)
        if not asked:
            assert ids == transformers.AutoTokenizer.from_pretrained(tmp_path)("the bank")["input_ids"]


@pytest.mark.parametrize("rows", [97, 98])
def test_an_added_token_without_a_row_is_read_as_text(rows, tmp_path):
    tiny.write_vocab(tmp_path)
    write(tmp_path, do_lower_case=True, additional_special_tokens=["[E1]", "[E2]"])
    tokenizer = read_tokenizer(tmp_path, rows=rows)
    assert tokenizer.rowless == ("[E1]", "[E2]")[rows - 97 :]
    assert max(tokenizer.encode("the [E1] [E2] bank").ids.tolist()) < rows
    assert tokenizer.highest < rows and tokenizer.mask == 4


def test_marians_special_tokens_are_read_where_somebody_types_them(tmp_path):
    import transformers

    tiny.write_pieces(tmp_path)
    theirs = transformers.MarianTokenizer.from_pretrained(tmp_path)
    for text in ("we saw</s> bank", "the <unk> bank<pad>bank", ">>fr<< the", "a</s>>>fr<< b"):
        encoding = read_tokenizer(tmp_path).encode(text)
        assert encoding.ids.tolist() == theirs(text)["input_ids"]
    write(tmp_path, additional_special_tokens=["[E1]"])
    with pytest.raises(FormatError, match="“\\[E1\\]”"):
        read_tokenizer(tmp_path)


@pytest.mark.parametrize(
    ("words", "lowercase"),
    [
        (["<S>", "<T>", "<PAD>", "<URL>", "Ⅱ", "NBA", "A"], True),
        (["Yahoo"], True),
        (["The", "Bank"], False),
        (["Банк", "River"], False),
    ],
)
def test_a_vocabulary_has_capitals_where_many_words_begin_with_one(words, lowercase, tmp_path):
    known = "\n".join([*tiny.VOCABULARY, *words])
    (tmp_path / "vocab.txt").write_text(f"\ufeff{known}\n", encoding="utf-8")
    tokenizer = read_tokenizer(tmp_path)
    assert tokenizer.encode("The").tokens[1] == (
        "the" if lowercase else words[0] if "The" in words else "[UNK]"
    )
    assert tokenizer.id("[PAD]") == 0


@pytest.mark.parametrize(
    ("generation", "config", "ends"),
    [
        ([198], 292, [198, 292]),  # a line feed, which stays a part of the text
        ([198, 5000], None, [198, 292]),
        (None, 198, [292]),  # a number that a configuration has by default
        ("copied", 198, [292]),
    ],
)
def test_an_ordinary_token_may_end_a_text(generation, config, ends, tmp_path):
    tiny.write_merges(tmp_path)
    write(tmp_path, eos_token="<|endoftext|>")
    write(tmp_path, "config.json", model_type="gpt2", eos_token_id=config)
    copied = {"_from_model_config": True} if generation == "copied" else {}
    if generation:
        write(tmp_path, "generation_config.json", eos_token_id=198 if copied else generation, **copied)
    tokenizer = read_tokenizer(tmp_path)
    assert sorted(tokenizer.ends) == ends
    assert tokenizer.raw(198) and not tokenizer.special_ids & {198}
