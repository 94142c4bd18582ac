"""Training `gpt` from random weights, with its own byte-level BPE: next-token prediction.

The stream is `<|endoftext|> document <|endoftext|> document ...`; loss at the start is ln(d_vocab).
"""

import math
from dataclasses import replace
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer as Backend
from tokenizers import decoders, models, pre_tokenizers, processors, trainers
from torch import Tensor

from explorer.models.gpt import Gpt, GptConfig
from training.metrics.both_ways import bits_per_byte
from training.metrics.figure import values
from training.metrics.live import live
from training.run.optimiser import muon_and_adamw
from training.run.schedule import Schedule
from training.run.task import Task, initialise_normal, stored_tokenizer, write_settings
from training.text.corpus import Corpus
from training.text.rows import Rows, stream, with_copies
from training.text.shards import Shards, plain_documents, whole

END = "<|endoftext|>"


# Short rows first, since they are cheaper; the last 30 % teach the positions beyond.
SCHEDULE = Schedule(lengths=((0.0, 256), (0.7, 512)), batch=(4096, 8192))
CONFIG = GptConfig(d_vocab=8192, d_model=256, layers=6, heads=8, d_mlp=1024, positions=512)


def train_bpe(corpus: Corpus, size: int, blocks: int = 8) -> Backend:
    """Byte-level BPE (Radford et al. 2019) from a sample of the text that is trained on."""
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
    texts = ("\n".join(document) for document in corpus.sample(blocks, plain_documents))
    backend.train_from_iterator(texts, trainer)
    return backend


class GptTask(Task):
    """GPT's rows, loss, held-out measure and files (see `run.task.Task`)."""

    name = "gpt"
    network: Gpt
    curve_figure = "loss"

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        schedule: Schedule = SCHEDULE,
        config: GptConfig = CONFIG,
    ) -> None:
        path = folder / "tokenizer.json"
        self.backend = stored_tokenizer(path, lambda: train_bpe(corpus, config.d_vocab))
        self._shards = Shards(corpus, self.backend, whole, folder / "tokens", plain_documents)
        self._held_out = held_out
        self.network = Gpt(replace(config, d_vocab=self.backend.get_vocab_size()))
        initialise(self.network)
        self.schedule = schedule
        sample = self._shards[0].ids[:100_000].tolist()
        text = self.backend.decode(sample, skip_special_tokens=True)
        self.bytes_per_token = len(text.encode()) / len(sample)

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return muon_and_adamw(self.network)

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        return with_copies(stream(self._shards[shard].ids, length), seed)

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        nats = F.cross_entropy(self.scores(rows.ids[:, :-1]).flatten(0, 1), rows.ids[:, 1:].flatten())
        return nats, {"bits_per_byte": nats.detach() / math.log(2) / self.bytes_per_token}

    def scores(self, ids: Tensor) -> Tensor:
        """Logits of the token after each of `ids`."""
        logits: Tensor = self.network.unembed(self.network(ids).last)
        return logits

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Nats per token and bits per byte (see `metrics.both_ways`)."""
        if self._held_out is None:
            return {}
        return values(bits_per_byte(live(self.network, self.backend), self._held_out, limit))

    def write_tokenizer(self, folder: Path) -> None:
        self.backend.save(str(folder / "tokenizer.json"))
        write_settings(
            folder,
            tokenizer_class="GPT2Tokenizer",
            bos_token=END,
            eos_token=END,
            unk_token=END,
            add_prefix_space=False,
            model_max_length=self.network.config.positions,
        )


def initialise(network: Gpt) -> None:
    """GPT-2's initial weights, in place: N(0, 0.02), smaller for a block's output matrices, biases 0."""
    initialise_normal(network)
    for name, parameter in network.named_parameters():
        if name.endswith(("attention.output.weight", "mlp.down.weight")):
            parameter.data /= math.sqrt(2 * network.config.layers)
