"""A head on a body that stays as it is: features are made once, and the head fits them by L-BFGS.

The loss is convex (but for learnt layers), so that there is one best head and no rate to choose.
"""

from collections.abc import Iterator, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.finetuning.body import vectors
from explorer.finetuning.features import Features
from explorer.finetuning.heads import logits
from explorer.finetuning.loss import loss, targets
from explorer.finetuning.reading import Read
from explorer.finetuning.tasks import Classes, Pairs, Task
from explorer.models.base import Model

STEPS = 60
MIX_DECAY = (
    0.1  # of the squared scores of layers: 0 leaves them free, 1 keeps them equal (Peters et al. 2018)
)
TRIES = 25  # of one line search
# Of the squared weights of standardised features, over the root of the number of rows: of 2 to 400 over the
# number of rows, what did best on SST-2's dev set grew about so, from 50 to 1,500 sentences.
DECAY = 2.0
FLAT = 1e-4  # no entry of the gradient is larger: the best head is found


def made(
    model: Model, task: Task, items: Sequence[Read], features: Features, told: int
) -> Iterator[tuple[int, list[Tensor]]]:
    """The features of all examples: (how many are read, the rows of each), after every `told` examples."""
    found: list[Tensor] = [torch.empty(0)] * len(items)
    whole_text = isinstance(task, Classes | Pairs)
    for done, (i, rows) in enumerate(vectors(model, items, whole_text, features), 1):
        found[i] = rows
        if done % told == 0 or done == len(items):
            yield done, found


def trained(
    task: Task,
    items: Sequence[Read],
    features: Float[Tensor, "kept row d"],
    steps: int = STEPS,
    decay: float = DECAY,
) -> Iterator[tuple[float, dict[str, Tensor]]]:
    """Step by step: the loss in nats, and the head's parameters for features as they are.

    The same examples give the same head: nothing is drawn at random.
    """
    depth, count, d = features.shape
    aim = targets(task, items)
    centre = features.mean(1)
    spread = (features - centre[:, None]).square().mean((0, 1)).sqrt().clamp_min(1e-6)
    scaled = (features - centre[:, None]) / spread
    free = {
        "weight": torch.zeros(len(task.labels), d, requires_grad=True),
        "bias": torch.zeros(len(task.labels), requires_grad=True),
    }
    if depth > 1:
        free |= {
            "mix": torch.zeros(depth, requires_grad=True),
            # A mean of layers varies less than each of them: begin where the mix has the spread of one.
            "gamma": (1 / scaled.mean(0).std().clamp_min(1e-6)).requires_grad_(),
        }
    penalty = decay / count**0.5 / 2
    # Without `max_eval` PyTorch gives the line search of a single iteration one try: a first step that is
    # too long is then repeated for ever, and nothing more is learnt.
    optimiser = torch.optim.LBFGS(
        list(free.values()), max_iter=1, max_eval=TRIES, line_search_fn="strong_wolfe"
    )

    def closure() -> Tensor:
        optimiser.zero_grad()
        # Gamma scales what the weights read: were it left out, a large one would let them escape.
        weight = free["weight"] * free["gamma"] if "gamma" in free else free["weight"]
        whole: Tensor = loss(task, logits(free, scaled), aim) + penalty * weight.square().sum()
        if "mix" in free:
            whole = whole + MIX_DECAY * free["mix"].square().sum()
        whole.backward()
        return whole.detach()

    for _ in range(steps):
        with torch.enable_grad():
            optimiser.step(closure)
        with torch.no_grad():
            now = float(loss(task, logits(free, scaled), aim))
        yield now, _folded(free, centre, spread)
        if all(p.grad is None or p.grad.abs().max() < FLAT for p in free.values()):
            return


def _folded(
    free: dict[str, Tensor], centre: Float[Tensor, "kept d"], spread: Float[Tensor, "d"]
) -> dict[str, Tensor]:
    """The parameters for features that nobody has standardised."""
    found = {name: tensor.detach().clone() for name, tensor in free.items()}
    found["weight"] = found["weight"] / spread
    mean = centre[0] if "mix" not in found else found["gamma"] * (found["mix"].softmax(0) @ centre)
    found["bias"] = found["bias"] - found["weight"] @ mean
    return found
