"""What any training on rows of WordPieces has: its text in sentences, and its tokenizer's files."""

import json
from pathlib import Path

import torch
from tokenizers import Tokenizer as Backend
from torch import Tensor

from training.run.task import Recipe
from training.text.corpus import Corpus, Document
from training.text.rows import Rows, frame_of, pairs
from training.text.shards import Shards, sentences


class WordPieceTask:
    """Rows of `[CLS] text [SEP]` or of two texts, from a corpus that an uncased WordPiece cuts."""

    def __init__(
        self, backend: Backend, corpus: Corpus, held_out: Corpus | None, folder: Path, recipe: Recipe
    ) -> None:
        self.backend = backend
        mask = backend.token_to_id("[MASK]")
        assert mask is not None, "every WordPiece here has it"
        self.frame, self.mask = frame_of(backend), mask
        self._shards = Shards(corpus, backend, self.split, folder / "tokens")
        self._held_out = held_out
        self._folder = folder
        self.recipe = recipe

    def split(self, document: Document) -> list[str]:
        """What of a document is read: its sentences, in order."""
        return sentences(document)

    def counts(self) -> Tensor:
        """How often each token stands in the first shard."""
        seen = torch.from_numpy(self._shards[0].ids.astype("int64"))
        return torch.bincount(seen, minlength=self.backend.get_vocab_size()).float()

    def shards(self) -> int:
        return len(self._shards)

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        return pairs(self._shards[shard], length, self.frame, seed, self.recipe.short)

    def rate(self, progress: float) -> float:
        """The share of words that are to be predicted."""
        start, end = self.recipe.masked
        return start + (end - start) * min(1.0, progress)

    def held_out_shards(self) -> Shards | None:
        """The held-out text, if there is any."""
        if self._held_out is None:
            return None
        return Shards(self._held_out, self.backend, sentences, self._folder / "held-out")


def write_wordpieces(backend: Backend, positions: int, folder: Path) -> None:
    """The tokenizer's files, as `transformers` reads them, for a network of so many positions."""
    backend.no_truncation()
    backend.no_padding()
    backend.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": True,
        "unk_token": "[UNK]",
        "sep_token": "[SEP]",
        "pad_token": "[PAD]",
        "cls_token": "[CLS]",
        "mask_token": "[MASK]",
        "model_max_length": positions,
    }
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
