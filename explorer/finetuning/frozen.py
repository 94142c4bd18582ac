"""A task head on a frozen model: features are computed once, and the head is fitted to them by L-BFGS.

The loss is convex (except with a learnt layer mix), so there is one best head and no rate to choose.
"""

from collections.abc import Iterator, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.finetuning.base_model import feature_vectors
from explorer.finetuning.encoding import EncodedExample
from explorer.finetuning.features import Features
from explorer.finetuning.loss import loss, targets
from explorer.finetuning.task_head import logits
from explorer.finetuning.tasks import Task
from explorer.models.base import Model

STEPS = 60
MIX_DECAY = 0.1  # of the layers' squared scores: 0 leaves them free, 1 keeps them equal (Peters et al. 2018)
TRIES = 25  # of one line search
# Of the squared weights of standardised features, over the root of the number of rows: the best values on
# SST-2's dev set, from 2 to 400 over the number of rows, grew about like this from 50 to 1,500 sentences.
DECAY = 2.0
FLAT = 1e-4  # training ends when no entry of the gradient is larger


def extract_features(
    model: Model, task: Task, items: Sequence[EncodedExample], features: Features, every: int
) -> Iterator[tuple[int, list[Tensor]]]:
    """(examples read so far, the rows of each), after every `every` examples."""
    rows: list[Tensor] = [torch.empty(0)] * len(items)
    vectors = feature_vectors(model, items, task.whole_text, features)
    for count, (i, row) in enumerate(vectors, 1):
        rows[i] = row
        if count % every == 0 or count == len(items):
            yield count, rows


def untrained(task: Task, depth: int, d: int) -> dict[str, Tensor]:
    """The parameters of a task head that has learnt nothing: all labels get the same score."""
    parameters = {"weight": torch.zeros(len(task.labels), d), "bias": torch.zeros(len(task.labels))}
    return parameters | ({"mix": torch.zeros(depth), "gamma": torch.ones(())} if depth > 1 else {})


def train_head(
    task: Task,
    items: Sequence[EncodedExample],
    features: Float[Tensor, "depth row d"],
    steps: int = STEPS,
    decay: float = DECAY,
    mix_decay: float = MIX_DECAY,
) -> Iterator[tuple[float, dict[str, Tensor]]]:
    """(loss in nats, parameters of the task head) after each step.

    The same examples give the same head: nothing is drawn at random.
    """
    depth, count, d = features.shape
    aims = targets(task, items)
    centre = features.mean(1)
    spread = (features - centre[:, None]).square().mean((0, 1)).sqrt().clamp_min(1e-6)
    scaled = (features - centre[:, None]) / spread
    parameters = {
        "weight": torch.zeros(len(task.labels), d, requires_grad=True),
        "bias": torch.zeros(len(task.labels), requires_grad=True),
    }
    if depth > 1:
        parameters |= {
            "mix": torch.zeros(depth, requires_grad=True),
            # A mean of layers varies less than each of them: begin where the mix has the spread of one.
            "gamma": (1 / scaled.mean(0).std().clamp_min(1e-6)).requires_grad_(),
        }
    penalty = decay / count**0.5 / 2
    # Without `max_eval` PyTorch gives the line search of a single iteration one try: a first step that is
    # too long is then repeated for ever, and nothing more is learnt.
    optimizer = torch.optim.LBFGS(
        list(parameters.values()), max_iter=1, max_eval=TRIES, line_search_fn="strong_wolfe"
    )

    def closure() -> Tensor:
        optimizer.zero_grad()
        # Gamma scales what the weights read: a penalty without it would let a large gamma replace them.
        weight = parameters["weight"] * parameters["gamma"] if depth > 1 else parameters["weight"]
        objective: Tensor = loss(task, logits(parameters, scaled), aims) + penalty * weight.square().sum()
        if depth > 1:
            objective = objective + mix_decay * parameters["mix"].square().sum()
        objective.backward()
        return objective.detach()

    for _ in range(steps):
        with torch.enable_grad():
            optimizer.step(closure)
        with torch.no_grad():
            value = float(loss(task, logits(parameters, scaled), aims))
        yield value, _unscaled(parameters, centre, spread)
        if all(p.grad is None or p.grad.abs().max() < FLAT for p in parameters.values()):
            return


def _unscaled(
    parameters: dict[str, Tensor], centre: Float[Tensor, "depth d"], spread: Float[Tensor, "d"]
) -> dict[str, Tensor]:
    """The parameters for features that are not standardised."""
    plain = {name: tensor.detach().clone() for name, tensor in parameters.items()}
    plain["weight"] = plain["weight"] / spread
    mean = centre[0] if "mix" not in plain else plain["gamma"] * (plain["mix"].softmax(0) @ centre)
    plain["bias"] = plain["bias"] - plain["weight"] @ mean
    return plain
