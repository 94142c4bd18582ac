"""Sentence pairs as rows: `[CLS] sentence [SEP] translation [SEP]`, in either order.

Words are masked in both languages, so a pair teaches to find a hidden word in the other language
(Conneau and Lample 2019, "Cross-lingual Language Model Pretraining": TLM).
"""

from collections.abc import Sequence

import numpy as np
import torch
from tokenizers import Tokenizer as Backend

from training.text.pairs import Pair
from training.text.rows import UNKNOWN, Rows, shortened


class PairRows:
    """Pairs as token ids."""

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
