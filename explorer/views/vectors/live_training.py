"""word2vec trained while one looks on: the text under its reading head, the loss, a map that sorts itself.

The page's own component draws what there is, then asks for more, as a continuation does: nothing
runs for a visitor who has gone, Stop has nothing to interrupt, and the training waits in the session.
"""

from math import log
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.frame.page import show_error
from explorer.views.frame.settings import Settings
from explorer.views.vectors import plane as charts
from explorer.views.vectors.live_run import Run, choices, current, extend, restart
from explorer.views.vectors.presets import DEFAULTS
from explorer.views.vectors.word_map import coloured, nearest
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.projection.methods import Projection

FEWEST_COLOURED = 8  # words of the typed groups that must be in the text for the map to show these alone
MOST_SHOWN = 60  # words on the map where it shows the most frequent ones
SMOOTH = 30  # steps whose mean is one point of the curve
HEIGHT_PX = 356
AROUND = 12  # words on either side of the reading head
METHODS = {"skip-gram": "Skip-gram", "cbow": "CBOW"}


def draw(settings: Settings, name: str) -> None:
    """Choices in a row, then the text being read, the loss and the map."""
    _controls(settings)
    _stage(settings)


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    task = "each lit word is guessed from the one in the middle"
    if settings["method"] == "cbow":
        task = "the word in the middle is guessed from the lit ones"
    return (
        f"{METHODS.get(settings['method'], METHODS['skip-gram'])}: {task}, against words drawn at random; "
        "words that keep the same company are pushed the same way. Dashed: the loss of pure guessing.",
        "Colours are the groups typed on the Map; the training never sees them. So small a text teaches no "
        "more than its own sentences.",
    )


def code(settings: Settings) -> str:
    """The same training from Python."""
    ours = settings["text"].strip() == DEFAULTS["text"]
    text = 'Path("assets/texts/kingdom.txt").read_text().strip()' if ours else repr(settings["text"].strip())
    return f"""{"from pathlib import Path" if ours else ""}

from explorer.analysis import vectors
from explorer.analysis.vectors import train

training = train.train({text}, {choices(settings)!r})
for progress in training:
    if progress.step % 100 == 0:
        print(progress.step, progress.loss)
for n in vectors.nearest(training.vectors, training.words[0]):
    print(n.word, n.cosine)""".strip().replace("Settings(", "live.Settings(", 1)


def curve(losses: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """The loss, averaged over a few steps each: (the last of them, nats)."""
    parts = [losses[i : i + SMOOTH] for i in range(0, len(losses), SMOOTH)]
    if len(parts) > 1 and len(parts[-1]) < SMOOTH:  # the newest point is a mean of as many as the others
        parts[-1] = losses[-SMOOTH:]
    return [(part[-1][0], round(sum(loss for _, loss in part) / len(part), 4)) for part in parts]


def reading_head(run: Run) -> dict[str, Any]:
    """The running text around the centre word of the last step, with its context lit."""
    training, step = run.training, run.progress
    spans, text = training.spans, training.text
    at = step.centre if step and step.centre is not None else min(AROUND, len(spans) - 1)
    lit = set(step.context) if step else set()

    def word(i: int) -> dict[str, Any]:
        return {"text": text[slice(*spans[i])], "lit": i in lit}

    return {
        "label": "The text, where it is being read",
        "before": [word(i) for i in range(max(at - AROUND, 0), at)],
        "centre": text[slice(*spans[at])],
        "after": [word(i) for i in range(at + 1, min(at + AROUND + 1, len(spans)))],
    }


def shown(run: Run, groups: str) -> tuple[list[str], list[int], list[str]]:
    """The words on the map with their groups: the typed ones, or else the most frequent of the text."""
    words, member, names, _ = coloured(run.now, groups)
    if len(words) >= FEWEST_COLOURED:
        return words, member, names
    frequent = list(run.now.words[:MOST_SHOWN])
    group = dict(zip(words, member))
    return frequent, [group.get(word, -1) for word in frequent], names


def place(run: Run, words: list[str]) -> "Projection":
    """The words on PCA's plane, turned to lie on the plane of the turn before, so that dots glide."""
    from explorer.analysis import projection

    plane = projection.project(run.now.unit(words), "pca")
    if run.plane is not None:
        plane = projection.align(run.plane, plane)
    run.plane = plane
    reach = plane.coordinates.abs().amax(0).tolist()
    run.reach = (max(run.reach[0], reach[0]), max(run.reach[1], reach[1]))
    return plane


def _controls(settings: Settings) -> None:
    """Method, window, dimensions, negatives, seed in one row."""
    held = {"window": (1, 10), "dimensions": (2, 100), "negatives": (1, 20), "seed": (0, 10**9)}
    for name, (least, most) in held.items():
        if settings[name] != (value := min(max(settings[name], least), most)):
            settings.set(**{name: value})
    if settings["method"] not in METHODS:
        settings.set(method="skip-gram")
    columns = st.columns([26, 19, 19, 19, 17], gap="medium", vertical_alignment="bottom")
    columns[0].segmented_control(
        "Method", list(METHODS), key=settings.key("method"), format_func=METHODS.get, required=True,
        help="Skip-gram guesses the context from the word, CBOW the word from its context.",
    )  # fmt: skip
    columns[1].slider("Window", 1, 10, key=settings.key("window"), help="Words to either side, at most")
    columns[2].slider("Dimensions", 2, 100, key=settings.key("dimensions"), help="Numbers in a vector")
    columns[3].slider(
        "Negatives", 1, 20, key=settings.key("negatives"), help="Wrong answers drawn for each right one"
    )
    columns[4].number_input("Seed", 0, 10**9, step=1, key=settings.key("seed"))


@st.fragment
def _stage(settings: Settings) -> None:
    left, right = st.columns([34, 66], gap="medium")
    with left.container(gap="xsmall"):
        trainer = st.container()
        text_box(settings, "text", "The text to learn from", "Paste a text of some hundred words", lines=8)
        _ours(settings)
    try:
        run = current(settings)
    except ExplorerError as error:  # here, since what is raised in a turn does not reach the page
        with right:
            show_error(error)
        return
    with right.container(gap="xsmall"):
        component("vectors/running_text")(key="vectors/reading", data=reading_head(run))
        _map(settings, run)
    with trainer:
        _trainer(run)
    settings.close()


def _ours(settings: Settings) -> None:
    if settings["text"].strip() != DEFAULTS["text"]:
        st.button("Take our text", key="vectors/ours", on_click=lambda: settings.set(text=DEFAULTS["text"]))


def _trainer(run: Run) -> None:
    key = "vectors/trainer"

    def more() -> None:
        if st.session_state[key].more == {"run": run.number, "at": run.at}:
            extend(run)

    def turned() -> None:
        if st.session_state[key].turn != run.verb:
            return  # it came to its end before the click arrived
        if run.at and run.at == run.training.steps:
            restart(run)
        else:
            run.going = not run.going

    training = run.training
    epoch = run.progress.epoch if run.progress else 0
    component("vectors/trainer")(
        key=key,
        data={
            "run": run.number,
            "at": run.at,
            "steps": training.steps,
            "going": run.going,
            "button": run.verb,
            "note": f"{len(training.spans):,} words, {len(training.words):,} different · "
            f"epoch {epoch} of {training.settings.epochs}",
            "losses": curve(run.losses),
            "start": (1 + training.settings.negatives) * log(2),
        },
        on_more_change=more,
        on_turn_change=turned,
    )


def _map(settings: Settings, run: Run) -> None:
    key = "vectors/growing"

    def lock() -> None:
        if (chosen := st.session_state[key].lock) is not None:
            settings.set(locked=chosen)

    words, member, names = shown(run, settings["words"])
    plane = place(run, words)
    lit = set()
    if run.progress and run.progress.centre is not None:
        ids = run.training.ids[[run.progress.centre, *run.progress.context]].tolist()
        lit = {run.training.words[i] for i in ids if i >= 0}
    dots = [
        {
            "id": word,
            "text": word,
            "mark": group,
            "tip": f"nearest: {', '.join(f'{w} {c:.2f}' for w, c in near)}".replace("-", "−"),
            "size": 0.8 if group >= 0 else 0.6,
        }
        for word, group, near in zip(words, member, nearest(run.now, words))
    ]
    near = []
    if settings["locked"] in words:
        near = [w for w, _ in nearest(run.now, [settings["locked"]], 5)[0]]
    component("vectors/word_map")(
        key=key,
        data=charts.plain(dots, plane.coordinates, HEIGHT_PX)
        | {
            "label": f"Map of {len(words)} words while they are learned",
            "reach": run.reach,
            "marks": charts.marks(names),
            "legend": charts.legend(names, member),
            "lit": [word for word in words if word in lit],
            "locked": settings["locked"],
            "near": near,
        },
        on_lock_change=lock,
    )
    kept = sum(plane.explained or (0,))
    st.html(
        f'<p class="rb-point">PCA, turned to follow the step before; it keeps {kept:.0%} of the variance.</p>'
    )
