"""A tokenizer from GGUF: a list of tokens, with merges and the name of a pattern, or with scores.

    gpt2     byte-level BPE       Llama 3, Qwen, SmolLM: see `splitting`
    llama    SentencePiece        Llama 2, Mistral, TinyLlama, Gemma: see `scored_backend`

What stands before a text, and what ends an answer, is as llama.cpp has it (src/llama-vocab.cpp).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers import AddedToken, decoders, normalizers, processors
from tokenizers import Tokenizer as Backend
from tokenizers.models import BPE

from explorer.errors import FormatError
from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.fallback import SPACE, FallbackTokenizer
from explorer.tokenizers.frame import END_OF_TEXT
from explorer.tokenizers.splitting import PATTERNS, WHOLE_WORDS_FIRST, split_as

NORMAL, UNKNOWN, CONTROL, USER_DEFINED = 1, 2, 3, 4  # kinds of tokens, as GGUF counts them
LONGEST = 64  # characters of a token that is joined; SentencePiece makes them of 16 at most

CHAT_MARK = "<|im_start|>"
BYTES, PIECES = "gpt2", "llama"  # what a file calls byte-level BPE and SentencePiece
# Tokens that end an answer, whatever the file says of them.
ENDS = (
    "<|eot_id|> <|eom_id|> <|im_end|> <|end|> <end_of_turn> <end_of_utterance> <|endoftext|> <|end_of_text|> "
    "<EOT> _<EOT> <｜end▁of▁sentence｜>"
).split()
TRIED = "It isn't: \u2603 \U0001f642 e\u0301 \u6771\u4eac 1,000.5"
HINT = "Choose a file of another model, or fetch this one again."


@dataclass(frozen=True)
class Vocabulary:
    """A file's tokenizer data; `name` is the file's.

    `kinds` has a number for each token, or is empty, and `scores` one for each of SentencePiece's. `start`
    and `end` are ids, None if the file names none, and `ends` are further ids that end an answer.
    `adds_start` says that `start` stands before every text; None leaves it to the kind of tokenizer.
    `adds_end` says that `end` stands after it. With `swallows`, spaces after a mark of a chat belong to it.
    """

    name: str
    model: str
    split: str
    tokens: list[str]
    merges: list[str]
    kinds: Sequence[int] = ()
    scores: Sequence[float] = ()
    start: int | None = None
    end: int | None = None
    ends: Sequence[int] = ()
    adds_start: bool | None = None
    adds_end: bool = False
    prefix_space: bool = True
    swallows: bool = False
    chat_template: str | None = None


def build(vocabulary: Vocabulary) -> Tokenizer:
    """The tokenizer of a vocabulary. Raises FormatError if it is damaged or of an unsupported kind.

    >>> tokens = ["a", "b", "ab", "<|endoftext|>"]
    >>> build(Vocabulary("x.gguf", "gpt2", "gpt-2", tokens, ["a b"])).encode("abba").tokens
    ['ab', 'b', 'a']
    """
    _check(vocabulary)
    tokens = vocabulary.tokens
    kinds = vocabulary.kinds or [NORMAL] * len(tokens)

    def of_kind(*numbers: int) -> list[str]:
        return [token for token, kind in zip(tokens, kinds, strict=True) if kind in numbers]

    adds_start = _adds_start(vocabulary)
    start = _start(vocabulary, adds_start)
    frame = [tokens[id] for id in (vocabulary.start, vocabulary.end) if id is not None]
    ends = [tokens[id] for id in vocabulary.ends] + [token for token in ENDS if token in tokens]
    control = list(dict.fromkeys([*of_kind(UNKNOWN, CONTROL), *frame, *ends, *([start] if start else [])]))
    unknown = (of_kind(UNKNOWN) or tokens or [""])[0]
    try:
        if vocabulary.model == PIECES:
            backend = scored_backend(tokens, vocabulary.scores, kinds, unknown, vocabulary.prefix_space)
        else:
            backend = _byte_backend(vocabulary)
        marks = [
            AddedToken(
                token,
                special=number < len(control),
                normalized=False,
                rstrip=vocabulary.swallows and token not in ("<unk>", "<s>", END_OF_TEXT),
            )
            for number, token in enumerate([*control, *of_kind(USER_DEFINED)])
        ]
        backend.add_tokens(marks)
        last = tokens[vocabulary.end] if vocabulary.adds_end and vocabulary.end is not None else None
        if (adds_start and start) or last:
            _put_frame(backend, start if adds_start else None, last)
        backend.encode(TRIED)
    except FormatError:
        raise
    except Exception as error:  # the library raises bare Exception for every kind of damage
        raise FormatError(
            f"The vocabulary of {vocabulary.name} is damaged, or of a kind that Riverbank does not read.",
            HINT,
        ) from error
    special = {token: token for token in control} | {"start": start or "", "end": "".join(frame[-1:])}
    if vocabulary.model == PIECES:
        special["unknown"] = unknown
    tokenizer = (
        FallbackTokenizer(backend, special)
        if vocabulary.model == PIECES
        else Tokenizer(backend, special, byte_level=True)
    )
    # The document separator ends a plain text, the mark of a turn ends an answer.
    tokenizer.ends |= {tokens.index(token) for token in ends}
    ids = {"bos_token": vocabulary.start, "eos_token": vocabulary.end}
    roles = {role: tokens[id] for role, id in ids.items() if id is not None}
    tokenizer.set_chat(vocabulary.chat_template, roles)
    return tokenizer


def _byte_backend(vocabulary: Vocabulary) -> Backend:
    """The library's byte-level BPE of a vocabulary. Raises FormatError for a damaged merge."""
    merges = []
    for merge in vocabulary.merges:
        left, _, right = merge.partition(" ")
        if not (left and right) or " " in right:
            raise FormatError(f"{vocabulary.name} has “{merge:.60}” as a merge of two tokens.", HINT)
        merges.append((left, right))
    ids = {token: id for id, token in enumerate(vocabulary.tokens)}
    backend = Backend(BPE(ids, merges, ignore_merges=vocabulary.split in WHOLE_WORDS_FIRST))
    split_as(backend, vocabulary.split)
    return backend


def _put_frame(backend: Backend, first: str | None, last: str | None) -> None:
    """Put a token before every text, or one after it, or both."""
    marks = [(token, backend.token_to_id(token)) for token in {first, last} if token]
    one, two = ([part for part in (first, text, last) if part] for text in ("$A", "$B"))
    frame = processors.TemplateProcessing(single=one, pair=one + two, special_tokens=marks)
    own = backend.post_processor
    backend.post_processor = frame if own is None else processors.Sequence([own, frame])


def _check(vocabulary: Vocabulary) -> None:
    """Raises FormatError if the vocabulary is of an unsupported kind, or contradicts itself."""
    name, tokens = vocabulary.name, vocabulary.tokens
    if vocabulary.model not in (BYTES, PIECES):
        raise FormatError(
            f"{name} has a “{vocabulary.model:.60}” tokenizer, which Riverbank does not read from GGUF.",
            "It reads what such a file calls gpt2 (byte-level BPE) and llama (SentencePiece): choose a model "
            "with one of these.",
        )
    if vocabulary.model == BYTES and not vocabulary.split:
        raise FormatError(
            f"{name} does not say how its tokenizer splits a text: it is a conversion of before May 2024.",
            "Take a newer conversion of the model.",
        )
    if vocabulary.model == BYTES and vocabulary.split not in PATTERNS:
        raise FormatError(
            f"{name} splits a text as “{vocabulary.split:.60}” does, which Riverbank does not know.",
            "Choose a file of a family that docs/own-model.md names, or the model’s folder from the hub.",
        )
    if len(set(tokens)) < len(tokens):
        ((twice, _),) = Counter(tokens).most_common(1)
        raise FormatError(f"{name} lists the token “{twice:.60}” twice.", HINT)
    for what, numbers in (("kinds", vocabulary.kinds), ("scores", vocabulary.scores)):
        if len(numbers) not in (0, len(tokens)):
            raise FormatError(
                f"{name} gives the {what} of {len(numbers)} tokens, and lists {len(tokens)}.", HINT
            )
    ends = [("end", id) for id in (vocabulary.end, *vocabulary.ends)]
    for what, id in (("beginning", vocabulary.start), *ends):
        if id is not None and not 0 <= id < len(tokens):
            raise FormatError(
                f"{name} names token {id} for the {what} of a text, and has no such token.", HINT
            )


def _adds_start(vocabulary: Vocabulary) -> bool:
    """Whether the start token stands before every text: as the file says, else as its tokenizer does."""
    if vocabulary.start is None:
        return False
    by_kind = vocabulary.model == PIECES or vocabulary.split in WHOLE_WORDS_FIRST
    return by_kind if vocabulary.adds_start is None else vocabulary.adds_start


def _start(vocabulary: Vocabulary, adds_start: bool) -> str | None:
    """The token before a plain text: the file's start token, unless that only opens a turn of a chat.

    The file of a chat model often names the mark of a turn as its start token, while its training texts
    began with the document separator.
    """
    start = None if vocabulary.start is None else vocabulary.tokens[vocabulary.start]
    if not adds_start and start in (None, CHAT_MARK) and END_OF_TEXT in vocabulary.tokens:
        return END_OF_TEXT
    return start


def merges_by_score(
    tokens: Sequence[str], scores: Sequence[float], kinds: Sequence[int]
) -> list[tuple[str, str]]:
    """Every pair of tokens that makes a third one, by the score of that one, best first.

    SentencePiece joins the pair with the best score first (Kudo and Richardson 2018). The library joins by
    merges in an order: a token's are all its parts that are tokens, as `transformers` converts them.

    >>> merges_by_score(["a", "b", "ab", "aba"], [-9, -9, -1, -2], [1, 1, 1, 1])
    [('a', 'b'), ('ab', 'a')]
    """
    joined = {
        token: score
        for token, score, kind in zip(tokens, scores, kinds, strict=True)
        if kind in (NORMAL, USER_DEFINED) and len(token) <= LONGEST
    }
    return [
        (token[:cut], token[cut:])
        for token in sorted(joined, key=joined.__getitem__, reverse=True)
        for cut in range(1, len(token))
        if token[:cut] in joined and token[cut:] in joined
    ]


def scored_backend(
    tokens: Sequence[str], scores: Sequence[float], kinds: Sequence[int], unknown: str, prefix: bool
) -> Backend:
    """The library's tokenizer of such a vocabulary; `prefix` puts a space before a text."""
    ids = {token: id for id, token in enumerate(tokens)}
    merges = merges_by_score(tokens, scores, kinds)
    backend = Backend(BPE(ids, merges, unk_token=unknown, fuse_unk=True, byte_fallback=True))
    spaces = normalizers.Replace(" ", SPACE)
    first = [normalizers.Prepend(SPACE)] if prefix else []
    backend.normalizer = normalizers.Sequence([*first, spaces])
    words = [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
    backend.decoder = decoders.Sequence([*words, *([decoders.Strip(" ", 1, 0)] if prefix else [])])
    return backend
