"""Generated steps as the page draws them: chips in the text, rows of candidates, words and numbers."""

from collections.abc import Set
from html import escape
from math import log2, prod
from typing import TYPE_CHECKING, Any

from explorer.views import theme, veil
from explorer.views.bars import short
from explorer.views.veil import Veil

if TYPE_CHECKING:
    from explorer.analysis.generation import Generation, Step

CANDIDATES = 8  # rows of bars; the last one is the token taken, where it is none of the others
NEWEST = -1  # the setting `token` when no step is locked
BROKEN, HOLLOW = "\ufffd", "▯"  # a part of a character, as the tokenizer and as the page write it


def prompt(generation: "Generation") -> str:
    """The prompt as the model read it: an ellipsis stands for what was cut off its start.

    Where the prompt is empty the model reads its start token, `<|endoftext|>`.
    """
    if not generation.cut:
        return generation.prompt or generation.model.tokenizer.token(generation.prompt_ids[0])
    return "… " + generation.model.tokenizer.decode(generation.prompt_ids).lstrip(BROKEN)


def chips(generation: "Generation", shown: int, colours: theme.Palette, cover: Veil) -> list[dict[str, Any]]:
    """What the page draws for the steps: one chip each, but one for all the pieces of a character.

    Pieces of a character that is not complete yet are hollow boxes; pieces of a covered word, dots.
    """
    special = generation.model.tokenizer.special_ids
    written = as_written(generation, cover)
    made, first = [], 0
    for last, step in enumerate(generation.steps):
        whole = bool(step.text) or step.id in special
        if whole or last == len(generation.steps) - 1:
            pieces = generation.steps[first : last + 1]
            text = written[last] or "".join(p.token if p.id in special else BROKEN for p in pieces)
            why = f"{veil.WHY}, " if written[last] != step.text else ""
            probability, rank = prod(p.probability for p in pieces), max(p.rank for p in pieces)
            colour = theme.mix(colours.probability, probability)
            made.append(
                {
                    "text": text.replace(BROKEN, HOLLOW),
                    "first": first,
                    "last": last,
                    "mark": mark(rank),
                    "colour": colour,
                    "ink": theme.text_on(colour),
                    "shown": first <= shown <= last,
                    "tip": f"{why}{_pieces(pieces)}probability {short(probability)}, rank {rank:,}",
                }
            )
            first = last + 1
    return made


def _pieces(pieces: "list[Step]") -> str:
    return f"{len(pieces)} tokens together: " if len(pieces) > 1 else ""


def mark(rank: int) -> str:
    """How a token is underlined: by its place in the model's list, in GLTR's bands (Gehrmann et al. 2019)."""
    return "solid" if rank == 1 else "dashed" if rank <= 10 else "dotted" if rank <= 100 else ""


def after_click(token: int, first: int, last: int) -> int:
    """Which step a click on a chip locks: its first piece, then its next ones, then the newest again."""
    if not first <= token <= last:
        return first
    return token + 1 if token < last else NEWEST


def as_written(generation: "Generation", cover: Veil) -> list[str]:
    """What each step adds to the text, as it is shown now."""
    return veil.written(cover, [step.text for step in generation.steps], generation.prompt)


def covered(generation: "Generation", shown: int, cover: Veil) -> set[int]:
    """The ids, among the candidates of a step and the token taken, for which dots are shown.

    The taken one is covered as a part of the word that it has become since.
    """
    step = generation.steps[shown]
    before = generation.prompt + "".join(earlier.text for earlier in generation.steps[:shown])
    ids = {c.id for c in step.candidates if veil.covers(cover, before, c.token)} - {step.id}
    return ids | ({step.id} if as_written(generation, cover)[shown] != step.text else set())


def rows(step: "Step", covered: Set[int] = frozenset()) -> list[dict[str, Any]]:
    """A step's candidates as bars; the taken one stands last where it is none of the first."""
    best = step.candidates[: CANDIDATES if step.rank <= CANDIDATES else CANDIDATES - 1]
    made = [
        {
            "token": spelled(c.token),
            "probability": c.probability,
            "chance": c.chance,
            "state": "chosen" if c.id == step.id else "cut" if c.chance == 0 else "",
            "covered": c.id in covered,
        }
        for c in best
    ]
    if all(c.id != step.id for c in best):
        # A long rank would widen its column and move the bars; the words beside them give it.
        rank = step.rank if step.rank < 100 else None
        taken = {"token": spelled(step.token), "probability": step.probability, "chance": step.chance}
        made.append(taken | {"rank": rank, "state": "chosen", "covered": step.id in covered})
    return made


def words(generation: "Generation", shown: int, locked: bool, covered: Set[int] = frozenset()) -> str:
    """The step that is shown, in words and numbers, as HTML."""
    step, sampling = generation.steps[shown], generation.sampling
    which = f"Token {shown + 1} of {len(generation.steps)}" + ("" if locked else ", the newest")
    how = "the most probable is always taken"
    if not sampling.takes_the_best:
        how = f"its chance of being drawn: {short(step.chance)}"
    hint = (
        "Click it again, or press Esc, to follow the newest."
        if locked
        else "Click any token to see its candidates."
    )
    token = escape(spelled(step.token).strip())
    if step.id in covered:
        token = f'<span title="{veil.WHY}">{veil.DOTS}</span>'
    return f"""\
<p class="rb-quiet" style="margin: 0">{which}</p>
<p class="rb-token">{token}</p>
<p class="rb-how">rank {step.rank:,}, probability {short(step.probability)}<br>
{bits(step):.1f} bits of surprise<br>{how}</p>
<p class="rb-quiet" style="margin: 8px 0 0">{hint}</p>"""


def spelled(token: str) -> str:
    """A token for a list: a word's own space stays a space, other spaces and line ends are made visible."""
    word = token.lstrip(" ")
    space = " " if word and len(token) == len(word) + 1 else "␣" * (len(token) - len(word))
    return space + word.replace(" ", "␣").replace("\n", "↵").replace(BROKEN, HOLLOW)


def bits(step: "Step") -> float:
    """Surprisal, -log2 p: as many bits as coins that must all fall heads to be as surprising."""
    return -log2(max(step.probability, 1e-45))  # 0 can only be rounding: the token was drawn


def summary(generation: "Generation", paused: bool) -> str:
    """How far the continuation is, why it ended early, and how it went."""
    from explorer.analysis.generation import Ending

    steps = generation.steps
    said = [f"{len(steps)} token" if len(steps) == 1 else f"{len(steps)} tokens"]
    ending = Ending.STOPPED if paused else generation.ending
    if ending not in (None, Ending.LENGTH):
        said[0] += f", {ending}"
    said.append(f"{sum(map(bits, steps)) / len(steps):.1f} bits of surprise each")
    if again := repeated([step.id for step in steps]):
        said.append(f"{again:.0%} repeated")
    if generation.cut:
        said.append(f"the prompt’s first {generation.cut:,} tokens did not fit and were not read")
    return " · ".join(said)


def repeated(ids: list[int], n: int = 3) -> float:
    """The share of the runs of n tokens that occurred before in the same list, 0 to 1."""
    runs = [tuple(ids[i : i + n]) for i in range(len(ids) - n + 1)]
    return 1 - len(set(runs)) / len(runs) if runs else 0.0
