"""A logit lens as the component draws it: for each layer its most probable words, and lines of a chart."""

from collections.abc import Sequence
from math import log10
from typing import Any

from explorer.text.spacing import space_before
from explorer.views import kit
from explorer.views.types import Lens, Model, TrackedWord

WORDS = 4  # of each layer
FLOOR = 1e-6  # the lowest probability of the charts
TICKS = {0: "100%", 2: "1%", 4: "0.01%", 6: ""}
START, END = 30, 16  # characters of the sentence that are shown before and after a layer's word


def height(probability: float) -> float:
    """A probability's height in the chart, on a logarithmic scale: 0 at FLOOR and below, 1 at 1."""
    return 1 - log10(max(min(probability, 1.0), FLOOR)) / log10(FLOOR)


def panel(
    model: "Model",
    lens: "Lens",
    words: Sequence[str],
    blocked: kit.blocklist.Blocklist,
    before: str,
    after: str,
    title: str,
) -> dict[str, Any]:
    """One model's layers as the component draws them: their top words, and a line for each followed word.

    `before` and `after` are the text around the blank.
    """
    from explorer.analysis import prediction
    from explorer.analysis.prediction import logit_lens

    layers = []
    for number, row in enumerate(lens.probabilities):
        cells = []
        for c in prediction.ranked(model, row, WORDS, before):
            hidden = kit.blocklist.covers(blocked, before, c.token, after)
            text = kit.blocklist.DOTS if hidden else _visible(c.token)
            tip = f"{text}: probability {c.probability:.6g}, rank {c.rank}, {_layer(number)}"
            cells.append(
                {
                    "text": text,
                    "probability": round(c.probability, 6),
                    "number": kit.short(c.probability),
                    "tip": f"{tip}, {kit.blocklist.WHY}" if hidden else tip,
                }
            )
        layers.append({"name": str(number), "words": cells})
    lines = []
    for group, word in enumerate(words):
        if token := logit_lens.tracked_word(model, word, before):
            lines.append(_line(lens, token, group))
    return {
        "title": title,
        "label": f"{title}: the first words of each layer",
        "says": f"{title}: probability by layer of {', '.join(words)}",
        "before": _start(before) + space_before(before, "a"),
        "after": _end(after),
        "layers": layers,
        "lines": lines,
    }


def _line(lens: "Lens", token: "TrackedWord", group: int) -> dict[str, Any]:
    probabilities = lens.probabilities[:, token.id].tolist()
    first = kit.visible(token.pieces[0])
    piece = f" (its first piece, {first})" if len(token.pieces) > 1 else ""
    points = [
        {
            "height": round(height(p), 4),
            "short": kit.short(p),
            "probability": p,
            "rank": rank,
            "tip": f"{token.word}{piece}: probability {p:.6g}, rank {rank:,}, {_layer(layer)}",
        }
        for layer, (p, rank) in enumerate(zip(probabilities, lens.ranks(token.id)))
    ]
    name = f"{token.word} ({first}…)" if piece else token.word
    return {"name": name, **kit.mark(group), "points": points}


def _layer(number: int) -> str:
    return f"after layer {number}" if number else "at layer 0 (embedding)"


def _visible(token: str) -> str:
    """A token as it is written in a cell: without spaces at its ends, with a sign for a line break."""
    text = token.strip(" ").replace("\n", "↵") or "␣"
    return text if text.isprintable() else ascii(text)[1:-1]


def _start(before: str) -> str:
    """The last START characters of the text before the blank, from the beginning of a word."""
    if len(before) <= START:
        return before
    cut = before[-START:]
    return f"… {cut.partition(' ')[2] or cut}"


def _end(after: str) -> str:
    """The first END characters of the text after the blank, to the end of a word."""
    if len(after) <= END:
        return after
    cut = after[:END]
    return f"{cut.rpartition(' ')[0] or cut} …"


def notes(models: "Sequence[tuple[Model, str]]", words: Sequence[str]) -> list[str]:
    """What the charts cannot show: how words are split after each model's text, and which are unknown."""
    from explorer.analysis.prediction import logit_lens

    lens = "Logit lens: the output head of the last layer, applied to every layer."
    sentences = [] if kit.for_class() else [lens]
    for model, before in models:
        name = kit.memory.short_label(str(model.checkpoint))
        tracked = [(word, logit_lens.tracked_word(model, word, before)) for word in words]
        sentences += [
            f"{name} splits {word} into {len(token.pieces)} pieces; the first one is followed."
            for word, token in tracked
            if token and len(token.pieces) > 1
        ]
        unspelled = [word for word, token in tracked if token is None]
        sentences += [f"{name} cannot spell {', '.join(unspelled)}."] if unspelled else []
    return sentences


def as_table(panels: Sequence[dict[str, Any]]) -> str:
    """The words of each layer and the lines of the charts, as a table to save."""
    rows = [
        [panel["title"], layer["name"], rank, word["text"], word["probability"]]
        for panel in panels
        for layer in panel["layers"]
        for rank, word in enumerate(layer["words"], 1)
    ]
    rows += [
        [panel["title"], panel["layers"][layer]["name"], point["rank"], line["name"], point["probability"]]
        for panel in panels
        for line in panel["lines"]
        for layer, point in enumerate(line["points"])
    ]
    return kit.table(["model", "layer", "rank", "word", "probability"], rows)
