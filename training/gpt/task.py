"""Training `gpt` from zero: a byte-level BPE of its own, then next-token prediction.

The stream is `<|endoftext|> document <|endoftext|> document ...`; loss at the start is ln(d_vocab).
"""

import json
import math
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer as Backend
from tokenizers import decoders, models, pre_tokenizers, processors, trainers
from torch import Tensor, nn

from explorer.models.gpt import Gpt, GptConfig
from training.metrics.bits import bits_per_byte
from training.metrics.live import live
from training.run.optimiser import muon_and_adamw
from training.run.task import Recipe
from training.text.corpus import Corpus
from training.text.rows import Rows, stream, with_copies
from training.text.shards import Shards, plainer, whole

END = "<|endoftext|>"
PLAIN_SHARE = 0.25  # of the documents that do not read easily, how many are used


@dataclass(frozen=True)
class Size:
    """One size of the network, and the batches that suit it."""

    d_model: int
    layers: int
    heads: int
    recipe: Recipe
    d_vocab: int = 8192
    positions: int = 512

    def config(self, d_vocab: int) -> GptConfig:
        """The network's configuration, for the vocabulary that the tokenizer came out with."""
        return GptConfig(d_vocab, self.d_model, self.layers, self.heads, 4 * self.d_model, self.positions)


# Short rows first, since they are cheaper; the last 30 % teach the positions beyond.
LENGTHS = ((0.0, 256), (0.7, 512))
SIZES = {
    "tiny": Size(256, 6, 8, Recipe(LENGTHS, batch=(4096, 8192))),
    "small": Size(384, 12, 12, Recipe(LENGTHS, batch=(32_768, 131_072))),
}


def train_bpe(corpus: Corpus, size: int, blocks: int = 8) -> Backend:
    """A byte-level BPE (Radford et al. 2019) from a sample of the text that will be trained on."""
    backend = Backend(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    backend.post_processor = processors.ByteLevel(trim_offsets=False)
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=[END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    count = len(corpus.blocks())
    keep = plainer(PLAIN_SHARE)
    sample = sorted({i * count // blocks for i in range(blocks)})
    texts = ("\n".join(d) for block in sample for d in keep(block, corpus.documents(block)))
    backend.train_from_iterator(texts, trainer)
    return backend


class GptTask:
    """GPT's rows, loss, held-out measure and files (see `task.Task`)."""

    name = "gpt"
    watched = "loss"

    def __init__(self, corpus: Corpus, held_out: Corpus | None, folder: Path, size: Size) -> None:
        path = folder / "tokenizer.json"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            train_bpe(corpus, size.d_vocab).save(str(path))
        self.backend = Backend.from_file(str(path))
        self._shards = Shards(corpus, self.backend, whole, folder / "tokens", plainer(PLAIN_SHARE))
        self._held_out = held_out
        self.network = initialised(Gpt(size.config(self.backend.get_vocab_size())))
        self.recipe = size.recipe
        sample = self._shards[0].ids[:100_000].tolist()
        text = self.backend.decode(sample, skip_special_tokens=True)
        self.bytes_per_token = len(text.encode()) / len(sample)

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return muon_and_adamw(self.network)

    def shards(self) -> int:
        return len(self._shards)

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        return with_copies(stream(self._shards[shard], length), seed)

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        nats = F.cross_entropy(self.scores(rows.ids[:, :-1]).flatten(0, 1), rows.ids[:, 1:].flatten())
        return nats, {"bits_per_byte": nats.detach() / math.log(2) / self.bytes_per_token}

    def scores(self, ids: Tensor) -> Tensor:
        """Logits for the token after each of `ids`."""
        return self.network.unembed(self.network(ids).last)

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Nats per token, and bits per byte of text (see `metrics.bits`)."""
        if self._held_out is None:
            return {}
        found = bits_per_byte(live(self.network, self.backend), self._held_out, limit)
        return {
            "nats_per_token": found.nats_per_token,
            "bits_per_byte": found.per_byte,
            "measured": float(found.tokens),
        }

    def write_tokenizer(self, folder: Path) -> None:
        self.backend.save(str(folder / "tokenizer.json"))
        settings = {
            "tokenizer_class": "GPT2Tokenizer",
            "bos_token": END,
            "eos_token": END,
            "unk_token": END,
            "add_prefix_space": False,
            "model_max_length": self.network.config.positions,
        }
        path = folder / "tokenizer_config.json"
        path.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")


def initialised(network: Gpt, seed: int = 0) -> Gpt:
    """GPT-2's start: N(0, 0.02), smaller where a block writes to the stream, biases 0."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in network.named_parameters():
        if "norm" in name:
            continue
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
            continue
        writes = name.endswith(("attention.output.weight", "mlp.down.weight"))
        spread = 0.02 / math.sqrt(2 * network.config.layers) if writes else 0.02
        nn.init.normal_(parameter, std=spread, generator=generator)
    return network
