"""ERNIE: a BERT trained with whole words and names masked, and later with a row for the task at hand.

Papers: Sun, Wang, Li et al., "ERNIE: Enhanced Representation through Knowledge Integration" (2019), and
"ERNIE 2.0: A Continual Pre-training Framework for Language Understanding" (AAAI 2020). Reference code:
PaddlePaddle/ERNIE, as the checkpoints have it in `transformers`, models/ernie.

What differs from BERT: with `use_task_id` (ERNIE 2.0 and 3.0), a row of a table of tasks is added to every
token. A text of nobody's task has row 0, as in `transformers`. Which words were masked in training shows
in the weights alone.
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn

from explorer.models.bert import HEADS, RENAMES, Bert, BertConfig, abilities, rules
from explorer.models.family import Rule
from explorer.models.naming import KEYS, register_encoder


@dataclass(frozen=True)
class ErnieConfig(BertConfig):
    """BERT's sizes, and how many tasks there are in the table; None where there is no table."""

    tasks: int | None = None


class Ernie(Bert):
    """BERT, with the row of task 0 added to every position."""

    def __init__(self, config: ErnieConfig, heads: frozenset[str] = HEADS) -> None:
        super().__init__(config, heads)
        self.tasks = nn.Embedding(config.tasks, config.d_model) if config.tasks else None

    def position_vectors(self) -> Float[Tensor, "pos width"]:
        """The rows of the positions, the task's added to each: it is the same one everywhere."""
        table = self.positions.weight
        return table if self.tasks is None else table + self.tasks.weight[0]


register_encoder(
    "ernie",
    "ErnieForPreTraining",
    ErnieConfig,
    Ernie,
    (*rules(), Rule("tasks.weight", ("embeddings.task_type_embeddings.weight",))),
    abilities,
    decoder="cls.predictions.decoder.weight",
    keys=KEYS | {"tasks": "task_type_vocab_size"},
    read_more=lambda raw: {"tasks": raw.get("task_type_vocab_size", 3) if raw.get("use_task_id") else None},
    renames=RENAMES,
)
