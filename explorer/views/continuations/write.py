"""Write: a continuation that grows token by token, one step's sampling pipeline, and the tree of branches.

The component follows the text past the page (`server.stream`), and asks for the page once it has stopped.
The settings act at once on the step that is shown, from its logits; the tokens that follow are drawn with
them.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from explorer.locale import N_, _, translate
from explorer.server import stream, turns
from explorer.text.letters import joined
from explorer.views import kit
from explorer.views.continuations.examples import continuation
from explorer.views.continuations.files import pipeline_csv, steps_csv, tree_json
from explorer.views.continuations.pipeline import draw_pipeline, listed, pipeline_of
from explorer.views.continuations.prompt_box import prompt_box
from explorer.views.continuations.session import (
    LONGEST,
    RUN,
    STREAM,
    Continuations,
    begin,
    extend,
    reopen,
)
from explorer.views.continuations.settings import (
    LENGTH,
    MODEL,
    SEED,
    TEMPERATURE,
    TEXT,
    TOKEN,
    TOP_K,
    TOP_P,
    TREE,
    VERSUS,
)
from explorer.views.continuations.steps import NEWEST, after_click, as_written, prompt
from explorer.views.continuations.tree import draw_comparison, draw_tree
from explorer.views.continuations.written import Written
from explorer.views.frame.polls import asking
from explorer.views.frame.trained import training_time
from explorer.views.look.blocklist import over
from explorer.views.types import LanguageModel, Sampling

RESETS = [TOKEN.to(NEWEST), TREE.to(""), VERSUS.to(-1)]  # settings that refer to the text that was written
TOP_K_CHOICES = {k: str(k) for k in (1, 2, 3, 5, 10, 20, 50, 100)} | {0: N_("off")}
HOTTEST = 2.0

VIEW_TEXT = kit.view_text("continuations", "write")


def controls(page: kit.OpenPage[None]) -> None:
    """Draw the text box, beside it the temperature, and the other settings of sampling behind a button."""
    settings = page.settings

    def moved() -> None:
        # Moved by hand: the text stays, and the step that is shown is drawn again.
        if (run := RUN.get()) is not None:
            run.sampling = sampling(settings)

    with st.container(key="write-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        prompt_box(page, TEXT, RESETS)
        kit.slider(
            settings,
            TEMPERATURE,
            _("Temperature"),
            0.0,
            HOTTEST,
            step=0.1,
            on_change=moved,
            help=_(
                "Below 1, probable tokens become more probable. Above 1, rare tokens get a chance. "
                "0 is greedy: it always takes the most probable token."
            ),
            format=_("temperature %.1f"),
            label_visibility="collapsed",
            width=210,
        )
        with st.popover(_("Settings")):
            _more_settings(settings, moved)


def _more_settings(settings: kit.Settings, moved: Callable[[], None]) -> None:
    """What cuts the list, the seed and the length."""
    settings.send_again(TOP_K, TOP_P, SEED, LENGTH)
    kit.stepped_slider(
        settings,
        TOP_K,
        _("Top-k"),
        translate(TOP_K_CHOICES),
        on_change=moved,
        help=_("Only the k most probable tokens stay. The others are cut."),
    )
    kit.slider(
        settings,
        TOP_P,
        _("Top-p"),
        0.05,
        1.0,
        step=0.05,
        on_change=moved,
        help=_(
            "Keeps the fewest tokens, most probable first, whose probabilities add up to p. 1 cuts nothing."
        ),
    )
    kit.seed_box(
        settings, SEED, help=_("Another seed draws other random numbers, and the text is written again.")
    )
    kit.slider(settings, LENGTH, _("Length"), 1, LONGEST, on_change=moved)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Draw the growing text, one of its steps, and the tree."""
    run = current(page.settings, page.model)
    _draw_run(page.settings, run)
    return [
        kit.Picture("picture", "continuation"),
        kit.Export(N_("Text"), "continuation.txt", lambda: run.generation.text),
        kit.Export(N_("Tokens"), "continuation.csv", lambda: steps_csv(run)),
        kit.Export(N_("All tokens of the step shown"), "step.csv", lambda: pipeline_csv(run)),
        kit.Export(N_("Tree"), "tree.json", lambda: tree_json(run)),
    ]


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read the pipeline and the tree; and how few bits the weights are read as, where they are."""
    from explorer.generation.engine import Engine, engine_of

    trained = training_time(page.settings[MODEL])
    how = VIEW_TEXT.readings["trained"].filled(trained=trained) if trained else VIEW_TEXT.reading
    engine = engine_of(page.model)
    packing = engine.step.packing if isinstance(engine, Engine) else None  # not of a model on a server
    if packing is None:
        return how
    bits, packed, whole = packing
    numbers = {"packed": round(packed / 1e6), "whole": round(whole / 1e6)}
    fact = VIEW_TEXT.phrases["packing"].format(bits=_("- or ").join(map(str, bits)), **numbers)
    return how._replace(caveat=f"{how.caveat} {fact}")


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same continuation from Python."""
    settings = page.settings
    model = kit.Load(settings[MODEL])
    return kit.Example(continuation, model=model, prompt=settings[TEXT], **sampling_arguments(settings))


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Which word comes next, at the step that is shown; while the model writes, it is asked later."""
    run = RUN.get()
    question = kit.Question("word", _("Which word comes next?"))
    if run is None or run.request != (page.settings[MODEL], page.settings[TEXT]) or run.going:
        return [kit.Poll(question, waits=True)]  # the step that is shown will be another one
    with run.lock:
        return _asks(page, run, question)


def _asks(page: kit.OpenPage[None], run: Continuations, question: kit.Question) -> list[kit.Poll]:
    if not run.generation.steps:
        return []
    steps, at = run.generation.steps, page.settings[TOKEN]
    at = at if 0 <= at < len(steps) and not run.pressed else shown_unasked(run)
    if not _begins_word(run, at):
        return []
    before = prompt(run.generation) + "".join(step.text for step in steps[:at])

    def chances() -> dict[str, float]:
        pipeline, answers = pipeline_of(run, at), dict[str, float]()
        for id in listed(pipeline, steps[at].id):  # with a space before it or without, it is one word
            answers.setdefault(kit.visible(page.model.tokenizer.readable(id)), float(pipeline.chances[id]))
        return answers

    question = replace(question, context=f"{kit.text_end(before.rstrip())} …")
    word = kit.visible(steps[at].token)
    if page.settings[TEMPERATURE]:
        return [kit.Poll(question, kit.Later(chances), drawn=word)]
    return [kit.Poll(question, kit.Later(chances), word)]


def sampling_arguments(settings: kit.Settings) -> dict[str, Any]:
    """The sampling settings under the parameter names that `examples` use."""
    return {
        "temperature": settings[TEMPERATURE],
        "top_k": settings[TOP_K] or None,
        "top_p": settings[TOP_P] if settings[TOP_P] < 1 else None,
        "seed": settings[SEED],
        "length": settings[LENGTH],
    }


def sampling(settings: kit.Settings) -> "Sampling":
    """The sampling settings as the analysis takes them."""
    from explorer.analysis.generation.steps import Sampling

    values = sampling_arguments(settings)
    return Sampling(max_new_tokens=values.pop("length"), **values)


def current(settings: kit.Settings, model: "LanguageModel") -> Continuations:
    """This session's tree; a new prompt begins a new one, a preset or another seed adds a branch."""
    request, new_sampling = (settings[MODEL], settings[TEXT]), sampling(settings)
    run = RUN.get()
    if run is None or run.request != request or (settings[TREE] and settings[TREE] != run.link):
        if settings[TREE]:
            run = reopen(request, model, settings[TEXT], new_sampling, settings[TREE])
        else:
            run = begin(request, model, settings[TEXT], new_sampling)
        RUN.set(run)
    elif run.sampling != new_sampling or (run.link and not settings[TREE]):
        was_reset = all(settings.value(name) == value for name, value in settings.defaults.items())
        if was_reset:
            RUN.set(run := begin(request, model, settings[TEXT], new_sampling))
        else:
            run.sampling = new_sampling
            run.restart()
        run.link = ""
    return run


@st.fragment
def _draw_run(settings: kit.Settings, run: Continuations) -> None:
    """Draw the tokens so far; below them one step's pipeline (or two branches side by side), and the tree.

    A fragment: once the text has stopped, only this part of the page is drawn again.
    """
    with run.lock, turns.render_slot():
        _draw_parts(settings, run)


def _draw_parts(settings: kit.Settings, run: Continuations) -> None:
    steps = run.generation.steps
    if run.pressed:
        run.pressed = False
        settings.set(TOKEN.to(NEWEST))
    selected = 0 <= settings[TOKEN] < len(steps)
    shown_step = run.shown_step = settings[TOKEN] if selected else shown_unasked(run)
    blocked = over(str(run.generation.model.checkpoint), run.generation.prompt)
    written = as_written(run.generation, blocked)
    _stream(settings, run, shown_step, blocked)
    beside = not kit.presenting() or len(run.tree) > 1  # a tree of one branch shows nothing from far away
    left, right = st.columns([62, 38], gap="medium") if beside else (st.container(), None)
    with left:
        if settings[VERSUS] in run.tree and settings[VERSUS] != run.here:
            draw_comparison(settings, run, blocked)
        else:
            draw_pipeline(settings, run, shown_step, selected, written, blocked)
    if right is not None:
        with right:
            draw_tree(settings, run, shown_step, blocked)
    if not run.going:
        run.link = run.packed()
        settings.set(TREE.to(run.link))
    settings.close()
    if not run.going:
        kit.data_table.follow(settings, (run.number, len(steps), shown_step))
        if asking.is_waiting():
            st.rerun()


def shown_unasked(run: Continuations) -> int:
    """The step shown if none was chosen: the newest one, or in a text without branches the least probable.

    A piece that continues a word cannot be asked for: of those only where there is nothing else.
    """
    steps = run.generation.steps
    if not run.finished or len(run.tree) > 1:
        return len(steps) - 1
    return min(
        range(len(steps)), key=lambda at: (not _begins_word(run, at), steps[at].probability), default=-1
    )


def _begins_word(run: Continuations, at: int) -> bool:
    """Whether the token of a step does not continue a word."""
    steps = run.generation.steps
    before = steps[at - 1].text if at else ""
    before = before or prompt(run.generation) + "".join(step.text for step in steps[:at])
    return not (before and steps[at].token and joined(before[-1], steps[at].token[0]))


def _stream(settings: kit.Settings, run: Continuations, shown_step: int, blocked: kit.Blocklist) -> None:
    key, own = "continuations.stream", stream.of(STREAM)
    own.text = text = Written(run, kit.palette(), blocked, kit.for_class(), kit.reads_decimals())

    def more() -> None:  # the text has stopped, or the stream does not arrive
        if kit.component_value(key, "more", {"run": run.number, "count": int, "answers": run.answers}):
            extend(run)

    def clicked() -> None:
        place = range(-1, len(run.generation.steps))  # -1 lets go
        if chip := kit.component_value(key, "click", {"first": place, "last": place}):
            run.pressed = False
            settings.set(TOKEN.to(after_click(settings[TOKEN], chip["first"], chip["last"])), VERSUS.to(-1))

    def pressed() -> None:  # where the stream does not arrive
        if (name := kit.component_value(key, "turn", run.button)) is not None:
            text.press(run.number, name)

    def stepped() -> None:
        direction = kit.component_value(key, "step", ["back", "forward"])
        if direction is None:
            return
        run.paused = True
        with run.lock:
            newest = len(run.generation.steps) - 1
            here = newest if run.pressed or shown_step > newest else shown_step
            at = max(here + (1 if direction == "forward" else -1), 0)
            if at > newest and not run.finished:
                run.grow()
            newest, run.pressed = len(run.generation.steps) - 1, False
        settings.set(TOKEN.to(at if at < newest else NEWEST), VERSUS.to(-1))

    page = {
        "answers": run.answers,
        "prompt": prompt(run.generation),
        "bare": not run.generation.prompt,
        "ramp": [kit.theme.mix(kit.palette().probability, step / 7) for step in range(8)],
        "shown": shown_step,
        "locked": settings[TOKEN],
    }
    kit.component("continuations/stream")(
        key=key,
        data=text.drawn() | own.data | page,
        offline=lambda: text.drawn() | page | {"going": False},
        on_more_change=more,
        on_click_change=clicked,
        on_turn_change=pressed,
        on_step_change=stepped,
    )


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=reading),
    settings=(TEMPERATURE, TOP_K, TOP_P, TOKEN, TREE, VERSUS),
    needs=("GENERATE",),
    model=kit.WRITER,
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(
        covered=(
            ".shown .letters, .list, .head, .columns, .others, .chance, .chance + .number, .line, .says",
        ),
        plain=".chip",
        desk=".st-key-continuations-branches, .ranks",
        polls=asks,
    ),
)
