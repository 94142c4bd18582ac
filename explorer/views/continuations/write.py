"""Write: a continuation that grows token by token, the road from logits to choice, and the tree.

The page's own component draws the tokens it has, then asks for more: the next tokens are made
when the last ones stand on the screen. So nothing runs for a visitor who has gone, and a click on
Stop has nothing to interrupt. The settings act on the step that is shown, from its logits alone;
the tokens that follow are drawn with them.
"""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.continuations.files import road_csv, steps_csv, tree_json
from explorer.views.continuations.pipeline import road
from explorer.views.continuations.presets import WRITE as PRESETS
from explorer.views.continuations.run import LONGEST, RUN, Run, begin, extend, reopen
from explorer.views.continuations.tree import compared, draw_tree
from explorer.views.frame import theme
from explorer.views.frame.blocklist import Blocklist, over
from explorer.views.frame.page import palette
from explorer.views.frame.saving import Export, offer
from explorer.views.frame.settings import Settings
from explorer.views.widgets.registry import component
from explorer.views.widgets.steps import NEWEST, after_click, as_written, chips, prompt, summary
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.generation import Sampling
    from explorer.models import LanguageModel

__all__ = ["PRESETS", "code", "current", "draw", "how", "sampling"]

TOP_K = (1, 2, 3, 5, 10, 20, 50, 100, 0)  # 0: nothing is cut
HOTTEST = 2.0


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The prompt and the controls, and the picture."""
    text_box(
        settings, "text", "Prompt", "Type the beginning of a text",
        on_change=lambda: settings.set(token=NEWEST, tree="", versus=-1),
    )  # fmt: skip
    controls(settings)
    run = current(settings, model)
    with st.container(key="picture"):
        continuation(settings, run)
    offer(
        settings,
        Export("Text", "continuation.txt", lambda: run.generation.text),
        Export("Its tokens", "continuation.csv", lambda: steps_csv(run)),
        Export("The step in view, every token", "step.csv", lambda: road_csv(run)),
        Export("The tree", "tree.json", lambda: tree_json(run)),
    )


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    small = settings["model"] == "gpt"
    return (
        "A logit is the model’s score for a token; its bar is how near it comes to the best. Temperature "
        "divides it, softmax makes chances of them, top-k and top-p cut the list (cut bars stay, hollow), "
        "and a number drawn with the seed falls on a token. The settings act on the shown step; click any "
        "candidate, in the list or on the line, to take it instead. In the tree, wide roads were probable.",
        "A small model trained for an hour: its phrases are fluent, its facts are not."
        if small
        else "A model writes what is probable, not what is true.",
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

    def moved() -> None:
        # By hand: the text that stands stays, and the step that is shown is drawn anew.
        if (run := st.session_state.get(RUN)) is not None:
            run.wanted = sampling(settings)

    columns = st.columns(5, gap="medium")
    columns[0].slider(
        "Temperature", 0.0, HOTTEST, step=0.1, key=settings.key("temperature"), on_change=moved,
        help="Below 1 the probable gets more probable, above 1 the rare gets a chance. "
        "0 is greedy: always the most probable token.",
    )  # fmt: skip
    columns[1].select_slider(
        "Top-k", TOP_K, format_func=lambda k: str(k) if k else "off", key=settings.key("top_k"),
        on_change=moved, help="Only the k most probable tokens stay; the others are cut.",
    )  # fmt: skip
    columns[2].slider(
        "Top-p", 0.05, 1.0, step=0.05, key=settings.key("top_p"), on_change=moved,
        help="Only the fewest tokens that together reach the probability p stay. 1 cuts nothing.",
    )  # fmt: skip
    columns[3].number_input(
        "Seed", 0, 10**9, step=1, key=settings.key("seed"),
        help="Another seed draws other numbers: the text is written again.",
    )  # fmt: skip
    columns[4].slider("Length", 1, LONGEST, key=settings.key("length"), on_change=moved)


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


def current(settings: Settings, model: "LanguageModel") -> Run:
    """This session's run: a new tree for a new prompt, another road for a preset or another seed."""
    asked, wanted = (settings["model"], settings["text"]), sampling(settings)
    run = st.session_state.get(RUN)
    if run is None or run.asked != asked or (settings["tree"] and settings["tree"] != run.kept):
        make = (lambda *known: reopen(*known, settings["tree"])) if settings["tree"] else begin
        run = st.session_state[RUN] = make(asked, model, settings["text"], wanted)
    elif run.wanted != wanted or (run.kept and not settings["tree"]):
        if all(settings[name] == value for name, value in settings.defaults.items()):  # the page was reset
            run = st.session_state[RUN] = begin(asked, model, settings["text"], wanted)
        else:
            run.wanted = wanted
            run.restart()
        run.kept = ""
    return run


@st.fragment
def continuation(settings: Settings, run: Run) -> None:
    """The tokens so far; below them one step's road to its choice (or two roads compared), and the tree."""
    steps = run.generation.steps
    locked = 0 <= settings["token"] < len(steps)
    shown = run.shown = settings["token"] if locked else len(steps) - 1
    cover = over(str(run.generation.model.checkpoint), run.generation.prompt)
    written = as_written(run.generation, cover)
    _stream(settings, run, shown, cover)
    left, right = st.columns([62, 38], gap="medium")
    with left:
        if settings["versus"] in run.tree and settings["versus"] != run.here:
            compared(settings, run, cover)
        else:
            road(settings, run, shown, locked, written, cover)
    with right:
        draw_tree(settings, run, shown, cover)
    if not run.going:
        run.kept = run.saved()
        settings.set(tree=run.kept)
    settings.close()


def _stream(settings: Settings, run: Run, shown: int, cover: Blocklist) -> None:
    key, steps = "continuations.stream", run.generation.steps
    here = {"run": run.number, "count": len(steps), "answers": run.answers}

    def more() -> None:
        if st.session_state[key].more == here:
            extend(run)

    def clicked() -> None:
        if chip := st.session_state[key].click:
            settings.set(token=after_click(settings["token"], chip["first"], chip["last"]), versus=-1)

    def turned() -> None:
        if st.session_state[key].turn == run.verb:  # else it came to its end before the click arrived
            settings.set(token=NEWEST)
            run.turn()

    def stepped() -> None:
        way = st.session_state[key].step
        if way not in ("back", "forward"):
            return
        run.paused = True
        at = shown + (1 if way == "forward" else -1)
        if at >= len(steps) and not run.over:
            run.grow()
        settings.set(token=max(at, 0) if at < len(run.generation.steps) - 1 else NEWEST, versus=-1)

    component("continuations/stream")(
        key=key,
        data={
            **here,
            "going": run.going,
            "prompt": prompt(run.generation),
            "bare": not run.generation.prompt,
            "ramp": [theme.mix(palette().probability, step / 7) for step in range(8)],
            "chips": chips(run.generation, shown, palette(), cover),
            "note": summary(run.generation, run.paused, run.over),
            "button": run.verb,
            "locked": settings["token"],
            "back": shown > 0,
            "forward": shown < len(steps) - 1 or not run.over,
        },
        on_more_change=more,
        on_click_change=clicked,
        on_turn_change=turned,
        on_step_change=stepped,
    )
