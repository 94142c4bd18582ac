"""A folder's tokenizer files to a Tokenizer: tokenizer.json, else vocab.txt, vocab.json + merges.txt,
spiece.model, sentencepiece.bpe.model, or source.spm + target.spm + vocab.json.

A model that reads characters needs no files: its words are split at spaces. The small files beside
these are followed too (see `settings`). Unsupported classes and settings are refused by name.
"""

import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from tokenizers import Tokenizer as Backend
from tokenizers.models import BPE, Unigram, WordLevel, WordPiece

from explorer.errors import ExplorerError, FormatError, NotFoundError
from explorer.tokenizers.added import drop_rowless
from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.byte_level import BYTE_CLASSES, MERGES, byte_bpe
from explorer.tokenizers.byte_level import VOCAB as BYTE_VOCAB
from explorer.tokenizers.characters import LENGTH, MARKS, CharacterTokenizer, words_backend
from explorer.tokenizers.fallback import FallbackTokenizer
from explorer.tokenizers.frame import cover_spaces, framed_names, is_mark, read_ends
from explorer.tokenizers.guarded import PanicError
from explorer.tokenizers.marian import FILES as MARIAN
from explorer.tokenizers.marian import MarianTokenizer
from explorer.tokenizers.one_file import read_backend
from explorer.tokenizers.settings import (
    ALBERT,
    BERT,
    CAMEMBERT,
    CHOSEN,
    DEFAULTS,
    JAPANESE,
    LLAMA,
    PLAIN,
    ROLES,
    SETTINGS_FILES,
    XLMR,
    Settings,
    read_settings,
)
from explorer.tokenizers.spaced import SpacedTokenizer
from explorer.tokenizers.unigram import ALBERT_FILE, XLMR_FILE, albert, xlm_roberta
from explorer.tokenizers.wordpiece import CONTINUED, VOCAB, WordPieceTokenizer, read_lines, wordpiece
from explorer.tokenizers.words import CLASS as WHOLE_WORDS
from explorer.tokenizers.words import WordTokenizer

# They split or change a text with a separate program before their vocabulary is used.
OWN_PROGRAM = {
    JAPANESE: "MeCab, Sudachi or Juman++",
    "BertweetTokenizer": "rules for tweets",
    "CpmTokenizer": "jieba",
    "CpmAntTokenizer": "jieba",
    "FlaubertTokenizer": "Moses",
    "GPTNeoXJapaneseTokenizer": "rules for Japanese",
    "HerbertTokenizer": "Moses",
    "PhobertTokenizer": "a program for Vietnamese words",
    "RoCBertTokenizer": "the shapes and sounds of characters",
    "RoFormerTokenizer": "jieba",
    "XLMTokenizer": "Moses",
}
# Settings of earlier versions that change ids, with the values that do not.
OLDER = {"do_basic_tokenize": (None, True), "never_split": (None, []), "remove_space": (None, True)}
SEGMENTERS = {"word_tokenizer_type": (None, "basic"), "subword_tokenizer_type": (None, "wordpiece")}
CHOOSE = "Choose a checkpoint with another tokenizer, such as BERT’s own."

TEMPLATE = "chat_template.jinja"
TOKENIZER_FILES = (
    "tokenizer.json",
    *SETTINGS_FILES,
    VOCAB,
    BYTE_VOCAB,
    MERGES,
    ALBERT_FILE,
    XLMR_FILE,
    "source.spm",
    "target.spm",
    "generation_config.json",
    TEMPLATE,
)
MOST_MB = 100
TRIED = ("", "a", "It isn't: \u2603 \U0001f642 e\u0301 \u6771\u4eac 1,000.5")
# Files, the classes that read them, and the function for them here.
Built = tuple[Backend, dict[str, str]]
BUILDERS: tuple[tuple[tuple[str, ...], tuple[str, ...], Callable[[Path, Settings], Built]], ...] = (
    ((VOCAB,), (BERT,), wordpiece),
    ((BYTE_VOCAB, MERGES), BYTE_CLASSES, byte_bpe),
    ((ALBERT_FILE,), (ALBERT,), albert),
    ((XLMR_FILE,), (XLMR, CAMEMBERT), xlm_roberta),
)


def complete(names: Collection[str]) -> bool:
    """Whether these files are enough to build a tokenizer.

    >>> complete(["tokenizer.json"]), complete(["merges.txt"])  # merges need their vocabulary
    (True, False)
    """
    alone = ("tokenizer.json", "vocab.txt", ALBERT_FILE, XLMR_FILE)
    whole = (*({name} for name in alone), {"vocab.json", "merges.txt"}, set(MARIAN))
    return any(files <= set(names) for files in whole)


def read_tokenizer(folder: Path, characters: int | None = None, rows: int | None = None) -> Tokenizer:
    """Build the tokenizer of a checkpoint folder; `characters` is the room for a word's spelling.

    `rows` is the number of rows of the model's embedding: added tokens beyond it are left out (`rowless`).

    Raises NotFoundError if there is no tokenizer file, FormatError if one is damaged.

    >>> from explorer import assets
    >>> read_tokenizer(assets.CHECKPOINTS / "bert").encode("A riverbank.").tokens
    ['[CLS]', 'a', 'river', '##bank', '.', '[SEP]']
    """
    try:
        _check_sizes(folder)
        settings = read_settings(folder)
        tokenizer = _build_tokenizer(folder, settings, characters, rows)
        if isinstance(tokenizer, WordTokenizer):
            return tokenizer
        tokenizer.ends = read_ends(folder, settings, tokenizer)
        tokenizer.special_ids |= {id for id in tokenizer.ends if is_mark(tokenizer, id)}
        roles = {role: token for role in ROLES if (token := settings.token(role, settings.kind))}
        tokenizer.set_chat(_template(folder, settings), roles)
        for text in TRIED:  # a vocabulary without an unknown token fails only here
            if isinstance(tokenizer, MarianTokenizer):
                tokenizer.encode(text)
                continue
            tokenizer.backend.encode(text)
            tokenizer.backend.encode(text, text)
        return tokenizer
    except Exception as error:  # the library raises bare Exception for every kind of damage
        if isinstance(error, ExplorerError) and not isinstance(error, PanicError):
            raise
        raise FormatError(
            f"The tokenizer files in {folder.name} are damaged, or of a kind that Riverbank does not read.",
            "Fetch the checkpoint again; a download may have been cut short.",
        ) from error


def as_files(tokenizer: Tokenizer) -> dict[str, bytes]:
    """The files of a byte-level tokenizer that was read from a GGUF file.

    >>> from explorer import assets
    >>> sorted(as_files(read_tokenizer(assets.CHECKPOINTS / "gpt")))
    ['tokenizer.json', 'tokenizer_config.json']
    """
    start = None if tokenizer.start is None else tokenizer.token(tokenizer.start)
    config = {"bos_token": start, "chat_template": None}
    if tokenizer.chat is not None:
        config = {**tokenizer.chat.tokens, "bos_token": start, "chat_template": tokenizer.chat.source}
    return {"tokenizer.json": tokenizer.backend.to_str().encode(), CHOSEN: json.dumps(config).encode()}


def _check_sizes(folder: Path) -> None:
    for name in TOKENIZER_FILES:
        if (folder / name).exists() and (folder / name).stat().st_size > MOST_MB * 1_000_000:
            raise FormatError(
                f"{name} in {folder.name} is larger than {MOST_MB} MB.", "Choose another checkpoint."
            )


def _build_tokenizer(folder: Path, settings: Settings, characters: int | None, rows: int | None) -> Tokenizer:
    check_class(settings)
    if all((folder / name).exists() for name in MARIAN):  # a tokenizer.json lacks the pieces
        return MarianTokenizer.read(folder)
    one_file = (folder / "tokenizer.json").exists()
    if not one_file and characters is not None:
        return CharacterTokenizer(words_backend(MARKS), characters)
    if not one_file and settings.class_name == WHOLE_WORDS:
        return WordTokenizer(read_lines(folder / VOCAB), settings.switch("do_lower_case") is not False)
    backend, names = (_from_json if one_file else _from_files)(folder, settings)
    backend.encode_special_tokens = settings.switch("split_special_tokens") is True
    backend, rowless = drop_rowless(backend, rows)
    encoder = not one_file and "separator" in names
    tokenizer = _tokenizer(backend, names, encoder, characters or LENGTH)
    tokenizer.rowless = rowless
    return tokenizer


def _from_files(folder: Path, settings: Settings) -> Built:
    """A tokenizer without a tokenizer.json, by the class in the settings or else by the files."""
    check_settings(settings)
    present = {path.name for path in folder.iterdir()}
    possible = [(classes, build) for files, classes, build in BUILDERS if set(files) <= present]
    if not possible:
        if spm := sorted({*MARIAN[:2]} & present):
            lacking = next(name for name in MARIAN if name not in present)
            raise NotFoundError(
                f"{folder.name} has {spm[0]}, one part of a translator’s tokenizer, and lacks {lacking}.",
                "Copy that file there, too, from where the model came.",
            )
        if others := [name for name in sorted(present) if name.endswith((".tiktoken", ".model"))]:
            raise NotFoundError(
                f"{folder.name} has its tokenizer in {others[0]} alone.",
                "It needs tokenizer.json, which transformers writes: "
                "AutoTokenizer.from_pretrained(folder).save_pretrained(folder).",
            )
        raise NotFoundError(
            f"{folder.name} has no tokenizer files.",
            f"A checkpoint needs tokenizer.json, or vocab.txt, or {ALBERT_FILE}, or {XLMR_FILE}, or "
            "vocab.json with merges.txt, or with source.spm and target.spm.",
        )
    fitting = [build for classes, build in possible if settings.kind in classes]
    if not fitting and settings.class_name not in ("", *PLAIN):
        raise FormatError(
            f"{folder.name} needs the tokenizer “{settings.class_name}”, and has no files of one.",
            "Fetch the checkpoint again, or choose another.",
        )
    build = fitting[0] if fitting else possible[0][1]
    return build(folder, settings)


def _from_json(folder: Path, settings: Settings) -> Built:
    backend = read_backend(folder / "tokenizer.json", settings)
    return backend, framed_names(backend, settings)


def _tokenizer(backend: Backend, names: dict[str, str], encoder: bool, characters: int) -> Tokenizer:
    """The Tokenizer over a backend. Raises FormatError for a kind that Riverbank does not read."""
    model = backend.model
    if isinstance(model, WordPiece) and model.continuing_subword_prefix == CONTINUED:
        return WordPieceTokenizer(backend, names)
    if isinstance(model, BPE) and "ByteLevel" in repr(backend.pre_tokenizer):
        mask = backend.token_to_id(names.get("mask", "")) is not None
        if encoder or (mask and backend.num_special_tokens_to_add(is_pair=False) > 1):  # on both sides
            return SpacedTokenizer(backend, names, bytewise=True)
        cover_spaces(backend)
        names.pop("unknown", None)  # every text can be written in bytes
        return Tokenizer(backend, names, byte_level=True)
    if isinstance(model, BPE) and model.byte_fallback:
        return FallbackTokenizer(backend, names)
    if isinstance(model, Unigram) and backend.num_special_tokens_to_add(is_pair=False) > 1:
        return SpacedTokenizer(backend, names, bytewise=False)
    if isinstance(model, WordLevel) and all(backend.token_to_id(m) is not None for m in MARKS):
        return CharacterTokenizer(backend, characters)
    raise FormatError(
        "Riverbank reads BERT's WordPiece, the BPE of GPT-2, RoBERTa and Llama, which ends in bytes, and the "
        f"unigrams of ALBERT and XLM-R, not this {type(model).__name__} tokenizer.",
        "Choose a BERT, RoBERTa, ALBERT, GPT-2 or Llama checkpoint.",
    )


def _template(folder: Path, settings: Settings) -> str | None:
    """A checkpoint's chat template: from a separate file, or the default one of several named ones."""
    if (folder / TEMPLATE).exists():
        return (folder / TEMPLATE).read_text(encoding="utf-8-sig")
    stored = settings.values.get("chat_template")
    if isinstance(stored, list):
        pairs = [(one.get("name"), one.get("template")) for one in stored if isinstance(one, dict)]
        templates = {name: text for name, text in pairs if isinstance(name, str) and isinstance(text, str)}
        stored = templates.get("default", next(iter(templates.values()), None))
    return stored if isinstance(stored, str) else None


def check_class(settings: Settings) -> None:
    """Raises FormatError for a tokenizer that first splits a text with a separate program."""
    own_words = settings.class_name == JAPANESE and settings.values.get("word_tokenizer_type") == "basic"
    if (program := OWN_PROGRAM.get(settings.class_name)) and not own_words:
        raise FormatError(
            f"{settings.folder} needs “{settings.class_name}”: {program} comes before its vocabulary.", CHOOSE
        )
    _check(settings, SEGMENTERS)


def check_settings(settings: Settings) -> None:
    """Raises FormatError for an unsupported class or setting of files without a tokenizer.json."""
    if settings.kind == LLAMA:
        raise FormatError(
            f"{settings.folder} needs “{LLAMA}”, which is read from a tokenizer.json, and has none.",
            "`AutoTokenizer.from_pretrained(folder).save_pretrained(folder)` of `transformers` makes one "
            "from its tokenizer.model.",
        )
    if settings.kind not in ("", *PLAIN, *DEFAULTS):
        raise FormatError(
            f"{settings.folder} needs the tokenizer “{settings.class_name:.60}”, which Riverbank lacks.",
            "Choose a checkpoint with a tokenizer.json, which says all that a tokenizer does.",
        )
    _check(settings, OLDER)


def _check(settings: Settings, plain: Mapping[str, tuple[object, object]]) -> None:
    for name, values in plain.items():
        if (value := settings.values.get(name)) not in values:
            raise FormatError(
                f"{CHOSEN} in {settings.folder} has {value!r:.40} for “{name}”: Riverbank does not do this.",
                CHOOSE,
            )
