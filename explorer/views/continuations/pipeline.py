"""The sampling pipeline of one step, from logits to the sampled token, as the component draws it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from explorer.locale import _, format_number, format_with, localised
from explorer.views import kit
from explorer.views.continuations.session import Continuations
from explorer.views.continuations.settings import TOKEN, VERSUS
from explorer.views.continuations.steps import NEWEST, spelled_id
from explorer.views.types import Generation, Pipeline

# Rows of tokens: the most probable ones; the chosen and the drawn one take the last places if need be.
ROWS = 6
FAR = 8.0  # nats below the best logit at which a bar is empty: e ** -8 of the best token's probability
NAMED, VISIBLE = 0.06, 0.004  # chances that are wide enough on the line for a name, and to be seen at all
Name = Callable[[int], str]


def draw_pipeline(
    settings: kit.Settings,
    run: Continuations,
    at: int,
    selected: bool,
    written: Sequence[str],
    blocked: kit.Blocklist,
) -> None:
    """Draw the bars of a step, column by column, and the draw; a click takes another token.

    `selected` says whether the step was clicked or is only the newest one; `written` are the texts of the
    steps as they are shown.
    """
    key, generation, number = "continuations.branch", run.generation, run.number
    if at < 0:
        st.html(f'<p class="rb-how">{_("The first token is on its way.")}</p>')
        return
    step, tokenizer = generation.steps[at], generation.model.tokenizer
    pipeline = pipeline_of(run, at)
    ids = listed(pipeline, step.id)
    pickable = {*ids, *(pipeline.chances >= VISIBLE).nonzero().flatten().tolist()}
    unseen = covered(generation, at, {id: tokenizer.readable(id) for id in pickable}, written, blocked)

    def name(id: int) -> str:
        return kit.blocklist.DOTS if id in unseen else spelled_id(tokenizer, id)

    def picked() -> None:
        id = kit.component_value(key, "pick", int)
        if id in pickable and id not in unseen and number == run.number and run.pick(at, id):
            settings.set(TOKEN.to(NEWEST), VERSUS.to(-1))

    greedy = run.sampling.takes_the_best
    kit.component("continuations/pipeline")(
        key=key,
        data={
            "rows": rows(pipeline, ids, step.id, greedy, forks(run, at), name, unseen),
            "rest": rest(pipeline, ids),
            "ruler": ruler(pipeline, name),
            "headings": headings(run),
            "title": name(step.id).strip() or name(step.id),
            "which": which(run, at, selected),
            "says": says(run, pipeline, at, name),
            "instead": pipeline.id if pipeline.id != step.id and pipeline.id not in unseen else None,
            "draw": None if greedy else pipeline.draw,
            "plain": kit.for_class(),
        },
        on_pick_change=picked,
    )


def covered(
    generation: "Generation",
    at: int,
    tokens: Mapping[int, str],
    written: Sequence[str],
    blocked: kit.Blocklist,
) -> set[int]:
    """The ids of the tokens that are shown as dots at a step.

    The chosen token is covered if the later tokens have made it a part of a covered word.
    """
    step = generation.steps[at]
    before = generation.prompt + "".join(earlier.text for earlier in generation.steps[:at])
    ids = {id for id, token in tokens.items() if kit.blocklist.covers(blocked, before, token)} - {step.id}
    return ids | ({step.id} if written[at] != step.text else set())


def pipeline_of(run: Continuations, at: int) -> "Pipeline":
    """The pipeline of a step under the present settings, from its logits and its random number."""
    from explorer.generation.pipeline import pipeline

    return pipeline(run.generation.logits(at), run.sampling, run.generation.steps[at].draw)


def listed(pipeline: "Pipeline", chosen_id: int) -> list[int]:
    """The ids of the tokens that get a row, best first: the most probable, the chosen and the drawn one."""
    best = pipeline.logits.topk(min(ROWS, len(pipeline.logits))).indices.tolist()
    extra_ids = [id for id in dict.fromkeys((chosen_id, pipeline.id)) if id not in best]
    others = [id for id in best if id not in (chosen_id, pipeline.id)]
    dropped = others[len(others) - len(extra_ids) :] if extra_ids else []
    ids = [id for id in best if id not in dropped] + extra_ids
    return sorted(ids, key=lambda id: -float(pipeline.logits[id]))


def rows(
    pipeline: "Pipeline",
    ids: Sequence[int],
    chosen_id: int,
    greedy: bool,
    branch_names: dict[int, str],
    name: Name,
    covered: set[int],
) -> list[dict[str, Any]]:
    """A row for each token: its logit, the logit divided by the temperature, its chance, and what cut it.

    Only differences between logits matter, so a logit's bar shows its distance from the best one: the best
    has a full bar, a logit that is FAR nats lower an empty one.
    """
    softmax, best = pipeline.logits.softmax(0), (float(pipeline.logits.max()), float(pipeline.scaled.max()))
    columns = (pipeline.logits, pipeline.scaled, softmax, pipeline.after_temperature, pipeline.chances)
    row_data = []
    for id in ids:
        logit, scaled, probability, after_temperature, chance = (float(column[id]) for column in columns)
        cut = _cut(pipeline, id, greedy)
        rank = int((pipeline.logits > pipeline.logits[id]).sum()) + 1
        tip = _(
            "rank {rank}, logit {logit}, probability {probability}, after temperature {after}, "
            "chance {chance}",
            rank=format_number(rank),
            logit=_signed(logit, 4),
            probability=localised(f"{probability:.6g}"),
            after=localised(f"{after_temperature:.6g}"),
            chance=localised(f"{chance:.6g}"),
        )
        distance = FAR if greedy and rank > 1 else best[1] - scaled
        row_data.append(
            {
                "id": id,
                "token": name(id),
                "rank": str(rank) if rank < 1000 else f"{rank // 1000}k",
                "logit": {"bar": _part(best[0] - logit), "number": _signed(logit)},
                "scaled": {"bar": _part(distance), "number": "" if greedy else _signed(scaled)},
                "after_temperature": after_temperature,
                "chance": chance,
                "number": kit.short(chance) if not cut else _("cut"),
                "cut": cut,
                "state": "taken" if id == chosen_id else "drawn" if id == pipeline.id else "",
                "covered": id in covered,
                "branch": branch_names.get(id, ""),
                "tip": _("{numbers}, cut by {cut}", numbers=tip, cut=cut) if cut and not greedy else tip,
            }
        )
    return row_data


def rest(pipeline: "Pipeline", ids: Sequence[int]) -> dict[str, Any]:
    """The last row: all other tokens together."""
    others = len(pipeline.logits) - len(ids)
    uncut = int(pipeline.after_p.sum()) - sum(bool(pipeline.after_p[id]) for id in ids)
    after_temperature, chance = (
        max(float(row.double().sum() - row[list(ids)].double().sum()), 0.0)
        for row in (pipeline.after_temperature, pipeline.chances)
    )
    count = format_number(others)
    if uncut == others:
        token = _("{count} others", count=count)
    elif uncut:
        token = _("{count} others, {uncut} not cut", count=count, uncut=format_number(uncut))
    else:
        token = _("{count} others, all cut", count=count)
    return {
        "token": token,
        "after_temperature": after_temperature,
        "chance": chance,
        "number": kit.short(chance),
    }


def ruler(pipeline: "Pipeline", name: Name) -> list[dict[str, Any]]:
    """The line from 0 to 1 on which the random number falls: each token's part, in the vocabulary's order."""
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
    """The names of the columns, which contain the settings."""
    sampling = run.sampling
    if sampling.takes_the_best:
        return [_("logit"), _("÷ 0: greedy"), _("chance")]
    temperature, top_p = (localised(f"{value or 0:g}") for value in (sampling.temperature, sampling.top_p))
    cuts = [f"top-k {sampling.top_k}"] if sampling.top_k else []
    cuts += [f"top-p {top_p}"] if sampling.top_p and sampling.top_p < 1 else []
    return [_("logit"), f"÷ {temperature}", ", ".join([_("chance"), *cuts])]


def which(run: Continuations, at: int, selected: bool) -> str:
    """The step's number, and its token's rank, probability and bits."""
    steps = run.generation.steps
    number = {"number": at + 1, "count": len(steps)}
    if selected:
        place = _("Token {number} of {count}", **number)
    elif at == len(steps) - 1:
        place = _("Token {number} of {count}, the newest", **number)
    else:
        place = _("Token {number} of {count}, the least probable word", **number)
    step = steps[at]
    probability = kit.in_words(step.probability)
    if kit.for_class():
        return _("{place}: {probability}", place=place, probability=probability)
    return _(
        "{place}: rank {rank}, probability {probability}, {bits} bits",
        place=place,
        rank=format_number(step.rank),
        probability=probability,
        bits=localised(f"{step.bits:.1f}"),
    )


def says(run: Continuations, pipeline: "Pipeline", at: int, name: Name) -> str:
    """Where the random number falls under the present settings, and whether the token was chosen by hand."""
    is_same = pipeline.id == run.generation.steps[at].id
    token, number = name(pipeline.id).strip() or name(pipeline.id), localised(f"{pipeline.draw:.3f}")
    if run.sampling.takes_the_best and is_same:
        outcome = _("the best is “{token}”", token=token)
    elif run.sampling.takes_the_best:
        outcome = _("the best would be “{token}”", token=token)
    elif kit.for_class():
        outcome = _("drawn by lot: “{token}”", token=token)
    elif is_same:
        outcome = _("the random number {number} lands on “{token}”", number=number, token=token)
    else:
        outcome = _("the random number {number} would land on “{token}”", number=number, token=token)
    return _("chosen by hand; {outcome}", outcome=outcome) if by_hand(run, at) else outcome


def by_hand(run: Continuations, at: int) -> bool:
    """Whether a person chose the token of this step, so that a branch forked off here."""
    number: int | None = run.here
    while number is not None:
        branch = run.tree[number]
        if branch.parent is not None and branch.at == at:
            return at in run.generation.forced
        number = branch.parent
    return False


def forks(run: Continuations, at: int) -> dict[int, str]:
    """The tokens that follow the same text in the tree's branches: id -> the branch's name."""
    path = run.tree.path(run.here)[:at]
    names: dict[int, str] = {}
    for branch in run.tree.branches:
        other = run.tree.path(branch.number)
        if len(other) > at and other[:at] == path:
            names.setdefault(other[at], branch.name or _("a branch of the tree"))
    return names


def _cut(pipeline: "Pipeline", id: int, greedy: bool) -> str:
    """The cut that removed a token; empty if it was not cut."""
    if pipeline.after_p[id]:
        return ""
    if greedy:
        return "not the best"
    return "top-p" if pipeline.after_k[id] else "top-k"


def _part(distance: float) -> float:
    """The part of a full bar at a distance from the best logit, in nats."""
    return max(1 - distance / FAR, 0.0)


def _signed(value: float, digits: int = 1) -> str:
    return format_with(value, f".{digits}f")
