"""Which numbers made a number of a walk: one step back, and from there on to the learnt tables."""

from dataclasses import replace

from torch import Tensor

from explorer.analysis.transformer.causes import Cell, Origin, Place
from explorer.analysis.transformer.layer_walk import Walk
from explorer.errors import ExplorerError


def origin(walk: Walk, name: str, row: int, column: int) -> Origin:
    """Which numbers made one number of a walk, one step back.

    Raises ExplorerError for a number that the walk does not have, or that is learnt.

    >>> from explorer.analysis.transformer import walk
    >>> score = origin(walk(explorer.load("gpt"), "The river bank"), "scores", 2, 0)
    >>> score.kind, abs(sum(cause.share for cause in score.causes) + score.omitted_sum - score.value) < 1e-4
    ('scores', True)
    """
    tensor = walk.values.get(name)
    step = next((step for step in walk.steps if name in step.gives), None)
    if step is None or not isinstance(tensor, Tensor) or not _inside(tensor, row, column):
        raise ExplorerError(
            f"There is no number {column} of {name}, row {row}, here.", "Press a number of the picture."
        )
    computed = tuple(name for step in walk.steps for name in step.gives)
    place = Place(walk.values, step.renames, computed, row, column)
    (result,) = (result for result in step.operation.results if step.renamed(result) == name)
    rule = step.operation.causes[result]
    return replace(rule(place), cell=Cell(name, row, column), value=float(tensor[row, column]))


def _inside(tensor: Tensor, row: int, column: int) -> bool:
    rows, columns = tensor.shape
    return 0 <= row < rows and 0 <= column < columns
