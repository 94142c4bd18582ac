"""What a body is worth as it is: a head on its frozen vectors, and the head's test scores."""

from collections.abc import Sequence

from explorer.finetuning import fit
from explorer.finetuning.examples import Example
from explorer.finetuning.features import Features
from explorer.finetuning.scores import scores
from explorer.finetuning.tasks import Task
from explorer.models.base import Model

LIMIT = 256  # tokens of a text
# The best on SST-2's dev set, of single layers, the last four, sums, mixes, with [CLS] and with maxima.
WHOLE_TEXTS = Features("all side by side", "mean")
WORDS = Features("last four side by side")


def frozen(model: Model, task: Task, learn: Sequence[Example], test: Sequence[Example]) -> dict[str, float]:
    """The test scores of a head on the body as it is: each text's mean, or each word, of many layers."""
    reads = WHOLE_TEXTS if task.whole_text else WORDS
    head = fit(model, task, learn, held_out=0.0, features=reads, limit=LIMIT).finish()
    return scores(test, head.predict(test))
