"""Small tokenizers drawn at random, written as checkpoints have them, and texts of many scripts."""

import json
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests import encoders, tiny
from tests.tokenizers import small

WORDPIECE = dict.fromkeys(("bert", "distilbert", "electra", "ernie", "gpt2+vocab"), "[MASK]")
BYTES = {"gpt2": "", "gpt_neo": "", "roberta": "<mask>", "gpt_neox": "", "qwen2": "", "qwen3": ""}
PIECES = {"albert": "[MASK]", "xlm-roberta": "<mask>", "camembert": "<mask>"}
PUBLISHED = {
    name: getattr(small, f"write_{name.replace(' ', '_')}")
    for name in ("llama 3", "qwen", "smollm", "pythia", "llama 2", "mistral", "modernbert")
}
KINDS = [*WORDPIECE, *BYTES, *PIECES, *PUBLISHED]
ADDED = ["[E1]", "riverbank", "<xy>", "Banks", "東京都", "éa", "two words", "bano", "نهر", "🙂🙂", "Ωmega"]
PARTS = [
    *("the bank", "River", "we saw OLD money", "isn't", "riverbanks", "1,000.5", "a-b", "(deep)", "x"),
    *("café", "cafe\u0301 e\u0301\u0323", "naïve Ångström", "İstanbul ﬁne ½ ①", "straße", "ſ"),
    *"東京 我去银行。 そのバンクに行く カ\u3099 은행에서 \u1112\u1161\u11ab ไปธนาคาร \U00020000".split(),
    *("कला और कि", "ذهب الولد", "Ёж и", "tiếng Việt", "بَنْك", "שָׁלוֹם", "Ελλάδα"),
    *"🙂 👩‍🚀 🏳️‍🌈 👍🏽 🇫🇷 \u200b \u00ad \x00 \x07 \ufffd".split(" "),
    *("\u00a0", "\u3000", "\u2028", "  ", "   ", "\n", "\n\n", "\t", "\r\n", " "),
    *"… ``x'' </p> ▁ Ġ ##k ## [CLS] [SEP] [PAD] <s> </s> <unk> <pad> <|endoftext|> [UNK]".split(),
]
CHARACTERS = "".join(sorted({char for part in PARTS for char in part.lower() if not char.isspace()}))


@dataclass
class Drawn:
    """A tokenizer in a folder; `mask` is its own token for a blank, or ""."""

    kind: str
    folder: Path
    mask: str = ""
    given: dict[str, Any] = field(default_factory=dict)  # what `transformers` has to be told
    config: dict[str, Any] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)


def text_of(draw: random.Random, mask: str, added: list[str]) -> str:
    """A few parts with or without spaces between them."""
    parts = [*PARTS, *added, *(["[MASK]", "a [MASK]."] if mask else [])]
    chosen = [draw.choice(parts) for _ in range(draw.randint(0, 7))]
    return "".join(part + draw.choice(["", " ", " "]) for part in chosen)


@contextmanager
def drawn(seed: int, kind: str = "") -> Iterator[Drawn]:
    """The tokenizer of a number."""
    draw = random.Random(seed)
    folder = Path(tempfile.mkdtemp(prefix="drawn-"))
    try:
        yield _write(draw, kind or draw.choice(KINDS), folder)
    finally:
        shutil.rmtree(folder)


def _write(draw: random.Random, kind: str, folder: Path) -> Drawn:
    made = Drawn(kind, folder)
    config: dict[str, Any] = {}
    if kind in PUBLISHED:
        PUBLISHED[kind](folder)
        config = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
        made.mask = "[MASK]" if kind == "modernbert" else ""
        size = len(json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"])
        size += 2 if kind == "pythia" else 0
    elif kind in WORDPIECE:
        made.mask, size = WORDPIECE[kind], _vocab(draw, folder, config)
    elif kind in BYTES:
        made.mask, size = BYTES[kind], _merges(draw, folder, kind)
        _sometimes(draw, config, "add_prefix_space")
        if kind in ("gpt2", "gpt_neo", "gpt_neox", "qwen2", "qwen3"):
            _sometimes(draw, config, "add_bos_token")
            _sometimes(draw, config, "add_eos_token")
    else:
        made.mask = PIECES[kind]
        name, content, pieces = _pieces(kind == "albert", draw.randrange(3))
        (folder / name).write_bytes(content)
        size = pieces + {"albert": 0, "xlm-roberta": 2, "camembert": 5}[kind]
        _sometimes(draw, config, "add_prefix_space")
        if kind == "albert":
            _sometimes(draw, config, "do_lower_case", "keep_accents")
    _sometimes(draw, config, "split_special_tokens", often=0.1)
    if kind not in PUBLISHED:
        model_type = kind.partition("+")[0]
        (folder / "config.json").write_text(json.dumps({"model_type": model_type}), encoding="utf-8")
        if kind == "gpt2+vocab":
            config["tokenizer_class"] = draw.choice(["BertTokenizer", "BertTokenizerFast"])
        _roles(draw, made, config)
    made.added, made.config = _added(draw, folder, config, size, kind in PIECES), config
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return made


def _sometimes(draw: random.Random, config: dict[str, Any], *names: str, often: float = 0.4) -> None:
    for name in names:
        if draw.random() < often:
            config[name] = draw.choice([True, False])


def _vocab(draw: random.Random, folder: Path, config: dict[str, Any]) -> int:
    known = [char for char in CHARACTERS if draw.random() < 0.8]
    words = [*known, *(f"##{char}" for char in known), "the", "bank", "river", "##s", "##bank", "old"]
    if draw.random() < 0.3:
        words += ["Bank", "River", "OLD", "##É"]
        config["do_lower_case"] = draw.choice([True, False])
    special = [*tiny.SPECIAL, "[unused1]", "<mask>", "<cls>"]
    draw.shuffle(special)
    tokens = list(dict.fromkeys([*special, *words]))
    end = draw.choice(["\n", "\n", "\r\n"])
    (folder / "vocab.txt").write_bytes((end.join(tokens) + end).encode())
    _sometimes(draw, config, "do_lower_case", "tokenize_chinese_chars", "strip_accents")
    if draw.random() < 0.2:
        config["strip_accents"] = None
    return len(tokens)


def _merges(draw: random.Random, folder: Path, kind: str) -> int:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=draw.randint(260, 330),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator([*tiny.TEXTS, "東京 은행 café", *draw.sample(PARTS, 20)], trainer)
    backend.model.save(str(folder))
    vocab = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    # Names of another family stand in the vocabulary too: they are no frame.
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>", "<|padding|>", "[unused1]"]
    draw.shuffle(special)
    vocab |= {token: len(vocab) + i for i, token in enumerate(special)}
    (folder / "vocab.json").write_text(json.dumps(vocab, ensure_ascii=draw.random() < 0.5), encoding="utf-8")
    return len(vocab)


@cache
def _pieces(albert: bool, number: int) -> tuple[str, bytes, int]:
    """A SentencePiece file: its name, its bytes, and how many pieces it has."""
    import sentencepiece

    folder = Path(tempfile.mkdtemp(prefix="pieces-"))
    own: dict[str, Any] = {"user_defined_symbols": ["(", "<x>"]} if number == 2 else {}
    if number == 1:
        own["normalization_rule_name"] = "identity"
    if albert:
        controls = {"pad_id": 0, "unk_id": 1, "bos_id": -1, "eos_id": -1}
        own |= controls | {"control_symbols": ["[CLS]", "[SEP]", "[MASK]"]}
    encoders.train(folder, "m", **own)
    content = (folder / "m").read_bytes()
    model = sentencepiece.SentencePieceProcessor(model_proto=content)
    shutil.rmtree(folder)
    return "spiece.model" if albert else "sentencepiece.bpe.model", content, model.get_piece_size()


def _roles(draw: random.Random, made: Drawn, config: dict[str, Any]) -> None:
    """Special tokens under other names, or with settings of their own."""
    from tokenizers import AddedToken

    if made.mask and draw.random() < 0.3 and made.kind not in PIECES:
        made.mask = config["mask_token"] = draw.choice(["<mask>", "[unused1]", "[MASK]", "<blank-here>"])
    if made.mask and draw.random() < 0.3:
        settings = {"content": made.mask, "lstrip": draw.random() < 0.5, "rstrip": draw.random() < 0.2}
        config["mask_token"] = settings | {"normalized": False, "special": True, "__type": "AddedToken"}
    elif made.mask and made.kind not in WORDPIECE:
        made.given["mask_token"] = AddedToken(made.mask, lstrip=True, special=True)
    if made.kind in WORDPIECE and draw.random() < 0.2:
        config["cls_token"] = draw.choice(["<cls>", "[unused1]"])
    if made.kind in BYTES and made.kind != "roberta" and draw.random() < 0.3:
        config["bos_token"] = draw.choice(["<s>", "<start>"])
        config["eos_token"] = draw.choice(["</s>", "<|endoftext|>"])
    if draw.random() < 0.2:
        config["pad_token"] = draw.choice(["<pad>", "[PADDING]"])


def _added(draw: random.Random, folder: Path, config: dict[str, Any], size: int, pieces: bool) -> list[str]:
    """Tokens beside the vocabulary, in one of the places where they can stand."""
    tokens = draw.sample(ADDED, draw.randint(0, 4))
    place = draw.choice(["json", "decoder", "list", "map", "named"])
    if place == "json" and tokens:
        ids = {token: size + i for i, token in enumerate(tokens)}
        (folder / "added_tokens.json").write_text(json.dumps(ids), encoding="utf-8")
    elif place == "decoder" and tokens:
        config["added_tokens_decoder"] = {
            str(size + i): {"content": token}
            | {
                name: draw.random() < 0.3
                for name in ("lstrip", "rstrip", "single_word", "normalized", "special")
            }
            for i, token in enumerate(tokens)
        }
        for token in config["added_tokens_decoder"].values():
            token["special"] &= not token["normalized"]  # the library decodes such a one in spite of itself
    elif place == "list":
        config[draw.choice(["extra_special_tokens", "additional_special_tokens"])] = tokens
    elif place == "map":
        # Under the older name `transformers` 5 forgets them beside a SentencePiece file.
        content: dict[str, Any] = {"extra_special_tokens" if pieces else "additional_special_tokens": tokens}
        if draw.random() < 0.3:
            content["pad_token"] = {"content": "[P]", "lstrip": True, "normalized": False}
        (folder / "special_tokens_map.json").write_text(json.dumps(content), encoding="utf-8")
    elif place == "named":
        config["extra_special_tokens"] = {f"token_{i}": token for i, token in enumerate(tokens)}
    return tokens
