"""A folder's tokenizer files to a Tokenizer: tokenizer.json, else vocab.txt, vocab.json + merges.txt,
spiece.model, sentencepiece.bpe.model, or source.spm + target.spm + vocab.json.

A model that reads characters needs none: its words are whatever stands between spaces.
"""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tokenizers import AddedToken, decoders, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as Backend
from tokenizers.models import BPE, Unigram, WordLevel, WordPiece

from explorer.errors import ExplorerError, FormatError, NotFoundError
from explorer.tokenizers.added import FILE as ADDED
from explorer.tokenizers.added import add_tokens, added_tokens
from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.characters import LENGTH, MARKS, CharacterTokenizer, words_backend
from explorer.tokenizers.fallback import FallbackTokenizer
from explorer.tokenizers.frame import cover_spaces, named, put_frame, read_ends, read_json, start_of_text
from explorer.tokenizers.gguf import split_as
from explorer.tokenizers.marian import FILES as MARIAN
from explorer.tokenizers.marian import MarianTokenizer
from explorer.tokenizers.spaced import MASK, ROBERTA_NAMES, WORDPIECE_NAMES, SpacedTokenizer
from explorer.tokenizers.unigram import ALBERT_FILE, XLMR_FILE, albert, camembert, xlm_roberta
from explorer.tokenizers.words import CLASS as WHOLE_WORDS
from explorer.tokenizers.words import WordTokenizer

WORDPIECE_SPECIAL = WORDPIECE_NAMES
TEMPLATE, CHOSEN = "chat_template.jinja", "tokenizer_config.json"
TOKENIZER_FILES = (
    "tokenizer.json",
    CHOSEN,
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    ADDED,
    ALBERT_FILE,
    XLMR_FILE,
    "source.spm",
    "target.spm",
    "generation_config.json",
    TEMPLATE,
)
MOST_MB = 100
TRIED = ("", "a", "It isn't: \u2603 \U0001f642 e\u0301 \u6771\u4eac 1,000.5")


def complete(names: Collection[str]) -> bool:
    """Whether these files are enough to build a tokenizer.

    >>> complete(["tokenizer.json"]), complete(["merges.txt"])  # merges want their vocabulary
    (True, False)
    """
    alone = ("tokenizer.json", "vocab.txt", ALBERT_FILE, XLMR_FILE)
    whole = (*({name} for name in alone), {"vocab.json", "merges.txt"}, set(MARIAN))
    return any(files <= set(names) for files in whole)


def read_tokenizer(folder: Path, characters: int | None = None) -> Tokenizer:
    """Build the tokenizer of a checkpoint folder; `characters` is the room for a word's spelling.

    Raises NotFoundError where no tokenizer file is there, FormatError where one is damaged.

    >>> from explorer import assets
    >>> read_tokenizer(assets.CHECKPOINTS / "bert").encode("A riverbank.").tokens
    ['[CLS]', 'a', 'river', '##bank', '.', '[SEP]']
    """
    try:
        tokenizer = _built(folder, characters)
        if isinstance(tokenizer, WordTokenizer):
            return tokenizer
        tokenizer.ends = read_ends(folder, _configuration(folder), tokenizer)
        tokenizer.template = _template(folder)
        for text in TRIED:  # a vocabulary without a token for what it lacks fails only here
            if isinstance(tokenizer, MarianTokenizer):
                tokenizer.encode(text)
                continue
            tokenizer.backend.encode(text)
            tokenizer.backend.encode(text, text)
        return tokenizer
    except ExplorerError:
        raise
    except Exception as error:  # the library raises bare Exception for every kind of damage
        raise FormatError(
            f"The tokenizer files in {folder.name} cannot be read: {str(error)[:200]}.",
            "Fetch the checkpoint again; a download may have been cut short.",
        ) from error


def as_files(tokenizer: Tokenizer) -> dict[str, bytes]:
    """The files of a byte-level tokenizer that has none, since it came in a GGUF file.

    >>> from explorer import assets
    >>> sorted(as_files(read_tokenizer(assets.CHECKPOINTS / "gpt")))
    ['tokenizer.json', 'tokenizer_config.json']
    """
    start = None if tokenizer.start is None else tokenizer.token(tokenizer.start)
    said = {"bos_token": start, "chat_template": tokenizer.template}
    return {"tokenizer.json": tokenizer.backend.to_str().encode(), CHOSEN: json.dumps(said).encode()}


def _built(folder: Path, characters: int | None) -> Tokenizer:
    for name in TOKENIZER_FILES:
        if (folder / name).exists() and (folder / name).stat().st_size > MOST_MB * 1_000_000:
            raise FormatError(
                f"{name} in {folder.name} is larger than {MOST_MB} MB.", "Choose another checkpoint."
            )
    if all((folder / name).exists() for name in MARIAN):  # beside a tokenizer.json too: it gives no pieces
        return MarianTokenizer.read(folder)
    if (folder / "tokenizer.json").exists():
        return _from_json(folder / "tokenizer.json", _configuration(folder), characters or LENGTH)
    if characters is not None:
        return CharacterTokenizer(words_backend(MARKS), characters)
    if _configuration(folder).get("tokenizer_class") == WHOLE_WORDS:
        lowercase = _configuration(folder).get("do_lower_case", True)
        return WordTokenizer(_lines(folder / "vocab.txt"), lowercase)
    if (folder / "vocab.txt").exists():
        added = added_tokens(folder, _configuration(folder))
        return wordpiece(folder / "vocab.txt", **_bert_choices(folder), added=added)
    if (folder / "vocab.json").exists() and (folder / "merges.txt").exists():
        return byte_bpe(
            folder / "vocab.json",
            folder / "merges.txt",
            chosen := _configuration(folder),
            added_tokens(folder, chosen),
            _splits(folder, chosen),
        )
    if (folder / ALBERT_FILE).exists():
        chosen = _configuration(folder)
        lowercase, accents = chosen.get("do_lower_case", True), chosen.get("keep_accents", False)
        return albert(folder / ALBERT_FILE, lowercase, accents)
    if (folder / XLMR_FILE).exists():
        french = _configuration(folder, "config.json").get("model_type") == "camembert"
        return (camembert if french else xlm_roberta)(folder / XLMR_FILE)
    raise NotFoundError(
        f"{folder.name} has no tokenizer files.",
        f"A checkpoint needs tokenizer.json, or vocab.txt, or {ALBERT_FILE}, or {XLMR_FILE}, or vocab.json "
        "with merges.txt, or with source.spm and target.spm.",
    )


def wordpiece(
    vocab: Path,
    lowercase: bool,
    strip_accents: bool | None = None,
    split_chinese: bool = True,
    added: Mapping[int, AddedToken] = MappingProxyType({}),
) -> Tokenizer:
    """BERT's tokenizer (Devlin et al. 2019): split on spaces and punctuation, then WordPiece.

    Accents are stripped where the text is lower-cased, unless `strip_accents` says otherwise.
    """
    ids = {word: i for i, word in enumerate(_lines(vocab))}
    if lacking := [mark for mark in ("[UNK]", "[CLS]", "[SEP]") if mark not in ids]:
        raise FormatError(
            f"The tokenizer files lack {', '.join(lacking)}: {vocab.name} is no BERT's.",
            "Fetch the checkpoint again, or choose another.",
        )
    backend = Backend(WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=100))
    backend.normalizer = normalizers.BertNormalizer(
        lowercase=lowercase, strip_accents=strip_accents, handle_chinese_chars=split_chinese
    )
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece()
    backend.add_special_tokens([t for t in WORDPIECE_SPECIAL.values() if t in ids])
    add_tokens(backend, added)
    frame = [("[CLS]", ids["[CLS]"]), ("[SEP]", ids["[SEP]"])]
    backend.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0", pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1", special_tokens=frame
    )
    return Tokenizer(backend, WORDPIECE_SPECIAL, byte_level=False)


def byte_bpe(
    vocab: Path,
    merges: Path,
    chosen: Mapping[str, Any] | None = None,
    added: Mapping[int, AddedToken] = MappingProxyType({}),
    split: str = "gpt2",
) -> Tokenizer:
    """GPT-2's tokenizer (Radford et al. 2019): byte-level BPE, no special frame; or RoBERTa's, with one.

    `chosen` is what tokenizer_config.json says, and `split` how a text is split before any merge: as one of
    `PATTERNS` in `explorer.tokenizers.gguf`.
    """
    chosen = chosen or {}
    backend = Backend(BPE.from_file(str(vocab), str(merges)))
    split_as(backend, split)
    add_tokens(backend, added)
    own = ((name, backend.token_to_id(token)) for name, token in ROBERTA_NAMES.items())
    ids = {name: id for name, id in own if id is not None}
    if len(ids) == len(ROBERTA_NAMES):
        return _roberta(backend, ids)
    for token in {start_of_text(backend, chosen), named(chosen, "eos_token")}:
        if token and backend.token_to_id(token) is not None:
            backend.add_special_tokens([AddedToken(token, special=True, normalized=False)])
    put_frame(backend, chosen)
    return _byte_level(backend, chosen)


def _splits(folder: Path, chosen: Mapping[str, Any]) -> str:
    """Whose way of splitting a vocabulary with merges wants: they do not say it themselves."""
    qwen = _configuration(folder, "config.json").get("model_type") in ("qwen2", "qwen3")
    return "qwen2" if qwen or str(chosen.get("tokenizer_class", "")).startswith("Qwen2") else "gpt2"


def _roberta(backend: Backend, ids: Mapping[str, int]) -> Tokenizer:
    """RoBERTa's tokenizer: the same BPE, in a frame of its own."""
    for name, token in ROBERTA_NAMES.items():
        # The space before a blank belongs to the word that is to be guessed.
        own = AddedToken(token, special=True, normalized=False, lstrip=name == "mask")
        backend.add_special_tokens([own])
    separator, start = ((ROBERTA_NAMES[name], ids[name]) for name in ("separator", "start"))
    backend.post_processor = processors.RobertaProcessing(separator, start, add_prefix_space=False)
    return SpacedTokenizer(backend, bytewise=True)


def _from_json(path: Path, chosen: Mapping[str, Any], characters: int) -> Tokenizer:
    backend = Backend.from_str(path.read_text(encoding="utf-8"))
    backend.no_truncation()  # some published files carry the settings of their training
    backend.no_padding()
    if isinstance(backend.model, BPE):
        backend.model.dropout = None
    if isinstance(backend.model, WordPiece):
        return Tokenizer(backend, WORDPIECE_SPECIAL, byte_level=False)
    if isinstance(backend.model, BPE) and "ByteLevel" in repr(backend.pre_tokenizer):
        mask = any(backend.token_to_id(mask) is not None for mask in (MASK, ROBERTA_NAMES["mask"]))
        if mask and backend.num_special_tokens_to_add(is_pair=False) > 1:  # an encoder's: at both ends
            return SpacedTokenizer(backend, bytewise=True)
        return _byte_level(backend, chosen)
    if isinstance(backend.model, BPE) and backend.model.byte_fallback:
        return FallbackTokenizer(backend, start_of_text(backend, chosen, otherwise="<s>"))
    ends = ("[CLS]", "<s>")
    if isinstance(backend.model, Unigram) and any(backend.token_to_id(end) is not None for end in ends):
        return SpacedTokenizer(backend, bytewise=False)
    if isinstance(backend.model, WordLevel) and all(backend.token_to_id(m) is not None for m in MARKS):
        return CharacterTokenizer(backend, characters)
    raise FormatError(
        "Riverbank reads BERT's WordPiece, the BPE of GPT-2, RoBERTa and Llama, which ends in bytes, and the "
        f"unigrams of ALBERT and XLM-R, not this {type(backend.model).__name__} tokenizer.",
        "Choose a BERT, RoBERTa, ALBERT, GPT-2 or Llama checkpoint.",
    )


def _byte_level(backend: Backend, chosen: Mapping[str, Any]) -> Tokenizer:
    cover_spaces(backend)
    return Tokenizer(backend, {"start": start_of_text(backend, chosen)}, byte_level=True)


def _template(folder: Path) -> str | None:
    """A checkpoint's chat template: of a file of its own, or of several with names the one by default."""
    if (folder / TEMPLATE).exists():
        return (folder / TEMPLATE).read_text(encoding="utf-8")
    stored = _configuration(folder).get("chat_template")
    if isinstance(stored, list):
        pairs = [(one.get("name"), one.get("template")) for one in stored if isinstance(one, dict)]
        templates = {name: text for name, text in pairs if isinstance(name, str) and isinstance(text, str)}
        stored = templates.get("default", next(iter(templates.values()), None))
    return stored if isinstance(stored, str) else None


def _configuration(folder: Path, name: str = CHOSEN) -> dict[str, Any]:
    return read_json(folder / name)


def _bert_choices(folder: Path) -> dict[str, Any]:
    """How a vocabulary wants its text, from tokenizer_config.json; failing that, from its own words."""
    config = _configuration(folder)
    lowercase = config.get("do_lower_case")
    if lowercase is None:
        words = [word for word in _lines(folder / "vocab.txt") if not word.startswith("[")]
        lowercase = all(word == word.lower() for word in words)
    return {
        "lowercase": lowercase,
        "strip_accents": config.get("strip_accents"),
        "split_chinese": config.get("tokenize_chinese_chars", True),
    }


def _lines(path: Path) -> list[str]:
    """Lines of a vocabulary. Only a line feed ends one: U+2028 and its like are tokens themselves."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return lines[:-1] if lines[-1] == "" else lines
