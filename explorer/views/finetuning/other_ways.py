"""Other ways: what GPT's and ULMFiT's ways of fine-tuning gain here, and a classifier in another language."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from statistics import mean
from typing import Any

import streamlit as st

from explorer.locale import N_, _, localised, translate
from explorer.views import kit
from explorer.views.finetuning import another_language, gpt, ulmfit
from explorer.views.finetuning.settings import METHOD_SHOWN, OTHER_MEANS, OTHER_TASK

PICTURES = {"gpt": N_("GPT’s texts"), "ulmfit": N_("ULMFiT’s rates"), "language": N_("Another language")}
MODEL = "gpt"
# By the name in the stored figures: the way, and what is special about it.
ROWS = {
    "frozen": (N_("A head on frozen layers"), N_("only the head is trained")),
    "plain": (N_("Plain fine-tuning"), N_("head and all layers, one rate")),
    "lambda 0": (N_("GPT’s texts"), N_("special tokens around the text, all layers")),
    "lambda 0.5": (N_("GPT’s texts, second loss"), N_("also keeps predicting the next token, λ = ½")),
    "ulmfit": ("ULMFiT", N_("the language model first, then layer by layer")),
}
# What ULMFiT’s tricks are called in the stored figures.
TRICKS = (
    *(N_("all four"), N_("without language model"), N_("without unfreezing")),
    N_("plain fine-tuning"),
)
HEADS = (N_("way"), N_("what is trained"), N_("accuracy"), N_("of each run"), N_("next-token loss"))
CSS = """
.rb-ways { border-collapse: collapse; margin: 0 0 6px;
  font-size: 17px; line-height: 1.3; width: 100%; min-width: 600px; }
.rb-ways td { font-variant-numeric: tabular-nums; }
.rb-ways th, .rb-ways td { padding: 5px 20px 5px 0 !important; border: 0 !important; text-align: right; }
.rb-ways th { font-weight: 600; }
.rb-ways tr { border-bottom: 1px solid var(--rb-hairline); }
.rb-ways :is(td, th):nth-child(-n + 2) { text-align: left; }
"""

VIEW_TEXT = kit.view_text("finetuning", "other")


def model_of(settings: kit.Settings) -> str:
    """The model of the chosen picture."""
    settings.restrict(METHOD_SHOWN, PICTURES)
    return another_language.MODEL if settings[METHOD_SHOWN] == "language" else MODEL


def controls(page: kit.OpenPage[None]) -> None:
    """The picture, and what it is of."""
    settings = page.settings
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        kit.segments(settings, METHOD_SHOWN, _("A way"), translate(PICTURES), width="content")
        if settings[METHOD_SHOWN] == "language":
            another_language.controls(settings)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The table of what was measured, and under it the picture of the chosen way. Raises ExplorerError."""
    if page.settings[METHOD_SHOWN] == "language":
        return another_language.draw(page)
    settings, figures = page.settings, stored()
    runs = [
        (way, run, value) for way, values in figures["scores"].items() for run, value in enumerate(values)
    ]
    saves: list[kit.Export | kit.Picture] = [
        kit.Picture("picture", f"other-ways-{settings[METHOD_SHOWN]}"),
        kit.Export(N_("Every run"), "other-ways.csv", lambda: kit.table(["way", "run", "accuracy"], runs)),
    ]
    if kit.for_class():
        st.html(dots_html([(name, figures["scores"][way]) for way, (name, __) in translate(ROWS).items()]))
        return saves
    st.html(f"<style>{CSS}</style>" + kit.html_table("rb-ways", translate(HEADS), rows(figures)))
    st.html(f'<p class="rb-point">{in_words(figures)}</p>')
    if settings[METHOD_SHOWN] == "gpt":
        gpt.controls(settings)
        export = gpt.draw(settings, figures)
    else:
        export = ulmfit.draw()
    return [*saves, export]


def stored() -> dict[str, Any]:
    """The figures, by way and run."""
    from explorer.finetuning import library

    return library.compared("ways")


def rows(figures: dict[str, Any]) -> list[list[str]]:
    """The rows of the table."""
    cells = []
    for name, (way, description) in translate(ROWS).items():
        scores, losses = figures["scores"][name], figures["language"].get(name)
        span = _("{low} to {high}", low=kit.whole_percent(min(scores)), high=kit.whole_percent(max(scores)))
        loss = _("{number} nats", number=localised(f"{mean(losses):.1f}")) if losses else ""
        cells.append([way, description, kit.whole_percent(mean(scores)), span, loss])
    return cells


def in_words(figures: dict[str, Any]) -> str:
    """What each way gains over plain fine-tuning. A gain within the spread of the runs does not count."""
    scores = figures["scores"]
    runs = len(scores["plain"])
    gains = {
        name: gain(scores[way], scores["plain"])
        for way, name in (("lambda 0.5", _("GPT’s way")), ("ulmfit", _("ULMFiT’s way")))
    }
    if not any(gains.values()):
        text = _(
            "No gain over plain fine-tuning is visible: the {runs} runs of GPT’s way and of ULMFiT’s differ "
            "by more.",
            runs=runs,
        )
    else:
        parts = [f"{name} {words or _('shows no gain')}" for name, words in gains.items()]
        text = _("In {runs} runs, beside plain fine-tuning: {gains}.", runs=runs, gains="; ".join(parts))
    without, with_second = (mean(figures["language"][name]) for name in ("lambda 0", "lambda 0.5"))
    second = _(
        "The second loss does something else: with it, the next token costs {loss} nats after training, "
        "without it {other}.",
        loss=localised(f"{with_second:.1f}"),
        other=localised(f"{without:.1f}"),
    )
    return f"{text} {second}"


def gain(values: Sequence[float], others: Sequence[float]) -> str:
    """A difference of two means in words; empty if it is not larger than the spread of the runs."""
    difference = mean(values) - mean(others)
    if abs(difference) <= max(max(runs) - min(runs) for runs in (values, others)):
        return ""
    share = kit.whole_percent(abs(difference))
    return _("is {share} better", share=share) if difference > 0 else _("is {share} worse", share=share)


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read the table, and the picture below it."""
    from explorer.finetuning import library

    if page.settings[METHOD_SHOWN] == "language":
        return another_language.reading(page)
    figures, reviews = stored(), library.compared("ulmfit")
    means = [f"{kit.whole_percent(mean(values))} ({_(way)})" for way, values in reviews["scores"].items()]
    return VIEW_TEXT.readings[page.settings[METHOD_SHOWN]].filled(
        train=figures["train"],
        test=figures["test"],
        reviews=reviews["train"],
        others=reviews["test"],
        means=", ".join(means),
    )


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The numbers of the picture from Python."""
    if page.settings[METHOD_SHOWN] == "language":
        return another_language.example(page)
    return gpt.example(page.settings) if page.settings[METHOD_SHOWN] == "gpt" else ulmfit.example()


MARK = 10  # per cent between two marks of the line
DOTS_CSS = """
.rb-runs { display: grid; grid-template-columns: max-content 1fr; column-gap: 32px; align-items: end;
  font-size: 20px; }
.rb-runs > b { font-weight: 400; padding-bottom: 4px; }
.rb-runs > div { position: relative; height: 66px; margin-right: 24px;
  border-bottom: 1px solid var(--rb-hairline); }
.rb-runs i { position: absolute; width: 14px; height: 14px; margin-left: -7px; border-radius: 50%;
  background: var(--rb-accent); }
.rb-runs u { position: absolute; bottom: 0; width: 3px; height: 62px; margin-left: -1.5px;
  background: var(--rb-quiet); }
.rb-runs > .rb-axis { height: 32px; border: 0; }
.rb-runs em { position: absolute; top: 4px; transform: translateX(-50%); font-style: normal;
  color: var(--rb-quiet); }
"""


def dots_html(ways: Sequence[tuple[str, Sequence[float]]]) -> str:
    """A line for each way, by its name and the accuracy of its runs: a dot a run, a stroke at their mean."""
    least = int(100 * min(min(values) for __, values in ways)) // MARK * MARK - MARK // 2

    def left(share: float) -> str:
        return f"left: {100 * (100 * share - least) / (100 - least):.1f}%"

    parts = []
    for name, values in ways:
        equal: Counter[float] = Counter()
        dots = f'<u style="{left(mean(values))}"></u>'
        for value in values:
            dots += f'<i style="{left(value)}; bottom: {1 + 15 * equal[value]}px"></i>'
            equal[value] += 1
        parts.append(f"<b>{escape(name)}</b><div>{dots}</div>")
    marks = (
        f'<em style="{left(at / 100)}">{kit.whole_percent(at / 100)}</em>'
        for at in range(least + MARK // 2, 101, MARK)
    )
    right = _("of the test messages right")
    axis = f'<b class="rb-quiet">{right}</b><div class="rb-axis">{"".join(marks)}</div>'
    return f'<style>{DOTS_CSS}</style><div class="rb-runs">{"".join(parts)}{axis}</div>'


VIEW = kit.View(
    text=VIEW_TEXT.of_page(
        reading=reading, change=lambda page: VIEW_TEXT.phrases.get(page.settings[METHOD_SHOWN], "")
    ),
    settings=(METHOD_SHOWN, *gpt.SETTINGS, OTHER_TASK, OTHER_MEANS),
    model=MODEL,
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(desk=f".st-key-finetuning-{METHOD_SHOWN}"),
)
