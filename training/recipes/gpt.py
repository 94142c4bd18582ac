"""Training `gpt` from random weights, with its own byte-level BPE: next-token prediction.

The stream is `<|endoftext|> document <|endoftext|> document ...`; loss at the start is ln(d_vocab).
"""

import math
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer as Backend
from tokenizers import decoders, models, pre_tokenizers, processors, trainers
from torch import Tensor

from explorer.models.gpt import Gpt, GptConfig
from explorer.models.language_model import LanguageModel
from training.loop import Schedule, Task
from training.metrics.both_ways import bits_per_byte
from training.metrics.figure import values
from training.optimiser import initialise_normal, muon_and_adamw
from training.recipes import Sources
from training.rows import Rows, stream, with_copies
from training.text import Corpus, Document, Shards

END = "<|endoftext|>"
PLAIN_WORD = 4.75  # mean characters of a word, punctuation included, below which a text reads easily
PLAIN_SHARE = 0.25  # of the documents that do not read easily
# Short rows first, since they are cheaper; the last 30 % teach the positions beyond.
SCHEDULE = Schedule(lengths=((0.0, 256), (0.7, 512)), batch=(4096, 8192))
CONFIG = GptConfig(d_vocab=8192, d_model=256, layers=6, heads=8, d_mlp=1024, positions=512)


def whole(document: Document) -> list[str]:
    """Whole document with its line breaks, after <|endoftext|>."""
    return [END + "\n".join(document)]


def mean_word_length(document: Document) -> float:
    """Mean number of characters in a document's words: low in dialogue, high in encyclopaedias."""
    words = [word for paragraph in document for word in paragraph.split()]
    return sum(map(len, words)) / max(1, len(words))


def plain_documents(block: int, documents: list[Document]) -> list[Document]:
    """Every document that reads easily, and a random quarter of the others."""
    chances = np.random.default_rng([0, block]).random(len(documents))
    return [
        document
        for document, chance in zip(documents, chances, strict=True)
        if mean_word_length(document) < PLAIN_WORD or chance < PLAIN_SHARE
    ]


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
    """GPT on a stream of documents."""

    name = "gpt"
    network: Gpt
    curves: ClassVar = {"": "loss"}

    def __init__(
        self, corpus: Corpus, start: LanguageModel | None, schedule: Schedule, config: GptConfig
    ) -> None:
        self.backend = start.tokenizer.backend if start else train_bpe(corpus, config.d_vocab)
        self._shards = Shards(corpus, self.backend, whole, plain_documents)
        self.schedule = schedule
        self.network = Gpt(replace(config, d_vocab=self.backend.get_vocab_size()))
        initialise(self.network)
        if start:
            self.network.load_state_dict(start.network.state_dict())

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return muon_and_adamw(self.network)

    def shards(self) -> int:
        return len(self._shards)

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        return with_copies(stream(self._shards[shard].ids, length), seed)

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        scores = self.network.unembed(self.network(rows.ids[:, :-1]).last)
        return F.cross_entropy(scores.flatten(0, 1), rows.ids[:, 1:].flatten()), {}

    def held_out(self, model: LanguageModel, corpus: Corpus | None, limit: int | None) -> dict[str, float]:
        """Nats per token and bits per byte (see `metrics.both_ways`)."""
        return values(bits_per_byte(model, corpus, limit)) if corpus else {}

    def write_tokenizer(self, folder: Path) -> None:
        self.backend.save(str(folder / "tokenizer.json"))
        self.write_settings(folder)


def initialise(network: Gpt) -> None:
    """GPT-2's initial weights, in place: N(0, 0.02), smaller for a block's output matrices, biases 0."""
    initialise_normal(network)
    for name, parameter in network.named_parameters():
        if name.endswith(("attention.output.weight", "mlp.down.weight")):
            parameter.data /= math.sqrt(2 * network.config.layers)


def begin(sources: Sources) -> GptTask:
    """The task on the given text."""
    return GptTask(sources.corpus, sources.model, SCHEDULE, CONFIG)
