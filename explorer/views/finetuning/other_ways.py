"""Other ways: what GPT's and ULMFiT's ways of fine-tuning gain here, and a classifier in another language."""

from collections.abc import Sequence
from statistics import mean
from typing import Any

import streamlit as st

from explorer.views import kit
from explorer.views.finetuning import another_language, gpt, ulmfit
from explorer.views.finetuning.settings import METHOD_SHOWN, OTHER_MEANS, OTHER_TASK
from explorer.views.finetuning.ways_dots import dots_html

PICTURES = {"gpt": "GPT’s texts", "ulmfit": "ULMFiT’s rates", "language": "Another language"}
MODEL = "gpt"
# By the name in the stored figures: the way, and what is special about it.
ROWS = {
    "frozen": ("A head on frozen layers", "only the head is trained"),
    "plain": ("Plain fine-tuning", "head and all layers, one rate"),
    "lambda 0": ("GPT’s texts", "special tokens around the text, all layers"),
    "lambda 0.5": ("GPT’s texts, second loss", "also keeps predicting the next token, λ = ½"),
    "ulmfit": ("ULMFiT", "the language model first, then layer by layer"),
}
HEADS = ("way", "what is trained", "accuracy", "of each run", "next-token loss")
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
        kit.segments(settings, METHOD_SHOWN, "A way", PICTURES, width="content")
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
        kit.Export("Every run", "other-ways.csv", lambda: kit.table(["way", "run", "accuracy"], runs)),
    ]
    if kit.for_class():
        st.html(dots_html([(name, figures["scores"][way]) for way, (name, _) in ROWS.items()]))
        return saves
    st.html(f"<style>{CSS}</style>" + kit.html_table("rb-ways", HEADS, rows(figures)))
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
    for name, (way, description) in ROWS.items():
        scores, losses = figures["scores"][name], figures["language"].get(name)
        span = f"{min(scores):.0%} to {max(scores):.0%}"
        loss = f"{mean(losses):.1f} nats" if losses else ""
        cells.append([way, description, f"{mean(scores):.0%}", span, loss])
    return cells


def in_words(figures: dict[str, Any]) -> str:
    """What each way gains over plain fine-tuning. A gain within the spread of the runs does not count."""
    scores = figures["scores"]
    runs = len(scores["plain"])
    gains = {
        name: gain(scores[way], scores["plain"])
        for way, name in (("lambda 0.5", "GPT’s way"), ("ulmfit", "ULMFiT’s way"))
    }
    if not any(gains.values()):
        text = (
            f"No gain over plain fine-tuning is visible: the {runs} runs of GPT’s way and of ULMFiT’s differ "
            "by more."
        )
    else:
        text = f"In {runs} runs, beside plain fine-tuning: "
        text += "; ".join(f"{name} {words or 'shows no gain'}" for name, words in gains.items()) + "."
    without, with_second = (mean(figures["language"][name]) for name in ("lambda 0", "lambda 0.5"))
    return (
        f"{text} The second loss does something else: with it, the next token costs {with_second:.1f} nats "
        f"after training, without it {without:.1f}."
    )


def gain(values: Sequence[float], others: Sequence[float]) -> str:
    """A difference of two means in words; empty if it is not larger than the spread of the runs."""
    difference = mean(values) - mean(others)
    if abs(difference) <= max(max(runs) - min(runs) for runs in (values, others)):
        return ""
    return f"is {abs(difference):.0%} {'better' if difference > 0 else 'worse'}"


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read the table, and the picture below it."""
    from explorer.finetuning import library

    if page.settings[METHOD_SHOWN] == "language":
        return another_language.reading(page)
    figures, reviews = stored(), library.compared("ulmfit")
    means = [f"{mean(values):.0%} ({way})" for way, values in reviews["scores"].items()]
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
