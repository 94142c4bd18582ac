"""A byte-level vocabulary from GGUF: a list of tokens, a list of merges, and the name of a pattern.

The file does not contain the pattern that splits a text before the merges, only its name. The patterns
are the published ones of each tokenizer: GPT-2's (Radford et al. 2019), SmolLM's, which first splits digits
one by one, and those of Llama 3 and Qwen2.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers import AddedToken, Regex, decoders, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as Backend
from tokenizers.models import BPE

from explorer.errors import FormatError
from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.frame import END_OF_TEXT

CHAT_MARK = "<|im_start|>"
CONTROL, USER_DEFINED = 3, 4  # kinds of tokens: special ones, and those that are never split
TRIED = "It isn't: \u2603 \U0001f642 e\u0301 \u6771\u4eac 1,000.5"
HINT = "Choose a file of another model, or fetch this one again."

_LLAMA = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_QWEN = _LLAMA.replace(r"\p{N}{1,3}", r"\p{N}")
_GPT2 = "gpt2"
# The names in `tokenizer.ggml.pre` -> the pattern: a regular expression, GPT-2's, or digits before GPT-2's.
PATTERNS = {
    "smollm": "digits",
    "gpt-2": _GPT2,
    "gpt2": _GPT2,
    "default": _GPT2,
    "llama-bpe": _LLAMA,
    "qwen2": _QWEN,
}


@dataclass(frozen=True)
class Vocabulary:
    """A file's tokenizer data; `name` is the file's.

    `kinds` has a number for each token, or is empty. `start` and `end` are ids, None if the file names
    none; `adds_start` says that the model was trained with `start` before every text.
    """

    name: str
    model: str
    split: str
    tokens: list[str]
    merges: list[str]
    kinds: Sequence[int] = ()
    start: int | None = None
    end: int | None = None
    adds_start: bool = False
    chat_template: str | None = None


def build(vocabulary: Vocabulary) -> Tokenizer:
    """The tokenizer of a vocabulary. Raises FormatError if it is damaged or of an unsupported kind.

    >>> tokens = ["a", "b", "ab", "<|endoftext|>"]
    >>> build(Vocabulary("x.gguf", "gpt2", "gpt-2", tokens, ["a b"])).encode("abba").tokens
    ['ab', 'b', 'a']
    """
    _check(vocabulary)
    tokens, kinds = vocabulary.tokens, list(vocabulary.kinds)
    merges = []
    for merge in vocabulary.merges:
        left, _, right = merge.partition(" ")
        if not (left and right) or " " in right:
            raise FormatError(f"{vocabulary.name} has “{merge:.60}” as a merge of two tokens.", HINT)
        merges.append((left, right))
    ids = {token: id for id, token in enumerate(tokens)}
    control = [token for token, kind in zip(tokens, kinds, strict=False) if kind == CONTROL]
    whole = [token for token, kind in zip(tokens, kinds, strict=False) if kind == USER_DEFINED]
    start = _start(vocabulary)
    frame = [tokens[id] for id in (vocabulary.start, vocabulary.end) if id is not None]
    control = list(dict.fromkeys([*control, *frame, *([start] if start else [])]))
    try:
        # Llama 3 uses a whole word that is a token, even if no merges produce it.
        backend = Backend(BPE(ids, merges, ignore_merges=PATTERNS[vocabulary.split] == _LLAMA))
        split_as(backend, vocabulary.split)
        backend.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in control])
        backend.add_tokens([AddedToken(token, special=False, normalized=False) for token in whole])
        backend.encode(TRIED)
    except Exception as error:  # the library raises bare Exception for every kind of damage
        raise FormatError(
            f"The vocabulary of {vocabulary.name} cannot be read: {str(error)[:200]}.", HINT
        ) from error
    special = {token: token for token in control} | {"start": start or "", "end": "".join(frame[-1:])}
    tokenizer = Tokenizer(backend, special, byte_level=True)
    # The document separator ends a plain text, the mark of a turn ends an answer.
    ends = {vocabulary.end, backend.token_to_id(END_OF_TEXT)}
    tokenizer.ends = frozenset(id for id in ends if id is not None) or tokenizer.ends
    tokenizer.template = vocabulary.chat_template
    return tokenizer


def _check(vocabulary: Vocabulary) -> None:
    """Raises FormatError if the vocabulary is not byte-level, or contradicts itself."""
    name, tokens = vocabulary.name, vocabulary.tokens
    if vocabulary.model != "gpt2":
        raise FormatError(
            f"{name} has a “{vocabulary.model:.60}” tokenizer, which Riverbank does not read from GGUF.",
            "It reads byte-level BPE, which such a file calls gpt2: choose a model with it.",
        )
    if vocabulary.split not in PATTERNS:
        raise FormatError(
            f"{name} splits a text as “{vocabulary.split:.60}” does, which Riverbank does not know.",
            f"It knows these: {', '.join(PATTERNS)}.",
        )
    if len(set(tokens)) < len(tokens):
        ((twice, _),) = Counter(tokens).most_common(1)
        raise FormatError(f"{name} lists the token “{twice:.60}” twice.", HINT)
    if len(vocabulary.kinds) not in (0, len(tokens)):
        raise FormatError(
            f"{name} gives the kinds of {len(vocabulary.kinds)} tokens, and lists {len(tokens)}.", HINT
        )
    for what, id in (("beginning", vocabulary.start), ("end", vocabulary.end)):
        if id is not None and not 0 <= id < len(tokens):
            raise FormatError(
                f"{name} names token {id} for the {what} of a text, and has no such token.", HINT
            )


def _start(vocabulary: Vocabulary) -> str | None:
    """The token before a plain text: the file's start token, unless that only opens a turn of a chat.

    The file of a chat model often names the mark of a turn as its start token, while its training texts
    began with the document separator.
    """
    start = None if vocabulary.start is None else vocabulary.tokens[vocabulary.start]
    if vocabulary.adds_start and start is not None:
        return start
    if start in (None, CHAT_MARK) and END_OF_TEXT in vocabulary.tokens:
        return END_OF_TEXT
    return start


def split_as(backend: Backend, name: str, prefix_space: bool = False) -> None:
    """Set how a backend splits a text before merging, how it decodes ids, and what a span covers.

    `name` is one of `PATTERNS`; `prefix_space` puts a space before a text.
    """
    pattern = PATTERNS[name]
    by_gpt2 = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    if pattern == _GPT2:
        backend.pre_tokenizer = by_gpt2
    elif pattern == "digits":
        digits = pre_tokenizers.Digits(individual_digits=True)
        backend.pre_tokenizer = pre_tokenizers.Sequence([digits, by_gpt2])
    else:
        pieces = pre_tokenizers.Split(Regex(pattern), behavior="isolated")
        plain = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space, use_regex=False)
        backend.pre_tokenizer = pre_tokenizers.Sequence([pieces, plain])
    if pattern == _QWEN:
        backend.normalizer = normalizers.NFC()
    backend.decoder = decoders.ByteLevel()
    backend.post_processor = processors.ByteLevel(trim_offsets=False)
