"""The translator's tokenizer: one SentencePiece model for English and French, in Marian's files.

The model contains the normalisation of the training text, for typed text and for `transformers`: a keyboard's
spaces, quotation marks and dashes, and composed accents.
"""

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from unicodedata import normalize

import sentencepiece

from explorer.tokenizers.marian import MarianTokenizer
from training.text.pairs import PLAIN

END, UNKNOWN, PADDING = "</s>", "<unk>", "<pad>"


def train(sentences: Iterable[str], folder: Path, size: int) -> MarianTokenizer:
    """Train a tokenizer of `size` pieces with special tokens, and write its files into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        rules = Path(name) / "rules.tsv"
        rules.write_text(normalisation(), encoding="utf-8")
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sentences),
            model_prefix=str(Path(name) / "joint"),
            model_type="bpe",
            vocab_size=size - 1,  # <pad> is not SentencePiece's
            normalization_rule_tsv=str(rules),
            character_coverage=1.0,
            eos_id=0,
            unk_id=1,
            bos_id=-1,
            pad_id=-1,
            num_threads=1,
            minloglevel=2,
        )
        joint = (Path(name) / "joint.model").read_bytes()
    for side in ("source.spm", "target.spm"):
        (folder / side).write_bytes(joint)
    model = sentencepiece.SentencePieceProcessor(model_proto=joint)
    ids = {model.id_to_piece(i): i for i in range(model.get_piece_size())} | {PADDING: size - 1}
    (folder / "vocab.json").write_text(json.dumps(ids, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    return MarianTokenizer.read(folder)


def normalisation() -> str:
    """SentencePiece's rules, one a line: characters and their replacement as hexadecimal code points."""
    rules = {chr(code): target for code, target in PLAIN.items()}
    for code in range(0xC0, 0x180):  # Latin letters with accents
        parts = normalize("NFD", chr(code))
        if len(parts) > 1:
            rules[parts] = chr(code)
    return "".join(f"{_points(old)}\t{_points(new)}\n" for old, new in sorted(rules.items()))


def _points(text: str) -> str:
    return " ".join(f"{ord(char):X}" for char in text)
