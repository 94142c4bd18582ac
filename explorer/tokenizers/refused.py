"""Unsupported tokenizers and settings, which are refused by name."""

from collections.abc import Mapping

from explorer.errors import FormatError
from explorer.tokenizers.settings import CHOSEN, DEFAULTS, JAPANESE, LLAMA, PLAIN, Settings

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
