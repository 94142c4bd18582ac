"""A tokenizer's settings, from the small files beside its vocabulary.

    tokenizer_config.json      its class, its special tokens by their roles, how it treats a text
    special_tokens_map.json    special tokens and their roles     } used only if the first file
    added_tokens.json          {"[E1]": 30522}                    } has no added_tokens_decoder

They are merged as `transformers` merges them. A switch that is neither true nor false is refused: "false" in
quotation marks would count as true. Settings of padding, truncation and the spaces of a decoded text
(`padding_side`, `model_max_length`, `clean_up_tokenization_spaces`) change no id and are ignored.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import AddedToken

from explorer.errors import FormatError

CHOSEN, MAP, ADDED = "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"
SETTINGS_FILES = (CHOSEN, MAP, ADDED)
ROLES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
MORE = ("extra_special_tokens", "additional_special_tokens")  # the key's name now, and in earlier versions
# Each true, false or null; the meaning of null depends on the class.
SWITCHES = (
    "do_lower_case",
    "strip_accents",
    "tokenize_chinese_chars",
    "do_basic_tokenize",
    "keep_accents",
    "remove_space",
    "add_prefix_space",
    "add_bos_token",
    "add_eos_token",
    "split_special_tokens",
)
CHOICES = ("single_word", "lstrip", "rstrip", "normalized", "special")
PLAIN = ("PreTrainedTokenizer", "TokenizersBackend", "PythonBackend")  # these add nothing to the files
BERT, ROBERTA, ALBERT = "BertTokenizer", "RobertaTokenizer", "AlbertTokenizer"
XLMR, CAMEMBERT = "XLMRobertaTokenizer", "CamembertTokenizer"
GPT2, NEOX, QWEN2 = "GPT2Tokenizer", "GPTNeoXTokenizer", "Qwen2Tokenizer"
LLAMA = "LlamaTokenizer"  # read from a tokenizer.json alone
# The class for a model's type, if the files name none.
CLASSES = {
    "bert": BERT,
    "distilbert": BERT,
    "electra": BERT,
    "ernie": BERT,
    "albert": ALBERT,
    "roberta": ROBERTA,
    "xlm-roberta": XLMR,
    "camembert": CAMEMBERT,
    "gpt2": GPT2,
    "gpt_neo": GPT2,
    "gpt_neox": NEOX,
    "qwen2": QWEN2,
    "qwen3": QWEN2,
}
JAPANESE = "BertJapaneseTokenizer"  # BERT's if its words are split as BERT's (see `refused`)
_BERTS = ("DistilBert", "Electra", "Ernie", "MobileBert", "LayoutLM", "SqueezeBert", "BertJapanese")
SAME = dict.fromkeys((f"{name}Tokenizer" for name in _BERTS), BERT) | dict.fromkeys(
    ("BartTokenizer", "LongformerTokenizer"), ROBERTA
)
_SPOKEN = {"unk_token": "<unk>", "pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>"}
_FRAMED = _SPOKEN | {"cls_token": "<s>", "sep_token": "</s>", "mask_token": "<mask>"}
_BERT = {"unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]"}
_GPT = dict.fromkeys(("bos_token", "eos_token", "unk_token"), "<|endoftext|>")
# The tokens that `transformers` uses for a role if the files name none.
DEFAULTS: Mapping[str, Mapping[str, str]] = {
    BERT: _BERT | {"mask_token": "[MASK]"},
    ALBERT: {"bos_token": "[CLS]", "eos_token": "[SEP]", "unk_token": "<unk>", "sep_token": "[SEP]"}
    | {"pad_token": "<pad>", "cls_token": "[CLS]", "mask_token": "[MASK]"},
    ROBERTA: _FRAMED,
    XLMR: _FRAMED,
    CAMEMBERT: _FRAMED,
    GPT2: _GPT,
    NEOX: _GPT | {"pad_token": "<|padding|>"},
    QWEN2: dict.fromkeys(("eos_token", "unk_token", "pad_token"), "<|endoftext|>"),
}


@dataclass(frozen=True)
class Settings:
    """The settings of one tokenizer.

    `class_name` is the class that the files name, without “Fast”, or "". `roles` has the tokens that the
    files name for a role, None if they say that there is none; `added` are tokens with their ids, and `extra`
    special tokens without a role; `lists_extra` says that the files have a list for these, possibly empty.
    """

    folder: str
    values: Mapping[str, Any]
    class_name: str
    model_type: str
    roles: Mapping[str, AddedToken | None]
    added: Mapping[int, AddedToken]
    extra: tuple[AddedToken, ...]
    lists_extra: bool = False

    @property
    def kind(self) -> str:
        """The tokenizer's class: the one that the files name, else that of the model's type, or ""."""
        return SAME.get(self.class_name, self.class_name) or CLASSES.get(self.model_type, "")

    def switch(self, name: str) -> bool | None:
        """The value of one of `SWITCHES`; None if the files do not set it."""
        value: bool | None = self.values.get(name)
        return value

    def token(self, role: str, kind: str = "") -> str | None:
        """The token of a role from the files, else the default of the class `kind`."""
        token = self.roles.get(role)
        return DEFAULTS.get(kind, {}).get(role) if token is None else token.content

    def special(self, kind: str = "", published: bool = False) -> list[AddedToken]:
        """The special tokens in the order in which `transformers` adds them: by role, then the others.

        The space before a blank belongs to the masked word: RoBERTa's mask includes it, unless
        the files explicitly say otherwise (`transformers` ignores it without a tokenizer.json).
        With `published` there is a tokenizer.json, which says it.
        """
        standard = {role: AddedToken(token, special=True) for role, token in DEFAULTS.get(kind, {}).items()}
        roles = standard | dict(self.roles)
        mask = roles.get("mask_token")
        spaced = kind in (ROBERTA, XLMR, CAMEMBERT, ALBERT) and not published
        if mask is not None and spaced and not self._has_settings(mask):
            roles["mask_token"] = AddedToken(mask.content, lstrip=True, special=True)
        return [token for token in (*map(roles.get, ROLES), *self.extra) if token is not None]

    @property
    def special_strings(self) -> set[str]:
        """The strings of the special tokens that the files name, with or without a role."""
        return {token.content for token in (*self.roles.values(), *self.extra) if token is not None}

    def _has_settings(self, mask: AddedToken) -> bool:
        """Whether the files give the settings of the mask, and not only its string."""
        detailed = isinstance(self.values.get("mask_token"), Mapping)
        return detailed or mask.content in {token.content for token in self.added.values()}


def read_settings(folder: Path) -> Settings:
    """The settings in a folder. Raises FormatError for a damaged file or a value of the wrong kind."""
    values, config = read_json(folder / CHOSEN), read_json(folder / "config.json")
    own_list = values.get(MORE[1])
    decoder = values.get("added_tokens_decoder")
    added = {_id(id, CHOSEN): _token(token, CHOSEN) for id, token in _mapping(decoder, CHOSEN).items()}
    more = values.get(MORE[0]) or values.get(MORE[1]) or []
    if decoder is None:
        older = read_json(folder / MAP)
        more = more or older.get(MORE[0]) or older.get(MORE[1]) or []
        values = values | older
    roles = {role: _token(values[role], CHOSEN, True) for role in ROLES if values.get(role)}
    for name in SWITCHES:
        if not isinstance(value := values.get(name), bool | None):
            raise FormatError(
                f"{CHOSEN} in {folder.name} has {value!r:.40} for “{name}”.",
                "Write true or false there, without quotation marks.",
            )
    lists_extra = isinstance(values.get(MORE[0]), list) or isinstance(own_list, list)
    others = {k: v for k, v in values.items() if k.endswith("_token") and k not in ROLES and _is_token(v)}
    if isinstance(more, Mapping):  # tokens with a model-specific role, such as image_token
        others, more = {**others, **more}, []
    if not isinstance(more, list):
        raise FormatError(f"{CHOSEN} in {folder.name} has {more!r:.40} for “{MORE[0]}”.", "Write a list.")
    extra = [_token(token, CHOSEN, isinstance(token, str)) for token in (*others.values(), *more)]
    if decoder is None:
        special = {token.content for token in (*roles.values(), *extra)}
        for token, id in read_json(folder / ADDED).items():
            is_special = token in special
            added[_id(id, ADDED)] = AddedToken(token, special=is_special, normalized=not is_special)
    by_string = {token.content: token for token in added.values()}
    kind = values.get("tokenizer_class") or config.get("tokenizer_class") or ""
    return Settings(
        folder.name,
        values,
        str(kind).removesuffix("Fast"),
        str(config.get("model_type") or ""),
        dict.fromkeys(role for role in ROLES if role in values)
        | {role: by_string.get(token.content, token) for role, token in roles.items()},
        added,
        tuple(extra),
        lists_extra,
    )


def read_json(path: Path) -> dict[str, Any]:
    """The contents of a small file beside a tokenizer; {} without one. Raises FormatError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig")) if path.exists() else {}
    except (ValueError, RecursionError) as error:
        hint = "It may be damaged: fetch it again, or do without it."
        raise FormatError(f"{path.name} in {path.parent.name} is not JSON: {error}.", hint) from error
    return content if isinstance(content, dict) else {}


def _is_token(value: object) -> bool:
    content = value.get("content") if isinstance(value, Mapping) else value
    return isinstance(content, str) and content != ""


def _token(value: Any, file: str, special: bool = False) -> AddedToken:
    """A token from a file, which has its string, or its string with settings; `special` makes it special."""
    if isinstance(value, str) and value:
        return AddedToken(value, special=special)
    if not _is_token(value):
        raise FormatError(f"{file} has {value!r:.60} in the place of a token.", "Write its string there.")
    for name in CHOICES:
        if not isinstance(value.get(name), bool | None):
            raise FormatError(
                f"{file} has {value[name]!r:.40} for “{name}” of the token “{value['content']:.40}”.",
                "Write true or false there, without quotation marks.",
            )
    choices = {name: bool(value[name]) for name in CHOICES if value.get(name) is not None}
    return AddedToken(value["content"], **choices | ({"special": True} if special else {}))


def _id(value: Any, file: str) -> int:
    try:
        return int(value)
    except (TypeError, ValueError) as error:
        raise FormatError(f"{file} gives a token the id {value!r:.40}.", "Write a whole number.") from error


def _mapping(value: Any, file: str) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping | None):
        raise FormatError(f"{file} has {value!r:.40} for “added_tokens_decoder”.", "Write ids and tokens.")
    return value or {}
