"""One step from logits to choice, as the page draws it: bars by column, and a line for the number drawn."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.continuations.session import Continuations
from explorer.views.continuations.settings import TOKEN, VERSUS
from explorer.views.frame import blocklist
from explorer.views.frame.blocklist import Blocklist
from explorer.views.frame.settings import Settings
from explorer.views.widgets.bars import short
from explorer.views.widgets.registry import component, sent
from explorer.views.widgets.steps import NEWEST, bits, spelled

if TYPE_CHECKING:
    from explorer.analysis.generation.steps import Generation
    from explorer.generation.pipeline import Pipeline

ROWS = 6  # the most probable; the last give pipeline to the token taken and to the one that would be drawn
FAR = 8.0  # nats behind the best: e ** -8 of its probability
NAMED, VISIBLE = 0.06, 0.004  # parts of the line that are wide enough for a name, and to be seen
Name = Callable[[int], str]


def draw_pipeline(
    settings: Settings,
    run: Continuations,
    step_index: int,
    selected: bool,
    written: Sequence[str],
    blocked: Blocklist,
) -> None:
    """The bars of a step, column by column, and the draw; a click takes another token.

    `selected` says that the step was clicked: else it is the newest one.
    """
    key, generation = "continuations.branch", run.generation
    if step_index < 0:
        st.html('<p class="rb-how">The first token is on its way.</p>')
        return
    step, readable = generation.steps[step_index], generation.model.tokenizer.readable
    pipeline = pipeline_of(run, step_index)
    ids = listed(pipeline, step.id)
    row_ids = {*ids, *(pipeline.chances >= VISIBLE).nonzero().flatten().tolist()}
    unseen = covered(generation, step_index, {id: readable(id) for id in row_ids}, written, blocked)

    def name(id: int) -> str:
        return blocklist.DOTS if id in unseen else spelled(readable(id))

    def picked() -> None:
        id = sent(key, "pick")
        if isinstance(id, int) and id in row_ids and id not in unseen and run.pick(step_index, id):
            settings.set(TOKEN.to(NEWEST), VERSUS.to(-1))

    greedy = run.sampling.takes_the_best
    component("continuations/pipeline")(
        key=key,
        data={
            "rows": rows(pipeline, ids, step.id, greedy, forks(run, step_index), name, unseen),
            "rest": rest(pipeline, ids),
            "ruler": ruler(pipeline, name),
            "headings": headings(run),
            "title": name(step.id).strip() or name(step.id),
            "which": which(run, step_index, selected),
            "says": says(run, pipeline, step_index, name),
            "instead": pipeline.id if pipeline.id != step.id and pipeline.id not in unseen else None,
            "draw": None if greedy else pipeline.draw,
        },
        on_pick_change=picked,
    )


def covered(
    generation: "Generation",
    step_index: int,
    tokens: Mapping[int, str],
    written: Sequence[str],
    blocked: Blocklist,
) -> set[int]:
    """Which tokens, by id, are shown as dots at a step.

    The one taken is covered as a part of the word that it has become since.
    """
    step = generation.steps[step_index]
    before = generation.prompt + "".join(earlier.text for earlier in generation.steps[:step_index])
    ids = {id for id, token in tokens.items() if blocklist.covers(blocked, before, token)} - {step.id}
    return ids | ({step.id} if written[step_index] != step.text else set())


def pipeline_of(run: Continuations, at: int) -> "Pipeline":
    """The pipeline of a step under the settings as they stand, from its logits and the number drawn then."""
    from explorer.generation.pipeline import pipeline

    return pipeline(run.generation.logits(at), run.sampling, run.generation.steps[at].draw)


def listed(pipeline: "Pipeline", chosen_id: int) -> list[int]:
    """The tokens that get a row, best first: the most probable, the one taken, the one to be drawn."""
    best = pipeline.logits.topk(min(ROWS, len(pipeline.logits))).indices.tolist()
    extra = [id for id in dict.fromkeys((chosen_id, pipeline.id)) if id not in best]
    droppable = [id for id in best if id not in (chosen_id, pipeline.id)]
    dropped = droppable[len(droppable) - len(extra) :] if extra else []
    ids = [id for id in best if id not in dropped] + extra
    return sorted(ids, key=lambda id: -float(pipeline.logits[id]))


def rows(
    pipeline: "Pipeline",
    ids: Sequence[int],
    chosen_id: int,
    greedy: bool,
    forked: dict[int, str],
    name: Name,
    covered: set[int],
) -> list[dict[str, Any]]:
    """A row for each token: its logit, that divided by temperature, softmax and chance, and what cut it.

    Only differences between logits count, so their bars say how far a token is behind the best: a
    full bar is the best, and FAR nats less are none.
    """
    own, best = pipeline.logits.softmax(0), (float(pipeline.logits.max()), float(pipeline.scaled.max()))
    columns = (pipeline.logits, pipeline.scaled, own, pipeline.after_temperature, pipeline.chances)
    data = []
    for id in ids:
        logit, scaled, probability, after_temperature, chance = (float(column[id]) for column in columns)
        cut = _cut(pipeline, id, greedy)
        rank = int((pipeline.logits > pipeline.logits[id]).sum()) + 1
        tip = f"rank {rank:,}, logit {_signed(logit, 4)}, probability {probability:.6g}"
        tip += f", after temperature {after_temperature:.6g}, chance {chance:.6g}"
        behind = FAR if greedy and rank > 1 else best[1] - scaled
        data.append(
            {
                "id": id,
                "token": name(id),
                "rank": str(rank) if rank < 1000 else f"{rank // 1000}k",
                "logit": {"bar": _part(best[0] - logit), "number": _signed(logit)},
                "scaled": {"bar": _part(behind), "number": "" if greedy else _signed(scaled)},
                "after_temperature": after_temperature,
                "chance": chance,
                "number": short(chance) if not cut else "cut",
                "cut": cut,
                "state": "taken" if id == chosen_id else "drawn" if id == pipeline.id else "",
                "covered": id in covered,
                "branch": forked.get(id, ""),
                "tip": tip + (f", cut by {cut}" if cut and not greedy else ""),
            }
        )
    return data


def rest(pipeline: "Pipeline", ids: Sequence[int]) -> dict[str, Any]:
    """All other tokens together, as a last row."""
    others = len(pipeline.logits) - len(ids)
    left = int(pipeline.after_p.sum()) - sum(bool(pipeline.after_p[id]) for id in ids)
    after_temperature, chance = (
        max(float(row.double().sum() - row[list(ids)].double().sum()), 0.0)
        for row in (pipeline.after_temperature, pipeline.chances)
    )
    uncut = "all cut" if not left else f"{left:,} not cut"
    token = f"{others:,} others" if left == others else f"{others:,} others, {uncut}"
    return {"token": token, "after_temperature": after_temperature, "chance": chance, "number": short(chance)}


def ruler(pipeline: "Pipeline", name: Name) -> list[dict[str, Any]]:
    """The line from 0 to 1 on which the number falls: each token's part of it, in the vocabulary's order."""
    ends = pipeline.cumulative
    wide = (pipeline.chances >= VISIBLE).nonzero().flatten().tolist()
    total = float(ends[-1])
    return [
        {
            "id": id,
            "from": float(ends[id - 1]) / total if id else 0.0,
            "to": float(ends[id]) / total,
            "name": name(id).strip() or name(id),
            "wide": float(pipeline.chances[id]) >= NAMED,
            "hit": id == pipeline.id,
        }
        for id in sorted({*wide, pipeline.id})
    ]


def headings(run: Continuations) -> list[str]:
    """The columns' names, with the settings in them."""
    sampling = run.sampling
    if sampling.takes_the_best:
        return ["logit", "÷ 0: greedy", "chance"]
    cuts = [f"top-k {sampling.top_k}"] if sampling.top_k else []
    cuts += [f"top-p {sampling.top_p:g}"] if sampling.top_p and sampling.top_p < 1 else []
    return ["logit", f"÷ {sampling.temperature:g}", "chance" + (f", {', '.join(cuts)}" if cuts else "")]


def which(run: Continuations, step_index: int, selected: bool) -> str:
    """Which step this is, and its token in numbers."""
    steps = run.generation.steps
    place = f"Token {step_index + 1} of {len(steps)}" + ("" if selected else ", the newest")
    step = steps[step_index]
    return f"{place}: rank {step.rank:,}, probability {short(step.probability)}, {bits(step):.1f} bits"


def says(run: Continuations, pipeline: "Pipeline", step_index: int, name: Name) -> str:
    """On which token the number falls under the settings as they stand, and who chose the one taken."""
    same = pipeline.id == run.generation.steps[step_index].id
    token = name(pipeline.id).strip() or name(pipeline.id)
    if run.sampling.takes_the_best:
        draw_sentence = f"the best is {token}" if same else f"the best would be {token}"
    else:
        draw_sentence = (
            f"{pipeline.draw:.3f} falls on {token}" if same else f"{pipeline.draw:.3f} would fall on {token}"
        )
    return f"chosen by hand; {draw_sentence}" if by_hand(run, step_index) else draw_sentence


def by_hand(run: Continuations, step_index: int) -> bool:
    """Whether a person chose the token: it begins a branch that forked off here."""
    number: int | None = run.here
    while number is not None:
        branch = run.tree[number]
        if branch.parent is not None and branch.at == step_index:
            return step_index in run.generation.forced
        number = branch.parent
    return False


def forks(run: Continuations, step_index: int) -> dict[int, str]:
    """The tokens at a step that begin or continue a branch of the tree, with its name."""
    path = run.tree.path(run.here)[:step_index]
    names: dict[int, str] = {}
    for branch in run.tree.branches:
        other = run.tree.path(branch.number)
        if len(other) > step_index and other[:step_index] == path:
            names.setdefault(other[step_index], branch.name or "a branch of the tree")
    return names


def _cut(pipeline: "Pipeline", id: int, greedy: bool) -> str:
    """What cut a token; empty where nothing did."""
    if pipeline.after_p[id]:
        return ""
    if greedy:
        return "not the best"
    return "top-p" if pipeline.after_k[id] else "top-k"


def _part(behind: float) -> float:
    return max(1 - behind / FAR, 0.0)


def _signed(value: float, digits: int = 1) -> str:
    return f"{value:.{digits}f}".replace("-", "−")
