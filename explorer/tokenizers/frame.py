"""The tokens around a text, and those that end one, as a checkpoint's files say.

    Llama 3       <|begin_of_text|>  The  Ġriver          what its tokenizer.json puts in front stays
    GPT-2         The  Ġriver                             nothing, and a text ends with <|endoftext|>

Without a tokenizer.json, `tokenizer_config.json` decides by `add_bos_token` and `add_eos_token`, as in
`transformers`. What the vocabulary happens to hold decides nothing.
"""

import re
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer as Backend
from tokenizers import processors

from explorer.errors import FormatError
from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.settings import BERT, CAMEMBERT, NEOX, ROBERTA, XLMR, Settings, read_json

END_OF_TEXT = "<|endoftext|>"
CONFIGURATIONS = ("config.json", "generation_config.json")
# What stands before and after a text, for the classes whose frame the small files may change.
FRAMES = dict.fromkeys((BERT, ROBERTA), ("cls_token", "sep_token")) | dict.fromkeys(
    (XLMR, CAMEMBERT), ("bos_token", "eos_token")
)
MARK = re.compile(r"<.+>|\[.+\]")  # what no text would have as a word: </s>, [END]


def put_frame(backend: Backend, settings: Settings, kind: str) -> None:
    """Put the first and the last token around every text, where the configuration asks for them."""
    asked = {f"{end}_token": settings.switch(f"add_{end}_token") for end in ("bos", "eos")}
    first, last = (settings.token(role, kind) if wanted else None for role, wanted in asked.items())
    ids = {token: id for token in (first, last) if token and (id := backend.token_to_id(token)) is not None}
    sides = [
        [f"{part}:{i}" for part in (first, text, last) if part == text or part in ids]
        for i, text in enumerate(("$A", "$B"))
    ]
    backend.post_processor = processors.TemplateProcessing(
        single=sides[0], pair=sides[0] + sides[1], special_tokens=list(ids.items())
    )


def follow_roles(backend: Backend, settings: Settings) -> None:
    """Let the frame of a tokenizer.json have the tokens that the small files name for it.

    For these classes `transformers` makes the frame anew, and GPT-NeoX's has what `add_bos_token` and
    `add_eos_token` ask for and no more. Raises FormatError for a token that the vocabulary lacks.
    """
    kind, roles = settings.kind, FRAMES.get(settings.kind, ())
    if kind == NEOX:
        put_frame(backend, settings, kind)
    if not any(settings.roles.get(role) for role in roles):
        return
    first, last = (settings.token(role, kind) or "" for role in roles)
    ids = {token: id for token in (first, last) if (id := backend.token_to_id(token)) is not None}
    if lacking := [token for token in dict.fromkeys((first, last)) if token not in ids]:
        raise FormatError(
            f"tokenizer.json in {settings.folder} lacks {', '.join(lacking)}, named for the ends of a text.",
            "Ask the checkpoint’s authors for the tokenizer that belongs to it.",
        )
    framed = backend.encode("a").ids
    if framed[:1] == [ids[first]] and framed[-1:] == [ids[last]]:
        return
    single = [f"{first}:0", "$A:0", f"{last}:0"]
    second = ["$B:1", f"{last}:1"] if kind == BERT else [f"{last}:0", "$B:0", f"{last}:0"]
    backend.post_processor = processors.TemplateProcessing(
        single=single, pair=single + second, special_tokens=list(ids.items())
    )


def cover_spaces(backend: Backend) -> None:
    """Let the span of a token cover the space before its word, which a published file may trim off."""
    last = backend.post_processor
    steps: Any = last if isinstance(last, processors.Sequence) else [last]
    for step in steps:
        if isinstance(step, processors.ByteLevel | processors.RobertaProcessing):
            step.trim_offsets = False


def names_of(
    settings: Settings, kind: str, first: str | None = None, last: str | None = None
) -> dict[str, str]:
    """The strings of special tokens as `Tokenizer` takes them; `first` and `last` are those of its frame."""
    roles = {"unknown": "unk_token", "mask": "mask_token", "padding": "pad_token", "end": "eos_token"}
    names = {name: settings.token(role, kind) for name, role in roles.items()}
    names |= {"start": first, "separator": last}
    return {name: token for name, token in names.items() if token}


def framed_names(backend: Backend, settings: Settings) -> dict[str, str]:
    """The same of a tokenizer.json, which has the frame itself and may name no roles.

    A role that no file names falls to the token that the vocabulary has under one of its usual names.
    """
    framed, kind = backend.encode("a"), settings.kind
    first = framed.tokens[0] if framed.special_tokens_mask[:1] == [1] else settings.token("bos_token", kind)
    last = framed.tokens[-1] if framed.special_tokens_mask[-1:] == [1] else settings.token("sep_token", kind)
    usual = {
        "unknown": ("[UNK]", "<unk>"),
        "mask": ("[MASK]", "<mask>"),
        "padding": ("[PAD]", "<pad>"),
        "start": (END_OF_TEXT, "<s>"),
    }
    names = names_of(settings, kind, first, last)
    known = {
        name: next((token for token in tokens if backend.token_to_id(token) is not None), "")
        for name, tokens in usual.items()
    }
    return known | {name: token for name, token in names.items() if backend.token_to_id(token) is not None}


def read_ends(folder: Path, settings: Settings, tokenizer: Tokenizer) -> frozenset[int]:
    """The ids that end a text when they are written: those that the files name, else the tokenizer's own.

    generation_config.json has the last word, and may name an ordinary token, as a line feed. A number that is
    only the model's own configuration's may be a default that means nothing: it counts where its token is
    special, or looks like a mark.
    """
    stated = settings.token("eos_token")
    end = None if stated is None else tokenizer.id(stated)
    ends = set() if end is None else {end}
    config, generation = (read_json(folder / name) for name in CONFIGURATIONS)
    copied = generation.get("_from_model_config") is True
    chosen = _numbers(generation.get("eos_token_id"))
    written = [] if copied else [id for id in chosen if _spelled(tokenizer, id)]
    others = chosen if copied else [] if chosen else _numbers(config.get("eos_token_id"))
    ends |= {*written, *(id for id in others if is_mark(tokenizer, id))}
    return frozenset(ends) or tokenizer.ends


def is_mark(tokenizer: Tokenizer, id: int) -> bool:
    """Whether a token is special, or written as no word of a text would be."""
    return id in tokenizer.special_ids or MARK.fullmatch(_spelled(tokenizer, id)) is not None


def _numbers(ids: Any) -> list[int]:
    return [id for id in (ids if isinstance(ids, list) else [ids]) if type(id) is int]


def _spelled(tokenizer: Tokenizer, id: int) -> str:
    """The string of a token, or "" where there is none with this id."""
    token = tokenizer.token(id) if 0 <= id < tokenizer.size else ""
    return "" if token == f"<unused {id}>" else token
