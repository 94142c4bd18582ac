"""What generation_config.json asks for that is not computed: pages show the model’s own probabilities."""

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


def generation_note(folder: Path) -> str:
    """A sentence on the fields of a folder's generation_config.json that are not computed; "" without any."""
    config = read_json(folder / "generation_config.json")
    fields = [
        f"{name} {value}" if isinstance(value, int | float) else name
        for name, neutral in NEUTRAL.items()
        if (value := config.get(name)) and value != neutral
    ]
    if not fields:
        return ""
    asked = ", ".join(fields)
    return f"Its generation_config.json asks for {asked}; here the model’s own probabilities are shown."
