"""The tokenizer in a GGUF file: beside the same model's folder, and as llama.cpp frames and ends a text."""

from pathlib import Path

import pytest
import torch

import explorer
from explorer.checkpoints.gguf.file import GgufFile
from explorer.tokenizers import Tokenizer, read_tokenizer
from explorer.tokenizers.prompt import encode_prompt
from tests import gguf_files
from tests.tokenizers import small

TEXTS = [
    "We saw money  in the bank, 1969:\n\u6771\u4eac \U0001f642",
    "DON'T we'll 12345 McCafé a/b//\n",
    " \r\n\n  a\tb  ",
    "",
    "it isn\u2019t ▁ <0x41> deep",
]
TEKKEN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?"
    r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)

BLOOM = " ?[^(\\s|.,!?…。，、।۔،)]+"
ENDINGS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
GPT_4O = TEKKEN.replace("]+|[", f"]+{ENDINGS}[").replace(r"*|\p{N}|", rf"*{ENDINGS}\p{{N}}{{1,3}}|")


def write(path: Path, keys: dict[str, object]) -> Tokenizer:
    """The tokenizer of a file with such metadata; its model is as large as its vocabulary."""
    architecture = "qwen2" if "qwen" in str(keys.get("tokenizer.ggml.pre")) else "llama"
    tokens = keys["tokenizer.ggml.tokens"]
    gguf_files.write_model(path, architecture, keys, vocab_size=len(tokens))
    return GgufFile.open(path).tokenizer()


def write_patterned(folder: Path, pattern: str) -> None:
    tokenizer = small.byte_level(small.split(pattern), ["<s>", "</s>"])
    tokenizer.post_processor = small.processors.ByteLevel(trim_offsets=False)
    small.write(folder, tokenizer, bos_token="<s>", eos_token="</s>")


@pytest.mark.parametrize(
    ("kind", "pre", "starts"),
    [
        ("llama 3", "llama-bpe", None), ("llama 3", "llama3", True), ("llama 3", "falcon3", None),
        ("llama 2", "", None), ("qwen", "qwen2", None), ("qwen", "deepseek-r1-qwen", False),
        ("smollm", "smollm", None), (small.LLAMA_3, "smaug-bpe", None), (small.LLAMA_3, "dbrx", False),
        (TEKKEN, "tekken", False), (GPT_4O, "gpt-4o", None), (BLOOM, "bloom", None),
    ],
)  # fmt: skip
def test_a_file_reads_a_text_as_its_folder_does(kind, pre, starts, tmp_path):
    if kind in small.LEFT_TO_RIGHT:
        small.LEFT_TO_RIGHT[kind](tmp_path)
    else:
        write_patterned(tmp_path, kind)
    keys = gguf_files.vocabulary_of(tmp_path, pre) | {"tokenizer.ggml.add_bos_token": starts}
    ours, folder = write(tmp_path / "a.gguf", keys), read_tokenizer(tmp_path)
    assert ours.adds_start == folder.adds_start and type(ours) is type(folder)
    for text in TEXTS:
        result, expected = ours.encode(text), folder.encode(text)
        assert result.ids.tolist() == expected.ids.tolist(), text
        assert result.spans == expected.spans and result.special.tolist() == expected.special.tolist()
        assert ours.decode(result.ids.tolist()) == folder.decode(expected.ids.tolist())


def test_an_end_stands_behind_a_text_where_the_file_says_so(tmp_path):
    write_patterned(tmp_path, small.QWEN)
    keys = gguf_files.vocabulary_of(tmp_path, "qwen2") | {"tokenizer.ggml.add_eos_token": True}
    tokenizer = write(tmp_path / "a.gguf", keys)
    assert tokenizer.encode("deep").tokens[-1] == "</s>" and not tokenizer.adds_start
    assert "</s>" not in encode_prompt(tokenizer, "deep").tokens


def test_a_llama_3_computes_what_its_folder_computes(tmp_path):
    small.write_llama_3(tmp_path)
    keys = gguf_files.vocabulary_of(tmp_path, "llama-bpe")
    size = len(keys["tokenizer.ggml.tokens"])
    gguf_files.write_model(tmp_path / "a.gguf", "llama", keys, vocab_size=size).save_pretrained(tmp_path)
    ours, folder = explorer.load(tmp_path / "a.gguf"), explorer.load(tmp_path)
    result, expected = ours.trace("the bank"), folder.trace("the bank")
    assert result.encoding.tokens == expected.encoding.tokens == ["<|begin_of_text|>", "the", "Ġbank"]
    torch.testing.assert_close(result.logits, expected.logits)


def test_a_llama_3_of_before_the_key_is_known_by_its_start(tmp_path):
    small.write_llama_3(tmp_path)
    keys = gguf_files.vocabulary_of(tmp_path, "llama-bpe") | {"tokenizer.ggml.pre": None}
    assert write(tmp_path / "a.gguf", keys).encode("deep").tokens[0] == "<|begin_of_text|>"
    known = gguf_files.vocabulary(tmp_path / "v") | {"tokenizer.ggml.pre": None}
    gguf_files.write_model(tmp_path / "q.gguf", "qwen2", known)
    assert GgufFile.open(tmp_path / "q.gguf").tokenizer().encode("1234").tokens == list("1234")


def test_a_mark_of_phi_3_takes_the_spaces_after_it(tmp_path):
    small.write_llama_2(tmp_path)
    keys = gguf_files.vocabulary_of(tmp_path, "")
    keys["tokenizer.ggml.tokens"].append("<|user|>")
    keys["tokenizer.ggml.token_type"].append(3)
    keys["tokenizer.ggml.scores"].append(0.0)
    gguf_files.write_model(tmp_path / "a.gguf", "phi3", keys, vocab_size=len(keys["tokenizer.ggml.tokens"]))
    encode = GgufFile.open(tmp_path / "a.gguf").tokenizer().encode
    assert encode("<|user|>\n the bank").tokens == ["<s>", "<|user|>", *encode("the bank").tokens[1:]]


def test_the_default_pattern_takes_marks_and_digits_apart(tmp_path):
    write_patterned(tmp_path, small.QWEN)
    tokenizer = write(tmp_path / "a.gguf", gguf_files.vocabulary_of(tmp_path, "default"))
    pieces = tokenizer.backend.pre_tokenizer.pre_tokenize_str("bank,we'll +12345 x")
    assert [piece for piece, _ in pieces] == ["bank", ",", "we", "'", "ll", "Ġ", "+", "123", "45", "Ġx"]


FIM = ("pad", "rep", "sep", "pre", "suf", "mid")  # the first three end an answer


@pytest.mark.parametrize(
    ("keys", "start", "ends"),
    [
        ({}, "<|endoftext|>", {292, 294}),
        ({"bos_token_id": None, "eos_token_id": None}, "<|endoftext|>", {292, 294}),
        ({"bos_token_id": 294}, "<|im_end|>", {292, 294}),
        ({"bos_token_id": 293}, "<|endoftext|>", {292, 294}),
        ({"bos_token_id": 293, "add_bos_token": True}, "<|im_start|>", {292, 294}),
        ({"eot_token_id": 7, "eom_token_id": 8}, "<|endoftext|>", {7, 8, 292, 294}),
        ({f"fim_{name}_token_id": i for i, name in enumerate(FIM, 5)}, "<|endoftext|>", {5, 6, 7, 292, 294}),
    ],
)
def test_what_stands_before_a_text_and_what_ends_one(keys, start, ends, tmp_path):
    known = gguf_files.vocabulary(tmp_path / "vocabulary")
    tokens = [*known["tokenizer.ggml.tokens"], "<|im_start|>", "<|im_end|>", "<think>"]
    keys = {"tokens": tokens, "token_type": [*[1] * 292, 3, 3, 3, 4], **keys}
    keys = {f"tokenizer.ggml.{key}": value for key, value in keys.items()}
    gguf_files.write_model(tmp_path / "a.gguf", "gpt2", keys | {"tokenizer.chat_template": "{{ eos_token }}"})
    tokenizer = GgufFile.open(tmp_path / "a.gguf").tokenizer()
    assert tokenizer.token(tokenizer.special_id("start")) == start
    assert tokenizer.adds_start == ("tokenizer.ggml.add_bos_token" in keys)
    assert tokenizer.ends == ends
    assert tokenizer.special_ids == ends | {292, 293, 294}, "what a person defined is read, not passed over"
    assert tokenizer.encode("a<|im_end|>b<think>").ids.tolist()[-3::2] == [294, 295]
    assert tokenizer.decode([293, 64, 294, 295]) == "a<think>"
    written = "" if "tokenizer.ggml.eos_token_id" in keys else "<|endoftext|>"
    assert tokenizer.chat.render([("user", "x")]) == written


def test_sentencepiece_reads_a_text_as_the_library_does(tmp_path):
    """Scores, bytes, tokens of a person's own, and no space before a text where the file says so."""
    import sentencepiece

    (tmp_path / "texts.txt").write_text("\n".join(small.TEXTS), encoding="utf-8")
    for prefix in (True, False):
        sentencepiece.SentencePieceTrainer.train(
            input=str(tmp_path / "texts.txt"),
            model_prefix=str(tmp_path / "spm"),
            model_type="bpe",
            vocab_size=340,
            byte_fallback=True,
            normalization_rule_name="identity",
            remove_extra_whitespaces=False,
            add_dummy_prefix=prefix,
            control_symbols=["<turn>"],
            user_defined_symbols=["<think>"],
            minloglevel=2,
        )
        theirs = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "spm.model"))
        ids = range(theirs.get_piece_size())
        kinds = [2, 3, 3, 3, 4, *[6] * 256, *[1] * (len(ids) - 261)]
        keys = {
            "model": "llama", "tokens": [theirs.id_to_piece(id) for id in ids],
            "scores": [theirs.get_score(id) for id in ids], "token_type": kinds, "bos_token_id": 1,
            "eos_token_id": 2, "add_space_prefix": prefix,
        }  # fmt: skip
        tokenizer = write(tmp_path / "a.gguf", {f"tokenizer.ggml.{key}": v for key, v in keys.items()})
        assert (tokenizer.unknown, tokenizer.start, tokenizer.ends) == (0, 1, {2})
        assert tokenizer.special_ids == {0, 1, 2, 3}
        for text in (*TEXTS[:3], *small.TEXTS[:4], "deeply  banked 1,000 \u2603"):
            assert tokenizer.encode(text).ids.tolist() == [1, *theirs.encode(text)], text
            assert tokenizer.decode(tokenizer.encode(text).ids.tolist()) == text
        assert [tokenizer.encode("a<think>").ids.tolist()[-1]] == [4]
        assert tokenizer.encode("a<turn>").ids.tolist()[-1] == 3
