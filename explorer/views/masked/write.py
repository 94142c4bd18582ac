"""Write: the blanks of one frame, filled by the same model in three orders, step by step."""

import streamlit as st

from explorer.locale import N_, _, translate
from explorer.views import kit
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import BLANKS, FRAME, SEED, START, STEPS, TEMPERATURE, TOP_K
from explorer.views.masked.three_orders import ThreeOrders, current, options, steps, texts
from explorer.views.types import Model

TOP_K_CHOICES = {k: str(k) for k in (1, 2, 5, 10, 20, 50, 100)} | {0: N_("off")}
STEP_CHOICES = (50, 100, 200, 500)
MOST_BLANKS, HOTTEST = 40, 2.0
STARTS = {"masks": N_("masks"), "noise": N_("noise")}
SAYS = {
    "Gibbs sampling": N_("a word chosen at random is masked and drawn again"),
    "left to right": N_("each blank once, in reading order"),
    "most confident first": N_("each blank once, always the most confident one next"),
}
NAMES = {
    "Gibbs sampling": N_("Gibbs sampling"),
    "left to right": N_("Left to right"),
    "most confident first": N_("Most confident first"),
}
FOR_A_CLASS = {
    "Gibbs sampling": N_("At random"),
    "left to right": N_("From the left"),
    "most confident first": N_("The surest first"),
}


def draw(page: kit.OpenPage[PageText]) -> kit.Saves:
    """Draw the three orders. Raises TextError for a frame that has no [MASK] or is too long."""
    run = current(page.settings, page.model)
    _stage(page.settings, run)
    return [
        kit.Picture("picture", "masked-writing"),
        kit.Export(N_("Steps"), "masked-writing.csv", lambda: steps(run)),
        kit.Export(N_("Texts"), "masked-writing.txt", lambda: texts(run)),
    ]


def in_three_orders(
    model: "Model",
    frame: str,
    blanks: int,
    temperature: float,
    top_k: int | None,
    burn_in: int,
    steps: int,
    noise: bool,
    seed: int,
) -> dict[str, tuple[str, list[tuple[int, str, float]]]]:
    """A frame filled in three orders: for each its text, and its steps as (blank, token, probability)."""
    from explorer.analysis.prediction import gibbs

    text = gibbs.with_blanks(frame, blanks)
    options = gibbs.SamplingOptions(temperature, top_k, burn_in, steps, noise, seed)
    texts = {}
    for order in gibbs.Order:
        writing = gibbs.write(model, text, order, options)
        drawn_words = [(step.place, step.token, step.probability) for step in writing]
        texts[str(order)] = model.tokenizer.decode(writing.ids.tolist()), drawn_words
    return texts


def controls(page: kit.OpenPage[PageText]) -> None:
    """Draw one row: blanks, temperature, top-k, the start and the number of Gibbs steps, the seed."""
    settings = page.settings
    settings.nearest(STEPS, STEP_CHOICES)
    settings.restrict(START, STARTS)
    columns = st.columns([19, 19, 19, 29, 14], gap="medium", vertical_alignment="bottom")
    with columns[0]:
        blanks_help = _(
            "A frame with one [MASK] gets this many blanks in its place; a frame with several is kept."
        )
        kit.slider(settings, BLANKS, _("Blanks"), 1, MOST_BLANKS, help=blanks_help)
    with columns[1]:
        kit.slider(
            settings,
            TEMPERATURE,
            _("Temperature"),
            0.0,
            HOTTEST,
            step=0.1,
            help=_(
                "At 0 the most probable word is always taken; "
                "the seed then decides only which words Gibbs sampling draws again."
            ),
        )
    with columns[2]:
        kit.stepped_slider(
            settings,
            TOP_K,
            _("Top-k"),
            translate(TOP_K_CHOICES),
            help=_(
                "Words are drawn from the k most probable ones only; "
                "in Gibbs sampling this holds for the second half of the steps."
            ),
        )
    start = _(STARTS[settings[START]])
    label = _("Gibbs: {steps} steps from {start}", steps=settings[STEPS], start=start)
    with columns[3].popover(label, width="stretch"):
        kit.segments(settings, STEPS, _("Steps"), STEP_CHOICES, label_visibility="visible")
        kit.segments(settings, START, _("Start from"), translate(STARTS), label_visibility="visible")
        text = _(
            "In the first half of the steps (burn-in) words are drawn from all words, "
            "in the second half from the top k. Wang and Cho 2019: 500 steps, 40 blanks, temperature 1, "
            "top-k 100."
        )
        st.html(f'<p class="rb-point">{text}</p>')
    with columns[4]:
        kit.seed_box(settings, SEED)


@st.fragment
def _stage(settings: kit.Settings, run: ThreeOrders) -> None:
    """Draw the component. When it asks for more steps, only this part of the page is drawn again.

    A class is shown whole texts: on a stage all steps are taken first.
    """
    key = "masked/write"
    if kit.for_class():
        run.extend(float("inf"))

    def more() -> None:
        if kit.component_value(key, "more", run.asked):
            run.extend()

    names = FOR_A_CLASS if kit.for_class() else NAMES
    data = {
        **run.asked,
        "steps": run.longest,
        "orders": [
            {
                "name": _(names[progress.writing.order]),
                "says": _(SAYS[progress.writing.order]),
                "frame": run.frame,
                "start": progress.start,
                "steps": progress.rows,
                "total": progress.writing.total,
            }
            for progress in run.orders
        ],
    }
    kit.component("masked/gibbs")(
        key=key,
        data=data,
        offline=lambda: data | {"steps": max(len(progress.rows) for progress in run.orders)},
        on_more_change=more,
    )
    if all(len(progress.rows) == progress.writing.total for progress in run.orders):
        kit.data_table.follow(settings, run.number)


VIEW = kit.View(
    text=kit.view_text("masked", "write"),
    settings=(FRAME, BLANKS, TEMPERATURE, TOP_K, STEPS, START, SEED),
    needs=("FILL",),
    boxes=lambda settings: kit.text_box(
        settings, FRAME, _("A frame with [MASK] in it"), "Every morning the [MASK].", blanks=True
    ),
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(
        in_three_orders,
        model=kit.Load(str(page.model.checkpoint)),
        frame=page.settings[FRAME],
        blanks=page.settings[BLANKS],
        **vars(options(page.settings)),
    ),
    stage=kit.Stage(desk=".bar, .says, .guesses", text=FRAME),
)
