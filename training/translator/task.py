"""Training `translator` from random weights: each French token from the English sentence and those before.

The loss is that of "Attention Is All You Need", section 5.4: cross-entropy with a tenth of the truth spread
over the vocabulary (label smoothing), and dropout, since the same pairs are read many times.
"""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from explorer.analysis.translation.doubts import KNOWN_WORDS, SEEN, words
from explorer.models.marian import Marian, MarianConfig
from explorer.tokenizers.marian import FILES, MarianTokenizer
from explorer.trace import Edit
from training.run.optimiser import muon_and_adamw
from training.run.schedule import LAST, MILESTONES, Schedule
from training.run.task import Task, write_settings
from training.text.pairs import Split, read, split
from training.translator import pieces
from training.translator.batches import Batch, Batches, EncodedPairs

D_VOCAB = 8000
SMOOTHED = 0.1
DROPOUT = 0.15
DROPPED = ("embedding", "attention_output", "cross_attention_output", "mlp_output")
BATCH = 4096  # tokens of both languages in a step
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


class TranslatorTask(Task):
    """The translator's batches, loss, held-out measure and files (see `run.task.Task`)."""

    name = "translator"
    curve_figure = "nats"
    milestones = (*MILESTONES[:-1], *LAST)  # the mean of its last weights ships

    def __init__(self, file: Path, folder: Path, d_vocab: int = D_VOCAB, **sizes: int) -> None:
        self.pairs: Split = split(read(file))
        if all((folder / name).exists() for name in FILES):
            self.tokenizer = MarianTokenizer.read(folder)
        else:
            self.tokenizer = pieces.train(
                (sentence for p in self.pairs.train for sentence in p), folder, d_vocab
            )
        last = self.tokenizer.size - 1
        self.network = Marian(MarianConfig(last + 1, padding=last, start=last, **(SIZES | sizes)))
        initialise(self.network)
        self.schedule = Schedule(((0.0, BATCH),), batch=(1, 1))  # a row is a batch of this many tokens
        self.start = last
        self._train = EncodedPairs(self.tokenizer, self.pairs.train)
        self._held_out = EncodedPairs(self.tokenizer, self.pairs.held_out)

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return muon_and_adamw(self.network, blocks=("blocks.", "decoder."))

    def rows(self, shard: int, length: int, seed: int) -> Batches:
        return self._train.batches(length, seed)

    def loss(self, rows: Batch, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        nats, spread = self.nats(rows, dropout(DROPOUT, step))
        return (1 - SMOOTHED) * nats + SMOOTHED * spread, {"nats": nats.detach()}

    def nats(self, batch: Batch, edit: Edit | None = None) -> tuple[Tensor, Tensor]:
        """Mean surprisal of the target's tokens in nats, and the mean over the whole vocabulary there."""
        readable = batch.readable
        source = self.network(batch.source, mask=readable, edit=edit).last
        states = self.network.decode(batch.before(self.start), source, readable, edit=edit).last
        written = batch.written
        log_probabilities = self.network.unembed(states[written]).float().log_softmax(-1)
        return F.nll_loss(log_probabilities, batch.target[written]), -log_probabilities.mean()

    @torch.no_grad()
    def held_out(self, limit: int | None) -> dict[str, float]:
        """Nats per French token on about `limit` tokens of random held-out pairs."""
        batches = self._held_out.batches(BATCH)
        order = torch.randperm(len(batches), generator=Generator().manual_seed(0))
        total = tokens = 0.0
        for row in order:
            batch = batches.take(row[None])
            count = int(batch.written.sum())
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
        write_settings(
            folder,
            tokenizer_class="MarianTokenizer",
            source_lang="en",
            target_lang="fr",
            separate_vocabs=False,
            model_max_length=self.network.config.positions,
        )


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
