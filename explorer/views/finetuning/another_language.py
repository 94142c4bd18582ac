"""Another language: a classifier that is trained in English is tested in Chinese, with both on one map."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import another_language_chart as charts
from explorer.views.finetuning import bilingual_models, bilingual_states
from explorer.views.finetuning.another_language_chart import Level, Line
from explorer.views.finetuning.bilingual_map import dots
from explorer.views.finetuning.bilingual_states import PAIRS, BilingualResult
from explorer.views.finetuning.settings import OTHER_COLOUR, OTHER_LAYER, OTHER_MEANS, OTHER_TASK
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.presets import Preset
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.widgets import notes
from explorer.views.widgets.controls import segments
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from explorer.models import LanguageModel

TASKS = {"topics": "Topics", "feelings": "Feelings", "bank": "The word bank", PAIRS: "Translations"}
COLOURS = {"language": "Language", "label": "Class"}
MEANS = "Subtract language means"


def controls(page: OpenPage[None]) -> None:
    """Sentences, layer, colours, and whether language means are subtracted. Raises AbilityError."""
    settings = page.settings
    bilingual_models.require(page.model)
    settings.restrict(OTHER_TASK, TASKS)
    settings.restrict(OTHER_COLOUR, COLOURS)
    last = page.model.config.layers
    settings.clamp(OTHER_LAYER, 0, last)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        segments(settings, OTHER_TASK, "Sentences", TASKS, width="content")
        if settings[OTHER_TASK] != PAIRS:
            segments(settings, OTHER_COLOUR, "Colour", COLOURS, width="content")
        st.slider("Layer", 0, last, key=settings.key(OTHER_LAYER, "Layer"), width=170)
        st.toggle(MEANS, key=settings.key(OTHER_MEANS, MEANS))


def draw(page: OpenPage[None]) -> Saves:
    """A chart by layer, and the map of the chosen layer."""
    settings, layer = page.settings, page.settings[OTHER_LAYER]
    busy = st.empty()
    result = bilingual_states.compute(page.model, settings[OTHER_TASK], settings[OTHER_MEANS], busy)
    lines, levels, axis = by_layer(result)
    left, right = st.columns([44, 56], gap="medium")
    with left:
        chart(charts.figure(lines, levels, layer, axis, palette()), "finetuning/another-language")
        notes.spoken(charts.in_words(axis, lines, levels))
    with right:
        by_label = settings[OTHER_COLOUR] == "label" and result.transfer is not None
        component("finetuning/dots")(
            key="finetuning/dots/another-language", data=dots(result, layer, by_label)
        )
    st.html(f'<p class="rb-point">{layer_in_words(result, layer)}</p>')
    stem = f"{settings[OTHER_TASK]}-in-two-languages"
    return [
        Picture("picture", stem),
        Export("By layer", f"{stem}.csv", lambda: shares(lines, levels)),
        Export("The map", f"{stem}-map.csv", lambda: places(result)),
    ]


def below(page: OpenPage[None]) -> None:
    """For a model of one language, buttons for models of both."""
    if not page.model.languages >= bilingual_models.BOTH:
        bilingual_models.buttons(page.settings)


def reading(page: OpenPage[None]) -> Reading:
    """How to read the lines and the map."""
    means = (
        f"“{MEANS}” subtracts from each vector the mean of its own language, which is what all its "
        "sentences share (Libovický et al. 2020). For Chinese that needs sentences, but no labels."
    )
    if page.settings[OTHER_TASK] == PAIRS:
        return Reading(
            "Each sentence is the mean of its tokens’ vectors and looks for the nearest by cosine among "
            "the 40 of the other language. How often is that its translation? The bands are 95% "
            "intervals. On the map (PCA) each dot is a sentence, hollow where another one is nearer than "
            "its translation.",
            f"{means} Forty pairs are few: one more translation is 2.5 points.",
        )
    task = page.settings[OTHER_TASK]
    tokens = "the word’s tokens" if task == "bank" else "its tokens"
    alike = ", what digits and Latin words alone say" if task == "topics" else ""
    return Reading(
        f"At each layer a classifier reads a sentence as the mean vector of {tokens}. It has learnt from "
        "English alone and is asked in Chinese (zero-shot). The band is the 95% interval, and the "
        "diamonds are the same for English sentences that were held out. The dashed lines are "
        f"chance{alike}, and the best layer of two models that read one language only (BERT and BERT for "
        "Chinese). On the map (PCA) each dot is a sentence, hollow where the classifier is wrong.",
        f"{means} Half of the Chinese sentences are traditional and half simplified, without punctuation.",
    )


def example(page: OpenPage[None]) -> Example:
    """The same figures from Python."""
    settings, model = page.settings, Load(str(page.model.checkpoint))
    if settings[OTHER_TASK] == PAIRS:
        return Example(translations_found, model=model, without_means=settings[OTHER_MEANS])
    return Example(
        asked_in_chinese,
        model=model,
        task=settings[OTHER_TASK],
        without_means=settings[OTHER_MEANS],
    )


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
    from explorer.analysis.two_languages import retrieval, vectors
    from explorer.finetuning import transfer

    languages = zip(*transfer.pairs(), strict=True)
    english, chinese = (transfer.vectors(model, texts) for texts in languages)
    if without_means:
        english, chinese = vectors.centre(english), vectors.centre(chinese)
    there, back = retrieval.accuracy(english, chinese), retrieval.accuracy(chinese, english)
    return list(zip(there.tolist(), back.tolist(), strict=True))


def by_layer(result: BilingualResult) -> tuple[list[Line], list[Level], str]:
    """The lines, the dashed levels, and the title of the axis."""
    from explorer.analysis.two_languages.zero_shot import wilson
    from explorer.finetuning import transfer

    if result.nearest is not None:
        lines = []
        halves = result.nearest.split(result.english, dim=1)
        for name, half in zip(("from English", "from Chinese"), halves, strict=True):
            counts = half.sum(1).tolist()
            ends = [wilson(count, result.english) for count in counts]
            lines.append(Line(name, [count / result.english for count in counts], ends))
        return lines, [Level("chance", 1 / result.english)], f"translation found among {result.english}"
    task, layers = result.transfer, result.predictions
    assert task is not None
    lines = [
        Line("Chinese", [layer.accuracy for layer in layers], [layer.interval for layer in layers]),
        Line("English", [layer.home for layer in layers]),
    ]
    alone = transfer.monolingual_accuracy(task.task, result.without_means).values()
    levels = [Level("chance", 1 / len(task.labels)), Level("one language", max(map(max, alone)))]
    if any(task.shared):
        levels.append(Level("shared tokens", bilingual_states.shared_tokens_accuracy(task.task)))
    return lines, levels, "classified correctly"


def layer_in_words(result: BilingualResult, layer: int) -> str:
    """The chosen layer in figures."""
    if result.nearest is not None:
        there, back = (half.sum().item() for half in result.nearest[layer].split(result.english))
        return (
            f"Layer {layer}: {there} of {result.english} English sentences find their translation, and "
            f"{back} of {result.english} Chinese ones. By chance one would."
        )
    prediction, task = result.predictions[layer], result.transfer
    assert task is not None
    low, high = prediction.interval
    right, of = sum(prediction.right), len(prediction.right)
    parts = [
        f"Layer {layer}: {right / of:.0%} of the Chinese sentences are classified correctly (95% interval "
        f"{low:.0%} to {high:.0%}), and {prediction.home:.0%} of the English ones."
    ]
    if any(task.shared):
        hits = zip(prediction.right, task.shared, strict=True)
        alone = [hit for hit, shared in hits if not shared]
        parts.append(
            f"Without the {of - len(alone)} that have digits or Latin words it is "
            f"{sum(alone) / len(alone):.0%}."
        )
    return " ".join(parts)


def shares(lines: Sequence[Line], levels: Sequence[Level]) -> str:
    """Every share by layer, as a table."""
    rows: list[tuple[Any, ...]] = [
        (line.name, layer, value, *(line.ends[layer] if line.ends else ("", "")))
        for line in lines
        for layer, value in enumerate(line.values)
    ]
    rows += [(level.name, "", level.value, "", "") for level in levels]
    return table(["what", "layer", "share", "low95", "high95"], rows)


def places(result: BilingualResult) -> str:
    """The coordinates of every sentence at every layer, as a table."""
    labels = result.labels or ("",) * len(result.texts)
    rows = [
        (text, "en" if i < result.english else "zh", label, layer, *projection.coordinates[i].tolist())
        for layer, projection in enumerate(result.projections)
        for i, (text, label) in enumerate(zip(result.texts, labels, strict=True))
    ]
    return table(["text", "language", "label", "layer", "x", "y"], rows)


VIEW = View(
    label="Another language",
    audience="For those who ask whether a model carries what it has learnt to another language.",
    first=Hints(
        "The classifier has learnt from English sentences only. The squares show how many Chinese ones it "
        "gets right at each layer.",
        "Move the layer. Do the two languages lie apart on the map, or together?",
    ),
    settings=(OTHER_TASK, OTHER_LAYER, OTHER_COLOUR, OTHER_MEANS),
    presets=[
        Preset(
            "Four topics",
            "It has learnt four topics in English and is asked in Chinese. Is it above the dashed lines, "
            "and at which layer? On the map, do the topics lie together, or the languages?",
            {"view": "language", "other_colour": "label"},
            "zh",
        ),
        Preset(
            "Bank in Chinese",
            "English has one word for the two kinds of “bank”, Chinese has two. Does a classifier for the "
            "English word know the Chinese ones?",
            {"view": "language", "other_task": "bank", "other_colour": "label"},
            "zh",
        ),
        Preset(
            "Find the translation",
            "Each sentence looks for its nearest in the other language. At which layer is that most often "
            "its translation?",
            {"view": "language", "other_task": PAIRS},
            "zh",
        ),
        Preset(
            "Without the languages’ means",
            "Each sentence looks for its translation after the mean of its language has been subtracted. "
            "Do more find it?",
            {"view": "language", "other_task": PAIRS, "other_means": True},
            "zh",
        ),
    ],
    controls=controls,
    needs=("FILL",),
    draw=draw,
    below=below,
    reading=reading,
    example=example,
)
