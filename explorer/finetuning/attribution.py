"""A class of a whole text, predicted by a task head, for the methods of `explorer.analysis.attribution`."""

from collections.abc import Sequence
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.attribution.prediction import Prediction, checked, local
from explorer.errors import TextError
from explorer.finetuning.encoding import encode_example, feature_rows
from explorer.finetuning.features import select_layers
from explorer.finetuning.task_head import TaskHead, logits
from explorer.finetuning.tasks import Classes
from explorer.models.base import final_norm
from explorer.models.family import Pass
from explorer.trace import captured


def class_prediction(
    head: TaskHead, text: str, answer: str = "", instead: str = "", limit: int | None = None
) -> Prediction:
    """A class of a text, by a head that reads whole texts; without an `answer`, the likeliest class.

    Raises TextError for a head of another task, an unknown label, or fewer than two tokens to judge.

    >>> from explorer.analysis.attribution.removal import deletion
    >>> from explorer.finetuning import library
    >>> prediction = class_prediction(library.head("sst2", explorer.load("bert")), "A wonderful film.")
    >>> prediction.encoding.tokens[prediction.judged[deletion(prediction).argmax()]]
    'wonderful'
    """
    if not isinstance(head.task, Classes):
        raise TextError("This head gives no class to a text.", "Choose a head for the class of a sentence.")
    labels = head.task.labels
    for label in filter(None, (answer, instead)):
        if label not in labels:
            raise TextError(f"“{label:.40}” is no class of this head.", f"Choose from: {', '.join(labels)}.")
    model = local(head.base_model)
    item = encode_example(model, head.task, text, head.features, limit)

    def scores(passed: Pass, places: Sequence[Sequence[int]]) -> Float[Tensor, "batch label"]:
        *lower, last = captured(passed.hidden_states)
        states = torch.stack([*lower, final_norm(model.network, last)], 1)
        result = []
        for hidden, own in zip(states, places, strict=True):
            layers = select_layers(hidden, head.features.layers)
            row = feature_rows(layers, replace(item, places=tuple(own)), whole_text=True)
            result.append(logits(head.parameters, row, head.activation))
        return torch.cat(result)

    chosen = (labels.index(label) if label else None for label in (answer, instead))
    prediction = Prediction(model, item.encoding, item.places, scores, -1, several=head.task.several)
    return checked(prediction, *chosen)
