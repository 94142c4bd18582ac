"""One session's continuations of a prompt: the one on the screen, and the tree of all branches.

Nothing runs by itself: `written` takes the steps while a browser reads them, or `extend` where the page asks
for more. The page and the stream are two threads: what changes the text, or draws it, does so within `lock`.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from itertools import count
from time import perf_counter
from typing import Any, Concatenate, ParamSpec, TypeVar

from explorer.analysis.generation import tree as trees
from explorer.analysis.generation.tree import Tree
from explorer.locale import N_, _
from explorer.server import turns
from explorer.server.session import Session
from explorer.server.stream import Stream
from explorer.views.types import Generation, LanguageModel, Sampling

WAIT_SECONDS = 0.25  # for the model to be free, each time the page or the stream asks
PORTION_SECONDS = 0.25  # of tokens that one answer of the page brings
MOST_BRANCHES, MOST_UNDOS = 24, 30
LONGEST = 200  # tokens of a continuation
CANDIDATES = 8
NAME_LENGTH = 40  # characters
RUN = Session["Continuations | None"]("continuations/run", None)
STREAM = Session[Stream | None]("continuations/stream", None)
FULL = N_("The tree holds {count} branches: prune one to add another.")
_numbers = count()
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def alone(
    method: "Callable[Concatenate[Continuations, Arguments], Result]",
) -> "Callable[Concatenate[Continuations, Arguments], Result]":
    """A method during which no other thread changes the text."""

    @wraps(method)
    def run_alone(self: "Continuations", *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        with self.lock:
            return method(self, *args, **kwargs)

    return run_alone  # type: ignore[return-value]  # of a method


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A state that `undo` restores."""

    tree: Tree
    here: int
    generation: "Generation"
    generations: "dict[int, Generation]"


@dataclass(eq=False)
class Continuations:
    """The continuation on the screen, and its place in the tree.

    `request` is the model's name and the prompt; `sampling` are the present settings, with which the next
    token is drawn. `here` is the number of the branch on the screen, and `generations` has the
    continuation of each branch. `link` is the tree as the link has it; `shown_step` is the number of the
    step that is shown. `number` changes whenever another continuation comes onto the screen, `answers`
    with each answer to the page. `message` is shown below the tree. `pressed` says that a button was pressed
    since the page was last told which step to show.
    """

    request: tuple[Any, ...]
    number: int
    generation: "Generation"
    sampling: "Sampling"
    paused: bool = False
    tree: Tree = field(default_factory=Tree)
    here: int = 0
    generations: "dict[int, Generation]" = field(default_factory=dict)
    history: list[Snapshot] = field(default_factory=list)
    link: str = ""
    message: str = ""
    answers: int = 0
    shown_step: int = 0
    pressed: bool = False
    lock: turns.FairLock = field(default_factory=turns.FairLock)

    @property
    def finished(self) -> bool:
        """Whether no more tokens can come with the present settings."""
        from explorer.analysis.generation.steps import Ending

        final = self.generation.ending in (Ending.END_OF_TEXT, Ending.CONTEXT)
        return final or len(self.generation.steps) >= self.sampling.max_new_tokens

    @property
    def going(self) -> bool:
        """Whether more tokens come without another click."""
        return not self.paused and not self.finished

    @property
    def button(self) -> str:
        """The button's label, in English."""
        if self.finished:
            return N_("Start again")
        return N_("Continue") if self.paused else N_("Stop")

    def press(self) -> None:
        """Stop, continue, or start again, as the button says."""
        if self.finished:
            self.restart()
        else:
            self.paused = not self.paused

    @alone
    def restart(self) -> None:
        """Write again from the prompt with the present settings; a text that differs is another branch."""
        if self._full():
            return
        self._remember()
        self._leave()
        self.generation = new_generation(self.generation.model, self.generation.prompt, self.sampling)
        self.number, self.here, self.paused = next(_numbers), 0, False
        self.grow()

    @alone
    def grow(self, wait: float = WAIT_SECONDS) -> bool:
        """Generate one token, if it comes within `wait` seconds; returns whether there is a new one."""
        generation = self.generation
        if generation.steps and (generation.sampling != self.sampling or generation.ending is not None):
            self.generation = generation.branch(
                len(generation.steps) - 1, generation.steps[-1].id, self.sampling
            )
        step = self.generation.step(wait=wait)
        if step is not None:
            self._take(len(self.generation.steps) - 1, step.id)
        return step is not None

    @alone
    def pick(self, at: int, id: int) -> bool:
        """Take another token at a step: go to the branch that has it, or add a branch and continue there.

        Returns whether the branch on the screen has changed.
        """
        if not 0 <= at < len(self.generation.steps) or id == self.generation.steps[at].id:
            return False
        tree, number = trees.step(self.tree, self.here, at, id)
        if number in self.generations:
            self.walk(number)
            return True
        if self._full():
            return False
        self._remember()
        self._leave()
        options = replace(self.sampling, max_new_tokens=max(self.sampling.max_new_tokens, at + 1))
        self.generation = self.generation.branch(at, id, options)
        self.tree, self.here = tree, number
        self.generations[number] = self.generation
        self.number, self.paused, self.message = next(_numbers), False, ""
        return True

    @alone
    def walk(self, number: int) -> None:
        """Go to another branch."""
        if number in self.tree and number in self.generations:
            self._leave()
            self.here, self.generation, self.message = number, self.generations[number], ""
            self.number, self.paused = next(_numbers), True

    @alone
    def prune(self, number: int) -> None:
        """Remove a branch and all that fork off from it; if it was on the screen, go to its parent."""
        if number == 0 or number not in self.tree:
            return
        self._remember()
        parent = self.tree[number].parent or 0
        self.tree = trees.prune(self.tree, number)
        self.generations = {n: generation for n, generation in self.generations.items() if n in self.tree}
        if self.here not in self.tree:
            self.walk(parent)
        self.message = ""

    @alone
    def name(self, number: int, name: str) -> None:
        """Name a branch; with an empty name it is called by its first word."""
        if number in self.tree and name != self.tree[number].name:
            self._remember()
            self.tree = trees.rename(self.tree, number, name.strip()[:NAME_LENGTH])

    @alone
    def undo(self) -> None:
        """Undo the last fork, restart, pruning or renaming; tokens that have come since then stay."""
        if not self.history:
            return
        snapshot = self.history.pop()
        self.tree, self.here = snapshot.tree, snapshot.here
        self.generation, self.generations = snapshot.generation, snapshot.generations
        for number, generation in self.generations.items():
            for at, step in list(enumerate(generation.steps))[len(self.tree.path(number)) :]:
                self.tree, _ = trees.step(self.tree, number, at, step.id)
        self.number, self.paused, self.message = next(_numbers), True, ""

    def reproducible(self) -> bool:
        """Whether the settings alone reproduce this tree."""
        as_set = self.generation.sampling == self.sampling and not self.generation.forced
        return as_set and len(self.tree) == 1 and not self.tree[0].name

    @alone
    def packed(self) -> str:
        """The tree for a link or a file; empty if the settings alone reproduce it."""
        if self.reproducible():
            return ""
        return json.dumps([self.here, trees.to_rows(self.tree)], separators=(",", ":"))

    def _take(self, at: int, id: int) -> None:
        self.tree, self.here = trees.step(self.tree, self.here, at, id)
        if self.here not in self.generations or len(self.generations[self.here].steps) <= at + 1:
            self.generations[self.here] = self.generation

    def _leave(self) -> None:
        """Release the model; the text stays and can be continued."""
        if self.generation.place:
            self.generation.close()
        else:
            self.generation.rest()  # a model on a server would go on writing ahead

    def _full(self) -> bool:
        """Whether the tree takes no more branches; the message then says so."""
        self.message = _(FULL, count=MOST_BRANCHES) if len(self.tree) >= MOST_BRANCHES else ""
        return bool(self.message)

    def _remember(self) -> None:
        snapshot = Snapshot(self.tree, self.here, self.generation, dict(self.generations))
        self.history = [*self.history[1 - MOST_UNDOS :], snapshot]


def new_generation(model: "LanguageModel", prompt: str, sampling: "Sampling") -> "Generation":
    """A continuation without a token yet."""
    from explorer.analysis.generation.steps import generate

    return generate(model, prompt, sampling, candidates=CANDIDATES)


def begin(
    request: tuple[Any, ...], model: "LanguageModel", prompt: str, sampling: "Sampling"
) -> Continuations:
    """A new tree, with the first token of its first branch."""
    run = Continuations(request, next(_numbers), new_generation(model, prompt, sampling), sampling)
    run.grow()
    return run


def reopen(
    request: tuple[Any, ...], model: "LanguageModel", prompt: str, sampling: "Sampling", link: str
) -> Continuations:
    """The tree of a link or a file, paused; a new tree if it cannot be read."""
    try:
        here, rows = json.loads(link)
        tree = trees.from_rows(rows, model.tokenizer.size)
        paths = {branch.number: tree.path(branch.number) for branch in tree.branches}
        if here not in paths or len(tree) > MOST_BRANCHES or max(map(len, paths.values())) > LONGEST:
            raise ValueError("no such branch")
    except (ValueError, TypeError, RecursionError):
        return begin(request, model, prompt, sampling)
    empty = new_generation(model, prompt, sampling)
    run = Continuations(request, next(_numbers), empty, sampling, paused=True, link=link)
    for number, path in paths.items():
        run.generations[number] = _rewritten(model, prompt, sampling, path)
    run.tree, run.here, run.generation = tree, here, run.generations[here]
    if not run.generation.steps:
        run.grow()
    return run


def extend(run: Continuations) -> None:
    """Generate the next few tokens, for a page whose stream does not arrive."""
    started = perf_counter()
    run.answers += 1
    while run.going and run.grow() and perf_counter() - started < PORTION_SECONDS:
        pass


def _rewritten(
    model: "LanguageModel", prompt: str, sampling: "Sampling", path: tuple[int, ...]
) -> "Generation":
    """The continuation of a branch whose tokens are known."""
    options = replace(sampling, max_new_tokens=max(sampling.max_new_tokens, len(path)))
    generation = new_generation(model, prompt, options)
    generation.take(path)
    return generation
