"""Training `bert-en-zh`: English for `bert-zh`, whose own weights stay.

It reads English, Chinese and translation pairs, a pair as one text, and predicts masked words. The held-out
pairs, and their English sentences, are never read.

New tokens' vectors are learnt below the frozen layers (Artetxe, Ruder and Yogatama 2020, "On the
Cross-lingual Transferability of Monolingual Representations"). Each matrix W of the layers becomes W + U D
with U and D of low rank (Hu et al. 2022, "LoRA"), so that the difference is small.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from tokenizers import Tokenizer as Backend
from torch import Generator, Tensor, nn
from torch.nn.utils.parametrize import register_parametrization

from explorer import load
from explorer.checkpoints import difference
from explorer.models import FAMILIES
from explorer.models.bert import HEADS, Bert
from explorer.models.language_model import LanguageModel
from training.average import sign
from training.loop import Schedule
from training.metrics.two_languages import retrieval
from training.optimiser import log_frequencies
from training.recipes import Sources
from training.recipes.bert_mini import ADAMW, MASKED
from training.recipes.masked import WordPieceTask, sample_texts, train_wordpieces, word_loss
from training.rows import UNKNOWN, Rows, hide, layout, shortened
from training.sentence_pairs import HELD_OUT_CHINESE, Pair, key, split_chinese
from training.text import Corpus, Document, sentences

NEW = 3000  # pieces of English words
TRAINED = 4500  # pieces learnt from the text: some are already in the vocabulary
RANK = 16
# A pair of everyday sentences seldom has more than 40 tokens.
SCHEDULE = Schedule(((0.0, 64), (0.8, 128)), batch=(4096, 4096), masked=MASKED, short=0.2)
STORED = re.compile(r"parametrizations\.(\w+)\.0\.")  # within the name of a trained parameter
ASCII = [chr(code) for code in range(33, 127) if not chr(code).isupper()]


class Difference(nn.Module):
    """W + U D for a matrix W; at first there is no difference."""

    def __init__(self, matrix: Tensor, rank: int, random: Generator) -> None:
        super().__init__()
        rows, columns = matrix.shape
        self.down = nn.Parameter(torch.randn(rank, columns, generator=random) * columns**-0.5)
        self.up = nn.Parameter(torch.zeros(rows, rank))

    def forward(self, matrix: Tensor) -> Tensor:
        return matrix + self.up @ self.down


class Longer(nn.Module):
    """A table with further rows at its end, or a bias with further numbers."""

    def __init__(self, more: Tensor) -> None:
        super().__init__()
        self.more = nn.Parameter(more)

    def forward(self, table: Tensor) -> Tensor:
        return torch.cat([table, self.more])


def extended(base: Bert, counts: Tensor, rank: int, seed: int = 0) -> Bert:
    """A frozen copy of a BERT, with a vocabulary of `len(counts)` tokens and differences that are trained."""
    random = Generator().manual_seed(seed)
    network = Bert(base.config, HEADS)
    network.load_state_dict(base.state_dict())
    network.requires_grad_(False)
    network.config = replace(base.config, d_vocab=len(counts))
    old, fill = base.config.d_vocab, network.mlm_head
    assert fill is not None, "a network in training has its heads"
    vectors = torch.randn(len(counts) - old, base.config.width, generator=random) * 0.02
    register_parametrization(network.tokens, "weight", Longer(vectors), unsafe=True)
    register_parametrization(fill, "bias", Longer(log_frequencies(counts)[old:].clone()), unsafe=True)
    matrices = {n: p for n, p in base.named_parameters() if n.startswith("blocks.") and p.ndim == 2}
    for name, matrix in matrices.items():
        module = network.get_submodule(name.removesuffix(".weight"))
        register_parametrization(module, "weight", Difference(matrix, rank, random))
    return network


def merged(network: Bert) -> Bert:
    """Plain BERT with the same output."""
    plain = Bert(network.config, HEADS)
    plain.load_state_dict({name: attrgetter(name)(network) for name in plain.state_dict()})
    return plain.eval()


def differences(network: Bert) -> dict[str, Tensor]:
    """Trained parameters as `checkpoints.difference` stores them: NAME.up, NAME.down, and further rows."""
    trained = [(name, p) for name, p in network.named_parameters() if p.requires_grad]
    return {STORED.sub(r"\1.", name).removesuffix(".more"): p for name, p in trained}


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


class BilingualTask(WordPieceTask):
    """Masked words of two languages, on top of a BERT that knows one of them."""

    name = "bert-en-zh"
    network: Bert
    curves: ClassVar = {"": "masked"}

    def __init__(
        self, corpus: Corpus, start: Path, pairs: Path, schedule: Schedule, rank: int, held_out_pairs: int
    ) -> None:
        base = load(f"folder:{start}")
        assert isinstance(base.network, Bert), "the checkpoint to start from is a BERT"
        pieces = train_wordpieces(sample_texts(corpus), TRAINED, ASCII)
        parts = split_chinese(pairs, held_out_pairs)
        self.held_out_pairs, self.start = parts.held_out, start
        self._never_read = {key(sentence) for pair in parts.held_out for sentence in pair}
        super().__init__(with_pieces(base.tokenizer.backend, pieces), corpus, schedule)
        self._pairs = PairRows(self.backend, parts.train, self.frame)
        self.network = extended(base.network, self.counts(), rank)

    def split(self, document: Document) -> list[str]:
        return [sentence for sentence in sentences(document) if key(sentence) not in self._never_read]

    def optimisers(self) -> list[torch.optim.Optimizer]:
        trainable = [parameter for parameter in self.network.parameters() if parameter.requires_grad]
        return [torch.optim.AdamW(trainable, lr=ADAMW, betas=(0.9, 0.98), eps=1e-10, weight_decay=0.0)]

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        """Rows of a shard, and every pair."""
        return super().rows(shard, length, seed).concatenate(self._pairs.rows(length, seed))

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        random = Generator().manual_seed(step)
        allowed, segments, candidates = layout(rows, self.frame)
        d_vocab, rate = self.network.config.d_vocab, self.masked_share(progress)
        read, chosen = hide(rows.ids, candidates, self.mask, d_vocab, random, rate=rate)
        last = self.network(read, segments=segments, mask=allowed).last
        return word_loss(self.network.unembed(last[chosen]), rows.ids[chosen])

    def networks(self) -> dict[str, nn.Module]:
        return {"": merged(self.network)}

    def held_out(self, model: LanguageModel, corpus: Corpus | None, limit: int | None) -> dict[str, float]:
        """Masked words of the held-out text, and held-out pairs whose translation is the nearest."""
        there, back, _ = retrieval(model, self.held_out_pairs)
        both = max((a + b) / 2 for a, b in zip(there.layers, back.layers, strict=True))
        return {"retrieval": both} | super().held_out(model, corpus, limit)

    def after_export(self, folder: Path) -> None:
        """Write the checkpoint that ships: the difference from the one that it started from."""
        folder = folder.with_name(f"{folder.name}-difference")
        config = FAMILIES["bert"].write_config(self.network.config)
        difference.write(folder, config, self.start, differences(self.network))
        self.write_tokenizer(folder)
        sign(folder)


def with_pieces(base: Backend, more: Backend, new: int = NEW) -> Backend:
    """The base tokenizer with up to `new` pieces of another one after its own, in their order."""
    content = json.loads(base.to_str())
    vocabulary: dict[str, int] = content["model"]["vocab"]
    pieces = sorted(more.get_vocab().items(), key=lambda item: item[1])
    for piece in [piece for piece, _ in pieces if piece not in vocabulary][:new]:
        vocabulary[piece] = len(vocabulary)
    return Backend.from_str(json.dumps(content))


def begin(sources: Sources) -> BilingualTask:
    """The task on top of a Chinese BERT."""
    if not (sources.start and sources.pairs):
        raise SystemExit("bert-en-zh learns from pairs, on top of bert-zh: give --start and --pairs.")
    return BilingualTask(sources.corpus, sources.start, sources.pairs, SCHEDULE, RANK, HELD_OUT_CHINESE)
