"""Tokenizers that are refused by name, since they do what Riverbank does not."""

from collections.abc import Mapping

from explorer.errors import FormatError
from explorer.tokenizers.settings import CHOSEN, DEFAULTS, JAPANESE, LLAMA, PLAIN, Settings

# They cut a text into words, or change it, with a program of their own before any vocabulary is asked.
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
# Settings of earlier versions that change ids, and the values that change nothing.
OLDER = {"do_basic_tokenize": (None, True), "never_split": (None, []), "remove_space": (None, True)}
SEGMENTERS = {"word_tokenizer_type": (None, "basic"), "subword_tokenizer_type": (None, "wordpiece")}
CHOOSE = "Choose a checkpoint with another tokenizer, such as BERT’s own."


def check_class(settings: Settings) -> None:
    """Raises FormatError for a tokenizer that first cuts a text with a program of its own."""
    own_words = settings.stated == JAPANESE and settings.values.get("word_tokenizer_type") == "basic"
    if (program := OWN_PROGRAM.get(settings.stated)) and not own_words:
        raise FormatError(
            f"{settings.folder} needs “{settings.stated}”: {program} comes before its vocabulary.",
            CHOOSE,
        )
    _check(settings, SEGMENTERS)


def check_settings(settings: Settings) -> None:
    """Raises FormatError for a class, or a setting, that files without a tokenizer.json cannot be read by."""
    if settings.kind == LLAMA:
        raise FormatError(
            f"{settings.folder} needs “{LLAMA}”, which is read from a tokenizer.json, and has none.",
            "`AutoTokenizer.from_pretrained(folder).save_pretrained(folder)` of `transformers` makes one "
            "from its tokenizer.model.",
        )
    if settings.kind not in ("", *PLAIN, *DEFAULTS):
        raise FormatError(
            f"{settings.folder} needs the tokenizer “{settings.stated:.60}”, which Riverbank does not have.",
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
