"""How the states of a text's tokens become one vector: the mean, the first, the last, or the largest number.

Paper: Reimers, Gurevych, "Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks" (EMNLP 2019),
section 3. Reference code: the class Pooling of sentence-transformers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor

MEAN, CLS, LARGEST, LAST = "mean", "cls", "max", "lasttoken"  # as sentence-transformers writes them
MODES = (MEAN, CLS, LARGEST, LAST)


@dataclass(frozen=True)
class Pooling:
    """What a sentence encoder's files say: which of `MODES`, and whether the vector gets length 1.

    `limit` is the number of tokens that it reads of a text, None for as many as the model can. `prompts` are
    put before a text, by what it is for ("query", "passage"). `note` is a remark on the files, or empty.
    """

    mode: str = MEAN
    normalised: bool = False
    limit: int | None = None
    prompts: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    def parts(self, states: Float[Tensor, "pos d_model"]) -> Float[Tensor, "pos d_model"]:
        """What each token gives to the text's vector, which is their sum (before it gets length 1).

        >>> Pooling().parts(torch.tensor([[1.0, 4.0], [3.0, 2.0]])).tolist()
        [[0.5, 2.0], [1.5, 1.0]]
        >>> Pooling("max").parts(torch.tensor([[1.0, 4.0], [3.0, 2.0]])).tolist()
        [[0.0, 4.0], [3.0, 0.0]]
        """
        if self.mode == MEAN:
            return states / len(states)
        parts = torch.zeros_like(states)
        if self.mode == LARGEST:
            largest = states.max(0, keepdim=True)
            return parts.scatter(0, largest.indices, largest.values)
        position = 0 if self.mode == CLS else len(states) - 1
        parts[position] = states[position]
        return parts
