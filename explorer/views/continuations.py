"""A continuation that grows on the page, token by token, and the candidates of each step.

The page's own component draws the tokens it has, then asks for more: the next tokens are made
when the last ones stand on the screen. So nothing runs for a visitor who has gone, a click on
Stop has nothing to interrupt, and the generation waits in the session with its key/value cache.
"""

from dataclasses import dataclass
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.bars import bars
from explorer.views.components import component
from explorer.views.frame import palette
from explorer.views.settings import Settings
from explorer.views.steps import CANDIDATES, NEWEST, after_click, chips, covered, prompt, rows, summary, words
from explorer.views.veil import Veil, over

if TYPE_CHECKING:
    from explorer.analysis.generation import Generation, Sampling
    from explorer.models import LanguageModel

TURN_TOKENS, TURN_SECONDS = 3, 0.08  # how much is made each time the page asks
TOP_K = (1, 2, 3, 5, 10, 20, 50, 100, 0)  # 0: nothing is cut
HOTTEST, LONGEST = 2.0, 200
RUN = "continuations/run"
_numbers = count()


@dataclass(eq=False)
class Run:
    """One continuation in one session: what was asked for, and what there is so far."""

    asked: tuple[Any, ...]
    number: int
    generation: "Generation"
    paused: bool = False

    @property
    def verb(self) -> str:
        """What its button does now."""
        if self.generation.ending is not None:
            return "Start again"
        return "Continue" if self.paused else "Stop"

    def restart(self) -> None:
        """From the prompt again, with the same seed and therefore the same text."""
        from explorer.analysis.generation import generate

        old = self.generation
        self.generation = generate(old.model, old.prompt, old.sampling, old.candidates)
        self.number = next(_numbers)
        next(self.generation)

    @property
    def going(self) -> bool:
        """Whether more tokens are to come without another click."""
        return not self.paused and self.generation.ending is None


def controls(settings: Settings) -> None:
    """Temperature, top-k, top-p, seed and length in one row."""
    held = {
        "temperature": min(max(settings["temperature"], 0.0), HOTTEST),
        "top_k": min(TOP_K, key=lambda k: (abs(k - settings["top_k"]), k)) if settings["top_k"] > 0 else 0,
        "top_p": min(max(settings["top_p"], 0.05), 1.0),
        "seed": min(max(settings["seed"], 0), 10**9),
        "length": min(max(settings["length"], 1), LONGEST),
    }
    settings.set(**{name: value for name, value in held.items() if value != settings[name]})
    columns = st.columns(5, gap="medium")
    columns[0].slider(
        "Temperature", 0.0, HOTTEST, step=0.1, key=settings.key("temperature"),
        help="Below 1 the probable gets more probable, above 1 the rare gets a chance. "
        "0 is greedy: always the most probable token.",
    )  # fmt: skip
    columns[1].select_slider(
        "Top-k", TOP_K, format_func=lambda k: str(k) if k else "off", key=settings.key("top_k"),
        help="Only the k most probable tokens stay; the others are cut.",
    )  # fmt: skip
    columns[2].slider(
        "Top-p", 0.05, 1.0, step=0.05, key=settings.key("top_p"),
        help="Only the fewest tokens that together reach the probability p stay. 1 cuts nothing.",
    )  # fmt: skip
    columns[3].number_input("Seed", 0, 10**9, step=1, key=settings.key("seed"))
    columns[4].slider("Length", 1, LONGEST, key=settings.key("length"))


def sampling(settings: Settings) -> "Sampling":
    """The settings as the analysis knows them."""
    from explorer.analysis.generation import Sampling

    return Sampling(
        temperature=settings["temperature"],
        top_k=settings["top_k"] or None,
        top_p=settings["top_p"] if settings["top_p"] < 1 else None,
        seed=settings["seed"],
        max_new_tokens=settings["length"],
    )


def code(settings: Settings) -> str:
    """The same continuation in Python."""
    return f"""\
import explorer
from explorer.analysis.generation import Sampling, generate

model = explorer.load({settings["model"]!r})
sampling = {sampling(settings)!r}
for step in generate(model, {settings["text"]!r}, sampling):
    print(f"{{step.token!r:16}} probability {{step.probability:.3f}}, rank {{step.rank}}")
"""


def current(settings: Settings, model: "LanguageModel") -> Run:
    """This session's continuation; a new one, with its first token, where anything was changed."""
    from explorer.analysis.generation import generate

    names = ("model", "text", "temperature", "top_k", "top_p", "seed", "length")
    asked = tuple(settings[name] for name in names)
    run = st.session_state.get(RUN)
    if run is None or run.asked != asked:
        generation = generate(model, settings["text"], sampling(settings), candidates=CANDIDATES)
        run = st.session_state[RUN] = Run(asked, next(_numbers), generation)
        next(generation)
    return run


def extend(run: Run) -> None:
    """Make the next few tokens: as many as fit into one turn, and one at least."""
    started = perf_counter()
    for _ in range(TURN_TOKENS):
        if not run.going or next(run.generation, None) is None:
            return
        if perf_counter() - started > TURN_SECONDS:
            return


@st.fragment
def continuation(settings: Settings, run: Run) -> None:
    """The tokens so far, and the candidates of one step: the newest, or the one that was clicked."""
    steps = run.generation.steps
    locked = 0 <= settings["token"] < len(steps)
    shown = settings["token"] if locked else len(steps) - 1
    cover = over(str(run.generation.model.checkpoint), run.generation.prompt)
    unseen = covered(run.generation, shown, cover)
    _stream(settings, run, shown, cover)
    left, right = st.columns([7, 4], gap="large")
    with left:
        bars(
            rows(steps[shown], unseen), "continuations.bars", "Candidates of this step",
            visible=CANDIDATES, headings=("probability", "chance"),
        )  # fmt: skip
    right.html(words(run.generation, shown, locked, unseen))
    settings.close()


def _stream(settings: Settings, run: Run, shown: int, cover: Veil) -> None:
    key = "continuations.stream"

    def more() -> None:
        if st.session_state[key].more == {"run": run.number, "count": len(run.generation.steps)}:
            extend(run)

    def clicked() -> None:
        if chip := st.session_state[key].click:
            settings.set(token=after_click(settings["token"], chip["first"], chip["last"]))

    def turned() -> None:
        if st.session_state[key].turn != run.verb:
            return  # it came to its end before the click arrived
        if run.generation.ending is None:
            run.paused = not run.paused
        else:
            settings.set(token=NEWEST)
            run.restart()

    component("stream")(
        key=key,
        data={
            "run": run.number,
            "count": len(run.generation.steps),
            "going": run.going,
            "prompt": prompt(run.generation),
            "bare": not run.generation.prompt,
            "chips": chips(run.generation, shown, palette(), cover),
            "note": summary(run.generation, run.paused),
            "button": run.verb,
        },
        on_more_change=more,
        on_click_change=clicked,
        on_turn_change=turned,
    )
