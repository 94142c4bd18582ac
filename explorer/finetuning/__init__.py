"""Heads on a body: BERT's four cases, trained in front of everybody.

tasks, examples   Classes, Tags, Pairs, Answers, and what is learnt from
features          which of the body's vectors a head reads
fit               train: `fit(model, task, examples)` -> moments; the last one holds the head
heads             TrainedHead: `head.predict(texts)`
predictions       what a head says
"""

from explorer.finetuning.examples import Labelled, LabelledPair, Question, Tagged, task_of
from explorer.finetuning.features import Features
from explorer.finetuning.fit import Fit, fit
from explorer.finetuning.heads import TrainedHead
from explorer.finetuning.progress import Progress, Watched
from explorer.finetuning.tasks import Answers, Classes, Pairs, Tags, Task

__all__ = [
    "Answers",
    "Classes",
    "Features",
    "Fit",
    "Labelled",
    "LabelledPair",
    "Pairs",
    "Progress",
    "Question",
    "Tagged",
    "Tags",
    "Task",
    "TrainedHead",
    "Watched",
    "fit",
    "task_of",
]
