"""From a run to checkpoints: weights stored at milestones, then export, record and card.

Most tasks become one checkpoint. A pair becomes two, whose folders have the name of the half at the end.
"""

import logging
from functools import partial
from pathlib import Path
from typing import Any

import torch

from explorer.checkpoints.format import read_model
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability, Checkpoint
from training import record
from training.average import average, export
from training.card import write_card
from training.metrics import blanks, minimal_pairs, word_vectors
from training.metrics.figure import Inputs, values
from training.record import Record
from training.run.loop import Run
from training.run.schedule import LAST, MILESTONES
from training.run.task import Exportable, Task

log = logging.getLogger("training")

HELD_OUT_TOKENS = 50_000  # at a milestone
PAIRS = 20  # minimal pairs of each kind at a milestone


def folder_of(folder: Path, task: Task, checkpoint: Exportable) -> Path:
    """Folder of one of a task's checkpoints: `folder`, with the half's name for a pair."""
    return folder.with_name(folder.name + checkpoint.name.removeprefix(task.name))


def store_milestone(run: Run) -> None:
    """Store the current weights: for the record, and the last ones for their mean."""
    milestone, name = run.milestones[run.passed - 1], f"{run.passed:02d}"
    for checkpoint in run.task.checkpoints():
        if milestone in MILESTONES:
            folder = folder_of(run.folder / "points", run.task, checkpoint)
            record.store(checkpoint, run, folder / name)
        if milestone in LAST and len(run.milestones) > len(MILESTONES):
            folder = folder_of(run.folder / "last", run.task, checkpoint)
            record.store(checkpoint, run, folder / name)


def ship(
    run: Run, out: Path, facts: dict[str, Any], start: Path | None = None, dev: Path | None = None
) -> None:
    """Measure the milestones, and write every checkpoint with its record and card.

    The record of `start` is continued; `dev` is a folder of minimal pairs.
    """
    task = run.task
    for checkpoint in task.checkpoints():
        folder = folder_of(out, task, checkpoint)
        log.info("measuring the milestones of %s", checkpoint.name)
        stored = folder_of(run.folder / "points", task, checkpoint)
        sentences, points = record.points(stored, partial(measure, checkpoint=checkpoint, dev=dev))
        curve = record.curve(run.folder / "log.csv", checkpoint.curve_figure)
        earlier = Record.read(folder_of(start, task, checkpoint)) if start else None
        whole = Record(sentences, points, curve, facts, numbers=record.numbers(sentences)).after(earlier)
        finish(checkpoint, folder_of(run.folder / "last", task, checkpoint), folder)
        write_card(checkpoint.name, folder, whole)
        task.after_export(folder)


def finish(checkpoint: Exportable, stored: Path, out: Path) -> None:
    """Export the network, or the mean of the last stored weights if there are any."""
    last = sorted(path.parent for path in stored.glob("*/place.json"))
    if not last:
        export(checkpoint, out)
        return
    with torch.no_grad():
        log.info("the last weights: %s", checkpoint.held_out(HELD_OUT_TOKENS))
        average(last, out)
        mean = read_model(out, Checkpoint("folder", str(out)))
        checkpoint.network.load_state_dict(mean.network.state_dict())
        log.info("the mean of %d: %s", len(last), checkpoint.held_out(HELD_OUT_TOKENS))


def measure(model: LanguageModel, checkpoint: Exportable, dev: Path | None) -> dict[str, float]:
    """Figures of a milestone: the task's own measure, our lists, minimal pairs or word pairs."""
    checkpoint.network.load_state_dict(model.network.state_dict())
    with torch.no_grad():
        figures = checkpoint.held_out(HELD_OUT_TOKENS)
    english = "en" in model.languages
    if Ability.FILL in model.abilities:
        cloze, everyday = (values(run(model, Inputs())) for run in (blanks.cloze, blanks.classroom))
        figures["cloze"] = (cloze["cloze_dev"] + cloze["cloze_test"]) / 2
        # The everyday test half is for the result.
        figures["classroom"] = everyday["classroom_first_dev" if english else "classroom_zh_first_dev"]
        if english:
            figures["repeats"] = everyday["classroom_repeats_dev"]
    if dev and Ability.VECTORS in model.abilities:
        table = word_vectors.vectors_of(model)
        figures["analogies"] = word_vectors.analogies(table, dev / word_vectors.QUESTIONS)[0].value or 0.0
        figures["wordsim"] = word_vectors.rated(table, dev / "EN-WS-353-ALL.txt").value or 0.0
    elif dev and english and Ability.DETECT not in model.abilities:
        figures["zorro"] = values(minimal_pairs.minimal_pairs(model, dev, PAIRS))["zorro"]
    return figures
