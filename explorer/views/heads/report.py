"""Measurements of a model's heads: bundled with the app, or made when a visitor asks for them.

They are kept for all visitors. An interrupted measurement of every head's loss can be continued.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from explorer import analysis
from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.types import Exam, HeadLoss, Model, Report, Tensor

MODELS_KEPT = 4  # models measured by visitors
TIME_NEEDED = N_(
    "The model reads our sentences once: seconds for a small one, a minute or more for a large one."
)

_reports: "kit.Kept[Report]" = kit.Kept(MODELS_KEPT, of="models")
_runs: "kit.Kept[PartialLosses]" = kit.Kept(MODELS_KEPT, of="models")
_kinds: "kit.Kept[dict[tuple[int, int], list[analysis.heads.Kind]]]" = kit.Kept(16, of="models")


@dataclass(frozen=True, eq=False)
class PartialLosses:
    """Each sentence's loss with all heads on, and without each of the heads measured so far."""

    before: "Tensor"
    after: "dict[tuple[int, int], Tensor]" = field(default_factory=dict)


def find(name: str) -> "Report | None":
    """The report on a model's heads on our sentences; None if they have not been measured."""
    return _reports.look_up(name) or _stored(name)


def kinds(report: "Report | None") -> "dict[tuple[int, int], list[analysis.heads.Kind]]":
    """The kinds of each head; empty without a report."""
    return {} if report is None else _kinds.get(report, report.kinds)


def offer(model: "Model") -> None:
    """Draw a button that measures every head on our 500 sentences, with progress."""
    from explorer.analysis.heads import relations

    count = sum(len(relations.library(half)) for half in relations.HALVES)
    st.html(
        f'<p class="rb-how">{_("Nobody has measured the heads of this model here yet.")}</p>'
        f'<p class="rb-point">{_(TIME_NEEDED)}</p>'
    )
    if st.button(
        _("Measure on {count} sentences", count=count), key="heads/measure", icon=":material/play_arrow:"
    ):
        name = str(model.checkpoint)
        with kit.progress_bar() as show:
            show(0.0, _("Reading ..."))

            def progress(done: int, total: int) -> None:
                show(done / total, _("{count} of {total} sentences", count=done, total=total))

            _reports.get(name, lambda: analysis.heads.report(model, name, progress))
        st.rerun()


def losses(model: "Model", method: str) -> "HeadLoss | None":
    """The loss without each head alone, nan for heads not measured yet; None if no head has been measured."""
    name, config = str(model.checkpoint), model.config
    stored = _stored_losses(name)
    if stored is not None and method in stored:
        return stored[method]
    run = _runs.look_up((name, method))
    if run is None or not run.after:
        return None
    import torch

    from explorer.analysis.heads.loss import head_loss

    after = torch.full((config.layers, config.heads, len(run.before)), torch.nan, dtype=torch.float64)
    for place, losses in list(run.after.items()):  # another visitor may be measuring
        after[place] = losses
    return head_loss(method, run.before, after)


def offer_losses(model: "Model", method: str) -> None:
    """Draw a button that measures the loss without each head in turn, and can continue an interrupted run."""
    from explorer.analysis.heads import loss

    name, heads = str(model.checkpoint), model.config.heads
    total = model.config.layers * heads
    run = _runs.look_up((name, method))
    measured = len(run.after) if run else 0
    if measured == total or method in (_stored_losses(name) or ()):
        return
    fields = {"heads": total - measured, "sentences": loss.SENTENCES}
    if st.button(
        _("Continue: {heads} heads, {sentences} sentences", **fields)
        if measured
        else _("Measure each head: {heads} heads, {sentences} sentences", **fields),
        key="heads/losses",
        icon=":material/play_arrow:",
        help=_("One head after the other: minutes for a large model. Any press stops it; nothing is lost."),
    ):
        with kit.progress_bar() as show:
            show(measured / total, _("Reading with all heads on"))
            questions = exam(model)
            run = _runs.get((name, method), lambda: PartialLosses(loss.losses(model, questions)))
            for number in range(total):
                layer, head = divmod(number, heads)
                if (layer, head) not in run.after:
                    run.after[layer, head] = loss.without(model, questions, layer, head, method)
                    done = _("{count} of {total} heads", count=number + 1, total=total)
                    show((number + 1) / total, done)
        st.rerun()


@kit.kept(4, of="models")
def exam(model: "Model") -> "Exam":
    """The test words of our 50 sentences, and each head's mean output on them."""
    from explorer.analysis.heads.loss import exam

    return exam(model)


@kit.kept(16, of="models")
def _stored(name: str) -> "Report | None":
    return analysis.heads.stored(name)


@kit.kept(16, of="models")
def _stored_losses(name: str) -> "Mapping[str, HeadLoss] | None":
    from explorer.analysis.heads import loss

    return loss.stored(name)
