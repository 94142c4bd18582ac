"""What the first page shows at once is what the models say. To write its files anew:

python -m tests.views.home.test_stored
"""

import json
import re
from itertools import combinations

import numpy as np
import pytest

import explorer
from explorer.analysis.heads import ablation
from explorer.analysis.vectors import train
from explorer.assets import TEXTS
from explorer.trace import captured
from explorer.views.attention.settings import TIRED, WIDE
from explorer.views.frame.default_models import LARGE
from explorer.views.home.guesses import ROWS, first_guesses
from explorer.views.home.moving_pictures import FILE, LETTER
from explorer.views.home.settings import TEXT
from explorer.views.vectors.training_session import train_settings
from tests.command import parser, store
from tests.shared_models import model
from tests.views.opening import defaults, page_settings

GROUPS = ("king queen prince castle", "bread cheese butter milk", "dog cat horse cow", "rain snow wind storm")
MAPS = 25
HEIGHT, BUTTON = 18, (280, 104)  # px of a word, and the corner of the play button
OPENING = TEXTS / "home.json"


def learnt() -> dict:
    """Where words lie while word2vec learns our text, in a picture of 320 x 150 px.

    Each map is a multidimensional scaling of the cosine distances that starts from the one before; the first
    steps, after which all words look alike, have more maps. The last map fills the picture.
    """
    from sklearn.manifold import MDS

    settings = page_settings("vectors", **defaults("vectors"))
    training = train.train(settings.value("text"), train.Settings(**train_settings(settings)))
    words = " ".join(GROUPS).split()
    at = {round(training.steps * (number / (MAPS - 1)) ** 1.5) for number in range(1, MAPS)}
    units = [training.vectors.unit(words)]
    units += [progress.vectors.unit(words) for progress in training if progress.step in at]
    mds, planes = MDS(metric="precomputed", n_init=1, init="random", random_state=0), [None]
    for unit in units:
        distances = (1 - unit @ unit.T).clamp(min=0).double().numpy()
        plane = mds.fit_transform(distances, init=planes[-1])
        planes.append(plane - plane.mean(axis=0))
    turn = np.linalg.svd(planes[-1])[2].T
    planes = [plane @ turn for plane in planes[1:]]
    scale = np.array([105, 48]) / np.abs(planes[-1]).max(axis=0)
    maps = []
    for plane in planes:
        wanted = np.array([150, 76]) + plane * scale
        maps.append(apart(words, wanted, maps[-1] if maps else wanted))
    return {
        "words": words,
        "groups": [number for number, group in enumerate(GROUPS) for _ in group.split()],
        "maps": [places.round().astype(int).tolist() for places in maps],
        "running": len(training.spans),
        "epochs": training.settings.epochs,
    }


def apart(words: list[str], wanted: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Places near those wanted, and near those of the map before, where no word covers another."""
    width = widths(words)
    least = np.stack([width / 2 + 2, np.full(len(words), 14)], axis=1)
    places = (wanted + before) / 2
    for step in range(300):
        pull = 0.05 * (wanted - places) if step < 200 else 0
        places = np.clip(places + pull, least, [320, 156] - least)
        for one, other in combinations(range(len(words)), 2):
            gap = np.abs(places[one] - places[other]) - [(width[one] + width[other]) / 2, HEIGHT]
            if (gap < 0).all():
                axis = int(np.argmax(gap * [0.45, 1]))  # words are wider than high
                push = np.copysign(gap[axis] / 2, places[one, axis] - places[other, axis])
                places[[one, other], axis] += [push, -push]
        covers = (places[:, 0] + width / 2 > BUTTON[0]) & (places[:, 1] > BUTTON[1])
        places[covers, 0] = BUTTON[0] - width[covers] / 2
    return places


def widths(words: list[str]) -> np.ndarray:
    """How wide words are on a map, in px, with room around them."""
    return np.array([LETTER * len(word) + 6 for word in words])


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
    """What BERT and SmolLM2 put into the opening sentence’s gap; of one that is not here, what is stored."""
    guesses = json.loads(OPENING.read_text())["guesses"]
    for name in {"bert", LARGE} & set(map(str, explorer.available())):
        best = first_guesses(model(name), TEXT.default, ROWS, 0)
        guesses[name] = [[word, round(probability, 4)] for word, probability in best]
    return {"text": TEXT.default, "guesses": guesses}


def pictures() -> dict:
    attention, heads = defaults("attention"), defaults("heads")
    head = [attention["layer"], attention["head"]]
    sentences = [attended(text, *head) for text in (TIRED, WIDE)]
    off = switched_off(heads["text"].split(), heads["blank"], heads["off"])
    return {"learnt": learnt(), "attended": {"head": head, "sentences": sentences}, "off": off}


def test_the_opening_guesses_are_what_bert_says_now():
    stored, now = json.loads(OPENING.read_text()), opening()
    assert stored["text"] == now["text"]
    for name, guesses in now["guesses"].items():
        for old, (word, probability) in zip(stored["guesses"][name], guesses, strict=True):
            assert old == [word, pytest.approx(probability, abs=2e-3)]


def test_on_the_maps_no_word_covers_another_and_at_the_end_the_nearest_is_of_the_same_group():
    stored = json.loads(FILE.read_text())["learnt"]
    maps, width, groups = np.array(stored["maps"]), widths(stored["words"]), np.array(stored["groups"])
    for one, other in combinations(range(len(width)), 2):
        across, down = np.abs(maps[:, one] - maps[:, other]).T
        assert ((across > (width[one] + width[other]) / 2 - 3) | (down > HEIGHT - 3)).all()
    assert (maps[..., 0] - width / 2 > 0).all() and (maps[..., 0] + width / 2 < 320).all()
    far = np.linalg.norm(maps[-1][:, None] - maps[-1], axis=2) + 1e9 * np.eye(len(width))
    assert (groups[far.argmin(axis=1)] == groups).all()


@pytest.mark.weights
@pytest.mark.long
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
