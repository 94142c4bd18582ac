"""One step's road from logits to choice, as the page draws it: bars by column, and a ruler for the draw."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.continuations.run import Run
from explorer.views.frame import blocklist
from explorer.views.frame.blocklist import Blocklist
from explorer.views.frame.settings import Settings
from explorer.views.widgets.bars import short
from explorer.views.widgets.registry import component
from explorer.views.widgets.steps import NEWEST, bits, spelled

if TYPE_CHECKING:
    from explorer.analysis.generation import Generation
    from explorer.generation.sampling import Pipeline

ROWS = 6  # the likeliest; the last ones give way to the token taken and to the one that would be drawn
FAR = 8.0  # nats behind the best: e ** -8 of its probability
NAMED, SEEN = 0.06, 0.004  # parts of the ruler that are wide enough for a name, and to be seen
Name = Callable[[int], str]


def road(
    settings: Settings, run: Run, shown: int, locked: bool, written: Sequence[str], cover: Blocklist
) -> None:
    """The bars of a step, column by column, and the draw; a click takes another token."""
    key, generation = "continuations.road", run.generation
    if shown < 0:
        st.html('<p class="rb-how">The first token is on its way.</p>')
        return
    step, readable = generation.steps[shown], generation.model.tokenizer.readable
    way = way_of(run, shown)
    ids = listed(way, step.id)
    named = {*ids, *(way.chances >= SEEN).nonzero().flatten().tolist()}
    unseen = covered(generation, shown, {id: readable(id) for id in named}, written, cover)

    def name(id: int) -> str:
        return blocklist.DOTS if id in unseen else spelled(readable(id))

    def picked() -> None:
        id = st.session_state[key].pick
        if isinstance(id, int) and id in named and id not in unseen and run.pick(shown, id):
            settings.set(token=NEWEST, versus=-1)

    greedy = run.wanted.takes_the_best
    component("continuations/pipeline")(
        key=key,
        data={
            "rows": rows(way, ids, step.id, greedy, forks(run, shown), name, unseen),
            "rest": rest(way, ids),
            "ruler": ruler(way, name),
            "headings": headings(run),
            "title": name(step.id).strip() or name(step.id),
            "which": which(run, shown, locked),
            "says": says(run, way, shown, name),
            "instead": way.id if way.id != step.id and way.id not in unseen else None,
            "draw": None if greedy else way.draw,
        },
        on_pick_change=picked,
    )


def covered(
    generation: "Generation", shown: int, tokens: Mapping[int, str], written: Sequence[str], cover: Blocklist
) -> set[int]:
    """Which tokens, by id, are dots where they might stand at a step.

    The one taken is covered as a part of the word that it has become since.
    """
    step = generation.steps[shown]
    before = generation.prompt + "".join(earlier.text for earlier in generation.steps[:shown])
    ids = {id for id, token in tokens.items() if blocklist.covers(cover, before, token)} - {step.id}
    return ids | ({step.id} if written[shown] != step.text else set())


def way_of(run: Run, shown: int) -> "Pipeline":
    """The road of a step under the settings as they stand, from its logits and the number drawn then."""
    from explorer.generation.sampling import pipeline

    return pipeline(run.generation.logits(shown), run.wanted, run.generation.steps[shown].draw)


def listed(way: "Pipeline", taken: int) -> list[int]:
    """The tokens that get a row, best first: the likeliest, the one taken, the one that would be drawn."""
    best = way.logits.topk(min(ROWS, len(way.logits))).indices.tolist()
    extra = [id for id in dict.fromkeys((taken, way.id)) if id not in best]
    given = [id for id in best if id not in (taken, way.id)]
    gone = given[len(given) - len(extra) :] if extra else []
    ids = [id for id in best if id not in gone] + extra
    return sorted(ids, key=lambda id: -float(way.logits[id]))


def rows(
    way: "Pipeline",
    ids: Sequence[int],
    taken: int,
    greedy: bool,
    forked: dict[int, str],
    name: Name,
    covered: set[int],
) -> list[dict[str, Any]]:
    """A row for each token: its logit, that divided by temperature, softmax and chance, and what cut it.

    Only differences between logits count, so their bars say how far a token is behind the best: a
    full bar is the best, and FAR nats less are none.
    """
    own, best = way.logits.softmax(0), (float(way.logits.max()), float(way.scaled.max()))
    made = []
    for id in ids:
        logit, scaled, probability, softened, chance = (
            float(row[id]) for row in (way.logits, way.scaled, own, way.softened, way.chances)
        )
        cut = "" if way.after_p[id] else "not the best" if greedy else "top-p" if way.after_k[id] else "top-k"
        rank = int((way.logits > way.logits[id]).sum()) + 1
        told = f"rank {rank:,}, logit {_signed(logit, 4)}, probability {probability:.6g}"
        told += f", after temperature {softened:.6g}, chance {chance:.6g}"
        behind = FAR if greedy and rank > 1 else best[1] - scaled
        made.append(
            {
                "id": id,
                "token": name(id),
                "rank": str(rank) if rank < 1000 else f"{rank // 1000}k",
                "logit": {"bar": _part(best[0] - logit), "number": _signed(logit)},
                "scaled": {"bar": _part(behind), "number": "" if greedy else _signed(scaled)},
                "softened": softened,
                "chance": chance,
                "number": short(chance) if not cut else "cut",
                "cut": cut,
                "state": "taken" if id == taken else "drawn" if id == way.id else "",
                "covered": id in covered,
                "road": forked.get(id, ""),
                "tip": told + (f", cut by {cut}" if cut and not greedy else ""),
            }
        )
    return made


def rest(way: "Pipeline", ids: Sequence[int]) -> dict[str, Any]:
    """All other tokens together, as a last row."""
    others = len(way.logits) - len(ids)
    left = int(way.after_p.sum()) - sum(bool(way.after_p[id]) for id in ids)
    softened, chance = (max(float(row.double().sum() - row[list(ids)].double().sum()), 0.0)
                        for row in (way.softened, way.chances))  # fmt: skip
    uncut = "all cut" if not left else f"{left:,} not cut"
    said = f"{others:,} others" if left == others else f"{others:,} others, {uncut}"
    return {"token": said, "softened": softened, "chance": chance, "number": short(chance)}


def ruler(way: "Pipeline", name: Name) -> list[dict[str, Any]]:
    """The line from 0 to 1 on which the number falls: each token's part of it, in the vocabulary's order."""
    ends = way.cumulative
    wide = (way.chances >= SEEN).nonzero().flatten().tolist()
    total = float(ends[-1])
    return [
        {
            "id": id,
            "from": float(ends[id - 1]) / total if id else 0.0,
            "to": float(ends[id]) / total,
            "name": name(id).strip() or name(id),
            "wide": float(way.chances[id]) >= NAMED,
            "hit": id == way.id,
        }
        for id in sorted({*wide, way.id})
    ]


def headings(run: Run) -> list[str]:
    """The columns' names, with the settings in them."""
    wanted = run.wanted
    if wanted.takes_the_best:
        return ["logit", "÷ 0: the best", "chance"]
    cuts = [f"top-k {wanted.top_k}"] if wanted.top_k else []
    cuts += [f"top-p {wanted.top_p:g}"] if wanted.top_p and wanted.top_p < 1 else []
    return ["logit", f"÷ {wanted.temperature:g}", "chance" + (f", {', '.join(cuts)}" if cuts else "")]


def which(run: Run, shown: int, locked: bool) -> str:
    """Which step this is, and its token in numbers."""
    steps = run.generation.steps
    place = f"Token {shown + 1} of {len(steps)}" + ("" if locked else ", the newest")
    step = steps[shown]
    return f"{place}: rank {step.rank:,}, probability {short(step.probability)}, {bits(step):.1f} bits"


def says(run: Run, way: "Pipeline", shown: int, name: Name) -> str:
    """On which token the number falls under the settings as they stand, and who chose the one taken."""
    same = way.id == run.generation.steps[shown].id
    drawn = name(way.id).strip() or name(way.id)
    if run.wanted.takes_the_best:
        said = f"the best is {drawn}" if same else f"the best would be {drawn}"
    else:
        said = f"{way.draw:.3f} falls on {drawn}" if same else f"{way.draw:.3f} would fall on {drawn}"
    return f"by hand; {said}" if by_hand(run, shown) else said


def by_hand(run: Run, shown: int) -> bool:
    """Whether a person chose the token: it begins a road that forked off here."""
    number: int | None = run.here
    while number is not None:
        branch = run.tree[number]
        if branch.parent is not None and branch.at == shown:
            return shown in run.generation.forced
        number = branch.parent
    return False


def forks(run: Run, shown: int) -> dict[int, str]:
    """The tokens at a step along which a road of the tree leads, with its name."""
    path = run.tree.path(run.here)[:shown]
    found: dict[int, str] = {}
    for branch in run.tree.branches:
        other = run.tree.path(branch.number)
        if len(other) > shown and other[:shown] == path:
            found.setdefault(other[shown], branch.name or "a road of the tree")
    return found


def _part(behind: float) -> float:
    return max(1 - behind / FAR, 0.0)


def _signed(value: float, digits: int = 1) -> str:
    return f"{value:.{digits}f}".replace("-", "−")
