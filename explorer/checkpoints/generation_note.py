"""What a model's files ask for in sampling that is not computed: pages show the model’s own probabilities."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.tokenizers.settings import read_json

# Fields of transformers' GenerationConfig that change probabilities or forbid tokens, and what changes none.
# Temperature, top_k and top_p are the visitor's own on the pages.
NEUTRAL: dict[str, Any] = {
    "repetition_penalty": 1,
    "encoder_repetition_penalty": 1,
    "no_repeat_ngram_size": 0,
    "encoder_no_repeat_ngram_size": 0,
    "diversity_penalty": 0,
    "length_penalty": 1,
    "exponential_decay_length_penalty": None,
    "penalty_alpha": 0,
    "guidance_scale": 1,
    "typical_p": 1,
    "epsilon_cutoff": 0,
    "eta_cutoff": 0,
    "min_p": 0,
    "top_h": None,
    "constraints": None,
    "num_beams": 1,
    "min_length": 0,
    "min_new_tokens": 0,
    "bad_words_ids": None,
    "force_words_ids": None,
    "forced_bos_token_id": None,
    "forced_eos_token_id": None,
    "suppress_tokens": None,
    "begin_suppress_tokens": None,
    "sequence_bias": None,
    "watermarking_config": None,
    "dola_layers": None,
}


# The same of a GGUF file's `general.sampling`, whose other keys belong to one of these, or are the visitor's.
GGUF_NEUTRAL: dict[str, Any] = {"min_p": 0, "xtc_probability": 0, "penalty_repeat": 1, "mirostat": 0}


def generation_note(folder: Path) -> str:
    """A sentence on the fields of a folder's generation_config.json that are not computed; "" without any."""
    return _note(read_json(folder / "generation_config.json"), NEUTRAL, "generation_config.json")


def gguf_note(metadata: Mapping[str, Any]) -> str:
    """The same on a GGUF file's metadata."""
    names = {name: f"general.sampling.{name}" for name in GGUF_NEUTRAL}
    return _note({name: metadata.get(key) for name, key in names.items()}, GGUF_NEUTRAL, "file")


def _note(config: Mapping[str, Any], neutral: Mapping[str, Any], source: str) -> str:
    fields = [
        f"{name} {value:.4g}" if isinstance(value, int | float) else name
        for name, plain in neutral.items()
        if (value := config.get(name)) and value != plain
    ]
    if not fields:
        return ""
    asked = ", ".join(fields)
    return f"Its {source} asks for {asked}; here the model’s own probabilities are shown."
