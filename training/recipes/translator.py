"""Training `translator` from random weights: each French token from the English sentence and those before.

The loss is that of "Attention Is All You Need", section 5.4: cross-entropy with a tenth of the truth spread
over the vocabulary (label smoothing), and dropout, since the same pairs are read many times. The mean of the
last weights ships.
"""

import json
import math
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from unicodedata import normalize

import numpy as np
import sentencepiece
import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Generator, Tensor, nn
from torch.nn.utils.rnn import pad_sequence
from torch.optim.swa_utils import AveragedModel

from explorer.analysis.translation.doubts import KNOWN_WORDS, SEEN, words
from explorer.models.language_model import LanguageModel
from explorer.models.marian import Marian, MarianConfig
from explorer.tokenizers.marian import MarianTokenizer
from explorer.trace import Edit
from training.loop import Schedule, Task
from training.optimiser import muon_and_adamw
from training.recipes import Sources
from training.sentence_pairs import PLAIN, Pair, Split, read, split
from training.text import Corpus

D_VOCAB = 8000
SMOOTHED = 0.1
DROPOUT = 0.15
DROPPED = ("embedding", "attention_output", "cross_attention_output", "mlp_output")
BATCH = 4096  # tokens of both languages in a step
LONGEST = 100  # tokens of a sentence; longer ones are left out
LAST = (0.9, 0.92, 0.94, 0.96, 0.98, 1.0)  # progress at which weights are taken into the mean
SIZES: dict[str, Any] = {
    "d_model": 256,
    "layers": 4,
    "heads": 8,
    "d_mlp": 896,
    "decoder_layers": 3,
    "decoder_heads": 8,
    "d_decoder_mlp": 896,
    "positions": 128,
}


def train_pieces(sentences: Iterable[str], folder: Path, size: int) -> MarianTokenizer:
    """Train one SentencePiece model of `size` tokens for both languages, in Marian's files in `folder`.

    It contains the normalisation of the training text, for typed text and for `transformers`: a keyboard's
    spaces, quotation marks and dashes, and composed accents.
    """
    rules = folder / "rules.tsv"
    rules.write_text(normalisation(), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences),
        model_prefix=str(folder / "joint"),
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
    joint = (folder / "joint.model").read_bytes()
    for side in ("source.spm", "target.spm"):
        (folder / side).write_bytes(joint)
    model = sentencepiece.SentencePieceProcessor(model_proto=joint)
    ids = {model.id_to_piece(i): i for i in range(model.get_piece_size())} | {"<pad>": size - 1}
    (folder / "vocab.json").write_text(json.dumps(ids, ensure_ascii=False), encoding="utf-8")
    return MarianTokenizer.read(folder)


def normalisation() -> str:
    """SentencePiece's rules, one a line: characters and their replacement as hexadecimal code points."""
    rules = {chr(code): target for code, target in PLAIN.items()}
    for code in range(0xC0, 0x180):  # Latin letters with accents
        parts = normalize("NFD", chr(code))
        if len(parts) > 1:
            rules[parts] = chr(code)

    def points(text: str) -> str:
        return " ".join(f"{ord(char):X}" for char in text)

    return "".join(f"{points(old)}\t{points(new)}\n" for old, new in sorted(rules.items()))


@dataclass(frozen=True, eq=False)
class Batch:
    """Pairs with padding; `</s>` ends every source and target."""

    source: Int[Tensor, "row source_pos"]
    target: Int[Tensor, "row pos"]
    padding: int

    def read(self, length: int) -> int:
        """Number of tokens of both languages, without padding."""
        return sum(int((ids != self.padding).sum()) for ids in (self.source, self.target))


class Batches:
    """Pairs in batches of similar length and of about `tokens` tokens, each a row of the feed.

    A seed shuffles pairs of equal length.
    """

    def __init__(
        self, ids: list[tuple[Tensor, Tensor]], padding: int, tokens: int, seed: int | None = None
    ) -> None:
        self._ids, self._padding = ids, padding
        lengths = np.array([[len(one), len(other)] for one, other in ids])
        order = np.arange(len(ids)) if seed is None else np.random.default_rng(seed).permutation(len(ids))
        order = order[np.lexsort(lengths[order].T)]  # by target, then by source
        batch = lengths[order].sum(1).cumsum() // tokens
        self.members = np.split(order, np.flatnonzero(np.diff(batch)) + 1)

    def __len__(self) -> int:
        return len(self.members)

    def take(self, rows: Tensor) -> Batch:
        """Batch of a single row."""
        pairs = [self._ids[i] for i in self.members[int(rows)]]
        source, target = (
            pad_sequence([pair[side] for pair in pairs], batch_first=True, padding_value=self._padding)
            for side in (0, 1)
        )
        return Batch(source, target, self._padding)


class TranslatorTask(Task):
    """An encoder-decoder on pairs of sentences; with a model to start from, its pieces and its weights."""

    name = "translator"
    network: Marian
    curves: ClassVar = {"": "nats"}

    def __init__(
        self, file: Path, start: LanguageModel | None, d_vocab: int, sizes: Mapping[str, Any], tokens: int
    ) -> None:
        self.pairs: Split = split(read(file))
        if start:
            assert isinstance(start.tokenizer, MarianTokenizer), "a translator has one"
            self.tokenizer = start.tokenizer
        else:
            with tempfile.TemporaryDirectory() as folder:
                sentences = (sentence for pair in self.pairs.train for sentence in pair)
                self.tokenizer = train_pieces(sentences, Path(folder), d_vocab)
        self.last = self.tokenizer.size - 1  # the id of <pad>, with which a translation begins
        ids: dict[str, Any] = {"padding": self.last, "start": self.last}
        self.network = Marian(MarianConfig(self.last + 1, **sizes, **ids))
        initialise(self.network)
        if start:
            self.network.load_state_dict(start.network.state_dict())
        self.mean, self.moments = AveragedModel(self.network), 0
        self.schedule = Schedule(((0.0, tokens),), batch=(1, 1))  # a row is a batch of this many tokens
        self._train, self._held_out = self.encoded(self.pairs.train), self.encoded(self.pairs.held_out)

    def encoded(self, pairs: list[Pair]) -> list[tuple[Tensor, Tensor]]:
        """Pairs as ids, without those with a long sentence."""
        encode = self.tokenizer.encode, self.tokenizer.encode_target
        both = [(encode[0](one).ids, encode[1](other).ids) for one, other in pairs]
        return [ids for ids in both if max(map(len, ids)) <= LONGEST]

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return muon_and_adamw(self.network, blocks=("blocks.", "decoder."))

    def shards(self) -> int:
        return 1

    def rows(self, shard: int, length: int, seed: int) -> Batches:
        return Batches(self._train, self.last, length, seed)

    def loss(self, rows: Batch, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        nats, spread = self.nats(rows, dropout(DROPOUT, step))
        return (1 - SMOOTHED) * nats + SMOOTHED * spread, {"nats": nats.detach()}

    def nats(self, batch: Batch, edit: Edit | None = None) -> tuple[Tensor, Tensor]:
        """Mean surprisal of the target's tokens in nats, and the mean over the whole vocabulary there."""
        network, target = self.network, batch.target
        readable, written = batch.source != self.last, target != self.last
        before = torch.cat([torch.full_like(target[:, :1], self.last), target[:, :-1]], dim=1)
        source = network(batch.source, mask=readable, edit=edit).last
        states = network.decode(before, source, readable, edit=edit).last
        log_probabilities = network.unembed(states[written]).float().log_softmax(-1)
        return F.nll_loss(log_probabilities, target[written]), -log_probabilities.mean()

    def after_step(self, progress: float) -> None:
        """Take the weights into the mean at the moments of `LAST`; at the end the mean replaces them."""
        if (due := sum(progress >= moment for moment in LAST)) > self.moments:
            self.moments = due
            self.mean.update_parameters(self.network)
            if progress >= 1:
                self.network.load_state_dict(self.mean.module.state_dict())

    @torch.no_grad()
    def held_out(self, model: LanguageModel, corpus: Corpus | None, limit: int | None) -> dict[str, float]:
        """Nats per French token on about `limit` tokens of random held-out pairs."""
        batches = Batches(self._held_out, self.last, BATCH)
        order = torch.randperm(len(batches), generator=Generator().manual_seed(0))
        total = tokens = 0.0
        for row in order:
            batch = batches.take(row)
            count = int((batch.target != self.last).sum())
            total += float(self.nats(batch)[0]) * count
            tokens += count
            if limit is not None and tokens >= limit:
                break
        return {"french_nats": total / max(1.0, tokens)}

    def write_tokenizer(self, folder: Path) -> None:
        for name, side in (("source.spm", self.tokenizer.source), ("target.spm", self.tokenizer.target)):
            (folder / name).write_bytes(side.serialized_model_proto())
        text = json.dumps(self.tokenizer.ids, ensure_ascii=False, indent=0) + "\n"
        (folder / "vocab.json").write_text(text, encoding="utf-8")
        counts = Counter(word for english, _ in self.pairs.train for word in words(english))
        known_words = sorted(word for word, count in counts.items() if count >= SEEN)
        (folder / KNOWN_WORDS).write_text("\n".join(known_words) + "\n", encoding="utf-8")
        self.write_settings(folder)


def dropout(share: float, seed: int) -> Edit:
    """Edit that sets a `share` of the numbers to zero before they are added, and scales up the others."""
    generator = Generator().manual_seed(seed)

    def drop(site: str, layer: int, tensor: Tensor) -> Tensor:
        if site not in DROPPED:
            return tensor
        mask = torch.empty_like(tensor).bernoulli_(1 - share, generator=generator)
        return tensor * mask / (1 - share)

    return drop


def initialise(network: Marian, seed: int = 0) -> None:
    """Glorot's uniform initial weights for matrices, in place; token vectors have length 1."""
    generator = Generator().manual_seed(seed)
    for name, parameter in network.named_parameters():
        if name == "tokens.weight":
            nn.init.normal_(parameter, std=1 / math.sqrt(network.config.d_model), generator=generator)
        elif name.endswith("bias"):
            nn.init.zeros_(parameter)
        elif "norm" not in name:
            nn.init.xavier_uniform_(parameter, generator=generator)


def begin(sources: Sources) -> TranslatorTask:
    """The task on one file of pairs."""
    if len(sources.text) != 1:
        raise SystemExit("The translator learns from one file of pairs: --text pairs.txt")
    return TranslatorTask(sources.text[0], sources.model, D_VOCAB, SIZES, BATCH)
