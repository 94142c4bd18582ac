"""Pre-norm Transformers against `transformers` on the same random weights, in every spelling of files."""

import math
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file, save_file

import explorer
from explorer.errors import FormatError
from explorer.models.rope_scaling import RopeScaling, Yarn
from explorer.models.rotary import Rotary
from explorer.trace import Ability
from tests import decoders, encoders
from tests.models import reference

TEXTS = ["the bank", "we saw deep light on the water, and it was old money", "x", "by the river in Paris"]
LONG = "we saw the old river in the light " * 40
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 29,
}
YARN = {"rope_type": "yarn", "factor": 4.0, "beta_fast": 3.0, "original_max_position_embeddings": 29}
LONG_ROPE = {"rope_type": "longrope", "short_factor": [1.0, 1.2, 1.5, 2.0, 3.1], "long_factor": [2.0] * 5}
PHI3 = {"original_max_position_embeddings": 41}
PHI3["rope_parameters"] = {
    "rope_type": "longrope",
    "partial_rotary_factor": 0.6,
    "short_factor": [1.0, 1.2, 1.5],
    "long_factor": [2.0, 3.0, 4.0],
}
SCALINGS = [
    {"rope_type": "default"},
    {"rope_type": "linear", "factor": 2.5},
    LLAMA3,
    YARN,
    YARN | {"mscale": 0.7, "mscale_all_dim": 1.3, "truncate": False},
    LONG_ROPE | {"factor": 3.0, "original_max_position_embeddings": 307},
    {"rope_type": "dynamic", "factor": 3.0},
    {"factor": 4.0},  # without a type it does nothing
]
KIND = {"ids": lambda scaling: scaling.get("rope_type", "none")}
WINDOWED = {"use_sliding_window": True, "sliding_window": 4}
FLOATS = [torch.float32, torch.float16, torch.bfloat16]


def same(ours, theirs, texts=TEXTS) -> None:
    """Hidden states, patterns and logits of texts read together, each as `transformers` has them."""
    reference.same(ours, theirs, *texts)


def loaded(folder):
    return explorer.load(f"folder:{folder}")


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("model_type", decoders.ALL)
def test_states_patterns_and_logits(tmp_path, model_type, dtype):
    theirs = decoders.write(model_type, tmp_path, dtype=dtype)
    ours = loaded(tmp_path)
    predicts = Ability.FILL if model_type == "modernbert" else Ability.GENERATE
    assert ours.abilities == Ability.CONTEXT | Ability.ATTENTION | predicts
    same(ours, theirs)


@pytest.mark.parametrize("model_type", decoders.ALL)
def test_shards(tmp_path, model_type):
    theirs = decoders.write(model_type, tmp_path, dtype=torch.float16, shard="20KB")
    assert len(list(tmp_path.glob("*.safetensors"))) > 1
    same(loaded(tmp_path), theirs)


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("model_type", decoders.ALL)
def test_a_matrix_for_both_ends_or_one_for_each(tmp_path, model_type, tied):
    theirs = decoders.write(model_type, tmp_path, tie_word_embeddings=tied)
    ours = loaded(tmp_path)
    assert ours.config.tied == tied
    same(ours, theirs)


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize("scaling", SCALINGS, **KIND)
def test_scaled_positions_far_beyond_the_first_length(tmp_path, scaling, older):
    rope = scaling | {"rope_theta": 500.0}
    theirs = decoders.write("llama", tmp_path, rope_parameters=rope)
    if older:
        spelt = {"rope_theta": 500.0, "rope_scaling": scaling if "factor" in scaling else None}
        decoders.respell(tmp_path, ("rope_parameters", "dtype"), torch_dtype="float32", **spelt)
    ours = loaded(tmp_path)
    assert ("without a type" in "".join(ours.notes)) == (list(scaling) == ["factor"])
    assert len(ours.encode(LONG)) == ours.config.positions == 307
    same(ours, theirs, [LONG])


@pytest.mark.parametrize("scaling", SCALINGS[:4], **KIND)
def test_angles_at_the_far_end_of_a_long_context(scaling):
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    rope = scaling | {"rope_theta": 500_000.0}
    if "original_max_position_embeddings" in rope:
        rope["original_max_position_embeddings"] = 8192
    config = LlamaConfig(
        hidden_size=64, num_attention_heads=1, max_position_embeddings=131_072, rope_parameters=rope
    )
    places = torch.tensor([0, 1, 8191, 8192, 65_537, 131_071])
    cos, sin = LlamaRotaryEmbedding(config)(torch.zeros(1), places[None])
    ours = {
        "default": None,
        "linear": RopeScaling(2.5),
        "llama3": RopeScaling(8.0, 1.0, 4.0, 8192),
        "yarn": Yarn(4.0, 8192, 0.1 * math.log(4) + 1, 3.0),
    }[scaling["rope_type"]]
    turned = Rotary(64, 500_000.0, ours).rotation(places)
    # The last bit of a blended frequency is worth this much at the far end.
    torch.testing.assert_close(turned.cos, cos[0, :, :32], atol=1e-4, rtol=0)
    torch.testing.assert_close(turned.sin, sin[0, :, :32], atol=1e-4, rtol=0)


@pytest.mark.parametrize(
    ("model_type", "changes"),
    [
        ("llama", {"attention_bias": True, "mlp_bias": True}),
        ("llama", {"num_key_value_heads": None, "head_dim": None, "hidden_size": 60}),
        ("mistral", {"sliding_window": None}),
        ("qwen2", {"use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1}),
        ("qwen2", {"use_sliding_window": False, "sliding_window": 4, "max_window_layers": 1}),
        ("qwen3", {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 2}),
        ("qwen3", {"attention_bias": True}), ("gpt_neox", {"use_parallel_residual": False}),
        ("gpt_neox", {"attention_bias": False, "rope_parameters": {"partial_rotary_factor": 1.0}}),
        ("gpt_neox", {"rope_parameters": SCALINGS[1] | {"partial_rotary_factor": 0.45}}),
        ("gpt_neo", {"attention_types": [[["global"], 3]]}), ("phi3", PHI3),
        ("phi3", {"rope_parameters": None, "sliding_window": None}),
        ("gemma2", {"layer_types": None, "attn_logit_softcapping": None, "final_logit_softcapping": None}),
        ("gemma3_text", {"layer_types": None, "num_hidden_layers": 6, "rope_parameters": None}),
        ("smollm3", {"no_rope_layers": None, "no_rope_layer_interval": 2}),
        ("smollm3", {"attention_bias": True, "mlp_bias": True}), ("olmo", {"attention_bias": True}),
        ("olmo2", {"attention_bias": True}), ("granite", {"attention_bias": True, "mlp_bias": True}),
        ("opt", {"enable_bias": False}), ("gptj", {"n_inner": None}),
        ("stablelm", {"use_qkv_bias": True, "use_parallel_residual": True}),
        ("starcoder2", {"use_bias": False, "sliding_window": None}), ("cohere", {"attention_bias": True}),
        ("falcon", {"bias": True, "ffn_hidden_size": None}), ("falcon", {"multi_query": False}),
        ("falcon", {"new_decoder_architecture": True, "num_kv_heads": 3, "num_ln_in_parallel_attn": 1}),
        ("gpt_neo", {"intermediate_size": None}), ("modernbert", {"layer_types": ["full_attention"] * 3}),
    ],
)  # fmt: skip
def test_choices_of_a_family(tmp_path, model_type, changes):
    theirs = decoders.write(model_type, tmp_path, **changes)
    same(loaded(tmp_path), theirs)


@pytest.mark.parametrize("model_type", sorted(decoders.DECODERS))
def test_a_decoder_that_reads_both_sides_does_and_writes_nothing(tmp_path, model_type):
    """LLM2Vec and its kin: any decoder may be made into an encoder."""
    decoders.write(model_type, tmp_path)
    decoders.respell(tmp_path, is_causal=False)
    ours = loaded(tmp_path)
    assert not ours.causal and Ability.GENERATE not in ours.abilities
    assert "is_causal" in ours.notes[-1]
    (trace,) = ours.trace_encodings([ours.encode(TEXTS[1])])
    assert (trace.attention.pattern.triu(1).amax((1, 2, 3)) > 0).all()
    if model_type in ("llama", "qwen2", "qwen3", "mistral", "gemma2"):
        theirs = reference.load(tmp_path, decoders.DECODERS[model_type].whole)
        expected = reference.run(theirs, [trace.encoding])[0]
        reference.assert_same(replace(trace, logits=expected.logits), expected)


@pytest.mark.parametrize("head", ["Model", "ForSequenceClassification", "ForTokenClassification"])
@pytest.mark.parametrize(
    "model_type", ["llama", "qwen2", "qwen3", "mistral", "gpt_neox", "gemma", "phi", "modernbert"]
)
def test_a_model_without_its_output_matrix_reads(tmp_path, model_type, head):
    name = decoders.ALL[model_type].name + head
    tied = {} if model_type == "modernbert" else {"tie_word_embeddings": False}
    theirs = decoders.write(model_type, tmp_path, name, num_labels=3, **tied)
    ours = loaded(tmp_path)
    assert ours.abilities == Ability.CONTEXT | Ability.ATTENTION
    assert any("lm_head" in note for note in ours.notes) == (model_type != "modernbert")
    left = {name.partition(".")[0] for name in ours.left_out}
    assert left <= {"score", "classifier", "head"}
    assert bool(left or ours.classifier) == (head != "Model")
    encoding = ours.encode(TEXTS[1])
    with torch.no_grad():
        expected = getattr(theirs, theirs.base_model_prefix, theirs)(encoding.ids[None]).last_hidden_state[0]
    result = ours.final_norm(ours.trace_encodings([encoding])[0].hidden_states[-1])
    torch.testing.assert_close(result, expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(
    ("model_type", "changes", "drop", "older"),
    [
        (
            "gpt_neox",
            {"rope_parameters": {"rope_theta": 700.0, "partial_rotary_factor": 0.45}},
            ("rope_parameters",),
            {"rotary_emb_base": 700, "rotary_pct": 0.45},
        ),
        ("gpt_neo", {}, ("attention_layers",), {}),
        (
            "qwen2",
            {"use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1},
            ("layer_types",),
            {},
        ),
        (
            "modernbert",
            {
                "layer_types": ["full_attention", "sliding_attention", "full_attention"],
                "rope_parameters": {
                    "full_attention": {"rope_type": "default", "rope_theta": 9e4},
                    "sliding_attention": {"rope_type": "default", "rope_theta": 300.0},
                },
            },
            ("layer_types", "rope_parameters"),
            {"global_attn_every_n_layers": 2, "global_rope_theta": 9e4, "local_rope_theta": 300.0},
        ),
    ],
)
def test_what_older_versions_wrote(tmp_path, model_type, changes, drop, older):
    theirs = decoders.write(model_type, tmp_path, **changes)
    new = loaded(tmp_path)
    decoders.respell(tmp_path, (*drop, "dtype"), torch_dtype="float32", **older)
    ours = loaded(tmp_path)
    assert ours.config == new.config
    same(ours, theirs)


@pytest.mark.parametrize(
    ("model_type", "attention"),
    [("gpt_neox", "gpt_neox.layers.0.attention."), ("gpt_neo", "transformer.h.0.attn.attention.")],
)
def test_buffers_of_older_files_are_passed_over(tmp_path, model_type, attention):
    theirs = decoders.write(model_type, tmp_path)
    path = tmp_path / "model.safetensors"
    names = ["bias", "masked_bias", *(["rotary_emb.inv_freq"] if model_type == "gpt_neox" else [])]
    tensors = {name.replace("lm_head", "embed_out"): t for name, t in load_file(path).items()}
    save_file(tensors | {attention + name: torch.ones(3) for name in names}, path)
    same(loaded(tmp_path), theirs)


def test_a_short_text_beside_a_long_one_in_a_network_with_windows(tmp_path):
    """Padding that stands far from every real token is nobody's business, and must be a number."""
    theirs = decoders.write("modernbert", tmp_path)
    same(loaded(tmp_path), theirs, ["x", LONG])


@pytest.mark.parametrize(
    ("model_type", "changes", "name"),
    [
        ("llama", {"rope_scaling": {"rope_type": "proportional", "factor": 4.0}}, "proportional"),
        (
            "llama",
            {"rope_scaling": LONG_ROPE | {"long_factor": [2.0], "short_factor": [2.0]}},
            "1 factors for 5",
        ),
        ("llama", {"rope_scaling": {"rope_type": "longrope", "factor": 4.0}}, "short_factor"),
        ("qwen2", {"use_mrope": True}, "use_mrope"),
        (
            "falcon",
            {"new_decoder_architecture": True, "num_ln_in_parallel_attn": None},
            "as in Falcons of 40",
        ),
        ("falcon", {"alibi": True}, "alibi"),
        ("olmo", {"clip_qkv": 8.0}, "clip_qkv"),
        ("opt", {"do_layer_norm_before": False}, "do_layer_norm_before"),
        *((name, {"qk_layernorm": True}, "qk_layernorm") for name in ("phi", "stablelm")),
        ("cohere", {"use_qk_norm": True}, "use_qk_norm"),
        ("qwen2", WINDOWED | {"layer_types": ["full_attention"]}, "for 1 layers"),
        ("qwen3", WINDOWED | {"layer_types": ["chunked_attention"] * 3}, "chunked_attention"),
        ("gpt_neox", {"rope_parameters": {"partial_rotary_factor": 1.5}}, "1.5 of each head"),
        (
            "gpt_neox",
            {"rope_parameters": {"partial_rotary_factor": 0.5}},
            "leaves [0-9] to rotate: head_dim .*partial",
        ),
        (
            "llama",
            {"rope_parameters": {"partial_rotary_factor": 0.05}},
            "leaves 0 to rotate: head_dim .*partial",
        ),
        ("mistral", {"layer_types": ["full_attention"]}, "for 1 layers"),
        ("mistral", {"layer_types": ["chunked_attention"] * 3}, "chunked_attention"),
        ("gpt_neo", {"attention_layers": None, "attention_types": [[[], 10**12]]}, "for 0 layers"),
        ("gpt_neo", {"attention_layers": None, "attention_types": [[["local"], 10**12]]}, "for 1001 layers"),
        ("modernbert", {"norm_bias": True}, "norm_bias"),
        ("modernbert", {"rope_parameters": {"full_attention": SCALINGS[1]}}, "scaled"),
        ("modernbert", {"layer_types": None, "global_attn_every_n_layers": 0}, "not a number"),
    ],
)
def test_what_is_not_computed_is_refused_by_name(tmp_path, model_type, changes, name):
    decoders.write(model_type, tmp_path)
    decoders.respell(tmp_path, ("rope_parameters",), **changes)
    with pytest.raises(FormatError, match=name):
        loaded(tmp_path)


def test_a_larger_xlm_r_is_another_network(tmp_path):
    encoders.write("xlm-roberta", tmp_path)
    decoders.respell(tmp_path, model_type="xlm-roberta-xl")
    with pytest.raises(FormatError, match="“xlm-roberta-xl” model, which Riverbank does not read"):
        loaded(tmp_path)
