"""Task heads on a model: BERT's four tasks, trained step by step.

tasks, examples   Classes, Tags, Pairs, Answers, and labelled examples of each
features          which of the model's vectors a task head reads
fit               train: `fit(model, task, examples)` -> progress; the last one holds the task head
task_head         TaskHead: `head.predict(texts)`
predictions       what a task head predicts
"""

from explorer.finetuning.examples import Labelled, LabelledPair, Question, Tagged, task_of
from explorer.finetuning.features import Features
from explorer.finetuning.fit import fit
from explorer.finetuning.fit_run import Fit
from explorer.finetuning.progress import MapPoint, Progress
from explorer.finetuning.task_head import TaskHead
from explorer.finetuning.tasks import Answers, Classes, Pairs, Tags, Task

__all__ = [
    "Answers",
    "Classes",
    "Features",
    "Fit",
    "Labelled",
    "LabelledPair",
    "MapPoint",
    "Pairs",
    "Progress",
    "Question",
    "Tagged",
    "Tags",
    "Task",
    "TaskHead",
    "fit",
    "task_of",
]
