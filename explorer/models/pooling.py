"""How the states of a text's tokens become one vector, and what happens to that vector afterwards.

Paper: Reimers, Gurevych, "Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks" (EMNLP 2019),
section 3. Reference code: the modules Pooling, Dense, LayerNorm and Normalize of sentence-transformers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

# As sentence-transformers writes them.
MEAN, CLS, LARGEST, LAST = "mean", "cls", "max", "lasttoken"
ROOT_MEAN, WEIGHTED = "mean_sqrt_len_tokens", "weightedmean"
MODES = (MEAN, CLS, LARGEST, LAST, ROOT_MEAN, WEIGHTED)


@dataclass(frozen=True)
class Normalise:
    """Gives a vector the length 1."""

    linear = True  # a scaling, the same for all that adds up to the vector

    def __call__(self, vectors: Float[Tensor, "*part width"]) -> Float[Tensor, "*part width"]:
        """The vectors with length 1, or the parts of one vector, whose sum gets length 1."""
        length: Tensor = vectors.sum(0).norm()
        return vectors / length.clamp_min(1e-12)


@dataclass(frozen=True, eq=False)
class Dense:
    """A linear layer after the pooling, with an activation; `residual` is what else is added, if anything."""

    weight: Float[Tensor, "out width"]
    bias: Float[Tensor, "out"] | None
    activation: Callable[[Tensor], Tensor] | None
    residual: Float[Tensor, "out width"] | None = None

    @property
    def linear(self) -> bool:
        """Whether the layer of a sum is the sum of its layers: no bias and no activation."""
        return self.bias is None and self.activation is None

    def __call__(self, vectors: Float[Tensor, "part width"]) -> Float[Tensor, "part out"]:
        """The layer of each vector."""
        result = F.linear(vectors, self.weight, self.bias)
        result = result if self.activation is None else self.activation(result)
        return result if self.residual is None else result + F.linear(vectors, self.residual)


@dataclass(frozen=True, eq=False)
class LayerNorm:
    """A LayerNorm after the pooling."""

    weight: Float[Tensor, "width"]
    bias: Float[Tensor, "width"]
    linear = False

    def __call__(self, vectors: Float[Tensor, "part width"]) -> Float[Tensor, "part width"]:
        """Each vector normalised."""
        return F.layer_norm(vectors, self.weight.shape, self.weight, self.bias)


Step = Normalise | Dense | LayerNorm


@dataclass(frozen=True)
class Pooling:
    """What a sentence encoder's files say: some of `MODES`, whose vectors are joined, and the steps after.

    `limit` is the number of tokens that it reads of a text, None for as many as the model can, and `size` how
    many numbers of the vector are kept, None for all. `lowered` says that a text is read in small letters.
    `prompts` are put before a text, by what it is for ("query", "passage"), and `default_prompt` before any
    other; `pools_prompt` is whether their tokens are pooled with the text's. `note` is a remark on the files,
    and `refusal` names a setting that is not computed, so that there is no vector; both may be empty.
    """

    modes: tuple[str, ...] = (MEAN,)
    steps: tuple[Step, ...] = ()
    limit: int | None = None
    prompts: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    size: int | None = None
    lowered: bool = False
    pools_prompt: bool = True
    default_prompt: str = ""
    refusal: str = ""

    @property
    def linear(self) -> bool:
        """Whether the vector is a sum over tokens, up to its length."""
        return all(step.linear for step in self.steps)

    def parts(self, states: Float[Tensor, "pos d_model"], prompt: int = 0) -> Float[Tensor, "pos pooled"]:
        """What each token gives to the pooled vector, which is their sum; `prompt` tokens are left out.

        >>> Pooling().parts(torch.tensor([[1.0, 4.0], [3.0, 2.0]])).tolist()
        [[0.5, 2.0], [1.5, 1.0]]
        >>> Pooling(("max", "cls")).parts(torch.tensor([[1.0, 4.0], [3.0, 2.0]])).tolist()
        [[0.0, 4.0, 1.0, 4.0], [3.0, 0.0, 0.0, 0.0]]
        """
        return torch.cat([_parts(mode, states, prompt) for mode in self.modes], -1)

    def finish(self, vector: Float[Tensor, "pooled"]) -> Float[Tensor, "width"]:
        """A text's vector, of its pooled one.

        >>> Pooling(steps=(Normalise(),), size=1).finish(torch.tensor([3.0, 4.0])).tolist()
        [0.6000000238418579]
        """
        return self.finish_parts(vector[None])[0]

    def finish_parts(self, parts: Float[Tensor, "part pooled"]) -> Float[Tensor, "part width"]:
        """The same for parts of one vector, which add up to it where all steps are `linear`."""
        for step in self.steps:
            parts = step(parts)
        return parts[:, : self.size]


def _parts(mode: str, states: Tensor, prompt: int) -> Tensor:
    """One pooling. Where all is prompt, nothing is given."""
    if prompt >= len(states):
        return torch.zeros_like(states)
    if mode == LARGEST:
        largest = states[prompt:].max(0, keepdim=True)
        return torch.zeros_like(states).scatter(0, largest.indices + prompt, largest.values)
    weights = torch.zeros(len(states), dtype=states.dtype, device=states.device)
    if mode in (CLS, LAST):
        weights[prompt if mode == CLS else -1] = 1
    elif mode == WEIGHTED:
        weights[prompt:] = torch.arange(prompt + 1, len(states) + 1)
        weights /= weights.sum()
    else:
        count = len(states) - prompt
        weights[prompt:] = 1 / (count if mode == MEAN else count**0.5)
    return states * weights[:, None]
