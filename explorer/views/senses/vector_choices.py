"""The list of choices beside the map of one vector, each with the macro-F1 that it reaches."""

from typing import Any

from explorer.views.frame.settings import Settings
from explorer.views.frame.view import OpenPage
from explorer.views.senses import vector_choice
from explorer.views.senses.search import Search
from explorer.views.senses.settings import VECTOR, WEIGHTS
from explorer.views.senses.vector_choice import EQUAL, MIX
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.widgets.registry import component, component_value

HEADING = "macro-F1"


def beside(page: OpenPage[Search]) -> None:
    """Draw the choices, each with its macro-F1 on these sentences."""
    settings, occurrences = page.settings, page.data.occurrences
    key, choice = "senses/ways", vector_choice.choice(settings, page.model)
    published = choice != MIX and vector_choice.published(page.model)
    rows = _mixes(settings, occurrences) if choice == MIX else _six(settings, occurrences, choice, published)

    def choose() -> None:
        name = component_value(key, "choose")
        if name is None:
            return
        if name.startswith(MIX):
            mix = [int(n) for n in name.split()[1:]]
            settings.set(WEIGHTS.to({**vector_choice.moved_faders(settings), MIX: mix}))
        else:
            settings.set(VECTOR.to(name))

    headings = [HEADING, "in Table 7"] if published else [HEADING]
    component("senses/choices")(
        key=key,
        data={
            "label": "Which vector",
            "headings": headings if occurrences.separation else [],
            "rows": rows,
        },
        on_choose_change=choose,
    )


def _six(
    settings: Settings, occurrences: WordOccurrences, choice: str, published: bool
) -> list[dict[str, Any]]:
    """The six choices of BERT's authors, with their published figures if these apply."""
    from explorer.analysis.senses import pooling

    rows = []
    for option in pooling.CHOICES:
        chosen = vector_choice.with_vector(settings, occurrences, option.name)
        reached = vector_choice.f1(chosen.key, chosen)
        theirs = f"{option.published:.1f}" if published else ""
        rows.append(_row(option.name, option.label, reached, option.name == choice, theirs))
    return rows


def _mixes(settings: Settings, occurrences: WordOccurrences) -> list[dict[str, Any]]:
    """Each layer alone, all layers equally, and the current faders."""
    count = occurrences.layers + 1
    now = vector_choice.weights(settings, MIX, count)
    mixes = [(f"Layer {i} alone", [100 * (i == j) for j in range(count)]) for i in range(count)]
    mixes.append(("All alike", [EQUAL] * count))
    if now not in [weights for _, weights in mixes]:
        mixes.append(("Your mix", now))
    rows = []
    for label, weights in mixes:
        chosen = vector_choice.with_vector(settings, occurrences, MIX, weights)
        name = f"{MIX} {' '.join(map(str, weights))}"
        rows.append(_row(name, label, vector_choice.f1(chosen.key, chosen), weights == now, ""))
    return rows


def _row(name: str, label: str, value: float | None, chosen: bool, theirs: str) -> dict[str, Any]:
    number = "" if value is None else f"{value:.2f}"
    spoken = f"{label}, macro-F1 {number}" if number else label
    return {
        "name": name,
        "text": label,
        "value": value,
        "number": number,
        "aside": theirs,
        "chosen": chosen,
        "said": f"{spoken}, in Table 7 {theirs}" if theirs else spoken,
    }
