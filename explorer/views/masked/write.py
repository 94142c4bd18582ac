"""Write: one frame filled by the same model in three orders, step by step."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.frame.page import picture, show_error
from explorer.views.frame.saving import Export, offer
from explorer.views.frame.settings import Settings
from explorer.views.masked.gibbs_run import RUN, asked, current, extend, speech, steps, texts
from explorer.views.widgets.registry import component, text_box

if TYPE_CHECKING:
    from explorer.models import LanguageModel

TOP_K = (1, 2, 5, 10, 20, 50, 100, 0)  # 0: nothing is cut
STEPS = (50, 100, 200, 500)
MOST_BLANKS, HOTTEST = 40, 2.0
STARTS = ("masks", "noise")
SAYS = {
    "Gibbs sampling": "any word, at random, is hidden and drawn anew",
    "left to right": "each blank once, in reading order",
    "most confident first": "each blank once, the surest one next",
}


def ask(settings: Settings) -> None:
    """The frame: what stays as it is around the blanks."""
    text_box(settings, "frame", "A frame with [MASK] in it", "Every morning the [MASK].")


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The controls in one row, then the three ways."""
    _controls(settings)
    with picture():
        _stage(settings, model)
    run = st.session_state.get(RUN)
    if run is not None and run.asked == asked(settings, model):
        offer(
            settings,
            Export("Steps", "masked-writing.csv", lambda: steps(run)),
            Export("Texts", "masked-writing.txt", lambda: texts(run)),
        )


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "One model, one frame. Gibbs sampling masks a word at random and draws it anew, over and over; the "
        "other two fill each blank once. The number under a word is the step at which it came.",
        "Gibbs sampling after Wang and Cho (2019), who called BERT a Markov random field; Cho withdrew that "
        "the same year: its guesses need not belong to any one distribution of whole sentences. That the "
        "order of insertion matters is the idea of the Insertion Transformer and InDIGO (2019), which are "
        "trained for it; here the length is given, and nothing was.",
    )


def code(settings: Settings, model: "LanguageModel") -> str:
    """The same steps from Python."""
    from explorer.analysis.prediction import gibbs

    return f"""import explorer
from explorer.analysis.prediction import gibbs

model = explorer.load({str(model.checkpoint)!r})
text = {gibbs.widened(settings["frame"], settings["blanks"])!r}
speech = mouth.{speech(settings)!r}
for way in gibbs.Way:
    writing = gibbs.write(model, text, way, speech)
    for step in writing:
        print(way, step.place, step.token, step.probability)
    print(model.tokenizer.decode(writing.ids.tolist()))"""


def _controls(settings: Settings) -> None:
    """Blanks, temperature, top-k, how Gibbs goes about it, seed in one row."""
    held = {
        "blanks": min(max(settings["blanks"], 1), MOST_BLANKS),
        "temperature": min(max(settings["temperature"], 0.0), HOTTEST),
        "top_k": min(TOP_K, key=lambda k: (abs(k - settings["top_k"]), k)) if settings["top_k"] > 0 else 0,
        "steps": min(STEPS, key=lambda steps: abs(steps - settings["steps"])),
        "start": settings["start"] if settings["start"] in STARTS else "masks",
        "seed": min(max(settings["seed"], 0), 10**9),
    }
    settings.set(**{name: value for name, value in held.items() if value != settings[name]})
    columns = st.columns([20, 20, 20, 24, 16], gap="medium", vertical_alignment="bottom")
    columns[0].slider(
        "Blanks", 1, MOST_BLANKS, key=settings.key("blanks"),
        help="The frame’s only [MASK] becomes as many blanks; several stay as they are.",
    )  # fmt: skip
    columns[1].slider(
        "Temperature", 0.0, HOTTEST, step=0.1, key=settings.key("temperature"),
        help="0 takes the most probable word at every step, and the seed decides only where Gibbs goes.",
    )  # fmt: skip
    columns[2].select_slider(
        "Top-k", TOP_K, format_func=lambda k: str(k) if k else "off", key=settings.key("top_k"),
        help="Only the k most probable words stay; Gibbs sampling cuts in its second half only.",
    )  # fmt: skip
    with columns[3].popover(f"Gibbs: {settings['steps']} steps, {settings['start']} first", width="stretch"):
        st.segmented_control("Steps", STEPS, key=settings.key("steps"), required=True)
        st.segmented_control("It begins with", STARTS, key=settings.key("start"), required=True)
        st.html(
            '<p class="rb-point">The first half of the steps (burn-in) draws from all words, the second from '
            "the top k. Wang and Cho 2019: 500 steps, 40 blanks, temperature 1, top-k 100.</p>"
        )
    columns[4].number_input("Seed", 0, 10**9, step=1, key=settings.key("seed"))


@st.fragment
def _stage(settings: Settings, model: "LanguageModel") -> None:
    try:
        run = current(settings, model)
    except ExplorerError as error:  # here, since what is raised in a turn does not reach the page
        show_error(error)
        return
    key = "masked/mouth"

    def more() -> None:
        if st.session_state[key].more == {"run": run.number, "made": run.made}:
            extend(run)

    component("masked/gibbs")(
        key=key,
        data={
            "run": run.number,
            "made": run.made,
            "steps": run.total,
            "ways": [
                {
                    "name": lane.writing.way[0].upper() + lane.writing.way[1:],
                    "says": SAYS[lane.writing.way],
                    "frame": run.frame,
                    "start": lane.start,
                    "steps": lane.rows,
                    "total": lane.writing.total,
                }
                for lane in run.lanes
            ],
        },
        on_more_change=more,
    )
