"""Training `bert-en-zh`: English for `bert-zh`, whose own weights stay.

It reads English, Chinese and translation pairs, a pair as one text, and predicts masked words. The held-out
pairs, and their English sentences, are never read.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer as Backend
from torch import Generator, Tensor

from explorer.checkpoints import difference
from explorer.checkpoints.format import read_model
from explorer.models import FAMILIES
from explorer.models.bert import Bert
from explorer.trace import Checkpoint
from training.average import sign
from training.bert.mini import ADAMW, MASKED
from training.bert.word_loss import word_loss
from training.bert.wordpieces import WordPieceTask, sample_texts, train_wordpieces
from training.bilingual.extended import RANK, Extended
from training.metrics.live import live
from training.metrics.two_languages import retrieval
from training.run.schedule import Schedule
from training.run.task import Exportable, stored_tokenizer
from training.text.corpus import Corpus, Document
from training.text.pairs import HELD_OUT_CHINESE, Pair, key, split_chinese
from training.text.rows import UNKNOWN, Rows, hide, layout, shortened
from training.text.shards import sentences


class PairRows:
    """Pairs as token ids, to become `[CLS] sentence [SEP] translation [SEP]`, in either order.

    Words are masked in both languages, so a pair teaches to find a hidden word in the other language
    (Conneau and Lample 2019, "Cross-lingual Language Model Pretraining": TLM).
    """

    def __init__(self, backend: Backend, pairs: Sequence[Pair], frame: tuple[int, int, int]) -> None:
        texts = [text for pair in pairs for text in pair]
        self.ids = [np.array(e.ids) for e in backend.encode_batch_fast(texts, add_special_tokens=False)]
        self.frame = frame

    def rows(self, length: int, seed: int) -> Rows:
        """A row for each pair, in a random order of its two texts; long texts are cut at the end."""
        start, separator, padding = self.frame
        turned = np.random.default_rng([seed, length]).random(len(self.ids) // 2) < 0.5
        ids = np.full((len(turned), length), padding, dtype=np.int32)
        columns = []
        for row, turn in enumerate(turned):
            one, other = self.ids[2 * row : 2 * row + 2]
            first, after = shortened(*((other, one) if turn else (one, other)), length - 3)
            text = [start, *first, separator, *after, separator]
            ids[row, : len(text)] = text
            columns.append((len(first) + 2, len(text), UNKNOWN))
        return Rows(torch.from_numpy(ids), torch.tensor(columns).T)


NEW = 3000  # pieces of English words
TRAINED = 4500  # pieces learnt from the text: some are already in the vocabulary
# A pair of everyday sentences seldom has more than 40 tokens.
SCHEDULE = Schedule(((0.0, 64), (0.8, 128)), batch=(4096, 4096), masked=MASKED, short=0.2)
ASCII = [chr(code) for code in range(33, 127) if not chr(code).isupper()]


class BilingualTask(WordPieceTask):
    """Loss, held-out measures and files (see `run.task.Task`)."""

    name = "bert-en-zh"
    curve_figure = "masked"
    continues_record = False  # the checkpoint that it adds to has another vocabulary

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        start: Path,
        pairs: Path,
        schedule: Schedule = SCHEDULE,
        rank: int = RANK,
        held_out_pairs: int = HELD_OUT_CHINESE,
    ) -> None:
        base = read_model(start, Checkpoint("folder", str(start)))
        assert isinstance(base.network, Bert), "the checkpoint to start from is a BERT"

        def train() -> Backend:
            return with_pieces(base.tokenizer.backend, train_wordpieces(sample_texts(corpus), TRAINED, ASCII))

        backend = stored_tokenizer(folder / "tokenizer.json", train)
        parts = split_chinese(pairs, held_out_pairs)
        self.held_out_pairs, self.start = parts.held_out, start
        self._never_read = {key(sentence) for pair in parts.held_out for sentence in pair}
        super().__init__(backend, corpus, held_out, folder, schedule)
        self._pairs = PairRows(self.backend, parts.train, self.frame)
        self.network = Extended(base.network, self.counts(), rank)

    def split(self, document: Document) -> list[str]:
        return [sentence for sentence in sentences(document) if key(sentence) not in self._never_read]

    def optimisers(self) -> list[torch.optim.Optimizer]:
        trainable = [parameter for parameter in self.network.parameters() if parameter.requires_grad]
        return [
            torch.optim.AdamW(trainable, lr=ADAMW, betas=(0.9, 0.98), eps=1e-10, weight_decay=0.0, fused=True)
        ]

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        """Rows of a shard, and every pair."""
        return super().rows(shard, length, seed).concatenate(self._pairs.rows(length, seed))

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        random = Generator(rows.ids.device).manual_seed(step)
        allowed, segments, candidates = layout(rows, self.frame)
        weights, fill = self.network.weights(), self.network.body.mlm_head
        assert fill is not None, "a network in training has its heads"
        bias, table = weights["mlm_head.bias"], weights["tokens.weight"]
        read, chosen = hide(rows.ids, candidates, self.mask, len(bias), random, rate=self.rate(progress))
        last = self.network(read, segments, allowed, weights)
        truth = rows.ids[chosen]
        words, hits = word_loss(fill.state(last[chosen]), table, bias, truth)
        return words, {"masked": words.detach(), "top1": hits / max(1, len(truth))}

    def held_out(self, limit: int | None) -> dict[str, float]:
        return self.checkpoints()[0].held_out(limit)

    def checkpoints(self) -> list[Exportable]:
        """The merged network as it is now."""
        return [Merged(self, self.network.merged())]

    def after_export(self, folder: Path) -> None:
        """Write the checkpoint that ships: the difference from the one that it started from."""
        folder = folder.with_name(f"{folder.name}-difference")
        config = FAMILIES["bert"].write_config(self.network.config)
        difference.write(folder, config, self.start, self.network.difference())
        self.write_tokenizer(folder)
        sign(folder)


@dataclass(eq=False)
class Merged(Exportable):
    """Body and differences as one plain BERT."""

    task: BilingualTask
    network: Bert
    name: str = BilingualTask.name
    curve_figure: str = BilingualTask.curve_figure

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Masked words of the held-out text, and held-out pairs whose translation is the nearest."""
        model = live(self.network, self.task.backend)
        there, back, _ = retrieval(model, self.task.held_out_pairs)
        both = max((a + b) / 2 for a, b in zip(there.layers, back.layers, strict=True))
        return {"retrieval": both} | self.task.held_out_words(model, limit)

    def write_tokenizer(self, folder: Path) -> None:
        self.task.write_tokenizer(folder)


def with_pieces(base: Backend, more: Backend, new: int = NEW) -> Backend:
    """The base tokenizer with up to `new` pieces of another one after its own, in their order."""
    content = json.loads(base.to_str())
    vocabulary: dict[str, int] = content["model"]["vocab"]
    pieces = sorted(more.get_vocab().items(), key=lambda item: item[1])
    for piece in [piece for piece, _ in pieces if piece not in vocabulary][:new]:
        vocabulary[piece] = len(vocabulary)
    return Backend.from_str(json.dumps(content))
