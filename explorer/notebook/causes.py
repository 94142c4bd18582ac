"""Causes in a cell: patched states, patched heads, and the parts of a logit."""

from explorer.analysis.patching import DirectLogits, PatchedHeads, PatchedStates
from explorer.locale import _, localised
from explorer.notebook.cell import Cell, cell_of
from explorer.views.frame.saving.web_page import Component
from explorer.views.why import part_list, parts, state_map
from explorer.views.widgets.ranking import ranking_data


@cell_of.register
def _states(patched: PatchedStates) -> Cell:
    notes = _(
        "A cell is the share of the first answer that one state brings back: 0 none of it, 1 all of it."
    )
    return Cell([Component("why/patch_map", state_map.picture(patched))], _("Where the answer is"), notes)


@cell_of.register
def _heads(patched: PatchedHeads) -> Cell:
    notes = _("A cell is the share of the first answer that one head or MLP brings back. Purple is below 0.")
    return Cell([Component("why/patch_map", parts.picture(patched))], _("Which parts carry it"), notes)


@cell_of.register
def _logits(result: DirectLogits) -> Cell:
    """The parts that write most, beside the logit."""
    values = part_list.parts(result.heads, result.mlp)
    rows = part_list.rows(values, result.heads.shape[1])
    data = ranking_data(_("Who writes the answer"), rows, scale=part_list.scale(values), signed=True)
    notes = _(
        "In logits. All parts add up to {sum}; the logit is {logit}.",
        sum=localised(f"{float(result.parts.sum()):.3f}"),
        logit=localised(f"{result.logit:.3f}"),
    )
    return Cell([Component("widgets/ranking", data)], _("Who writes the answer"), notes)
