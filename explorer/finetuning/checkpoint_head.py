"""The classifier in a fine-tuned model's own files, as a task head."""

import re

from explorer.finetuning.features import Features
from explorer.finetuning.task_head import TaskHead
from explorer.finetuning.tasks import Classes, Kind, Pairs, Tags, Task
from explorer.models.base import Model


def checkpoint_head(model: Model, kind: Kind = "classes") -> TaskHead | None:
    """The head that came with a model, for a kind of task; None if it has none for it.

    A classifier of texts reads one ("classes") or two ("pairs"): its files do not say which. A label of words
    ("tags") that is no BIO tag, such as NOUN, becomes B-NOUN. Raises ExplorerError for too many labels.
    """
    classifier = getattr(model, "classifier", None)
    if classifier is None or kind == "answers" or classifier.every_token != (kind == "tags"):
        return None
    task: Task = (Pairs if kind == "pairs" else Classes)(classifier.labels, several=classifier.several)
    if kind == "tags":
        is_tag = re.compile("O|[BI]-.*").fullmatch
        task = Tags(tuple(label if is_tag(label) else f"B-{label}" for label in classifier.labels))
    features = Features("last", "last" if getattr(model, "causal", False) else "cls")
    return TaskHead(task, features, model, classifier.parameters, activation=classifier.activation)
