"""Training `bert-en-zh`: English for `bert-zh`, whose own weights stay.

It reads English, Chinese and translation pairs, a pair as one text, and guesses the words that are hidden.
The pairs and the English sentences of the thousand that are kept aside are never read.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer as Backend
from torch import Generator, Tensor

from explorer.checkpoints import difference
from explorer.checkpoints.format import read_model
from explorer.models import FAMILIES
from explorer.models.bert import Bert
from explorer.trace import Checkpoint
from explorer.training.bert.everyday import split
from explorer.training.bert.masking import hide
from explorer.training.bert.mini import ADAMW, MASKED
from explorer.training.bert.vocabulary import sample, wordpieces
from explorer.training.bert.word_loss import word_loss
from explorer.training.bert.wordpieces import WordPieceTask, write_wordpieces
from explorer.training.bilingual.extended import RANK, Extended
from explorer.training.bilingual.rows import PairRows
from explorer.training.export import sign
from explorer.training.metrics.live import live
from explorer.training.metrics.masked import masked_words
from explorer.training.metrics.retrieval import retrieval
from explorer.training.run.task import Recipe
from explorer.training.text.corpus import Corpus, Document
from explorer.training.text.rows import Rows, layout
from explorer.training.text.shards import sentences
from explorer.training.translator.pairs import key

NEW = 3000  # pieces of English words
TRAINED = 4500  # pieces that are learnt from the text: some of them are there already
# A pair of everyday sentences seldom has more than 40 tokens.
RECIPE = Recipe(((0.0, 64), (0.8, 128)), batch=(4096, 4096), masked=MASKED, short=0.2)
ASCII = [chr(code) for code in range(33, 127) if not chr(code).isupper()]


class BilingualTask(WordPieceTask):
    """The loss, held-out measures and files (see `task.Task`)."""

    name = "bert-en-zh"
    watched = "masked"

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        start: Path,
        pairs: Path,
        recipe: Recipe = RECIPE,
        rank: int = RANK,
        aside: int = 1000,
    ) -> None:
        base = read_model(start, Checkpoint("folder", str(start)))
        assert isinstance(base.network, Bert), "what it starts from is a BERT"
        path = folder / "tokenizer.json"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            extended(base.tokenizer.backend, wordpieces(sample(corpus), TRAINED, ASCII)).save(str(path))
        kept = split(pairs, aside)
        self.aside, self.start = kept.aside, start
        self._kept_aside = {key(english) for english, _ in kept.aside} | {key(zh) for _, zh in kept.aside}
        super().__init__(Backend.from_file(str(path)), corpus, held_out, folder, recipe)
        self._pairs = PairRows(self.backend, kept.train, self.frame)
        self.network = Extended(base.network, self.counts(), rank)

    def split(self, document: Document) -> list[str]:
        return [sentence for sentence in sentences(document) if key(sentence) not in self._kept_aside]

    def optimisers(self) -> list[torch.optim.Optimizer]:
        learnt = [parameter for parameter in self.network.parameters() if parameter.requires_grad]
        return [
            torch.optim.AdamW(learnt, lr=ADAMW, betas=(0.9, 0.98), eps=1e-10, weight_decay=0.0, fused=True)
        ]

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        """The rows of a shard, and every pair."""
        return super().rows(shard, length, seed).and_also(self._pairs.rows(length, seed))

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
        return self.one().held_out(limit)

    def one(self) -> "Merged":
        """What it is as a checkpoint, now."""
        return Merged(self, self.network.merged())

    def write_difference(self, folder: Path) -> None:
        """The checkpoint as a difference to the one that it started from: what ships."""
        config = FAMILIES["bert"].write_config(self.network.config)
        difference.write(folder, config, self.start, self.network.difference())
        self.write_tokenizer(folder)
        sign(folder)

    def write_tokenizer(self, folder: Path) -> None:
        write_wordpieces(self.backend, self.network.config.positions, folder)


@dataclass(eq=False)
class Merged:
    """Body and differences as one plain BERT (see `task.Written`)."""

    task: BilingualTask
    network: Bert
    name: str = BilingualTask.name
    watched: str = BilingualTask.watched

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Masked words of the held-out text, and translations found among the pairs kept aside."""
        model = live(self.network, self.task.backend)
        found = retrieval(model, self.task.aside)
        figures = {"retrieval": float(found.both.max())}
        held = self.task.held_out_shards()
        if held is None:
            return figures
        words = masked_words(model, (held[i] for i in range(len(held))), limit)
        return figures | {
            **words.guessed,
            "measured": float(words.tokens),
        }

    def write_tokenizer(self, folder: Path) -> None:
        self.task.write_tokenizer(folder)


def extended(base: Backend, more: Backend, new: int = NEW) -> Backend:
    """The base with up to `new` pieces of another vocabulary after its own, the earliest learnt first."""
    stored = json.loads(base.to_str())
    vocabulary: dict[str, int] = stored["model"]["vocab"]
    learnt = sorted(more.get_vocab().items(), key=lambda item: item[1])
    for piece in [piece for piece, _ in learnt if piece not in vocabulary][:new]:
        vocabulary[piece] = len(vocabulary)
    return Backend.from_str(json.dumps(stored))
