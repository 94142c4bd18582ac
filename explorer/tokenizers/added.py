"""Tokens that stand beside a vocabulary, in files without a tokenizer.json: a text's own are never split.

added_tokens.json         {"[E1]": 30522}                                        as older versions wrote it
tokenizer_config.json     "added_tokens_decoder": {"30522": {"content": "[E1]", ...}}
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokenizers import AddedToken
from tokenizers import Tokenizer as Backend

from explorer.errors import FormatError
from explorer.tokenizers.frame import read_json

FILE = "added_tokens.json"
CHOICES = ("lstrip", "rstrip", "single_word", "normalized", "special")


def added_tokens(folder: Path, chosen: Mapping[str, Any]) -> dict[int, AddedToken]:
    """The added tokens by id; `chosen` is what tokenizer_config.json says."""
    older = {int(id): AddedToken(token, normalized=True) for token, id in read_json(folder / FILE).items()}
    stated = chosen.get("added_tokens_decoder") or {}
    return older | {
        int(id): AddedToken(one["content"], **{name: bool(one.get(name)) for name in CHOICES})
        for id, one in stated.items()
    }


def add_tokens(backend: Backend, tokens: Mapping[int, AddedToken]) -> None:
    """Add tokens, each under its id. Raises FormatError for one that would have another."""
    known = {token.content for token in backend.get_added_tokens_decoder().values()}
    for id, token in sorted(tokens.items(), key=lambda pair: pair[0]):
        if token.content in known:
            continue
        (backend.add_special_tokens if token.special else backend.add_tokens)([token])
        if (found := backend.token_to_id(token.content)) != id:
            raise FormatError(
                f"The tokenizer files say that “{token.content:.60}” is token {id}, and by their vocabulary "
                f"it is {found}.",
                "Fetch the checkpoint again, or choose one with a tokenizer.json.",
            )
