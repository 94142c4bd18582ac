"""Small tokenizers of today's language models, trained here, in folders as published."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, processors, trainers
from tokenizers import pre_tokenizers as pre

TEXTS = ["the bank by the river", "we saw old money, 1,000 of it", "it isn't deep water", "café naïve"] * 9
LLAMA_3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN = LLAMA_3.replace("{1,3}", "")


def write(folder: Path, tokenizer: Tokenizer, **config: Any) -> None:
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")


def byte_level(steps: list[Any], special: list[str], normalizer: Any = None) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre.Sequence(steps) if len(steps) > 1 else steps[0]
    tokenizer.normalizer, tokenizer.decoder = normalizer, decoders.ByteLevel()
    alphabet = pre.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=350, initial_alphabet=alphabet, special_tokens=special, show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    return tokenizer


def template(tokenizer: Tokenizer, first: str, last: str = "") -> Any:
    marks = [(mark, tokenizer.token_to_id(mark)) for mark in (first, last) if mark]
    single = f"{first} $A {last}".strip()
    pair = f"{single} {f'$B:1 {last}:1' if last else f'{first}:1 $B:1'}"
    return processors.TemplateProcessing(single=single, pair=pair, special_tokens=marks)


def split(pattern: str) -> list[Any]:
    return [pre.Split(Regex(pattern), "isolated"), pre.ByteLevel(add_prefix_space=False, use_regex=False)]


def write_llama_3(folder: Path) -> None:
    tokenizer = byte_level(split(LLAMA_3), ["<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>"])
    frame = template(tokenizer, "<|begin_of_text|>")
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=True), frame])
    write(folder, tokenizer, bos_token="<|begin_of_text|>", eos_token="<|eot_id|>")
    (folder / "generation_config.json").write_text('{"eos_token_id": [1, 2, 99999]}', encoding="utf-8")


def write_qwen(folder: Path) -> None:
    tokenizer = byte_level(split(QWEN), ["<|endoftext|>", "<|im_start|>", "<|im_end|>"], normalizers.NFC())
    tokenizer.post_processor = processors.ByteLevel(add_prefix_space=False, trim_offsets=False)
    write(folder, tokenizer, bos_token=None, eos_token="<|im_end|>", add_bos_token=False)
    (folder / "config.json").write_text('{"eos_token_id": 0}', encoding="utf-8")


def write_smollm(folder: Path) -> None:
    steps = [pre.Digits(individual_digits=True), pre.ByteLevel(add_prefix_space=False)]
    write(folder, byte_level(steps, ["<|endoftext|>"]), eos_token="<|endoftext|>")


def write_pythia(folder: Path) -> None:
    tokenizer = byte_level([pre.ByteLevel(add_prefix_space=False)], ["<|endoftext|>"], normalizers.NFC())
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=True)
    tokenizer.add_tokens([AddedToken("    ", normalized=True), AddedToken("  ", normalized=True)])
    write(folder, tokenizer, bos_token="<|endoftext|>", eos_token="<|endoftext|>")


def write_converted(folder: Path) -> None:
    """A GPT without tokenizer.json, whose frame stands in tokenizer_config.json."""
    tokenizer = byte_level([pre.ByteLevel(add_prefix_space=False)], ["<s>", "</s>"])
    settings = {"content": "<s>", "lstrip": False, "special": True, "__type": "AddedToken"}
    write(folder, tokenizer, add_bos_token=True, bos_token=settings, eos_token="</s>", unk_token="</s>")
    tokenizer.model.save(str(folder))
    (folder / "tokenizer.json").unlink()


def write_llama_2(folder: Path, metaspace: bool = False) -> None:
    special = ["<unk>", "<s>", "</s>"]
    trained = Tokenizer(models.BPE())
    trained.pre_tokenizer = pre.Metaspace()
    first = [*special, *(f"<0x{byte:02X}>" for byte in range(256))]
    trained.train_from_iterator(
        TEXTS, trainers.BpeTrainer(vocab_size=350, special_tokens=first, show_progress=False)
    )
    model = json.loads(trained.to_str())["model"]
    merges = [tuple(merge) for merge in model["merges"]]
    tokenizer = Tokenizer(
        models.BPE(model["vocab"], merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    )
    if metaspace:
        tokenizer.pre_tokenizer = pre.Metaspace("▁", "first", split=False)
    else:
        tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.add_special_tokens(special)
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    tokenizer.decoder = decoders.Sequence(steps)
    tokenizer.post_processor = template(tokenizer, "<s>")
    write(folder, tokenizer, bos_token="<s>", eos_token="</s>", add_bos_token=True, add_eos_token=False)


def write_mistral(folder: Path) -> None:
    write_llama_2(folder, metaspace=True)


def write_modernbert(folder: Path) -> None:
    special = ["[UNK]", "[CLS]", "[SEP]", "[PAD]"]
    tokenizer = byte_level([pre.ByteLevel(add_prefix_space=False)], [*special, "[MASK]"], normalizers.NFC())
    tokenizer.add_special_tokens([AddedToken("[MASK]", lstrip=True, special=True)])
    tokenizer.post_processor = template(tokenizer, "[CLS]", "[SEP]")
    names = {"unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
    write(folder, tokenizer, **names, pad_token="[PAD]")


LEFT_TO_RIGHT: dict[str, Callable[[Path], None]] = {
    "llama 3": write_llama_3,
    "qwen": write_qwen,
    "smollm": write_smollm,
    "pythia": write_pythia,
    "converted": write_converted,
    "llama 2": write_llama_2,
    "mistral": write_mistral,
}
