"""A tokenizer from SentencePiece's own files, for checkpoints without a tokenizer.json.

Kudo, Richardson, "SentencePiece: A simple and language independent subword tokenizer and detokenizer for
Neural Text Processing" (EMNLP 2018). XLM-R puts four tokens before the pieces and `<mask>` after them, and
drops SentencePiece's own three; CamemBERT puts five, and drops one; ALBERT's file has its special tokens
among the pieces.

As in `transformers`, a user-defined piece always splits the text around it.
One thing differs: a number and its comma (`5,`) are never one piece, as in ALBERT's own code.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, decoders, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as Backend
from tokenizers.models import Unigram

from explorer.errors import FormatError
from explorer.tokenizers.added import add_tokens
from explorer.tokenizers.frame import names_of
from explorer.tokenizers.settings import ALBERT, CAMEMBERT, XLMR, Settings

ALBERT_FILE, XLMR_FILE = "spiece.model", "sentencepiece.bpe.model"
UNIGRAM = 1  # SentencePiece's number for this kind of model
CONTROL, USERS = 3, 4  # its numbers for kinds of pieces
DIGIT_COMMA = -100.0  # ALBERT's penalty for a piece such as “,5,”, so that numbers are split at commas
# The only supported values, which all files of these families have.
FIXED: dict[str, dict[str, Any]] = {
    "trainer_spec": {"model_type": UNIGRAM, "byte_fallback": False, "treat_whitespace_as_suffix": False},
    "normalizer_spec": dict.fromkeys(
        ("add_dummy_prefix", "remove_extra_whitespaces", "escape_whitespaces"), True
    ),
}


def albert(folder: Path, settings: Settings) -> tuple[Backend, dict[str, str]]:
    """ALBERT's tokenizer, from spiece.model, and the strings of its special tokens. Raises FormatError."""
    model = _read(folder / ALBERT_FILE)
    pieces = [(p.piece, p.score + (DIGIT_COMMA if _digit_comma(p.piece) else 0.0)) for p in model.pieces]
    steps: list[Any] = [normalizers.Replace("``", '"'), normalizers.Replace("''", '"')]
    steps += [] if settings.switch("keep_accents") else [normalizers.NFKD(), normalizers.StripAccents()]
    steps += [] if settings.switch("do_lower_case") is False else [normalizers.Lowercase()]
    first, last = (settings.token(role, ALBERT) or "" for role in ("cls_token", "sep_token"))
    backend = _backend(pieces, model, steps, settings, ALBERT, (first, last), ALBERT_FILE)
    one, second = [f"{first}:0", "$A:0", f"{last}:0"], ["$B:1", f"{last}:1"]
    backend.post_processor = _frame(backend, (first, last), one, second)
    return backend, names_of(settings, ALBERT, first, last)


def xlm_roberta(folder: Path, settings: Settings) -> tuple[Backend, dict[str, str]]:
    """XLM-R's or CamemBERT's tokenizer, from sentencepiece.bpe.model, which is not BPE despite its name."""
    kind = CAMEMBERT if settings.kind == CAMEMBERT else XLMR
    roles = ("bos_token", "pad_token", "eos_token", "unk_token", "mask_token")
    first, padding, last, unknown, mask = (settings.token(role, kind) or "" for role in roles)
    before = [first, padding, last, unknown]
    if kind == CAMEMBERT:
        before = ["<s>NOTUSED", padding, "</s>NOTUSED", unknown, "<unk>NOTUSED"]
    model = _read(folder / XLMR_FILE)
    own = ((p.piece, p.score) for p in model.pieces[1 if kind == CAMEMBERT else 3 :])
    pieces = [*((name, 0.0) for name in before), *own, (mask, 0.0)]
    backend = _backend(pieces, model, [], settings, kind, (first, last), XLMR_FILE)
    backend.post_processor = _frame(backend, (first, last), [first, "$A", last], [last, "$B", last])
    return backend, names_of(settings, kind, first, last)


def _backend(
    pieces: list[tuple[str, float]],
    model: Any,
    steps: list[Any],
    settings: Settings,
    kind: str,
    ends: tuple[str, str],
    file: str,
) -> Backend:
    ids = {piece: i for i, (piece, _) in enumerate(pieces)}
    unknown = settings.token("unk_token", kind) or ""
    if lacking := [name for name in dict.fromkeys((unknown, *ends)) if name not in ids]:
        raise FormatError(
            f"{file} lacks {', '.join(lacking)}.", "Fetch the checkpoint again, or choose another."
        )
    backend = Backend(Unigram(pieces, unk_id=ids[unknown], byte_fallback=False))
    table = model.normalizer_spec.precompiled_charsmap
    if steps := [*steps, *([normalizers.Precompiled(table)] if table else [])]:
        backend.normalizer = normalizers.Sequence(steps)
    scheme = "never" if settings.switch("add_prefix_space") is False else "always"
    metaspace = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme=scheme)
    backend.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), metaspace])
    backend.decoder = decoders.Metaspace(replacement="▁", prepend_scheme=scheme)
    add_tokens(backend, settings, settings.special(kind) + ([] if settings.lists_extra else _own(model)))
    return backend


def _own(model: Any) -> list[AddedToken]:
    """The pieces that are never split: control pieces and user-defined ones."""
    kinds = [(piece.piece, piece.type == CONTROL) for piece in model.pieces if piece.type in (CONTROL, USERS)]
    return [AddedToken(piece, normalized=False, special=special) for piece, special in kinds]


def _frame(backend: Backend, ends: tuple[str, str], one: list[str], second: list[str]) -> Any:
    special = [(token, backend.token_to_id(token)) for token in dict.fromkeys(ends)]
    return processors.TemplateProcessing(single=one, pair=one + second, special_tokens=special)


def _read(path: Path) -> Any:
    # Imported only here: this part of SentencePiece needs protobuf, which is installed with Streamlit.
    model: Any = import_module("sentencepiece.sentencepiece_model_pb2").ModelProto()
    model.ParseFromString(path.read_bytes())
    for part, fixed in FIXED.items():
        for name, value in fixed.items():
            if (setting := getattr(getattr(model, part), name)) != value:
                problem = "is no unigram model" if name == "model_type" else f"has {name} set to {setting}"
                raise FormatError(
                    f"{path.name} {problem}, unlike SentencePiece’s files of ALBERT, XLM-R and CamemBERT.",
                    "Choose a checkpoint with a tokenizer.json.",
                )
    return model


def _digit_comma(piece: str) -> bool:
    return len(piece) >= 2 and piece[-1] == "," and piece[-2].isdigit()
