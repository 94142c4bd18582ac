"""Tiny checkpoints of models like BERT with random weights, written by `transformers`."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import tiny

D_VOCAB = 331  # a prime, more than any tokenizer here has
SIZES = {
    "vocab_size": D_VOCAB, "hidden_size": 35, "num_hidden_layers": 3, "num_attention_heads": 5,
    "intermediate_size": 53, "max_position_embeddings": 61,
}  # fmt: skip
ROBERTA = {"max_position_embeddings": 63, "type_vocab_size": 1, "pad_token_id": 1, "bos_token_id": 0}


@dataclass(frozen=True)
class Architecture:
    """A family's name in `transformers`, its checkpoint for pre-training, and sizes of its own."""

    name: str
    whole: str
    changes: dict[str, Any] = field(default_factory=dict)


ENCODERS = {
    "roberta": Architecture("Roberta", "RobertaForMaskedLM", ROBERTA),
    "xlm-roberta": Architecture("XLMRoberta", "XLMRobertaForMaskedLM", ROBERTA),
    "camembert": Architecture("Camembert", "CamembertForMaskedLM", ROBERTA),
    "distilbert": Architecture("DistilBert", "DistilBertForMaskedLM"),
    "albert": Architecture("Albert", "AlbertForPreTraining", {"embedding_size": 13}),
    "electra": Architecture("Electra", "ElectraForPreTraining", {"embedding_size": 13}),
    "mpnet": Architecture("MPNet", "MPNetForMaskedLM", ROBERTA),
    "ernie": Architecture("Ernie", "ErnieForPreTraining", {"use_task_id": True, "task_type_vocab_size": 3}),
}


def write(model_type: str, folder: Path, head: str = "", **changes):
    """A checkpoint in `folder`; returns the `transformers` model that wrote it."""
    import transformers

    architecture = ENCODERS[model_type]
    sizes = SIZES | architecture.changes
    if model_type == "distilbert":
        sizes = dict(sizes, dim=35, n_layers=3, n_heads=5, hidden_dim=53)
        sizes = {k: v for k, v in sizes.items() if not k.startswith(("hidden_s", "num_", "inter"))}
    config = getattr(transformers, f"{architecture.name}Config")(
        **(sizes | changes), attn_implementation="eager"
    )
    model = tiny.shake(getattr(transformers, head or architecture.whole)(config))
    model.save_pretrained(folder)
    TOKENIZERS.get(model_type, tiny.write_vocab)(folder)
    return model


def write_pair(folder: Path) -> tuple[str, str]:
    """ELECTRA's generator and discriminator of one vocabulary in `folder`: their names."""
    for half, head in (("generator", "ElectraForMaskedLM"), ("discriminator", "ElectraForPreTraining")):
        (folder / f"tiny-{half}").mkdir()
        write("electra", folder / f"tiny-{half}", head)
    return f"folder:{folder}/tiny-generator", f"folder:{folder}/tiny-discriminator"


def write_bytes(folder: Path) -> None:
    """RoBERTa's tokenizer files: its special tokens around a byte-level BPE."""
    tiny.write_merges(folder)
    vocabulary = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    del vocabulary["<|endoftext|>"]
    first = ["<s>", "<pad>", "</s>", "<unk>"]
    tokens = [*first, *sorted(vocabulary, key=vocabulary.__getitem__), "<mask>"]
    ids = json.dumps({token: i for i, token in enumerate(tokens)}, ensure_ascii=False)
    (folder / "vocab.json").write_text(ids, encoding="utf-8")
    mask = {"content": "<mask>", "lstrip": True, "rstrip": False, "single_word": False, "normalized": False}
    chosen = {"mask_token": mask | {"special": True, "__type": "AddedToken"}}  # as published
    (folder / "tokenizer_config.json").write_text(json.dumps(chosen), encoding="utf-8")


def write_xlmr(folder: Path) -> None:
    """The tokenizer file of XLM-R, and of CamemBERT."""
    train(folder, "sentencepiece.bpe.model")


def write_mpnet(folder: Path) -> None:
    """MPNet's tokenizer files: BERT's words, and RoBERTa's special tokens around them."""
    import transformers

    words = ["<s>", "<pad>", "</s>", "[UNK]", *tiny.VOCABULARY[5:], "<mask>"]
    transformers.MPNetTokenizer({word: i for i, word in enumerate(words)}).save_pretrained(folder)


def write_albert(folder: Path) -> None:
    """ALBERT's tokenizer file, with its special tokens among the pieces."""
    own = {
        "pad_id": 0,
        "unk_id": 1,
        "bos_id": -1,
        "eos_id": -1,
        "control_symbols": ["[CLS]", "[SEP]", "[MASK]"],
    }
    train(folder, "spiece.model", **own)


TEXTS = [*tiny.TEXTS, *tiny.FRENCH, tiny.LETTERS, "old money, 1,000 東京 你好 café"]


def train(folder: Path, name: str, texts: Iterable[str] = TEXTS, **options) -> None:
    """A SentencePiece model of a hundred pieces."""
    import sentencepiece

    prefix = folder / "pieces"
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_prefix=str(prefix),
        **({"vocab_size": 113, "hard_vocab_limit": False, "minloglevel": 2} | options),
    )
    prefix.with_suffix(".model").rename(folder / name)
    prefix.with_suffix(".vocab").unlink()


TOKENIZERS = {
    "roberta": write_bytes,
    "camembert": write_xlmr,
    "xlm-roberta": write_xlmr,
    "albert": write_albert,
    "mpnet": write_mpnet,
}
