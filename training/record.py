"""Record of a training: the model's predictions and figures at its milestones.

A run that starts from a checkpoint with a record continues it. The weights of the milestones stay with the
run and do not ship.
"""

import csv
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from explorer import load
from explorer.analysis import generation, prediction, translation, vectors
from explorer.analysis.prediction import judging
from explorer.models.language_model import LanguageModel
from explorer.tokenizers.languages import Language
from explorer.trace import Ability, Capture, captured
from training.average import export
from training.run.loop import Run
from training.run.task import Exportable

NAME = "training.json"
TOP = 5
CURVE_POINTS = 200
APART = 1.1  # the first milestones of a continued run are too close to each other to show anything

BLANKS = (
    "The doctor worked at the [MASK] for ten years.",
    "She put the cake in the [MASK] and waited half an hour.",
    "The keys to the old cabinet [MASK] on the table.",
    "Paris is the capital of [MASK].",
    "He was thirsty, so he drank a glass of [MASK].",
    "My sister lost [MASK] umbrella on the train.",
)
CHINESE_BLANKS = (
    "他在[MASK][MASK]上大學。",
    "医生在这家[MASK]院工作了十年。",
    "她把蛋糕放進[MASK]箱裡，等了半小時。",
    "法國的首都是[MASK]黎。",
    "他口渴了，所以喝了一杯[MASK]。",
    "我妹妹在火车上弄丢了[MASK]的雨伞。",
)
PROMPTS = (
    "The doctor walked into the",
    "Once upon a time there was a little",
    "The keys to the old cabinet",
    "It was raining, so she took her",
    "The river flows into the",
    "“Where are you going?” asked the",
)
ENGLISH = (
    "I don't know where she lives.",
    "The cat is sleeping on the chair.",
    "We have lost the keys to the house.",
    "Are you going to the market tomorrow?",
    "My brother is taller than his father.",
    "It was raining, so we stayed at home.",
)
ODD = (
    "The doctor worked at the banana for ten years.",
    "She put the cake in the letter and waited half an hour.",
    "The keys to the old cabinet is on the table.",
    "Paris is the daughter of France.",
    "He was thirsty, so he drank a glass of wood.",
    "My sister lost him umbrella on the train.",
)
WATCHED = tuple(
    f"{word} lies nearest to [MASK]"
    for word in ("king", "france", "water", "seven", "walked", "doctor", "beautiful", "music")
)
SAMPLING = generation.Sampling(top_p=0.9, max_new_tokens=24, seed=0)


@dataclass
class Record:
    """Fixed sentences, points of training in order, the smoothed loss, and the facts of the run.

    `run` holds tokens, steps, seconds, machine, command and text of the last run; `before` those of the runs
    that it continued. `scores` are the figures of `evaluate`. `numbers` names the numbers beside the
    predictions: probability, cosine, or "replaced" (the probability that a token was replaced).
    """

    sentences: tuple[str, ...]
    points: list[dict[str, Any]] = field(default_factory=list)
    curve: dict[str, list[float]] = field(default_factory=lambda: {"tokens": [], "loss": []})
    run: dict[str, Any] = field(default_factory=dict)
    before: list[dict[str, Any]] = field(default_factory=list)
    scores: dict[str, Any] = field(default_factory=dict)
    numbers: str = "probability"

    @classmethod
    def read(cls, folder: Path) -> "Record | None":
        """Record in a checkpoint's folder, or None."""
        path = folder / NAME
        if not path.exists():
            return None
        stored = json.loads(path.read_text(encoding="utf-8"))
        return cls(**(stored | {"sentences": tuple(stored["sentences"])}))

    def write(self, folder: Path) -> None:
        """Write the record into a checkpoint's folder, atomically."""
        partial = folder / f"{NAME}.partial"
        partial.write_text(json.dumps(vars(self), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        partial.replace(folder / NAME)

    def after(self, earlier: "Record | None") -> "Record":
        """This record as the continuation of an earlier one, with tokens and steps added up.

        Of its points, those well beyond the previous one remain, and the last.
        """
        if earlier is None:
            return self
        runs = [*earlier.before, earlier.run]
        before = {key: sum(run[key] for run in runs) for key in ("tokens", "steps", "seconds")}
        read = before["tokens"]
        later = [
            point | {key: point[key] + value for key, value in before.items()}
            for point in self.points
            if point["tokens"]  # its first point is the last of the earlier record
        ]
        curve = {
            "tokens": earlier.curve["tokens"] + [t + read for t in self.curve["tokens"]],
            "loss": earlier.curve["loss"] + self.curve["loss"],
        }
        return replace(self, points=[*earlier.points, *apart(later, read)], curve=curve, before=runs)


def apart(points: Sequence[dict[str, Any]], start: int) -> list[dict[str, Any]]:
    """Points at least `APART` times as far as the previous one, from `start` tokens on; and the last.

    >>> [point["tokens"] for point in apart([{"tokens": t} for t in (101, 108, 112, 120)], 100)]
    [112, 120]
    """
    selected = []
    for point in points:
        if point["tokens"] >= APART * start:
            selected.append(point)
            start = point["tokens"]
    return selected if not points or selected[-1:] == [points[-1]] else [*selected, points[-1]]


def store(checkpoint: Exportable, run: Run, folder: Path) -> None:
    """Store the current weights in the run's folder, to be measured later."""
    export(checkpoint, folder)
    (folder / "place.json").write_text(json.dumps(run.place), encoding="utf-8")


def points(
    folder: Path, figures: Callable[[LanguageModel], dict[str, float]]
) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Fixed sentences, and a point for the weights of every milestone in `folder`."""
    sentences: tuple[str, ...] = ()
    rows = []
    for path in sorted(folder.glob("*/place.json")):
        model = load(f"folder:{path.parent}")
        sentences = fixed_sentences(model.abilities, model.languages)
        facts = json.loads(path.read_text(encoding="utf-8"))
        rows.append(facts | {"figures": rounded(figures(model))} | predictions(model, sentences))
    return sentences, rows


def numbers(sentences: tuple[str, ...]) -> str:
    """Name of the numbers beside the predictions for fixed sentences (see `Record`)."""
    return {ODD: "replaced", WATCHED: "cosine"}.get(sentences, "probability")


def rounded(figures: dict[str, float]) -> dict[str, float]:
    """Figures with four decimals."""
    return {name: round(value, 4) for name, value in figures.items()}


def fixed_sentences(
    abilities: Ability, languages: frozenset[Language] = frozenset({"en"})
) -> tuple[str, ...]:
    """Sentences whose predictions a record shows, for a model's abilities and languages."""
    if Ability.VECTORS in abilities:
        return WATCHED
    if Ability.FILL in abilities and "en" not in languages:
        return CHINESE_BLANKS
    if Ability.NEXT_WORD in abilities:
        return tuple(f"{prompt} " for prompt in PROMPTS)  # the space: a whole word follows
    if Ability.TRANSLATE in abilities:
        return ENGLISH
    if Ability.DETECT in abilities:
        return ODD
    return BLANKS if Ability.FILL in abilities else PROMPTS


def predictions(model: LanguageModel, sentences: Sequence[str]) -> dict[str, Any]:
    """Predictions of the model for the sentences, and continuations of GPT or translations.

    A discriminator's predictions are the tokens that most look replaced.
    """
    further = {}
    if Ability.TRANSLATE in model.abilities:
        guesses = [first_tokens(model, text) for text in sentences]
        further = {"continuations": [translation.translate(model, text).text for text in sentences]}
    elif Ability.VECTORS in model.abilities:
        table = vectors.of(model)
        watched = [sentence.split()[0] for sentence in sentences]
        nearest = [vectors.nearest(table, word, TOP) if word in table else [] for word in watched]
        guesses = [[(n.word, n.cosine) for n in row] for row in nearest]
    elif Ability.FILL in model.abilities:
        guesses = [prediction.fill_mask(model, text, TOP)[0] for text in sentences]
    elif Ability.DETECT in model.abilities:
        guesses = [judging.suspects(model, text, TOP) for text in sentences]
    elif Ability.NEXT_WORD in model.abilities:
        guesses = [prediction.next_words(model, text, TOP) for text in sentences]
    else:
        guesses = [prediction.next_tokens(model, text, TOP) for text in sentences]
        further = {"continuations": [continuation(model, text, SAMPLING) for text in sentences]}
    rows = [[[token, round(probability, 4)] for token, probability in row] for row in guesses]
    return {"predictions": rows} | further


def first_tokens(model: LanguageModel, text: str) -> list[tuple[str, float]]:
    """The most probable first tokens of a translation, with their probabilities."""
    logits = captured(translation.trace(model, text, [0], Capture.LOGITS).target.logits)[0]
    top = logits.softmax(-1).topk(TOP)
    return [(model.tokenizer.token(int(id)), float(p)) for p, id in zip(*top, strict=True)]


def continuation(model: LanguageModel, prompt: str, sampling: generation.Sampling) -> str:
    """Text that GPT adds to a prompt."""
    return "".join(step.text for step in generation.generate(model, prompt, sampling))


def curve(log: Path, column: str) -> dict[str, list[float]]:
    """Training loss of a log, averaged over at most 200 intervals of equal ratio.

    A resumed run may write rows again; the later ones count.
    """
    if not log.exists():
        return {"tokens": [], "loss": []}
    rows: list[tuple[int, float]] = []
    with log.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            tokens = int(row["tokens"])
            while rows and rows[-1][0] >= tokens:
                rows.pop()
            rows.append((tokens, float(row[column])))
    if not rows:
        return {"tokens": [], "loss": []}
    low, high = math.log(rows[0][0]), math.log(rows[-1][0])
    width = max(1e-9, (high - low) / (CURVE_POINTS - 1))
    bins: dict[int, list[tuple[int, float]]] = {}
    for tokens, loss in rows:
        bins.setdefault(int((math.log(tokens) - low) / width), []).append((tokens, loss))
    return {
        "tokens": [b[-1][0] for b in bins.values()],
        "loss": [round(sum(loss for _, loss in b) / len(b), 4) for b in bins.values()],
    }
