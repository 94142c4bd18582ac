"""Store the numbers of the first page's three moving pictures: `python -m training.moving_pictures`.

They are what the views compute to which the pictures lead: word2vec that learns our small text, a head of
BERT on two sentences, and BERT's guesses with and without a head. Run it after a change of bert, of the text
or of what one of these views opens with; a test compares the file with the models.
"""

import json
import re
from typing import Any

import explorer
from explorer.analysis import projection
from explorer.analysis.heads import ablation
from explorer.analysis.vectors import train
from explorer.assets import TEXTS
from explorer.models import Model
from explorer.trace import captured

FILE = TEXTS / "moving_pictures.json"
GROUPS = ("king queen prince castle", "bread cheese butter milk", "dog cat horse cow", "rain snow wind storm")
SETTINGS = train.Settings(
    window=5, dimensions=30, negatives=5, epochs=31, rate=0.05, subsample=0.01
)  # of the view
MAPS = 16  # of the words, while they are learnt
SENTENCES = [f"The animal didn't cross the street because it was too {word}." for word in ("tired", "wide")]
HEAD = (3, 1)  # layer and head, from 0
GUESSED = "The painter closed [MASK] eyes before she began to paint."
OFF = (5, 8)
GUESSES = 3


def learnt() -> dict[str, Any]:
    """Where words lie on PCA's plane, from -1 to 1, while word2vec learns our text."""
    training = train.train((TEXTS / "kingdom.txt").read_text(encoding="utf-8").strip(), SETTINGS)
    words = " ".join(GROUPS).split()
    at = {round(number * training.steps / (MAPS - 1)) for number in range(MAPS)}
    planes = [projection.project(training.vectors.unit(words), "pca")]
    for progress in training:
        if progress.step in at:
            plane = projection.project(progress.vectors.unit(words), "pca")
            planes.append(projection.align(planes[-1], plane))
    farthest = max(float(plane.coordinates.abs().max()) for plane in planes)
    maps = [(plane.coordinates / farthest).tolist() for plane in planes]
    return {
        "running": len(training.spans),
        "epochs": SETTINGS.epochs,
        "words": words,
        "groups": [number for number, group in enumerate(GROUPS) for _ in group.split()],
        "maps": [[[round(x, 2), round(y, 2)] for x, y in plane] for plane in maps],
    }


def attended(model: Model, text: str) -> dict[str, Any]:
    """The words of a sentence as they are written, and how much attention “it” gives to each in one head."""
    trace = model.trace(text)
    layer, head = HEAD
    spans, it = trace.encoding.spans, text.index(" it ") + 1
    row = captured(trace.attention).pattern[layer, head, spans.index((it, it + len("it")))].tolist()
    written = list(re.finditer(r"\S+", text))
    shares = [
        sum(weight for weight, (start, end) in zip(row, spans) if word.start() <= start < end <= word.end())
        for word in written
    ]
    return {"words": [word.group() for word in written], "weights": [round(share, 4) for share in shares]}


def switched_off(model: Model) -> dict[str, Any]:
    """The first guesses for a blank, and how probable they are with all heads on and without one."""
    question = ablation.ask(model, GUESSED)
    before = ablation.answer(model, question)
    after = ablation.answer(model, question, ablation.switch_off([OFF]))
    changes = ablation.changes(model, before, after, GUESSES)
    return {
        "head": OFF,
        "words": [change.token for change in changes],
        "before": [round(change.before, 4) for change in changes],
        "after": [round(change.after, 4) for change in changes],
    }


def pictures() -> dict[str, Any]:
    """What the three pictures draw."""
    bert = explorer.load("bert")
    sentences = [attended(bert, text) for text in SENTENCES]
    return {"learnt": learnt(), "attended": {"head": HEAD, "sentences": sentences}, "off": switched_off(bert)}


if __name__ == "__main__":
    FILE.write_text(json.dumps(pictures(), ensure_ascii=False) + "\n", encoding="utf-8")
