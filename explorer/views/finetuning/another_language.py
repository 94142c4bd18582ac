"""Another language: a classifier that learns in English is asked in Chinese, and both lie on one plane."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import another_language_chart as charts
from explorer.views.finetuning import bilingual_models, bilingual_states
from explorer.views.finetuning.another_language_chart import Level, Line
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.bilingual_map import dots
from explorer.views.finetuning.bilingual_states import PAIRS, Seen
from explorer.views.finetuning.settings import OTHER_COLOUR, OTHER_LAYER, OTHER_MEANS, OTHER_TASK
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import Preset, palette
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.view import Page, Reading, Saves, View
from explorer.views.widgets.one_of import one_of
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from explorer.models import LanguageModel

TASKS = {"topics": "Topics", "feelings": "Feelings", "bank": "The word bank", PAIRS: "Translations"}
COLOURS = {"language": "Language", "label": "Class"}
MEANS = "Subtract language means"
# Above the middle of six: towards its end multilingual BERT finds fewer translations (Pires et al. 2019).
ALONE = "one language"
UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"  # heard, not seen


def controls(page: Page[Bench]) -> None:
    """Which sentences, which layer, how the dots are coloured; each language's mean. Raises AbilityError."""
    settings = page.settings
    bilingual_models.require(page.model)
    settings.restrict(OTHER_TASK, TASKS)
    settings.restrict(OTHER_COLOUR, COLOURS)
    last = page.data.layers
    if settings[OTHER_LAYER] > last:
        settings.adjust(OTHER_LAYER.to(last))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        one_of(settings, OTHER_TASK, "Sentences", TASKS, width="content")
        if settings[OTHER_TASK] != PAIRS:
            one_of(settings, OTHER_COLOUR, "Colour", COLOURS, width="content")
        st.slider("Layer", 0, last, key=settings.key(OTHER_LAYER, "Layer"), width=170)
        st.toggle(MEANS, key=settings.key(OTHER_MEANS, MEANS))


def draw(page: Page[Bench]) -> Saves:
    """By layer on the left, the map of the chosen one on the right."""
    settings, layer = page.settings, page.settings[OTHER_LAYER]
    busy = st.empty()
    seen = bilingual_states.look(page.model, settings[OTHER_TASK], settings[OTHER_MEANS], busy)
    lines, levels, says = by_layer(seen)
    left, right = st.columns([44, 56], gap="medium")
    with left:
        chart(charts.figure(lines, levels, layer, says, palette()), "finetuning/another-language")
        st.html(f'<p style="{UNSEEN}">{charts.told(says, lines, levels)}</p>')
    with right:
        by_label = settings[OTHER_COLOUR] == "label" and seen.transfer is not None
        component("finetuning/dots")(key="finetuning/dots/another-language", data=dots(seen, layer, by_label))
    st.html(f'<p class="rb-point">{said(seen, layer)}</p>')
    stem = f"{settings[OTHER_TASK]}-in-two-languages"
    return [
        Picture("picture", stem),
        Export("By layer", f"{stem}.csv", lambda: shares(lines, levels)),
        Export("The map", f"{stem}-map.csv", lambda: places(seen)),
    ]


def below(page: Page[Bench]) -> None:
    """Where the model reads one language alone, those that read both."""
    if not bilingual_models.reads_both(str(page.model.checkpoint)):
        bilingual_models.buttons(page.settings)


def reading(page: Page[Bench]) -> Reading:
    """How to read the lines and the map."""
    means = (
        f"“{MEANS}” takes from each vector the mean of its own language, which is what all its "
        "sentences share (Libovický et al. 2020); for Chinese that takes sentences, but no labels."
    )
    if page.settings[OTHER_TASK] == PAIRS:
        return Reading(
            "Each sentence, as the mean of its tokens’ vectors, looks for the nearest by cosine among the "
            "40 of the other language: how often is it the translation? The bands are 95% intervals. On "
            "the map (PCA) each dot is a sentence, hollow where another one is nearer than its translation.",
            f"{means} Forty pairs of our own are few: one more found is 2.5 points.",
        )
    task = page.settings[OTHER_TASK]
    what = "the word’s tokens" if task == "bank" else "its tokens"
    alike = ", digits and Latin words alone" if task == "topics" else ""
    return Reading(
        f"A classifier of each layer reads a sentence as the mean vector of {what}. It has learnt from "
        "English alone and is asked in Chinese (zero-shot); the band is the 95% interval. Diamonds: the "
        f"same on English that it has not seen. Dashed: chance{alike}, and the best layer of two models that "
        "read one language alone (BERT, BERT for Chinese): the best of 14, which flatters it. "
        "On the map (PCA) each dot is a sentence, hollow where the classifier is wrong.",
        f"{means} Half of the Chinese sentences are traditional, half simplified; without punctuation.",
    )


def example(page: Page[Bench]) -> Example:
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
    """Of each layer: the share of Chinese sentences it gets right, its 95 % interval, and that in English."""
    from explorer.finetuning import transfer

    known = transfer.read(task)
    asked = transfer.asked(known, *transfer.both_vectors(model, known), without_means)
    return [(one.accuracy, *one.interval, one.home) for one in asked]


def translations_found(model: "LanguageModel", without_means: bool) -> list[tuple[float, float]]:
    """Of each layer: the share of English sentences that find their translation, and of Chinese ones."""
    from explorer.analysis.two_languages import retrieval, vectors
    from explorer.finetuning import transfer

    languages = zip(*transfer.pairs(), strict=True)
    english, chinese = (transfer.vectors(model, texts) for texts in languages)
    if without_means:
        english, chinese = vectors.centre(english), vectors.centre(chinese)
    there, back = retrieval.accuracy(english, chinese), retrieval.accuracy(chinese, english)
    return list(zip(there.tolist(), back.tolist(), strict=True))


def by_layer(seen: Seen) -> tuple[list[Line], list[Level], str]:
    """The lines and dashes, and what the axis says."""
    from explorer.analysis.two_languages.zero_shot import wilson

    if seen.nearest is not None:
        lines = []
        halves = seen.nearest.split(seen.english, dim=1)
        for name, half in zip(("from English", "from Chinese"), halves, strict=True):
            counts = half.sum(1).tolist()
            ends = [wilson(count, seen.english) for count in counts]
            lines.append(Line(name, [count / seen.english for count in counts], ends))
        return lines, [Level("chance", 1 / seen.english)], f"translation found among {seen.english}"
    known = seen.transfer
    assert known is not None
    lines = [
        Line("Chinese", [one.accuracy for one in seen.asked], [one.interval for one in seen.asked]),
        Line("English", [one.home for one in seen.asked]),
    ]
    levels = [Level("chance", 1 / len(known.labels)), Level(ALONE, one_language(seen))]
    if any(known.shared):
        levels.append(Level("shared tokens", bilingual_states.shared_alone(known.task)))
    return lines, levels, "classified correctly"


def one_language(seen: Seen) -> float:
    """The best that a layer of our models of one language reaches; of few sentences much is chance."""
    from explorer.finetuning import transfer

    assert seen.transfer is not None
    return max(map(max, transfer.alone(seen.transfer.task, seen.without_means).values()))


def said(seen: Seen, layer: int) -> str:
    """The chosen layer in figures."""
    shown = f"The map shows {sum(seen.places[layer].explained or (0.0,)):.0%} of the variance."
    if seen.nearest is not None:
        there, back = (half.sum().item() for half in seen.nearest[layer].split(seen.english))
        return (
            f"Layer {layer}: {there} of {seen.english} English sentences find their translation, and {back} "
            f"of {seen.english} Chinese ones; by chance one would. {shown}"
        )
    asked, known = seen.asked[layer], seen.transfer
    assert known is not None
    low, high = asked.interval
    right, of = sum(asked.right), len(asked.right)
    parts = [
        f"Layer {layer}: {right} of {of} Chinese sentences are classified correctly, {right / of:.0%} "
        f"(95% interval {low:.0%} to {high:.0%}); English ones, by cross-validation, {asked.home:.0%}."
    ]
    if any(known.shared):
        alone = [hit for hit, shared in zip(asked.right, known.shared, strict=True) if not shared]
        parts.append(
            f"Without the {of - len(alone)} with digits or Latin words: {sum(alone) / len(alone):.0%}."
        )
    return " ".join([*parts, shown])


def shares(lines: Sequence[Line], levels: Sequence[Level]) -> str:
    """Every share by layer, as a table."""
    rows: list[tuple[Any, ...]] = [
        (line.name, layer, value, *(line.ends[layer] if line.ends else ("", "")))
        for line in lines
        for layer, value in enumerate(line.values)
    ]
    rows += [(level.name, "", level.value, "", "") for level in levels]
    return table(["what", "layer", "share", "low95", "high95"], rows)


def places(seen: Seen) -> str:
    """Every sentence's place at every layer, as a table."""
    labels = seen.labels or ("",) * len(seen.texts)
    rows = [
        (text, "en" if i < seen.english else "zh", label, layer, *made.coordinates[i].tolist())
        for layer, made in enumerate(seen.places)
        for i, (text, label) in enumerate(zip(seen.texts, labels, strict=True))
    ]
    return table(["text", "language", "label", "layer", "x", "y"], rows)


VIEW = View(
    label="Another language",
    first=Hints(
        "The classifier has learnt from English sentences alone; the squares say how many Chinese ones it "
        "gets right at each layer.",
        "Move the layer, and see whether the two languages lie apart on the map, or together.",
    ),
    settings=(OTHER_TASK, OTHER_LAYER, OTHER_COLOUR, OTHER_MEANS),
    presets=[
        Preset(
            "Four topics",
            "Learnt from English sentences on four topics, and asked in Chinese: is it above the dashed "
            "lines, "
            "and at which layer? On the map, do the topics lie together, or the languages?",
            {"view": "language", "other_colour": "label"},
            "zh",
        ),
        Preset(
            "Bank in Chinese",
            "English writes a bank of money and a bank of a river alike, Chinese does not. Does a "
            "classifier of "
            "the English word know the Chinese ones?",
            {"view": "language", "other_task": "bank", "other_colour": "label"},
            "zh",
        ),
        Preset(
            "Find the translation",
            "Each sentence looks for its nearest in the other language. At which layer is that most often "
            "its "
            "translation?",
            {"view": "language", "other_task": PAIRS},
            "zh",
        ),
        Preset(
            "Without the languages’ means",
            "Each sentence looks for its translation after its language’s mean is taken away. Do more "
            "find it?",
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
