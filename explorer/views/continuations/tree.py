"""The tree of continuations as the component draws it, and two of its branches side by side."""

from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

from explorer import analysis
from explorer.analysis.generation import tree as trees
from explorer.analysis.generation.repetition import distinct, repetition_rate
from explorer.locale import _, localised
from explorer.text.byte_letters import BROKEN
from explorer.views import kit
from explorer.views.continuations.session import Continuations
from explorer.views.continuations.settings import TOKEN, VERSUS
from explorer.views.continuations.steps import HOLLOW, NEWEST, as_written, listed, numbers, spelled
from explorer.views.types import Generation

WORDS_LENGTH = 60  # characters of a branch's words


def draw_tree(settings: kit.Settings, run: Continuations, shown_step: int, blocked: kit.Blocklist) -> None:
    """Draw the tree with the branch on the screen marked; a click goes to a branch, buttons act on it."""
    key = "continuations.branches"

    def acted() -> None:
        act = kit.component_value(key, "act", {"what": str, "number": int})
        if act is None:
            return
        action, number = act.get("what"), act["number"]
        if action == "undo":
            run.undo()
            settings.set(TOKEN.to(NEWEST), VERSUS.to(-1))
        elif number not in run.tree:
            return
        elif action == "walk":
            run.walk(number)
            at = act.get("at")
            settings.set(TOKEN.to(at if isinstance(at, int) else NEWEST), VERSUS.to(-1))
        elif action == "prune":
            run.prune(number)
            settings.set(TOKEN.to(NEWEST), VERSUS.to(-1))
        elif action == "name":
            run.name(number, str(act.get("name", "")))
        elif action == "compare":
            settings.set(VERSUS.to(number if number != run.here else -1))

    versus = settings[VERSUS] if settings[VERSUS] in run.tree else -1
    kit.component("widgets/tree")(
        key=key,
        data={
            "branches": branches(run.tree, run.generations or {run.here: run.generation}, blocked),
            "here": run.here,
            "length": len(run.generation.steps),
            "shown": shown_step,
            "versus": versus if versus != run.here else -1,
            "undo": bool(run.history),
            "says": run.message,
        },
        on_act_change=acted,
    )


def branches(
    tree: trees.Tree, generations: "Mapping[int, Generation]", blocked: kit.Blocklist
) -> list[dict[str, Any]]:
    """The branches from top to bottom: where each forks off, its tokens' probabilities, its first words."""
    order = [branch.number for branch in trees.drawing_order(tree)]
    rows = []
    for number in order:
        branch, generation = tree[number], generations[number]
        steps = generation.steps[branch.at : branch.at + len(branch.ids)]
        place = slice(branch.at, branch.at + len(branch.ids))
        texts, names = as_written(generation, blocked)[place], listed(generation, blocked)[place]
        words = "".join(texts).strip().replace("\n", "↵").replace(BROKEN, HOLLOW) or _("nothing yet")
        rows.append(
            {
                "number": number,
                "parent": -1 if branch.parent is None else order.index(branch.parent),
                "at": branch.at,
                "name": branch.name,
                "words": words[:WORDS_LENGTH] + ("…" if len(words) > WORDS_LENGTH else ""),
                "called": called(branch, generation, blocked),
                "widths": [round(step.probability, 4) for step in steps],
                "tips": [
                    _("{label}: {text}", label=_token_text(text, step), text=_numbers(step))
                    for text, step in zip(names, steps)
                ],
            }
        )
    return rows


def called(branch: trees.Branch, generation: "Generation", blocked: kit.Blocklist) -> str:
    """A branch's label: its name, or else the word at which it forked off; “first” for the first one."""
    if branch.name:
        return branch.name
    if branch.parent is None:
        return _("first")
    written = as_written(generation, blocked)[branch.at : branch.at + 1]
    return "".join(written).strip() or "↵"


def draw_comparison(settings: kit.Settings, run: Continuations, blocked: kit.Blocklist) -> None:
    """Draw the branch on the screen beside another one, from where they differ."""
    other = settings[VERSUS]
    fork = trees.shared_length(run.tree, run.here, other)
    halves = [
        _half(called(run.tree[number], generation, blocked), generation, fork, blocked)
        for number, generation in ((number, run.generations[number]) for number in (run.here, other))
    ]
    st.html(f'<div class="rb-two">{"".join(halves)}</div>')
    if fork > 1:
        says = _("Two branches, after {count} shared tokens.", count=fork)
    else:
        says = _("Two branches, after the first token.") if fork else _("Two branches, from the prompt on.")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        kit.note_html(says)
        st.button(
            _("Back to the step"),
            key="continuations/compared",
            type="tertiary",
            on_click=settings.set,
            args=(VERSUS.to(-1),),
        )


def measures(steps: "list[analysis.generation.steps.Step]") -> str:
    """A branch's length, bits per token, repetition and distinct tokens, as HTML."""
    if not steps:
        return _("nothing yet")
    ids = [step.id for step in steps]
    bits_per_token = sum(step.bits for step in steps) / len(steps)
    return _(
        "{count} tokens, {bits} bits each<br>{share} repeated, distinct tokens: {tokens}, "
        "distinct pairs: {pairs}",
        count=len(ids),
        bits=localised(f"{bits_per_token:.1f}"),
        share=kit.whole_percent(repetition_rate(ids)),
        tokens=kit.whole_percent(distinct(ids, 1)),
        pairs=kit.whole_percent(distinct(ids, 2)),
    )


def _half(name: str, generation: "Generation", fork: int, blocked: kit.Blocklist) -> str:
    steps, written = generation.steps[fork:], as_written(generation, blocked)[fork:]
    colours = kit.palette().probability
    words = []
    for step, text in zip(steps, written):
        ground = kit.theme.mix(colours, step.probability)
        words.append(
            f'<span style="background:{ground};color:{kit.theme.text_on(ground)}" '
            f'title="{escape(_numbers(step))}">{escape(text)}</span>'
        )
    return (
        f'<div><h3>{kit.quoted(name)}</h3><div class="words" dir="auto" translate="no" tabindex="0">'
        f"{''.join(words)}</div>"
        f'<p class="rb-quiet">{measures(steps)}</p></div>'
    )


def _token_text(text: str, step: "analysis.generation.steps.Step") -> str:
    return text.strip() or spelled(step.token)


def _numbers(step: "analysis.generation.steps.Step") -> str:
    return numbers(kit.in_words(step.probability), step.rank)
