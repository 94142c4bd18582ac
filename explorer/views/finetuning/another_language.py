"""Another language: a classifier that is trained in English is tested in Chinese, layer by layer."""

from typing import Any

import streamlit as st

from explorer.views import kit
from explorer.views.finetuning import another_language_chart as charts
from explorer.views.finetuning.settings import OTHER_MEANS, OTHER_TASK
from explorer.views.types import LanguageModel
from explorer.views.widgets import notes

MODEL = "bert-en-zh"
PAIRS = "pairs"
TASKS = {"topics": "Topics", "feelings": "Feelings", "bank": "The word bank", PAIRS: "Translations"}
MEANS = "Subtract language means"
FOUND, CLASSIFIED = "translation found among 40", "classified correctly"

VIEW_TEXT = kit.view_text("finetuning", "other")


def controls(settings: kit.Settings) -> None:
    """Sentences, and whether language means are subtracted."""
    kit.segments(settings, OTHER_TASK, "Sentences", TASKS, width="content")
    kit.switch(settings, OTHER_MEANS, MEANS)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The shares by layer as they were measured, and one sentence of each language."""
    task = page.settings[OTHER_TASK]
    figures = stored(page.settings)
    axis = FOUND if task == PAIRS else CLASSIFIED
    kit.chart(
        charts.figure(**figures, axis=axis, palette=kit.palette()), "finetuning/another-language", least=640
    )
    notes.spoken(charts.in_words(axis, **figures))
    st.html(f'<p class="rb-point">{sentences(task)}</p>')
    stem = f"{task}-in-two-languages"
    return [
        kit.Picture("picture", stem),
        kit.Export("By layer", f"{stem}.csv", lambda: shares(**figures)),
    ]


def stored(settings: kit.Settings) -> dict[str, Any]:
    """The `lines` and `levels` of the chosen sentences."""
    from explorer.finetuning import transfer

    return transfer.by_layer(settings[OTHER_TASK], settings[OTHER_MEANS])


def sentences(task: str) -> str:
    """One sentence of each language, as HTML."""
    from explorer.finetuning import transfer

    if task == PAIRS:
        english, chinese = transfer.pairs()[0]
        return f"One of the pairs is “{kit.quoted(english)}” and “{kit.quoted(chinese)}”."
    examples = transfer.read(task)
    training, test = examples.english[0], examples.chinese[0]
    return (
        f"It learns from English, such as “{kit.quoted(training.text)}” ({training.label}), and is asked in "
        f"Chinese, such as “{kit.quoted(test.text)}” ({test.label})."
    )


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read the lines."""
    task = page.settings[OTHER_TASK]
    how, of_task = VIEW_TEXT.readings[PAIRS if task == PAIRS else "language"], VIEW_TEXT.phrases
    tokens = of_task["word" if task == "bank" else "sentence"]
    return how.filled(means=MEANS, tokens=tokens, alike=of_task["alike"] if task == "topics" else "")


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same figures from Python."""
    task, without_means = page.settings[OTHER_TASK], page.settings[OTHER_MEANS]
    if task == PAIRS:
        return kit.Example(translations_found, model=kit.Load(MODEL), without_means=without_means)
    return kit.Example(asked_in_chinese, model=kit.Load(MODEL), task=task, without_means=without_means)


def asked_in_chinese(
    model: "LanguageModel", task: str, without_means: bool
) -> list[tuple[float, float, float, float]]:
    """For each layer the accuracy in Chinese, its 95 % interval, and the accuracy in English."""
    from explorer.finetuning import transfer

    sentences = transfer.read(task)
    vectors = transfer.both_vectors(model, sentences)
    layers = transfer.classify_by_layer(sentences, *vectors, without_means)
    return [(layer.accuracy, *layer.interval, layer.home) for layer in layers]


def translations_found(model: "LanguageModel", without_means: bool) -> list[tuple[float, float]]:
    """For each layer the share of English sentences that find their translation, and of Chinese ones."""
    from explorer.finetuning import transfer

    return list(zip(*transfer.translations_found(model, without_means), strict=True))


def shares(lines: list[dict[str, Any]], levels: list[dict[str, Any]]) -> str:
    """Every share by layer, as a table."""
    rows: list[tuple[Any, ...]] = [
        (line["name"], layer, value, *(line["ends"][layer] if line["ends"] else ("", "")))
        for line in lines
        for layer, value in enumerate(line["values"])
    ]
    rows += [(level["name"], "", level["value"], "", "") for level in levels]
    return kit.table(["what", "layer", "share", "low95", "high95"], rows)
