"""GGUF files: every type of number, every architecture that is read, and the tokenizer in them."""

from pathlib import Path

import gguf
import numpy as np
import pytest
import torch

import explorer
from explorer.analysis import sentences
from explorer.checkpoints import folder
from explorer.checkpoints.fingerprint import fingerprint
from explorer.checkpoints.generation_note import GGUF_NEUTRAL
from explorer.checkpoints.gguf.architectures import ARCHITECTURES
from explorer.checkpoints.gguf.config import COMPUTED, VARIANTS, WITHOUT_EFFECT, architecture_of
from explorer.checkpoints.gguf.file import GgufFile
from explorer.checkpoints.gguf.header import Header
from explorer.checkpoints.gguf.reader import read_header
from explorer.checkpoints.gguf.tensors import numbers, read_numbers
from explorer.errors import AbilityError, FormatError, NotFoundError
from explorer.models.rope_scaling import RopeScaling
from explorer.models.rotary import Rotary
from explorer.trace import Ability, Checkpoint
from tests import gguf_files, tiny
from tests.checkpoints.refusal import refused

TEXT = "We saw money  in the bank, 1969:\n\u6771\u4eac \U0001f642"


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    gguf_files.write_model(path, "gpt2")
    return path


# Numbers

TYPES = (
    "F32 F16 BF16 Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ2_XXS IQ2_XS IQ2_S IQ3_XXS IQ3_S "
    "IQ1_S IQ1_M IQ4_NL IQ4_XS TQ1_0 TQ2_0 MXFP4"
).split()


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_gives_the_numbers_that_the_package_gives(kind, tmp_path):
    given = torch.randn(7, 3 * 256, generator=torch.Generator().manual_seed(0))
    stored, which = gguf_files.quantised(given, kind)
    keys = {"general.architecture": "gpt2"}
    path = gguf_files.write(tmp_path / "a.gguf", keys, {"a": (stored, which), "b": given[0, :5]})
    result: dict[str, torch.Tensor] = {}
    read_numbers(read_header(path), result.__setitem__)
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


@pytest.mark.parametrize(
    ("architecture", "changes"),
    [
        *((architecture, {}) for architecture in ARCHITECTURES),
        ("gpt2", {"tie_word_embeddings": False}),
        ("llama", {"attention_bias": True, "mlp_bias": True}),
        ("stablelm", {"use_parallel_residual": True, "use_qkv_bias": True}),
    ],
)
def test_a_file_computes_what_its_folder_computes(architecture, changes, tmp_path):
    same_as_its_folder(architecture, tmp_path, {}, **changes)


def same_as_its_folder(architecture, place, keys, more=None, **changes):
    """A file with this metadata beside the folder of the same model."""
    theirs = gguf_files.write_model(place / "a.gguf", architecture, keys, more, **changes)
    theirs.save_pretrained(place / "hub")
    tiny.write_merges(place / "hub")
    ours, expected = explorer.load(place / "a.gguf"), explorer.load(place / "hub")
    assert ours.abilities == expected.abilities and ours.config == expected.config
    result, wanted = ours.trace(TEXT), expected.trace(TEXT)
    assert result.encoding.tokens == wanted.encoding.tokens and result.encoding.spans == wanted.encoding.spans
    torch.testing.assert_close(result.logits, wanted.logits, rtol=0, atol=1e-6)


def test_a_file_that_reads_both_sides_writes_nothing(tmp_path):
    gguf_files.write_model(tmp_path / "a.gguf", "llama", {"llama.attention.causal": False})
    assert not explorer.load(tmp_path / "a.gguf").abilities & Ability.GENERATE


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(
    ("number", "mode"),
    [(1, "mean"), (2, "cls"), (3, "lasttoken"), (2**32 - 1, None), (0, "none"), (4, "rank"), (7, "7")],
)
def test_a_text_is_pooled_as_the_file_says(number, mode, causal, tmp_path):
    keys = {"llama.pooling_type": number, "llama.attention.causal": causal}
    gguf_files.write_model(tmp_path / "a.gguf", "llama", keys)
    model = explorer.load(tmp_path / "a.gguf")
    pooling = sentences.pooling(model)
    if number > 4 and mode is None:
        assert (model.pooling is None and "nothing of pooling" in pooling.note) or causal
    elif number in (1, 2, 3):
        assert pooling.modes == (mode,) and not pooling.note
        states = model.final_norm(model.trace(TEXT).hidden_states[-1])
        expected = {"mean": states.mean(0), "cls": states[0], "lasttoken": states[-1]}[mode]
        torch.testing.assert_close(sentences.embed(model, [TEXT])[0], expected)
    else:
        assert f"pooling_type {mode}" in model.notes[-1]
        with pytest.raises(AbilityError, match=f"pooling_type {mode}"):
            sentences.embed(model, [TEXT])


def keys_of(kinds):
    """Every key of a class of the package, and of the classes in it."""
    for name, value in vars(kinds).items():
        if isinstance(value, type):
            yield from keys_of(value)
        elif isinstance(value, str) and not name.startswith("_"):
            yield value


# What llama.cpp reads for tokenizers of kinds that are refused (UGM, WordPiece, RWKV), to fill in code, or
# not at all, has no effect. Of sampling the rest is the visitor's own, or serves one of the noted keys.
TOKENIZER_COMPUTED = set(
    """model pre tokens token_type scores merges bos_token_id eos_token_id eot_token_id eom_token_id
    add_bos_token add_eos_token add_space_prefix fim_pad_token_id fim_rep_token_id fim_sep_token_id""".split()
)
TOKENIZER_WITHOUT_EFFECT = set(
    """token_type_count unknown_token_id seperator_token_id padding_token_id mask_token_id add_sep_token
    remove_extra_whitespaces precompiled_charsmap fim_pre_token_id fim_suf_token_id fim_mid_token_id
    prefix_token_id suffix_token_id middle_token_id""".split()
)
VISITORS = set("sequence top_k top_p temp xtc_threshold penalty_last_n mirostat_tau mirostat_eta".split())


def test_each_key_of_tokenizers_and_sampling_is_computed_noted_or_without_effect():
    def named(begin):
        return {key.removeprefix(begin) for key in keys_of(gguf.Keys) if key.startswith(begin)}

    assert named("tokenizer.ggml.") == TOKENIZER_COMPUTED | TOKENIZER_WITHOUT_EFFECT
    others = {"huggingface.json", "rwkv.world", "chat_template", "chat_template.{name}", "chat_templates"}
    assert {key for key in named("tokenizer.") if not key.startswith("ggml.")} == others
    assert named("general.sampling.") == {*GGUF_NEUTRAL} | VISITORS


@pytest.mark.parametrize("key", sorted(TOKENIZER_WITHOUT_EFFECT))
def test_a_key_without_effect_changes_no_token(key, tmp_path):
    value = b"\1\2" if key == "precompiled_charsmap" else True if key.startswith(("add", "remove")) else 3
    gguf_files.write_model(tmp_path / "a.gguf", "gpt2")
    gguf_files.write_model(tmp_path / "b.gguf", "gpt2", {f"tokenizer.ggml.{key}": value})
    plain, changed = (GgufFile.open(tmp_path / name).tokenizer() for name in ("a.gguf", "b.gguf"))
    assert plain.backend.to_str() == changed.backend.to_str() and plain.ends == changed.ends


def test_what_a_file_asks_for_in_sampling_is_said(tmp_path):
    asked = {"penalty_repeat": 1.1, "min_p": 0.05, "top_k": 20, "temp": 0.7, "mirostat": 0}
    keys = {f"general.sampling.{name}": value for name, value in asked.items()}
    gguf_files.write_model(tmp_path / "a.gguf", "gpt2", keys)
    (note,) = explorer.load(tmp_path / "a.gguf").notes
    assert note.startswith("Its file asks for min_p 0.05, penalty_repeat 1.1; here the model’s own prob")


def test_each_key_of_the_package_is_computed_refused_or_without_effect():
    known = {*keys_of(gguf.Keys)}
    theirs = {
        key.removeprefix("{arch}.") for key in known if key.startswith("{arch}.") and "{dense}" not in key
    }
    own = {key for kind in ARCHITECTURES.values() for key in kind.keys}
    assert theirs <= COMPUTED | own | WITHOUT_EFFECT | {*VARIANTS}
    for architecture, kind in ARCHITECTURES.items():
        for key in {*VARIANTS} - kind.keys.keys():
            values = {"general.architecture": architecture, f"{architecture}.{key}": 3}
            with pytest.raises(FormatError, match=f"{architecture}.{key}"):
                architecture_of(Header("a.gguf", values, {}))


@pytest.mark.parametrize("architecture", ["gemma2", "gemma3"])
def test_local_layers_are_those_that_the_file_says(architecture, tmp_path):
    gguf_files.write_model(
        tmp_path / "a.gguf", architecture, {f"{architecture}.attention.sliding_window_pattern": 3}
    )
    assert explorer.load(tmp_path / "a.gguf").config.local[:3] == (True, True, False)


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


def test_phi_3s_two_lists_of_divisors_are_those_of_its_folder(tmp_path):
    lists = {"long": [2.0, 3.0, 4.0], "short": [1.0, 1.25, 1.5]}
    rope = {f"{name}_factor": numbers for name, numbers in lists.items()}
    rope |= {"rope_type": "longrope", "rope_theta": 700.0, "partial_rotary_factor": 0.6}
    keys = {"phi3.rope.scaling.original_context_length": 41, "phi3.rope.scaling.attn_factor": 1.25}
    more = {f"rope_factors_{name}.weight": torch.tensor(numbers) for name, numbers in lists.items()}
    same_as_its_folder(
        "phi3",
        tmp_path,
        keys,
        more,
        rope_parameters=rope | {"attention_factor": 1.25},
        original_max_position_embeddings=41,
    )
    gguf_files.write_model(tmp_path / "b.gguf", "phi3", keys, {"rope_factors_long.weight": torch.ones(3)})
    assert "and not both" in refused(tmp_path / "b.gguf", FormatError).message


@pytest.mark.parametrize(
    "scaling",
    [
        {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 17},
        {"rope_type": "yarn", "factor": 4.0, "beta_fast": 3.0, "original_max_position_embeddings": 17},
        {"rope_type": "linear", "factor": 4.0},
    ],
)
def test_scaled_positions_are_those_of_the_folder(scaling, tmp_path):
    keys = {
        "type": scaling["rope_type"],
        "factor": scaling["factor"],
        "original_context_length": scaling.get("original_max_position_embeddings"),
        "yarn_beta_fast": scaling.get("beta_fast"),
    }
    keys = {f"qwen2.rope.scaling.{key}": value for key, value in keys.items()}
    rope = scaling | {"rope_theta": 30_011.0}
    same_as_its_folder("qwen2", tmp_path, keys, rope_parameters=rope)


@pytest.mark.parametrize("key", ["attn_factor", "yarn_log_multiplier", "alpha"])
def test_scaling_that_is_not_computed_is_refused_by_name(key, tmp_path):
    gguf_files.write_model(tmp_path / "a.gguf", "llama", {f"llama.rope.scaling.{key}": 1.3})
    assert key in refused(tmp_path / "a.gguf", FormatError).message


def test_a_kind_of_scaling_without_a_factor_changes_nothing(tmp_path):
    gguf_files.write_model(tmp_path / "a.gguf", "llama", {"llama.rope.scaling.type": "yarn"})
    assert explorer.load(tmp_path / "a.gguf").config.rope_scaling is None


@pytest.mark.parametrize("key", ["rope.scaling.factor", "rope.scale_linear"])
def test_a_factor_alone_stretches_positions_evenly(key, tmp_path):
    gguf_files.write_model(tmp_path / "a.gguf", "llama", {f"llama.{key}": 4.0})
    assert explorer.load(tmp_path / "a.gguf").config.rope_scaling == RopeScaling(4.0)


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
    gguf_files.write_model(tmp_path / "b.gguf", "llama", {"llama.attention.sliding_window": 0})
    assert GgufFile.open(tmp_path / "b.gguf").config["model_type"] == "llama"


# Tokenizers


def test_accents_are_joined_for_qwen_and_stay_in_their_place(tmp_path):
    gguf_files.write_model(tmp_path / "a.gguf", "qwen2", {"tokenizer.ggml.pre": "qwen2"})
    tokenizer = GgufFile.open(tmp_path / "a.gguf").tokenizer()
    apart, joined = tokenizer.encode("cafe\u0301 is"), tokenizer.encode("caf\u00e9 is")
    assert apart.ids.tolist() == joined.ids.tolist() and apart.dropped_characters == 0
    assert (3, 5) in apart.spans and apart.spans[-1] == (7, 8)


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


@pytest.mark.parametrize("name", ["sha256-1f0a", "model", "model.bin", "model.gguf"])
def test_a_file_is_known_by_its_content(name, tmp_path):
    gguf_files.write_model(tmp_path / name, "gpt2", {"general.name": "Tiny Two"})
    model = explorer.load(tmp_path / name)
    assert model.config == explorer.load(tmp_path).config
    assert model.title == ("" if name == "model.gguf" else "Tiny Two")
    assert explorer.load_tokenizer(tmp_path / name).encode("the").tokens == model.encode("the").tokens


def test_ollamas_folder_is_that_of_its_files(gpt2, tmp_path):
    for name in ("blobs", "manifests"):
        (tmp_path / name).mkdir()
    (tmp_path / "blobs" / "sha256-1f0a").write_bytes(gpt2.read_bytes())
    (tmp_path / "blobs" / "sha256-2b").write_text("{}")
    assert folder.locate(Checkpoint("folder", str(tmp_path))).name == "sha256-1f0a"


def test_parts_are_one_model(tmp_path):
    whole = gguf_files.write_model(tmp_path / "whole.gguf", "llama")
    tensors = list(gguf_files.tensors("llama", whole).items())
    (tmp_path / "parts").mkdir()
    for number, start in enumerate(range(0, len(tensors), 10)):
        keys = {"general.architecture": "llama", "split.no": number, "split.count": 3}
        if number == 0:
            keys |= gguf_files.metadata("llama", whole.config) | gguf_files.vocabulary(tmp_path / "v")
        name = f"m-{number + 1:05}-of-00003.gguf"
        gguf_files.write(tmp_path / "parts" / name, keys, dict(tensors[start : start + 10]))
    model = explorer.load(tmp_path / "whole.gguf").network.state_dict()
    for place in ("parts", "parts/m-00002-of-00003.gguf"):
        result = explorer.load(tmp_path / place).network.state_dict()
        assert all(torch.equal(result[name], model[name]) for name in model | result)


def test_the_fingerprint_knows_weights_and_tokenizer(gpt2, tmp_path):
    import shutil

    shutil.copy(gpt2, tmp_path / "same.gguf")
    gguf_files.write_model(tmp_path / "split.gguf", "gpt2", {"tokenizer.ggml.pre": "smollm"})
    first, same, split = (
        fingerprint(explorer.load(path)) for path in (gpt2, tmp_path / "same.gguf", tmp_path / "split.gguf")
    )
    assert first == same != split
