"""How well vectors separate known senses, layer by layer, without training: the nearest centroid by cosine.

Each occurrence is classified by the mean vectors of the others (leave-one-out). Random vectors get chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

CHUNK = 64  # occurrences computed together: the sums for every occurrence and sense take much memory
TIE = 1e-6  # a smaller difference is rounding


@dataclass(frozen=True, eq=False)
class Separation:
    """How well each layer separates the senses, by leave-one-out nearest centroid.

    `accuracy`, `macro_f1` and `margin` have one number per layer; `margin` is the mean cosine to the own
    sense minus that to the nearest other one. `guesses[layer][occurrence]` is the nearest sense, even of an
    occurrence without a known sense. `judged` is the number of occurrences behind the figures.
    """

    senses: list[str]
    accuracy: Float[Tensor, "layer"]
    macro_f1: Float[Tensor, "layer"]
    margin: Float[Tensor, "layer"]
    guesses: list[list[str]]
    judged: int

    @property
    def chance(self) -> float:
        """The accuracy of random guesses among the senses."""
        return 1 / len(self.senses)

    @property
    def best_layer(self) -> int | None:
        """The layer with the highest accuracy; of several, the one with the widest margin.

        The embedding, layer 0, has not read the sentence and does not count. None if no layer is better than
        chance.
        """
        scores = list(zip(self.accuracy.tolist(), self.margin.tolist(), strict=True))[1:]
        best = max(scores, default=(0.0, 0.0))
        return scores.index(best) + 1 if best[0] > self.chance + TIE else None


def separation(
    vectors: Float[Tensor, "occurrence layer d_model"], senses: Sequence[str | None]
) -> Separation | None:
    """Leave-one-out nearest centroid by cosine, at every layer.

        guess(v) = argmax_s cos(v, mean of the unit vectors of sense s, v itself left out)

    A tie between m senses counts 1/m for each, so that equal vectors score at chance. An occurrence is judged
    if its sense has another example. None if there are fewer than two senses, or no sense has two examples.
    """
    names = sorted({s for s in senses if s})
    if len(names) < 2:
        return None
    member = torch.tensor([[s == name for name in names] for s in senses]).float()
    cosine = torch.stack([_leave_one_out(layer, member) for layer in vectors.unbind(1)], 1)
    others = member.sum(0)[None] - member  # examples of each sense, without the occurrence itself
    cosine = cosine.masked_fill((others == 0)[:, None, :], -torch.inf)
    judged = (member * others).sum(-1) > 0
    if not judged.any():
        return None
    nearest = (cosine >= cosine.amax(-1, keepdim=True) - TIE).float()
    share = (nearest / nearest.sum(-1, keepdim=True))[judged]  # occurrence layer sense
    truth = member.argmax(-1)[judged]
    own_sense = truth[:, None, None].expand(-1, cosine.shape[1], 1)
    own = cosine[judged].gather(2, own_sense)[..., 0]
    rival = cosine.masked_fill(member.bool()[:, None, :], -torch.inf)[judged].amax(-1)
    return Separation(
        senses=names,
        accuracy=share.gather(2, own_sense)[..., 0].mean(0),
        macro_f1=torch.stack([macro_f1(truth, layer) for layer in share.unbind(1)]),
        margin=(own - rival).mean(0),
        guesses=[[names[i] for i in row] for row in cosine.argmax(-1).T.tolist()],
        judged=int(judged.sum()),
    )


# scikit-learn's f1_score takes one guess for each occurrence: it cannot divide a guess between ties.
def macro_f1(truth: Int[Tensor, "occurrence"], share: Float[Tensor, "occurrence sense"]) -> Float[Tensor, ""]:
    """The mean over senses of F1 = 2 tp / (2 tp + fp + fn); senses that do not occur are left out.

    A row of `share` divides a guess among the senses: 1 for one of them, unless there are ties.
    """
    scores = []
    for sense in truth.unique():
        hits = share[truth == sense, sense].sum()
        scores.append(2 * hits / ((truth == sense).sum() + share[:, sense].sum()))
    return torch.stack(scores).mean() if scores else torch.tensor(torch.nan)


def _leave_one_out(
    vectors: Float[Tensor, "occurrence d_model"], member: Float[Tensor, "occurrence sense"]
) -> Float[Tensor, "occurrence sense"]:
    """The cosine of each occurrence to the sum of each sense's unit vectors, without its own."""
    unit = F.normalize(vectors, dim=-1)
    sums = member.T @ unit
    cosines = []
    for chunk, chunk_member in zip(unit.split(CHUNK), member.split(CHUNK), strict=True):
        others = sums[None] - chunk_member[:, :, None] * chunk[:, None, :]  # occurrence sense d_model
        cosines.append(F.cosine_similarity(chunk[:, None, :], others, dim=-1))
    return torch.cat(cosines)
