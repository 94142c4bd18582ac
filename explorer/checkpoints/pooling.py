"""How a sentence encoder pools, from the small files that sentence-transformers writes beside a model.

modules.json                          the steps: Transformer, Pooling, perhaps Normalize or Dense
1_Pooling/config.json                 which pooling; {"pooling_mode_cls_token": true} in older versions
sentence_bert_config.json             how many tokens of a text are read
config_sentence_transformers.json     what is put before a question or a passage (E5, BGE)
"""

import json
from pathlib import Path
from typing import Any, TypeVar

from explorer.checkpoints.model_folder import MODULES
from explorer.models.pooling import CLS, LARGEST, LAST, MEAN, MODES, Pooling

Content = TypeVar("Content", dict[str, Any], list[Any])

POOLING = "1_Pooling/config.json"
LENGTH = "sentence_bert_config.json"
PROMPTS = "config_sentence_transformers.json"
FILES = (MODULES, POOLING, LENGTH, PROMPTS)  # those to fetch from the hub
OLDER = {
    "pooling_mode_cls_token": CLS,
    "pooling_mode_max_tokens": LARGEST,
    "pooling_mode_mean_tokens": MEAN,
    "pooling_mode_lasttoken": LAST,
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
}


def read_pooling(folder: Path) -> Pooling | None:
    """The pooling of a model's folder, whose list of modules may be one folder above; None without one.

    Another pooling than `MODES` is replaced by the mean, a further layer is left out, and both are noted.
    What cannot be read counts as missing.
    """
    root = next((place for place in (folder, folder.parent) if (place / MODULES).is_file()), None)
    if root is None:
        return None
    steps = _json(root / MODULES, list)
    kinds = [_name(step) for step in steps]
    mode, notes = MEAN, []
    if "Pooling" in kinds:
        place = str(steps[kinds.index("Pooling")].get("path", ""))
        modes = _modes(_json(root / Path(place).name / "config.json", dict))  # never outside of the folder
        if len(modes) == 1 and modes[0] in MODES:
            mode = modes[0]
        else:
            notes.append(f"Its files ask for the pooling {' and '.join(modes)}; the mean takes its place.")
    else:
        notes.append(f"Its {MODULES} names no pooling, so this is the mean of all tokens.")
    if others := [kind for kind in kinds if kind not in ("Transformer", "Pooling", "Normalize")]:
        notes.append(f"Its files add {', '.join(others)} after the pooling, which is left out.")
    limit = _json(folder / LENGTH, dict).get("max_seq_length")
    prompts = _json(root / PROMPTS, dict).get("prompts")
    return Pooling(
        mode,
        "Normalize" in kinds,
        limit if isinstance(limit, int) and limit > 0 else None,
        {str(key): str(text) for key, text in prompts.items()} if isinstance(prompts, dict) else {},
        " ".join(notes),
    )


def _name(step: Any) -> str:
    """The kind of a step: the last part of its type, whose path differs from version to version."""
    return str(step.get("type", "")).rpartition(".")[2] if isinstance(step, dict) else ""


def _modes(config: dict[str, Any]) -> list[str]:
    """The poolings that a configuration names; the mean if it names none."""
    modes = config.get("pooling_mode", [mode for key, mode in OLDER.items() if config.get(key) is True])
    return [str(mode) for mode in (modes if isinstance(modes, list) else [modes])] or [MEAN]


def _json(path: Path, kind: type[Content]) -> Content:
    """A file's content if it is of this kind; nothing if the file is not there or damaged."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return kind()
    return content if isinstance(content, kind) else kind()
