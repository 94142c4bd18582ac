"""SentencePiece's own files to a tokenizer, for checkpoints without a tokenizer.json.

Kudo, Richardson, "SentencePiece: A simple and language independent subword tokenizer and detokenizer for
Neural Text Processing" (EMNLP 2018). XLM-R puts four tokens before the pieces and `<mask>` after them, and
drops SentencePiece's own three; CamemBERT puts five, and drops one; ALBERT's file has its special tokens
among the pieces.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Regex, decoders, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as Backend
from tokenizers.models import Unigram

from explorer.errors import FormatError
from explorer.tokenizers.spaced import BERT_NAMES, ROBERTA_NAMES, SpacedTokenizer

ALBERT_FILE, XLMR_FILE = "spiece.model", "sentencepiece.bpe.model"
UNIGRAM = 1  # SentencePiece's number for this kind of model
DIGIT_COMMA = -100.0  # what ALBERT takes off a piece such as “,5,”, so that numbers are split at commas


def albert(path: Path, lowercase: bool = True, keep_accents: bool = False) -> SpacedTokenizer:
    """ALBERT's tokenizer, from spiece.model. Raises FormatError."""
    model = _read(path)
    pieces = [(p.piece, p.score + (DIGIT_COMMA if _digit_comma(p.piece) else 0.0)) for p in model.pieces]
    steps: list[Any] = [normalizers.Replace("``", '"'), normalizers.Replace("''", '"')]
    steps += [] if keep_accents else [normalizers.NFKD(), normalizers.StripAccents()]
    steps += [normalizers.Lowercase()] if lowercase else []
    frame = ("[CLS]:0 $A:0 [SEP]:0", "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1")
    return _built(pieces, model, steps, BERT_NAMES, frame, path.name)


def xlm_roberta(path: Path) -> SpacedTokenizer:
    """XLM-R's tokenizer, from sentencepiece.bpe.model, no BPE for all its name. Raises FormatError."""
    model = _read(path)
    return _roberta(model, ("<s>", "<pad>", "</s>", "<unk>"), 3, path.name)


def camembert(path: Path) -> SpacedTokenizer:
    """CamemBERT's tokenizer, from sentencepiece.bpe.model. Raises FormatError."""
    before = ("<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED")
    return _roberta(_read(path), before, 1, path.name)


def _roberta(model: Any, before: tuple[str, ...], dropped: int, file: str) -> SpacedTokenizer:
    own = ((p.piece, p.score) for p in model.pieces[dropped:])
    pieces = [*((name, 0.0) for name in before), *own, ("<mask>", 0.0)]
    return _built(pieces, model, [], ROBERTA_NAMES, ("<s> $A </s>", "<s> $A </s> </s> $B </s>"), file)


def _built(
    pieces: list[tuple[str, float]],
    model: Any,
    steps: list[Any],
    names: dict[str, str],
    frame: tuple[str, str],
    file: str,
) -> SpacedTokenizer:
    ids = {piece: i for i, (piece, _) in enumerate(pieces)}
    if lacking := [name for name in names.values() if name not in ids]:
        raise FormatError(
            f"{file} lacks {', '.join(lacking)}.", "Fetch the checkpoint again, or choose another."
        )
    backend = Backend(Unigram(pieces, unk_id=ids[names["unknown"]], byte_fallback=False))
    table = model.normalizer_spec.precompiled_charsmap
    steps = [*steps, *([normalizers.Precompiled(table)] if table else [])]
    backend.normalizer = normalizers.Sequence([*steps, normalizers.Replace(Regex(" {2,}"), " ")])
    metaspace = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    backend.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), metaspace])
    backend.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    own = [
        AddedToken(name, special=True, normalized=False) for name in names.values() if name != names["mask"]
    ]
    # The space before a blank belongs to the word that is to be guessed.
    backend.add_special_tokens([*own, AddedToken(names["mask"], lstrip=True, special=True, normalized=False)])
    single, pair = frame
    ends = [(names[name], ids[names[name]]) for name in ("start", "separator")]
    backend.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=ends)
    return SpacedTokenizer(backend, bytewise=False)


def _read(path: Path) -> Any:
    # Not before it is needed: this part of SentencePiece asks for protobuf, which Streamlit brings along.
    model: Any = import_module("sentencepiece.sentencepiece_model_pb2").ModelProto()
    model.ParseFromString(path.read_bytes())
    if model.trainer_spec.model_type != UNIGRAM:
        raise FormatError(
            f"{path.name} is no unigram model of SentencePiece.", "Choose a checkpoint with a tokenizer.json."
        )
    return model


def _digit_comma(piece: str) -> bool:
    return len(piece) >= 2 and piece[-1] == "," and piece[-2].isdigit()
