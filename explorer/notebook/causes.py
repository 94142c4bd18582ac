"""Causes in a cell: patched states, patched heads, and the parts of a logit."""

from explorer.analysis.patching import DirectLogits, PatchedHeads, PatchedStates
from explorer.notebook.cell import Cell, cell_of
from explorer.views.frame.saving.web_page import Component
from explorer.views.why import part_list, parts, state_map
from explorer.views.widgets.ranking import ranking_data


@cell_of.register
def _states(patched: PatchedStates) -> Cell:
    notes = "A cell is the share of the first answer that one state brings back: 0 none of it, 1 all of it."
    return Cell([Component("why/patch_map", state_map.picture(patched))], "Where the answer is", notes)


@cell_of.register
def _heads(patched: PatchedHeads) -> Cell:
    notes = "A cell is the share of the first answer that one head or MLP brings back. Purple is below 0."
    return Cell([Component("why/patch_map", parts.picture(patched))], "Which parts carry it", notes)


@cell_of.register
def _logits(result: DirectLogits) -> Cell:
    """The parts that write most, beside the logit."""
    values = part_list.parts(result.heads, result.mlp)
    rows = part_list.rows(values, result.heads.shape[1])
    data = ranking_data("Who writes the answer", rows, scale=part_list.scale(values), signed=True)
    notes = (
        f"In logits. All parts add up to {float(result.parts.sum()):.3f}; the logit is {result.logit:.3f}."
    )
    return Cell([Component("widgets/ranking", data)], "Who writes the answer", notes)
