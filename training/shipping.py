"""From a run to what ships: the weights of its moments put aside, then checkpoints, records and cards.

Most tasks leave one checkpoint; a pair leaves two, each with the name of its half after the folder's.
"""

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from explorer import load
from explorer.checkpoints.format import read_model
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability, Checkpoint
from training import record
from training.average import average
from training.bilingual.task import BilingualTask
from training.card import card
from training.electra.halves import halves
from training.electra.task import ElectraTask
from training.export import export
from training.metrics import classroom, cloze, minimal_pairs
from training.record import Record
from training.run.loop import Run
from training.run.schedule import MOMENTS
from training.run.task import Task, Written

log = logging.getLogger("training")

HELD_OUT_TOKENS = 50_000  # at a moment of training
LAST = (0.9, 0.92, 0.94, 0.96, 0.98, 1.0)  # progress at which a translator's weights are kept for their mean
PAIRS = 20  # minimal pairs of each kind at a moment of training


def written(task: Task) -> Sequence[Written]:
    """The checkpoints that a task leaves, as its network is now."""
    if isinstance(task, BilingualTask):
        return [task.one()]
    return halves(task) if isinstance(task, ElectraTask) else [task]


def beside(folder: Path, task: Task, one: Written) -> Path:
    """Where one of a task's checkpoints goes: the folder that was named, or one for each half."""
    return folder if one is task else folder.with_name(folder.name + one.name.removeprefix(task.name))


def look(run: Run) -> None:
    """Put the weights of a moment aside: for the record, and those of the last ones for their mean."""
    moment, name = run.moments[run.seen - 1], f"{run.seen:02d}"
    for one in written(run.task):
        if moment in MOMENTS:
            record.keep(one, run, beside(run.folder / "points", run.task, one) / name)
        if moment in LAST and len(run.moments) > len(MOMENTS):
            record.keep(one, run, beside(run.folder / "last", run.task, one) / name)


def ship(
    run: Run, out: Path, told: dict[str, Any], start: Path | None = None, dev: Path | None = None
) -> list[Path]:
    """Look back at the moments, and write every checkpoint with its record and its card; the folders.

    `told` are the facts of the run, `start` the checkpoint whose record it goes on with, `dev` a folder of
    minimal pairs.
    """
    folders = []
    for one in written(run.task):
        place = beside(out, run.task, one)
        log.info("looking back at the moments of training of %s", one.name)
        points = beside(run.folder / "points", run.task, one)
        sentences, seen = record.points(points, partial(figures, one=one, dev=dev))
        curve = record.curve(run.folder / "log.csv", one.watched)
        earlier = Record.read(beside(start, run.task, one)) if start else None
        numbers = "replaced" if sentences == record.ODD else "probability"
        whole = Record(sentences, seen, curve, told, numbers=numbers).after(earlier)
        finish(one, beside(run.folder / "last", run.task, one), place)
        whole.write(place)
        words = card(one.name, load(f"folder:{place}"), whole)
        (place / "card.md").write_text(words, encoding="utf-8")
        log.info("exported to %s", place)
        if isinstance(run.task, BilingualTask):
            run.task.write_difference(place.with_name(f"{place.name}-difference"))
        folders.append(place)
    return folders


def finish(one: Written, aside: Path, out: Path) -> None:
    """Export the network, or the mean of the weights that were put aside last (see `average`)."""
    last = sorted(path.parent for path in aside.glob("*/place.json"))
    if not last:
        export(one, out)
        return
    with torch.no_grad():
        log.info("the last weights: %s", one.held_out(HELD_OUT_TOKENS))
        average(last, out)
        one.network.load_state_dict(read_model(out, Checkpoint("folder", str(out))).network.state_dict())
        log.info("the mean of %d: %s", len(last), one.held_out(HELD_OUT_TOKENS))


def figures(model: LanguageModel, one: Written, dev: Path | None) -> dict[str, float]:
    """How good a moment's weights are: the task's own measure, our lists, minimal pairs."""
    one.network.load_state_dict(model.network.state_dict())
    with torch.no_grad():
        seen = one.held_out(HELD_OUT_TOKENS)
    if Ability.FILL in model.abilities:
        lines = [
            line
            for split in cloze.read_lines(cloze.blanks_for(model).read_text(encoding="utf-8")).values()
            for line in split
        ]
        seen["cloze"] = cloze.cloze(model, lines).top10
        everyday = classroom.BLANKS if "en" in model.languages else classroom.BLANKS_ZH
        blanks = classroom.read_halves(everyday.read_text(encoding="utf-8"))
        told = classroom.classroom(model, blanks["dev"])  # the test half is for what is finished
        seen["classroom"] = told.first / told.lines
        if "en" in model.languages:
            seen["repeats"] = (told.repeats or 0) / told.lines
    if dev and "en" in model.languages and Ability.DETECT not in model.abilities:
        seen["zorro"] = minimal_pairs.minimal_pairs(model, dev, PAIRS).macro
    return seen
