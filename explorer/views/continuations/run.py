"""One session's continuations of a prompt: the one on the screen, and the tree of all that were written.

Nothing runs by itself: `extend` makes the next few tokens when the page asks for them.
"""

import json
from dataclasses import dataclass, field, replace
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

from explorer.analysis import tree as trees
from explorer.analysis.tree import Tree

if TYPE_CHECKING:
    from explorer.analysis.generation import Generation, Sampling
    from explorer.models import LanguageModel

TURN_TOKENS, TURN_SECONDS, WAIT_SECONDS = 3, 0.08, 0.25  # how much is made each time the page asks
MOST_ROADS, MOST_UNDONE = 24, 30
LONGEST = 200  # tokens of a road
CANDIDATES = 8
RUN = "continuations/run"  # where the session keeps it
FULL = f"The tree holds {MOST_ROADS} roads: prune one to take another."
_numbers = count()


@dataclass(frozen=True, eq=False)
class Before:
    """What `undo` goes back to."""

    tree: Tree
    here: int
    generation: "Generation"
    made: "dict[int, Generation]"


@dataclass(eq=False)
class Run:
    """The continuation on the screen, and where in the tree it is.

    `wanted` are the settings as they stand now: the next token is drawn with them. `made` has a
    continuation for each road, `kept` is the tree as the link has it, `shown` the step in view.
    """

    asked: tuple[Any, ...]
    number: int
    generation: "Generation"
    wanted: "Sampling"
    paused: bool = False
    tree: Tree = field(default_factory=Tree)
    here: int = 0
    made: "dict[int, Generation]" = field(default_factory=dict)
    undone: list[Before] = field(default_factory=list)
    kept: str = ""
    said: str = ""
    answers: int = 0
    shown: int = 0

    @property
    def over(self) -> bool:
        """Whether nothing more can come with the settings as they stand."""
        from explorer.analysis.generation import Ending

        final = self.generation.ending in (Ending.END_OF_TEXT, Ending.CONTEXT)
        return final or len(self.generation.steps) >= self.wanted.max_new_tokens

    @property
    def going(self) -> bool:
        """Whether more tokens are to come without another click."""
        return not self.paused and not self.over

    @property
    def verb(self) -> str:
        """What its button does now."""
        if self.over:
            return "Start again"
        return "Continue" if self.paused else "Stop"

    def turn(self) -> None:
        """What the button does: stop, continue, or start again."""
        if self.over:
            self.restart()
        else:
            self.paused = not self.paused

    def restart(self) -> None:
        """Write from the prompt again, with the settings as they stand: another road, where it differs."""
        if self._full():
            return
        self._remember()
        self._leave()
        self.generation = written(self.generation.model, self.generation.prompt, self.wanted)
        self.number, self.here, self.paused = next(_numbers), 0, False
        self.grow()

    def grow(self) -> bool:
        """Make one token, if it is this session's turn; whether one was made."""
        old = self.generation
        if old.steps and (old.sampling != self.wanted or old.ending is not None):
            self.generation = old.branch(len(old.steps) - 1, old.steps[-1].id, self.wanted)
        step = self.generation.step(wait=WAIT_SECONDS)
        if step is not None:
            self._take(len(self.generation.steps) - 1, step.id)
        return step is not None

    def pick(self, at: int, id: int) -> bool:
        """Take another token at a step: walk to the road that does, or branch and go on from there."""
        if not 0 <= at < len(self.generation.steps) or id == self.generation.steps[at].id:
            return False
        tree, there = trees.step(self.tree, self.here, at, id)
        if there in self.made:
            self.walk(there)
            return True
        if self._full():
            return False
        self._remember()
        self._leave()
        long = replace(self.wanted, max_new_tokens=max(self.wanted.max_new_tokens, at + 1))
        self.generation = self.generation.branch(at, id, long)
        self.tree, self.here = tree, there
        self.made[there] = self.generation
        self.number, self.paused, self.said = next(_numbers), False, ""
        return True

    def walk(self, number: int) -> None:
        """Go over to another road."""
        if number in self.tree and number in self.made:
            self._leave()
            self.here, self.generation, self.said = number, self.made[number], ""
            self.number, self.paused = next(_numbers), True

    def prune(self, number: int) -> None:
        """Cut a road and all that left from it; who stands on one of them goes back to the fork."""
        if number == 0 or number not in self.tree:
            return
        self._remember()
        back = self.tree[number].parent
        self.tree = trees.pruned(self.tree, number)
        self.made = {n: made for n, made in self.made.items() if n in self.tree}
        if self.here not in self.tree:
            self.walk(back)
        self.said = ""

    def name(self, number: int, name: str) -> None:
        """Give a road a name; an empty one gives it back its first word."""
        if number in self.tree and name != self.tree[number].name:
            self._remember()
            self.tree = trees.renamed(self.tree, number, name.strip()[:40])

    def undo(self) -> None:
        """Back to before the last fork, restart, cut or name; tokens that came since stay."""
        if not self.undone:
            return
        then = self.undone.pop()
        self.tree, self.here, self.generation, self.made = then.tree, then.here, then.generation, then.made
        for number, made in self.made.items():
            for at, step in list(enumerate(made.steps))[len(self.tree.path(number)) :]:
                self.tree, _ = trees.step(self.tree, number, at, step.id)
        self.number, self.paused, self.said = next(_numbers), True, ""

    def plain(self) -> bool:
        """Whether the settings alone write this tree again."""
        as_set = self.generation.sampling == self.wanted and not self.generation.forced
        return as_set and len(self.tree) == 1 and not self.tree[0].name

    def saved(self) -> str:
        """The tree for a link or a file: nothing where the settings alone write it."""
        if self.plain():
            return ""
        return json.dumps([self.here, trees.packed(self.tree)], separators=(",", ":"))

    def _take(self, at: int, id: int) -> None:
        self.tree, self.here = trees.step(self.tree, self.here, at, id)
        if self.here not in self.made or len(self.made[self.here].steps) <= at + 1:
            self.made[self.here] = self.generation

    def _leave(self) -> None:
        """Give up a place in line; what was written stays, and can be gone on with."""
        if self.generation.place:
            self.generation.close()

    def _full(self) -> bool:
        self.said = FULL if len(self.tree) >= MOST_ROADS else ""
        return bool(self.said)

    def _remember(self) -> None:
        self.undone = [
            *self.undone[1 - MOST_UNDONE :],
            Before(self.tree, self.here, self.generation, dict(self.made)),
        ]


def written(model: "LanguageModel", prompt: str, sampling: "Sampling") -> "Generation":
    """A continuation with nothing written yet."""
    from explorer.analysis.generation import generate

    return generate(model, prompt, sampling, candidates=CANDIDATES)


def begin(asked: tuple[Any, ...], model: "LanguageModel", prompt: str, sampling: "Sampling") -> Run:
    """A new tree, with the first token of its first road."""
    run = Run(asked, next(_numbers), written(model, prompt, sampling), sampling)
    run.grow()
    return run


def reopen(
    asked: tuple[Any, ...], model: "LanguageModel", prompt: str, sampling: "Sampling", kept: str
) -> Run:
    """The tree that a link or a file has, at rest; a new one where it cannot be read."""
    try:
        here, rows = json.loads(kept)
        tree = trees.unpacked(rows, model.tokenizer.size)
        paths = {branch.number: tree.path(branch.number) for branch in tree.branches}
        if here not in paths or len(tree) > MOST_ROADS or max(map(len, paths.values())) > LONGEST:
            raise ValueError("no such road")
    except (ValueError, TypeError, RecursionError):
        return begin(asked, model, prompt, sampling)
    run = Run(asked, next(_numbers), written(model, prompt, sampling), sampling, paused=True, kept=kept)
    for number, path in paths.items():
        run.made[number] = _again(model, prompt, sampling, path)
    run.tree, run.here, run.generation = tree, here, run.made[here]
    if not run.generation.steps:
        run.grow()
    return run


def extend(run: Run) -> None:
    """Make the next few tokens: as many as fit into one turn."""
    started = perf_counter()
    run.answers += 1
    for _ in range(TURN_TOKENS):
        if not run.going or not run.grow() or perf_counter() - started > TURN_SECONDS:
            return


def _again(model: "LanguageModel", prompt: str, sampling: "Sampling", path: tuple[int, ...]) -> "Generation":
    """A road of known tokens, written again."""
    long = replace(sampling, max_new_tokens=max(sampling.max_new_tokens, len(path)))
    made = written(model, prompt, long)
    made.take(path)
    return made
