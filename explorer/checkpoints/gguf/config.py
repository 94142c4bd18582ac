"""A GGUF file's metadata as the config.json that the hub has for the same model."""

from typing import Any

import numpy as np

from explorer.checkpoints.gguf.architectures import ARCHITECTURES
from explorer.checkpoints.gguf.architectures import WINDOW_IN_TURN as WINDOW
from explorer.checkpoints.gguf.header import Header
from explorer.checkpoints.gguf.scaling import LONG
from explorer.checkpoints.model_folder import adapter_error
from explorer.checkpoints.model_types import unread_family
from explorer.errors import FormatError
from explorer.models.pooling import CLS, LAST, MEAN, Pooling

# Every key of an architecture that is not said elsewhere, without its first part. What a file may ask for and
# an architecture may not compute, where 0 or no asks for nothing:
VARIANTS = tuple(
    f"{group}{key}"
    for group, keys in {
        "": """activation_sparsity_scale altup.active_idx altup.num_inputs attn_logit_softcapping
            classifier.output_labels decoder_block_count decoder_start_token_id embedding_length_out
            embedding_length_per_layer_input embedding_scale final_logit_softcapping full_attention_interval
            interleave_moe_layer_step kda.head_dim leading_dense_block_count logit_scale moe_every_n_layers
            moe_latent_size n_deepstack_layers nextn_predict_layers rescale_every_n_layers residual_scale
            router_logit_softcapping shortconv.l_cache swiglu_clamp_exp swiglu_clamp_shexp swin_norm
            time_decay_extra_dim time_mix_extra_dim token_shift_count wkv.head_size""",
        "convnext.": "block_count embedding_length",
        "posnet.": "block_count embedding_length",
        "ssm.": "conv_kernel dt_b_c_rms group_count inner_size state_size time_step_rank",
        "expert": """_chunk_feed_forward_length _count _feed_forward_length _gating_func _group_count
            _group_scale _group_used_count _shared_count _shared_feed_forward_length _used_count _weights_norm
            _weights_scale s_per_group""",
        "attention.": """clamp_kqv decay_lora_rank gate_lora_rank group_norm_epsilon group_norm_groups
            iclr_lora_rank indexer.head_count indexer.key_length indexer.top_k key_length_mla key_length_swa
            kv_lora_rank max_alibi_bias output_scale q_lora_rank relative_buckets_count scale shared_kv_layers
            sliding_window sliding_window_pattern temperature_length temperature_scale value_length_mla
            value_length_swa value_residual_mix_lora_rank""",
        "rope.": """dimension_count_swa dimension_sections freq_base_swa scaling.alpha
            scaling.yarn_attn_factor scaling.yarn_ext_factor scaling.yarn_log_multiplier""",
    }.items()
    for key in keys.split()
)
# What llama.cpp reads of no file of these architectures, or what changes nothing of what is computed.
WITHOUT_EFFECT = frozenset("features_length rope.scaling.finetuned tensor_data_layout".split())
COMPUTED = frozenset(
    """attention.causal attention.head_count attention.head_count_kv attention.key_length
    attention.layer_norm_epsilon attention.layer_norm_rms_epsilon attention.value_length block_count
    context_length embedding_length feed_forward_length pooling_type rope.dimension_count rope.freq_base
    rope.scaling.attn_factor rope.scaling.factor rope.scaling.original_context_length rope.scaling.type
    rope.scaling.yarn_beta_fast rope.scaling.yarn_beta_slow use_parallel_residual vocab_size""".split()
)
# What else is kept in such files, by their type or their architecture.
NO_MODELS = {
    "imatrix": "an importance matrix (imatrix), by which llama.cpp packs a model",
    "mmproj": "what turns pictures into vectors for a model (mmproj)",
    "clip": "what turns pictures into vectors for a model (mmproj)",
    "controlvector": "control vectors, which are added to a model’s states",
}
OWN_FILE = "Choose the model’s own .gguf file."
POOLINGS = {1: MEAN, 2: CLS, 3: LAST}
NO_POOLING = {
    0: "pooling_type none, which is a vector for each token",
    4: "pooling_type rank, a classifier’s",
}
UNSPECIFIED = 2**32 - 1  # -1 without its sign
# The kinds of values; others are numbers.
KINDS = {"use_parallel_residual": bool} | dict.fromkeys(
    ("attention.head_count_kv", *WINDOW, "context_length", "feed_forward_length"), int
)


def architecture_of(header: Header) -> str:
    """The architecture, by the file's own word. Raises FormatError for one that is not read."""
    if header.metadata.get("general.type") == "adapter":
        raise adapter_error(header.name, header.metadata.get("general.base_model.0.name"))
    for kind, what in NO_MODELS.items():
        if kind in (header.metadata.get("general.type"), header.metadata.get("general.architecture")):
            raise FormatError(f"{header.name} holds {what}, and no model.", OWN_FILE)
    architecture = header.get("general.architecture", str)
    if not header.tensors and "tokenizer.ggml.tokens" in header.metadata:
        raise FormatError(f"{header.name} holds a vocabulary alone, without a network.", OWN_FILE)
    if architecture not in ARCHITECTURES:
        raise unread_family(architecture, header.name, " from a GGUF file")
    for key in VARIANTS:
        value = header.metadata.get(f"{architecture}.{key}")
        says_more = value.any() if isinstance(value, np.ndarray) else value
        if key.endswith("_swa") and value == header.metadata.get(
            f"{architecture}.{key.removesuffix('_swa')}"
        ):
            continue
        if key not in ARCHITECTURES[architecture].keys and says_more:
            raise FormatError(
                f"{header.name} sets {architecture}.{key}, a variant that Riverbank does not compute.",
                "Choose a file of the plain architecture.",
            )
    return architecture


def hub_config(header: Header) -> dict[str, Any]:
    """What config.json would say. Raises FormatError for a missing key, or one of another type."""
    architecture = architecture_of(header)
    own = _gpt2(header) if architecture == "gpt2" else _rotary(header, architecture)
    ids = {
        f"{name}_token_id": header.get(f"tokenizer.ggml.{name}_token_id", int)
        for name in ("bos", "eos")
        if f"tokenizer.ggml.{name}_token_id" in header.metadata
    }
    if not header.get(f"{architecture}.attention.causal", bool, True):
        own["is_causal"] = False
    tokens = header.get("tokenizer.ggml.tokens", list)
    return {
        "vocab_size": header.get(f"{architecture}.vocab_size", int, len(tokens)),
        **own,
        **ids,
        "tie_word_embeddings": "output.weight" not in header.tensors,
    }


def pooling_of(header: Header) -> Pooling | None:
    """How a file says that a text's vector is pooled, by llama.cpp's numbers; None where it says nothing."""
    key = f"{architecture_of(header)}.pooling_type"
    number = header.get(key, int, UNSPECIFIED)
    if number == UNSPECIFIED:
        return None
    if number in POOLINGS:
        return Pooling((POOLINGS[number],))
    refusal = NO_POOLING.get(number, f"pooling_type {number}")
    return Pooling(refusal=refusal, note=f"Its file asks for {refusal}: it gives no sentence vectors.")


def _gpt2(header: Header) -> dict[str, Any]:
    return {
        "model_type": "gpt2",
        "n_embd": header.get("gpt2.embedding_length", int),
        "n_layer": header.get("gpt2.block_count", int),
        "n_head": header.get("gpt2.attention.head_count", int),
        "n_inner": header.get("gpt2.feed_forward_length", int),
        "n_positions": header.get("gpt2.context_length", int),
        "layer_norm_epsilon": _short(header.get("gpt2.attention.layer_norm_epsilon", float)),
    }


def _rotary(header: Header, architecture: str) -> dict[str, Any]:
    """The configuration of a model with rotary positions."""

    def own(key: str) -> str:
        return f"{architecture}.{key}"

    kind = ARCHITECTURES[architecture]
    heads = header.get(own("attention.head_count"), int)
    width = header.get(own("embedding_length"), int)
    config = {
        "model_type": kind.model_type,
        "hidden_size": width,
        "num_hidden_layers": header.get(own("block_count"), int),
        "num_attention_heads": heads,
        "num_key_value_heads": header.get(own("attention.head_count_kv"), int, heads),
        "intermediate_size": header.get(own("feed_forward_length"), int),
        "max_position_embeddings": header.get(own("context_length"), int),
        "rope_theta": _short(header.get(own("rope.freq_base"), float, 10_000.0)),
        **kind.fixed,
    }
    if own("attention.key_length") in header.metadata:
        config["head_dim"] = header.get(own("attention.key_length"), int)
    head = config.get("head_dim") or (width // heads if heads > 0 else 0)
    turned = header.get(own("rope.dimension_count"), int, head)
    values = header.get(own("attention.value_length"), int, head)
    if values != head or not 0 < turned <= max(head, 1) or (kind.pairs and turned != head):
        raise FormatError(
            f"{header.name} rotates {turned} numbers of a head, gives its values {values}, and a head {head} "
            "numbers.",
            "It is a variant that Riverbank does not compute: choose another file.",
        )
    if head:
        config["partial_rotary_factor"] = turned / head
    config |= {word: f"blk.0.{part}.bias" in header.tensors for word, part in kind.biases.items()}
    for key, word in kind.keys.items():
        if key.endswith("epsilon") or own(key) in header.metadata:
            value: Any = header.get(own(key), KINDS.get(key, float))
            config[word] = _short(value) if isinstance(value, float) else value
    if kind.gains:  # of Gemma; those of 27 billion parameters, of 46 and 62 layers, differ from the others
        large = config["num_hidden_layers"] in (46, 62)
        config["query_pre_attn_scalar"] = width // max(heads, 1) if large else head
    if scaling := _scaling(header, architecture):
        config["rope_scaling"] = scaling
    if every := config.pop("sliding_window_pattern", None):
        local = [bool((i + 1) % every) for i in range(config["num_hidden_layers"])]
        config["layer_types"] = ["sliding_attention" if one else "full_attention" for one in local]
    if config.get("sliding_window") == 0:  # as some files say that there is none
        del config["sliding_window"]
    if "sliding_window" in config:
        config["use_sliding_window"] = True
        # Mistral is called a llama too, and told apart by its window.
        config["model_type"] = "mistral" if architecture == "llama" else kind.model_type
    return config


def _scaling(header: Header, architecture: str) -> dict[str, Any] | None:
    """How positions are stretched, where they are; config.json calls it `rope_scaling`.

    Raises FormatError for longer queries and keys without the two lists that bring them.
    """
    begin = f"{architecture}.rope.scaling."
    if header.get(f"{begin}attn_factor", float, 1.0) != 1.0 and LONG not in header.tensors:
        raise FormatError(
            f"{header.name} sets {begin}attn_factor, a variant that Riverbank does not compute.",
            "Choose a file of the plain architecture.",
        )
    # Files of 2023 name no type, which is then linear, and some the factor alone, by its older key.
    factor = header.get(f"{begin}factor", float, header.get(f"{architecture}.rope.scale_linear", float, 0.0))
    kind = header.get(f"{begin}type", str, "linear" if factor else "none")
    if kind == "none" or (not factor and kind != "longrope"):
        return None
    scaling: dict[str, Any] = {"rope_type": kind, "factor": _short(factor)}
    if f"{begin}original_context_length" in header.metadata:
        length = header.get(f"{begin}original_context_length", int)
        scaling["original_max_position_embeddings"] = length
    for word in ("beta_fast", "beta_slow"):
        if f"{begin}yarn_{word}" in header.metadata:
            scaling[word] = _short(header.get(f"{begin}yarn_{word}", float))
    return scaling


def _short(number: float) -> float:
    """A float32 as people write it.

    >>> _short(9.999999747378752e-06)
    1e-05
    """
    return float(f"{number:.7g}")
