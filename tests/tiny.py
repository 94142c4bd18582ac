"""Tiny checkpoints with random weights, written by `transformers`, in the hub's format.

Sizes are different primes (times the heads), so that no swapped axis can pass for another, and
weights are large enough that no head is flat and no term too small to be seen.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = ("the bank river money water light walk on in of we saw deep old is was and by it 东 京 你").split()
# 5 special tokens, 26 letters, 26 continued letters, 18 marks and 22 words: 97, a prime.
VOCABULARY = [*SPECIAL, *LETTERS, *(f"##{c}" for c in LETTERS), *".,!?'\"-()<>/:;=023", *WORDS]

# The vocabulary of a model that spells its words: 3 marks, 18 marks of writing and 22 words: 43, a prime.
SPELLED = ["<S>", "</S>", "<UNK>", *".,!?'\"-()<>/:;=023", *WORDS]

# Byte-level BPE: 256 bytes, 36 merges and <|endoftext|> make 293, a prime.
TEXTS = ["the bank by the river", "the light on the water was old and deep", "we saw money in the bank"] * 3

WHOLE = [*WORDS, *LETTERS, "'s", "don't", "you'll", "1,000.5", "n't"]  # 53, a prime

BERT = {
    "vocab_size": 97, "hidden_size": 35, "num_hidden_layers": 3, "num_attention_heads": 5,
    "intermediate_size": 53, "max_position_embeddings": 61, "pad_token_id": 0,
}  # fmt: skip
GPT = {
    "vocab_size": 293, "n_embd": 33, "n_layer": 3, "n_head": 3, "n_inner": 47, "n_positions": 67,
    "bos_token_id": 292, "eos_token_id": 292,
}  # fmt: skip
MARIAN = {
    "vocab_size": 157, "decoder_vocab_size": 157, "d_model": 35, "encoder_layers": 3,
    "encoder_attention_heads": 5, "encoder_ffn_dim": 53, "decoder_layers": 2, "decoder_attention_heads": 7,
    "decoder_ffn_dim": 59, "max_position_embeddings": 61, "activation_function": "swish",
    "scale_embedding": True, "pad_token_id": 156, "decoder_start_token_id": 156, "eos_token_id": 0,
    "forced_eos_token_id": 0,
}  # fmt: skip
FRENCH = ["la banque près de la rivière", "la lumière sur l'eau était vieille", "l'argent à la banque"] * 3


def shake(model: torch.nn.Module, seed: int = 0, noise: float = 0.25) -> torch.nn.Module:
    """Give every parameter, biases and norms too, a value that matters. Returns the model."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            drawn = torch.randn(parameter.shape, generator=generator) * noise
            parameter.copy_(drawn + 1 if "norm" in name.lower() and name.endswith("weight") else drawn)
            if ".ln_" in name and name.endswith("weight"):
                parameter.add_(1)
    return model.eval()


def write_bert(folder: Path, head: str = "BertForPreTraining", **changes):
    """A BERT checkpoint in `folder`; returns the `transformers` model that wrote it."""
    import transformers

    config = transformers.BertConfig(**(BERT | changes), attn_implementation="eager")
    model = shake(getattr(transformers, head)(config))
    model.save_pretrained(folder)
    write_vocab(folder)
    return model


def write_chinese_bert(folder: Path, words: Iterable[str] = (), **changes):
    """A BERT checkpoint that knows every common Chinese character, and `words`; returns the model."""
    import transformers

    characters = [chr(code) for code in range(0x4E00, 0x9FA6)]
    known = [*VOCABULARY[: VOCABULARY.index("the")], *"。，！？：、「」《》（）“”…", *characters, *words]
    config = transformers.BertConfig(**(BERT | {"vocab_size": len(known)} | changes))
    model = shake(transformers.BertForPreTraining(config))
    model.save_pretrained(folder)
    write_vocab(folder)
    (folder / "vocab.txt").write_text("\n".join(known) + "\n", encoding="utf-8")
    return model


def write_bilingual_bert(folder: Path, **changes):
    """A BERT checkpoint that reads English and Chinese; returns the model that wrote it."""
    from explorer.tokenizers.languages import WORDS as everyday

    return write_chinese_bert(folder, sorted(everyday | set(WORDS[:-3])), **changes)


def write_gpt(folder: Path, head: str = "GPT2LMHeadModel", **changes):
    """A GPT-2 checkpoint in `folder`; returns the `transformers` model that wrote it."""
    import transformers

    config = transformers.GPT2Config(**(GPT | changes), attn_implementation="eager")
    model = shake(getattr(transformers, head)(config))
    model.save_pretrained(folder)
    write_merges(folder)
    return model


def write_marian(folder: Path, **changes):
    """A Marian checkpoint in `folder`; returns the `transformers` model that wrote it."""
    import transformers

    config = transformers.MarianConfig(**(MARIAN | changes), attn_implementation="eager")
    model = shake(transformers.MarianMTModel(config))
    with torch.no_grad():  # positions are no weights, although they are kept as such
        for side in (model.model.encoder, model.model.decoder):
            side.embed_positions.weight.copy_(side.embed_positions.create_weight())
        model.final_logits_bias.copy_(torch.linspace(-1, 1, config.vocab_size)[None])
        model.model.shared.weight.mul_(0.3)
        model.final_logits_bias[0, 0] = 2.0  # so that some translations end by themselves
    # As published translators have it; `bad_words_ids` keeps padding out of a translation.
    model.generation_config.bad_words_ids = [[config.pad_token_id]]
    model.save_pretrained(folder)
    write_pieces(folder)
    return model


def write_pieces(folder: Path) -> None:
    """Marian's tokenizer files: SentencePiece for English and for French, and a vocabulary of both."""
    import sentencepiece

    ids = {"</s>": 0, "<unk>": 1, ">>fr<<": 2}
    for side, texts in (("source", [*TEXTS, LETTERS]), ("target", FRENCH)):
        prefix = folder / side
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts),
            model_prefix=str(prefix),
            vocab_size=80,
            hard_vocab_limit=False,
            minloglevel=2,
        )
        prefix.with_suffix(".model").rename(prefix.with_suffix(".spm"))
        prefix.with_suffix(".vocab").unlink()
        model = sentencepiece.SentencePieceProcessor(model_file=str(prefix.with_suffix(".spm")))
        for piece in map(model.id_to_piece, range(model.get_piece_size())):
            if piece not in ("<s>", "</s>", "<unk>"):
                ids.setdefault(piece, len(ids))
    size = MARIAN["vocab_size"]
    assert len(ids) < size, len(ids)
    ids |= {f"unused{i}": i for i in range(len(ids), size - 1)} | {"<pad>": size - 1}
    (folder / "vocab.json").write_text(json.dumps(ids), encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps({"source_lang": "en"}), encoding="utf-8")


def write_vocab(folder: Path) -> None:
    """WordPiece tokenizer files, as old checkpoints have them."""
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": True}), encoding="utf-8")


def write_merges(folder: Path) -> None:
    """Byte-level BPE tokenizer files, as old checkpoints have them."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=292, initial_alphabet=alphabet, show_progress=False)
    backend.train_from_iterator(TEXTS, trainer)
    backend.model.save(str(folder))
    vocab = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    vocab["<|endoftext|>"] = len(vocab)
    (folder / "vocab.json").write_text(json.dumps(vocab, ensure_ascii=False), encoding="utf-8")


def write_whole_words(folder: Path, words: Sequence[str] = WHOLE) -> None:
    """Tokenizer files of a model that has one vector a word."""
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    config = json.dumps({"tokenizer_class": "WordTokenizer", "do_lower_case": True})
    (folder / "tokenizer_config.json").write_text(config, encoding="utf-8")


def write_words(folder: Path) -> None:
    """Tokenizer file of a model that spells its words."""
    from explorer.tokenizers.characters import words_backend

    words_backend(SPELLED).save(str(folder / "tokenizer.json"))
