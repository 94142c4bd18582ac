"""tokenizer.json, which has a whole tokenizer, and the changes of tokenizer_config.json to it.

The file is followed as it is. If tokenizer_config.json differs about capitals, accents,
Chinese characters, the space before a text or the tokens around it, it takes precedence, as in
`transformers`; but not with a class that only reads the file. (For some classes `transformers` 5 rebuilds the
tokenizer from the vocabulary, with the defaults of the class for missing settings: such defaults do
not count here.)
"""

import json
import re
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer as Backend
from tokenizers import normalizers
from tokenizers.models import BPE

from explorer.errors import FormatError
from explorer.tokenizers.added import add_tokens
from explorer.tokenizers.frame import follow_roles
from explorer.tokenizers.growth import check_growth
from explorer.tokenizers.guarded import guarded
from explorer.tokenizers.settings import ALBERT, BERT, CHOSEN, DEFAULTS, LLAMA, Settings

# The steps that add a space before Llama 2's texts, and remove it again.
PREPEND = {"type": "Prepend", "prepend": "▁"}
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
SPACED = re.compile(r'"type": "(Prepend|Metaspace|ByteLevel)"')
SECTIONS = ("normalizer", "pre_tokenizer", "post_processor", "decoder")


@guarded
def read_backend(path: Path, settings: Settings) -> Backend:
    """The tokenizer of a file, with the tokens from the small files beside it. Raises FormatError."""
    text = path.read_text(encoding="utf-8-sig")
    try:
        backend = Backend.from_str(text)
    except Exception as error:  # the library raises bare Exception for every kind of damage
        if unknown := _unknown_kind(text):
            raise FormatError(
                f"tokenizer.json in {settings.folder} has a {unknown}, which Riverbank cannot read.",
                "It is damaged, or from a newer tokenizers library: choose another checkpoint.",
            ) from error
        raise
    check_growth(json.loads(text).get("normalizer"), settings.folder)
    if settings.kind in (LLAMA, *DEFAULTS):
        backend = _choose(backend, settings)
    backend.no_truncation()  # some published files contain the settings of their training
    backend.no_padding()
    if isinstance(backend.model, BPE):
        backend.model.dropout = None
    add_tokens(backend, settings, settings.special(settings.kind, published=True))
    follow_roles(backend, settings)
    return backend


def _choose(backend: Backend, settings: Settings) -> Backend:
    """Apply tokenizer_config.json's settings for a text's letters and the space before it."""
    lowercase, values = settings.switch("do_lower_case"), settings.values
    if isinstance(normalizer := backend.normalizer, normalizers.BertNormalizer) and settings.kind == BERT:
        if lowercase is not None:
            normalizer.lowercase = lowercase
        if "strip_accents" in values:
            normalizer.strip_accents = settings.switch("strip_accents")
        if (chinese := settings.switch("tokenize_chinese_chars")) is not None:
            normalizer.handle_chinese_chars = chinese
        backend.normalizer = normalizer  # added tokens are normalized again
    elif settings.kind in (BERT, ALBERT) and lowercase is not None and normalizer is not None:
        small = normalizer.normalize_str("A") == "a"
        if small != lowercase:
            raise FormatError(
                f"tokenizer.json in {settings.folder} and “do_lower_case” in {CHOSEN} disagree.",
                "Ask the checkpoint’s authors which of the two is right.",
            )
    if (space := settings.switch("add_prefix_space")) is None:
        return backend
    content = json.loads(backend.to_str())
    changed = content | {name: _with_space(content[name], name, space) for name in SECTIONS}
    if space and settings.kind == LLAMA and not SPACED.search(json.dumps(changed)):
        both = {"normalizer": ("normalizers", [PREPEND, changed["normalizer"]])}
        both["decoder"] = ("decoders", [changed["decoder"], STRIP])
        for name, (steps, parts) in both.items():
            changed[name] = {"type": "Sequence", steps: [part for part in parts if part]}
    return backend if changed == content else Backend.from_str(json.dumps(changed))


def _with_space(step: Any, section: str, space: bool) -> Any:
    """A step with the setting for a space before a text; None for a step to leave out."""
    match step and step["type"]:
        case "Sequence":
            (steps,) = (name for name in step if name != "type")
            changed = [_with_space(inner, section, space) for inner in step[steps]]
            return step | {steps: [inner for inner in changed if inner is not None]}
        case "ByteLevel" if section == "pre_tokenizer":
            return step | {"add_prefix_space": space}
        case "RobertaProcessing":
            return step | {"add_prefix_space": space}
        case "Metaspace" if space != (step.get("prepend_scheme") != "never"):
            return step | {"prepend_scheme": "always" if space else "never"}
        case "Prepend" if not space:
            return None
        case "Strip" if section == "decoder" and not space:
            return None
    return step


def _unknown_kind(text: str) -> str:
    """The first unsupported part of a tokenizer, in words; "" if the library supports all."""
    try:
        content = json.loads(text)
        parts = {name: content.get(name) for name in SECTIONS}
    except (ValueError, AttributeError, RecursionError):
        return ""
    empty: dict[str, Any] = {"added_tokens": [], "model": {"type": "BPE", "vocab": {}, "merges": []}}
    for name, part in parts.items():
        kind = part.get("type") if isinstance(part, dict) else None
        if isinstance(kind, str):
            try:
                Backend.from_str(json.dumps(empty | {name: part}))
            except Exception:  # as above
                return f"{name} of the kind “{kind:.40}”"
    kind = content["model"].get("type") if isinstance(content.get("model"), dict) else None
    supported = (None, "BPE", "Unigram", "WordLevel", "WordPiece")
    return "" if kind in supported else f"model of the kind “{kind!s:.40}”"
