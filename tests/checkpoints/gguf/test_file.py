"""GGUF files: every type of number, every architecture that is read, and the tokenizer in them."""

from pathlib import Path

import gguf
import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import explorer
from explorer.checkpoints import folder, integrity
from explorer.checkpoints.fingerprint import fingerprint
from explorer.checkpoints.gguf.file import GgufFile
from explorer.checkpoints.gguf.reader import TENSOR_TYPES, read_header
from explorer.checkpoints.gguf.tensors import numbers, read_numbers
from explorer.errors import FormatError, NotFoundError, SizeError
from explorer.models.rope_scaling import RopeScaling
from explorer.models.rotary import Rotary
from explorer.trace import Checkpoint
from tests import gguf_files, tiny
from tests.checkpoints.refusal import refused

TEXT = "We saw money  in the bank, 1969:\n\u6771\u4eac \U0001f642"


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    gguf_files.write_model(path, "gpt2")
    return path


# Numbers


@pytest.mark.parametrize("kind", [name for name, _, _ in TENSOR_TYPES.values()])
def test_every_type_gives_the_numbers_that_the_package_gives(kind, tmp_path):
    given = torch.randn(7, 3 * 256, generator=torch.Generator().manual_seed(0))
    stored, which = gguf_files.quantised(given, kind)
    keys = {"general.architecture": "gpt2"}
    path = gguf_files.write(tmp_path / "a.gguf", keys, {"a": (stored, which), "b": given[0, :5]})
    result: dict[str, torch.Tensor] = {}
    read_numbers(path, read_header(path), result.__setitem__)
    expected = torch.from_numpy(gguf.quants.dequantize(stored, which).copy()).view(7, -1)
    assert result["a"].dtype == torch.float32 and torch.equal(result["a"], expected)
    assert torch.equal(result["b"], given[0, :5]), "what stands behind it is in its place"


def test_a_block_of_random_bytes_gives_the_same():
    """Every scale, and each of the 16 numbers of 4 bits."""
    generator = torch.Generator().manual_seed(1)
    for kind, block in (("Q8_0", 34), ("Q4_0", 18), ("Q4_1", 20)):
        stored = torch.randint(0, 256, (997, block), generator=generator).to(torch.uint8)
        which = gguf.GGMLQuantizationType[kind]
        with np.errstate(invalid="ignore"):  # a scale may be infinite, or no number
            expected = torch.from_numpy(gguf.quants.dequantize(stored.numpy(), which)).view(-1)
        assert torch.equal(numbers(stored.view(-1), kind).nan_to_num(), expected.nan_to_num())


# Architectures


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "qwen2", "qwen3"])
def test_the_parameters_are_those_of_the_hub(architecture, tmp_path):
    theirs = gguf_files.write_model(tmp_path / "a.gguf", architecture)
    theirs.save_pretrained(tmp_path / "hub")
    file = GgufFile.open(tmp_path / "a.gguf")
    hub = load_file(tmp_path / "hub" / "model.safetensors")
    hub = {name.removeprefix("transformer."): tensor for name, tensor in hub.items()}
    result = file.tensors()
    assert result.keys() == hub.keys()
    assert all(torch.equal(result[name], hub[name]) for name in hub)
    assert {name: tensor.shape for name, tensor in file.shapes().items()} == {
        name: tensor.shape for name, tensor in result.items()
    }


@pytest.mark.parametrize("architecture", ["llama", "qwen2", "qwen3"])
def test_the_configuration_is_that_of_the_hub(architecture, tmp_path):
    theirs = gguf_files.write_model(tmp_path / "a.gguf", architecture)
    config = GgufFile.open(tmp_path / "a.gguf").config
    assert config.pop("model_type") == architecture
    assert config.pop("rope_theta") == theirs.config.rope_parameters["rope_theta"]
    assert config == {key: getattr(theirs.config, key) for key in config}
    assert config.keys() >= {"vocab_size", "num_key_value_heads", "tie_word_embeddings", "bos_token_id"}
    assert ("head_dim" in config) == (architecture == "qwen3")


def test_biases_of_a_llama_are_turned_as_well(tmp_path):
    theirs = gguf_files.write_model(tmp_path / "a.gguf", "llama", attention_bias=True, mlp_bias=True)
    file = GgufFile.open(tmp_path / "a.gguf")
    assert file.config["attention_bias"] and file.config["mlp_bias"]
    for name, tensor in file.tensors().items():
        assert torch.equal(tensor, theirs.state_dict()[name]), name


def llama3(path: Path, factor: float, spoil: float = 1.0) -> Path:
    """A Llama whose positions are scaled as Llama 3's are, by divisors of every frequency."""
    divisors = divisors_of(factor) * spoil
    gguf_files.write_model(path, "llama", more={"rope_freqs.weight": divisors}, rope_theta=500_000.0)
    return path


def divisors_of(factor: float) -> torch.Tensor:
    plain = Rotary(14, 500_000.0).frequencies()
    return plain / Rotary(14, 500_000.0, RopeScaling(factor, 1.0, 4.0, 8192)).frequencies()


@pytest.mark.parametrize("factor", [8.0, 32.0])
def test_llama_3s_divisors_are_its_scaling(factor, tmp_path):
    file = GgufFile.open(llama3(tmp_path / "a.gguf", factor))
    assert file.config["rope_scaling"]["rope_type"] == "llama3"
    assert file.config["rope_scaling"]["factor"] == pytest.approx(factor)
    model = explorer.load(f"folder:{tmp_path / 'a.gguf'}")
    assert model.config.rope_scaling == RopeScaling(pytest.approx(factor), 1.0, 4.0, 8192)


def test_other_divisors_are_refused(tmp_path):
    error = refused(llama3(tmp_path / "a.gguf", 8.0, spoil=1.2), FormatError)
    assert "scales its positions" in error.message


def test_stretched_positions_and_a_window_are_passed_on(tmp_path):
    keys = {
        "llama.rope.scaling.type": "yarn",
        "llama.rope.scaling.factor": 4.0,
        "llama.rope.scaling.original_context_length": 61,
        "llama.attention.sliding_window": 31,
    }
    gguf_files.write_model(tmp_path / "a.gguf", "llama", keys)
    config = GgufFile.open(tmp_path / "a.gguf").config
    scaling = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 61}
    assert config["rope_scaling"] == scaling
    assert (config["model_type"], config["sliding_window"]) == ("mistral", 31)


def test_a_gpt2_computes_what_its_folder_computes(gpt2, tmp_path):
    theirs = gguf_files.model("gpt2")
    theirs.save_pretrained(tmp_path / "hub")
    tiny.write_merges(tmp_path / "hub")
    ours, expected = explorer.load(f"folder:{gpt2}"), explorer.load(f"folder:{tmp_path / 'hub'}")
    assert ours.abilities == expected.abilities and ours.config == expected.config
    result, wanted = ours.trace(TEXT), expected.trace(TEXT)
    assert result.encoding.tokens == wanted.encoding.tokens and result.encoding.spans == wanted.encoding.spans
    assert torch.equal(result.logits, wanted.logits)


def test_an_output_matrix_of_its_own(tmp_path):
    gguf_files.write_model(tmp_path / "a.gguf", "gpt2", tie_word_embeddings=False)
    assert not explorer.load(tmp_path / "a.gguf").config.tied


# Tokenizers


@pytest.mark.parametrize(("architecture", "split"), [("qwen2", "qwen2"), ("llama", "llama-bpe")])
def test_ids_are_those_of_transformers(architecture, split, tmp_path):
    import transformers

    gguf_files.write_model(tmp_path / "a.gguf", architecture, {"tokenizer.ggml.pre": split})
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path, gguf_file="a.gguf")
    ours = GgufFile.open(tmp_path / "a.gguf").tokenizer()
    for text in (TEXT, "DON'T we'll 12345", " \r\n\n  a\tb  ", "x <|endoftext|> y"):
        assert ours.encode(text).ids.tolist() == theirs(text, add_special_tokens=False).input_ids, text


def test_llama_takes_a_word_that_is_a_token_as_it_is(tmp_path):
    known = gguf_files.vocabulary(tmp_path / "vocabulary")["tokenizer.ggml.tokens"]
    keys = {"tokenizer.ggml.pre": "llama-bpe", "tokenizer.ggml.tokens": [*known, "deepest"]}
    keys["tokenizer.ggml.token_type"] = None
    gguf_files.write_model(tmp_path / "a.gguf", "llama", keys)
    assert GgufFile.open(tmp_path / "a.gguf").tokenizer().encode("deepest").tokens == ["deepest"]


def test_accents_are_joined_for_qwen_and_stay_in_their_place(tmp_path):
    gguf_files.write_model(tmp_path / "a.gguf", "qwen2", {"tokenizer.ggml.pre": "qwen2"})
    tokenizer = GgufFile.open(tmp_path / "a.gguf").tokenizer()
    apart, joined = tokenizer.encode("cafe\u0301 is"), tokenizer.encode("caf\u00e9 is")
    assert apart.ids.tolist() == joined.ids.tolist() and apart.dropped_characters == 0
    assert (3, 5) in apart.spans and apart.spans[-1] == (7, 8)


@pytest.mark.parametrize(
    ("keys", "start"),
    [
        ({}, "<|endoftext|>"),
        ({"tokenizer.ggml.bos_token_id": None}, "<|endoftext|>"),
        ({"tokenizer.ggml.bos_token_id": 294}, "<|im_end|>"),
        ({"tokenizer.ggml.bos_token_id": 293}, "<|endoftext|>"),
        ({"tokenizer.ggml.bos_token_id": 293, "tokenizer.ggml.add_bos_token": True}, "<|im_start|>"),
    ],
)
def test_what_stands_before_a_text(keys, start, tmp_path):
    known = gguf_files.vocabulary(tmp_path / "vocabulary")
    tokens = [*known["tokenizer.ggml.tokens"], "<|im_start|>", "<|im_end|>", "<think>"]
    kinds = [*[1] * 292, 3, 3, 3, 4]
    keys = {"tokenizer.ggml.tokens": tokens, "tokenizer.ggml.token_type": kinds, **keys}
    gguf_files.write_model(tmp_path / "a.gguf", "gpt2", keys | {"tokenizer.chat_template": "{{ x }}"})
    tokenizer = GgufFile.open(tmp_path / "a.gguf").tokenizer()
    assert tokenizer.token(tokenizer.special_id("start")) == start
    assert tokenizer.special_ids == {292, 293, 294}, "what a person defined is read, not passed over"
    assert tokenizer.encode("a<|im_end|>b<think>").ids.tolist()[1::2] == [294, 295]
    assert tokenizer.decode([293, 64, 294, 295]) == "a<think>"
    assert tokenizer.template == "{{ x }}"


def test_without_a_word_on_it_gpt2_splits_as_gpt2(tmp_path, gpt2):
    gguf_files.write_model(tmp_path / "a.gguf", "gpt2", {"tokenizer.ggml.pre": None})
    result = GgufFile.open(tmp_path / "a.gguf").tokenizer().encode(TEXT)
    assert result.tokens == GgufFile.open(gpt2).tokenizer().encode(TEXT).tokens


# Places


def test_a_folder_with_one_file_opens(gpt2, tmp_path):
    (tmp_path / "only.GGUF").write_bytes(gpt2.read_bytes())
    assert folder.locate(Checkpoint("folder", str(tmp_path))).name == "only.GGUF"
    assert explorer.load(tmp_path).config == explorer.load(gpt2).config
    (tmp_path / "other.gguf").write_bytes(b"")
    assert "only.GGUF" in refused(tmp_path, NotFoundError).hint


def test_a_folder_with_a_configuration_is_a_folder(gpt, gpt2):
    (gpt / "other.gguf").write_bytes(b"")
    assert folder.locate(Checkpoint("folder", str(gpt))) == gpt


def test_the_fingerprint_knows_weights_and_tokenizer(gpt2, tmp_path):
    import shutil

    shutil.copy(gpt2, tmp_path / "same.gguf")
    gguf_files.write_model(tmp_path / "split.gguf", "gpt2", {"tokenizer.ggml.pre": "smollm"})
    first, same, split = (
        fingerprint(explorer.load(path)) for path in (gpt2, tmp_path / "same.gguf", tmp_path / "split.gguf")
    )
    assert first == same != split


def test_the_limit_is_of_the_numbers_as_they_are_read(tmp_path, monkeypatch):
    """Two files of the same size may differ eightfold in memory."""
    given = torch.zeros(97, 2 * 256)
    keys = {"general.architecture": "gpt2"} | gguf_files.metadata("gpt2", gguf_files.model("gpt2").config)
    keys |= gguf_files.vocabulary(tmp_path / "vocabulary")
    path = gguf_files.write(
        tmp_path / "a.gguf", keys, {"token_embd.weight": gguf_files.quantised(given, "Q4_0")}
    )
    limit = (path.stat().st_size + 4 * given.numel()) / 2
    assert path.stat().st_size < limit < 4 * given.numel()
    monkeypatch.setenv(integrity.LIMIT_VARIABLE, str(limit / 1e9))
    refused(path, SizeError)
    monkeypatch.setenv(integrity.LIMIT_VARIABLE, str(path.stat().st_size / 2e9))
    refused(path, SizeError)
