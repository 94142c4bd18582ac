"""The tokens around a text, and those that end one, from a checkpoint's files.

    Llama 3       <|begin_of_text|>  The  Ġriver          the start token of its tokenizer.json is kept
    GPT-2         The  Ġriver                             none; a text ends with <|endoftext|>

Without a tokenizer.json, `tokenizer_config.json` decides by `add_bos_token` and `add_eos_token`, as in
`transformers`. The contents of the vocabulary make no difference.
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
# The roles of the first and last token, for the classes whose frame the small files may change.
FRAMES = dict.fromkeys((BERT, ROBERTA), ("cls_token", "sep_token")) | dict.fromkeys(
    (XLMR, CAMEMBERT), ("bos_token", "eos_token")
)
MARK = re.compile(r"<.+>|\[.+\]")  # not a word of any text: </s>, [END]


def put_frame(backend: Backend, settings: Settings, kind: str) -> None:
    """Put the first and the last token around every text if the configuration asks for them."""
    switches = {f"{end}_token": settings.switch(f"add_{end}_token") for end in ("bos", "eos")}
    first, last = (settings.token(role, kind) if added else None for role, added in switches.items())
    ids = {token: id for token in (first, last) if token and (id := backend.token_to_id(token)) is not None}
    sides = [
        [f"{part}:{i}" for part in (first, text, last) if part == text or part in ids]
        for i, text in enumerate(("$A", "$B"))
    ]
    backend.post_processor = processors.TemplateProcessing(
        single=sides[0], pair=sides[0] + sides[1], special_tokens=list(ids.items())
    )


def follow_roles(backend: Backend, settings: Settings) -> None:
    """Give the frame of a tokenizer.json the tokens that the small files name for it.

    For these classes `transformers` rebuilds the frame, and GPT-NeoX's has only what `add_bos_token` and
    `add_eos_token` ask for. Raises FormatError for a token that the vocabulary lacks.
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
    example = backend.encode("a").ids
    if example[:1] == [ids[first]] and example[-1:] == [ids[last]]:
        return
    single = [f"{first}:0", "$A:0", f"{last}:0"]
    second = ["$B:1", f"{last}:1"] if kind == BERT else [f"{last}:0", "$B:0", f"{last}:0"]
    backend.post_processor = processors.TemplateProcessing(
        single=single, pair=single + second, special_tokens=list(ids.items())
    )


def cover_spaces(backend: Backend) -> None:
    """Extend the span of a token over the space before its word, which a published file may exclude."""
    last = backend.post_processor
    steps: Any = last if isinstance(last, processors.Sequence) else [last]
    for step in steps:
        if isinstance(step, processors.ByteLevel | processors.RobertaProcessing):
            step.trim_offsets = False


def names_of(
    settings: Settings, kind: str, first: str | None = None, last: str | None = None
) -> dict[str, str]:
    """The strings of special tokens for `Tokenizer`; `first` and `last` are those of its frame."""
    roles = {"unknown": "unk_token", "mask": "mask_token", "padding": "pad_token", "end": "eos_token"}
    names = {name: settings.token(role, kind) for name, role in roles.items()}
    names |= {"start": first, "separator": last}
    return {name: token for name, token in names.items() if token}


def framed_names(backend: Backend, settings: Settings) -> dict[str, str]:
    """The special tokens of a tokenizer.json, which contains the frame and may name no roles.

    A role that no file names gets the token with one of its usual names, if the vocabulary has one.
    """
    example, kind, mask = backend.encode("a"), settings.kind, backend.encode("a").special_tokens_mask
    first = example.tokens[0] if mask[:1] == [1] else settings.token("bos_token", kind)
    last = example.tokens[-1] if mask[-1:] == [1] else settings.token("sep_token", kind)
    usual = {
        "unknown": ("[UNK]", "<unk>"),
        "mask": ("[MASK]", "<mask>"),
        "padding": ("[PAD]", "<pad>"),
        "start": (END_OF_TEXT, "<s>"),
    }
    names = names_of(settings, kind, first, last)
    defaults = {
        name: next((token for token in tokens if backend.token_to_id(token) is not None), "")
        for name, tokens in usual.items()
    }
    return defaults | {name: token for name, token in names.items() if backend.token_to_id(token) is not None}


def read_ends(folder: Path, settings: Settings, tokenizer: Tokenizer) -> frozenset[int]:
    """The ids that end a generated text: those that the files name, else the tokenizer's own.

    generation_config.json takes precedence, and may name an ordinary token, such as a line feed. An id that
    is only in the model's own configuration may be a meaningless default: it counts if its token is
    special, or looks like a mark.
    """
    token = settings.token("eos_token")
    end = None if token is None else tokenizer.id(token)
    ends = set() if end is None else {end}
    config, generation = (read_json(folder / name) for name in CONFIGURATIONS)
    copied = generation.get("_from_model_config") is True
    chosen = _numbers(generation.get("eos_token_id"))
    written = [] if copied else [id for id in chosen if _spelled(tokenizer, id)]
    others = chosen if copied else [] if chosen else _numbers(config.get("eos_token_id"))
    ends |= {*written, *(id for id in others if is_mark(tokenizer, id))}
    return frozenset(ends) or tokenizer.ends


def is_mark(tokenizer: Tokenizer, id: int) -> bool:
    """Whether a token is special, or looks unlike a word."""
    return id in tokenizer.special_ids or MARK.fullmatch(_spelled(tokenizer, id)) is not None


def _numbers(ids: Any) -> list[int]:
    return [id for id in (ids if isinstance(ids, list) else [ids]) if type(id) is int]


def _spelled(tokenizer: Tokenizer, id: int) -> str:
    """The string of a token, or "" if there is none with this id."""
    token = tokenizer.token(id) if 0 <= id < tokenizer.size else ""
    return "" if token == f"<unused {id}>" else token
