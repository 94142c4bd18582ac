"""What the first page shows at once is what the models say. To write its files anew:

python -m tests.views.home.test_stored
"""

import json
import re

import pytest

from explorer.analysis import projection
from explorer.analysis.heads import ablation
from explorer.analysis.vectors import train
from explorer.assets import TEXTS
from explorer.trace import captured
from explorer.views.attention.settings import TIRED, WIDE
from explorer.views.home.moving_pictures import FILE
from explorer.views.home.settings import TEXT
from explorer.views.home.start import ROWS, first_guesses
from explorer.views.vectors.training_session import train_settings
from tests.command import parser, store
from tests.shared_models import model
from tests.views.opening import defaults, page_settings

GROUPS = ("king queen prince castle", "bread cheese butter milk", "dog cat horse cow", "rain snow wind storm")
MAPS = 16
OPENING = TEXTS / "home.json"


def learnt() -> dict:
    """Where words lie on PCA's plane while word2vec learns our text, from -1 to 1."""
    settings = page_settings("vectors", **defaults("vectors"))
    training = train.train(settings.value("text"), train.Settings(**train_settings(settings)))
    words = " ".join(GROUPS).split()
    at = {round(number * training.steps / (MAPS - 1)) for number in range(MAPS)}
    planes = [projection.project(training.vectors.unit(words), "pca")]
    for progress in training:
        if progress.step in at:
            plane = projection.project(progress.vectors.unit(words), "pca")
            planes.append(projection.align(planes[-1], plane))
    farthest = max(float(plane.coordinates.abs().max()) for plane in planes)
    return {
        "words": words,
        "groups": [number for number, group in enumerate(GROUPS) for _ in group.split()],
        "maps": [
            [[round(x / farthest, 2) for x in place] for place in p.coordinates.tolist()] for p in planes
        ],
        "running": len(training.spans),
        "epochs": training.settings.epochs,
    }


def attended(text: str, layer: int, head: int) -> dict:
    """The words as they are written, and how much attention “it” gives to each in one head."""
    trace = model("bert").trace(text)
    spans, it = trace.encoding.spans, text.index(" it ") + 1
    row = captured(trace.attention).pattern[layer, head, spans.index((it, it + 2))].tolist()
    words = [*re.finditer(r"\S+", text)]
    shares = [
        sum(weight for weight, (start, end) in zip(row, spans) if word.start() <= start < end <= word.end())
        for word in words
    ]
    return {"words": [word.group() for word in words], "weights": [round(share, 4) for share in shares]}


def switched_off(words: list[str], blank: int, off: list) -> dict:
    """The first guesses for a blank, with all heads on and without those that are off."""
    text, bert = " ".join([*words[:blank], "[MASK]", *words[blank + 1 :]]), model("bert")
    question = ablation.ask(bert, text)
    before, after = (ablation.answer(bert, question, edit) for edit in (None, ablation.switch_off(off)))
    changes = ablation.changes(bert, before, after, 3)
    sides = [[round(change.before, 4) for change in changes], [round(change.after, 4) for change in changes]]
    return {"head": off[0], "text": text, "words": [change.token for change in changes], "sides": sides}


def opening() -> dict:
    best = first_guesses(model("bert"), TEXT.default, ROWS, 0)
    return {"text": TEXT.default, "guesses": [[word, round(probability, 4)] for word, probability in best]}


def pictures() -> dict:
    attention, heads = defaults("attention"), defaults("heads")
    head = [attention["layer"], attention["head"]]
    sentences = [attended(text, *head) for text in (TIRED, WIDE)]
    off = switched_off(heads["text"].split(), heads["blank"], heads["off"])
    return {"learnt": learnt(), "attended": {"head": head, "sentences": sentences}, "off": off}


def test_the_opening_guesses_are_what_bert_says_now():
    stored, now = json.loads(OPENING.read_text()), opening()
    assert stored["text"] == now["text"]
    for old, (word, probability) in zip(stored["guesses"], now["guesses"], strict=True):
        assert old == [word, pytest.approx(probability, abs=2e-3)]


@pytest.mark.weights
def test_the_stored_numbers_are_what_the_models_say_now():
    stored, now = json.loads(FILE.read_text()), pictures()
    for old, new in zip(stored["attended"]["sentences"], now["attended"]["sentences"], strict=True):
        assert old == new | {"weights": pytest.approx(new["weights"], abs=2e-3)}
    sides = [pytest.approx(side, abs=2e-3) for side in now["off"]["sides"]]
    assert stored["off"] == now["off"] | {"sides": sides}
    assert stored["learnt"] | {"maps": None} == now["learnt"] | {"maps": None}


if __name__ == "__main__":
    parser("tests.views.home.test_stored", __doc__).parse_args()
    store(OPENING, json.dumps(opening(), indent=1) + "\n")
    store(FILE, json.dumps(pictures(), ensure_ascii=False) + "\n")
