"""Hidden states of many words on disk in float16, so that each layer can be read alone."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.probing.sentences import Sentence
from explorer.analysis.probing.states import word_states
from explorer.models.base import Model

AT_ONCE = 256


class StoredStates:
    """States of all words of some sentences, one after another; computed once, then read.

    float16 has three digits and at most 65,504. Raises ValueError for larger states.
    """

    def __init__(self, model: Model, sentences: Sequence[Sentence], path: Path) -> None:
        self.lengths = [len(sentence) for sentence in sentences]
        shape = (model.config.layers + 1, sum(self.lengths), model.config.d_model)
        if not path.exists():
            self._make(model, sentences, path, shape)
        self.file = np.load(path, mmap_mode="r")
        if self.file.shape != shape:
            raise ValueError(f"{path} is of other sentences: delete it.")

    @property
    def depth(self) -> int:
        """Number of layers and the embedding."""
        return int(self.file.shape[0])

    def layer(self, layer: int) -> Float[Tensor, "word d_model"]:
        """States of one layer in float32."""
        return torch.from_numpy(np.array(self.file[layer])).float()

    def sentences(self, layer: int) -> list[Float[Tensor, "word d_model"]]:
        """States of one layer, sentence by sentence."""
        return list(self.layer(layer).split(self.lengths))

    @staticmethod
    def _make(model: Model, sentences: Sequence[Sentence], path: Path, shape: tuple[int, int, int]) -> None:
        part = path.with_suffix(".part")
        file = np.lib.format.open_memmap(part, "w+", np.float16, shape)
        at = 0
        for start in range(0, len(sentences), AT_ONCE):
            for one in word_states(model, sentences[start : start + AT_ONCE]):
                if one.states.abs().max() > np.finfo(np.float16).max:
                    raise ValueError("A hidden state is too large for float16.")
                file[:, at : at + one.states.shape[1]] = one.states.half().numpy()
                at += one.states.shape[1]
        file.flush()
        part.rename(path)
