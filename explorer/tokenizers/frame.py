"""The tokens around a text, and those that end one, as a checkpoint's files say.

    Llama 3       <|begin_of_text|>  The  Ġriver          what its tokenizer.json puts in front stays
    GPT-2         The  Ġriver                             nothing, and a text ends with <|endoftext|>

Without a tokenizer.json, `tokenizer_config.json` decides by `add_bos_token` and `add_eos_token`, as in
`transformers`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer as Backend
from tokenizers import processors

from explorer.errors import FormatError
from explorer.tokenizers.base import Tokenizer

END_OF_TEXT = "<|endoftext|>"
CONFIGURATIONS = ("config.json", "generation_config.json")


def put_frame(backend: Backend, chosen: Mapping[str, Any]) -> None:
    """Put the first and the last token around every text, where the configuration asks for them."""
    first = named(chosen, "bos_token") if chosen.get("add_bos_token") else None
    last = named(chosen, "eos_token") if chosen.get("add_eos_token") else None
    ids = {token: id for token in (first, last) if token and (id := backend.token_to_id(token)) is not None}
    sides = [
        [f"{part}:{i}" for part in (first, text, last) if part == text or part in ids]
        for i, text in enumerate(("$A", "$B"))
    ]
    backend.post_processor = processors.TemplateProcessing(
        single=sides[0], pair=sides[0] + sides[1], special_tokens=list(ids.items())
    )


def cover_spaces(backend: Backend) -> None:
    """Let the span of a token cover the space before its word, which a published file may trim off."""
    last = backend.post_processor
    steps: Any = last if isinstance(last, processors.Sequence) else [last]
    for step in steps:
        if isinstance(step, processors.ByteLevel | processors.RobertaProcessing):
            step.trim_offsets = False


def start_of_text(backend: Backend, chosen: Mapping[str, Any], otherwise: str = END_OF_TEXT) -> str:
    """What stands before a text: the first token of its frame, else what the configuration names."""
    framed = backend.encode("a")
    if framed.special_tokens_mask[:1] == [1]:
        return framed.tokens[0]
    return named(chosen, "bos_token") or otherwise


def read_ends(folder: Path, chosen: Mapping[str, Any], tokenizer: Tokenizer) -> frozenset[int]:
    """The ids that end a text when they are written: those that the files name, else the tokenizer's own.

    A number counts where it is a special token's: a configuration may keep a default that means nothing.
    """
    end = tokenizer.id(named(chosen, "eos_token") or "")
    ends = set() if end is None else {end}
    for path in (folder / name for name in CONFIGURATIONS):
        ids = read_json(path).get("eos_token_id")
        given = ids if isinstance(ids, list) else [ids]
        ends |= {id for id in given if isinstance(id, int)} & tokenizer.special_ids
    return frozenset(ends) or tokenizer.ends


def read_json(path: Path) -> dict[str, Any]:
    """What a small file beside a tokenizer says; {} without one. Raises FormatError, naming the file."""
    try:
        said = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (ValueError, RecursionError) as error:
        hint = "It may be damaged: fetch it again, or do without it."
        raise FormatError(f"{path.name} in {path.parent.name} is not JSON: {error}.", hint) from error
    return said if isinstance(said, dict) else {}


def named(chosen: Mapping[str, Any], name: str) -> str | None:
    """A special token's string in tokenizer_config.json, written plainly or with its settings.

    >>> named({"bos_token": {"content": "<s>"}}, "bos_token")
    '<s>'
    """
    token = chosen.get(name)
    token = token.get("content") if isinstance(token, dict) else token
    return token if isinstance(token, str) else None
