"""Record of a training: the model's predictions and figures at its milestones."""

import json
import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from explorer import load
from explorer.analysis import generation, prediction, translation, vectors
from explorer.analysis.prediction import judging
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability, Capture, captured
from training.average import export
from training.loop import Task
from training.metrics import blanks
from training.metrics.figure import Inputs, values
from training.text import Corpus

NAME = "training.json"
TOP = 5
CURVE_POINTS = 200
HELD_OUT_TOKENS = 50_000  # at a milestone

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
PROBABILITY = "probability"
NUMBERS = {ODD: "replaced", WATCHED: "cosine"}  # what the numbers beside predictions are, if no probabilities
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
    numbers: str = PROBABILITY

    @classmethod
    def read(cls, folder: Path) -> "Record":
        """Record in a checkpoint's folder."""
        stored = json.loads((folder / NAME).read_text(encoding="utf-8"))
        return cls(**(stored | {"sentences": tuple(stored["sentences"])}))

    def write(self, folder: Path) -> None:
        """Write the record into a checkpoint's folder."""
        text = json.dumps(vars(self), ensure_ascii=False, indent=1)
        (folder / NAME).write_text(text + "\n", encoding="utf-8")


def point(task: Task, held_out: Corpus | None) -> dict[str, dict[str, Any]]:
    """Figures and predictions of a task's networks as they are now, stored and loaded again.

    Besides the task's own measure, models that fill blanks have those of our lists of sentences.
    """
    points = {}
    with tempfile.TemporaryDirectory() as place, torch.no_grad():
        for half, network in task.networks().items():
            export(network, task.write_tokenizer, Path(place) / f"{task.name}{half}")
        for half in task.networks():
            model = load(f"folder:{Path(place) / f'{task.name}{half}'}")
            figures = task.held_out(model, held_out, HELD_OUT_TOKENS) | list_figures(model)
            points[half] = {"figures": rounded(figures)} | predictions(model, fixed_sentences(model))
    return points


def list_figures(model: LanguageModel) -> dict[str, float]:
    """Figures on our lists of sentences; of the everyday ones the test half is for the result."""
    if Ability.FILL not in model.abilities:
        return {}
    cloze, everyday = (values(run(model, Inputs())) for run in (blanks.cloze, blanks.classroom))
    first = "classroom_first_dev" if "en" in model.languages else "classroom_zh_first_dev"
    figures = {"cloze": (cloze["cloze_dev"] + cloze["cloze_test"]) / 2, "classroom": everyday[first]}
    if "en" in model.languages:
        figures["repeats"] = everyday["classroom_repeats_dev"]
    return figures


def rounded(figures: Mapping[str, float]) -> dict[str, float]:
    """Figures with four decimals."""
    return {name: round(value, 4) for name, value in figures.items()}


def fixed_sentences(model: LanguageModel) -> tuple[str, ...]:
    """Sentences whose predictions a record shows, for a model's abilities and languages."""
    abilities = model.abilities
    if Ability.VECTORS in abilities:
        return WATCHED
    if Ability.FILL in abilities and "en" not in model.languages:
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


def curve(log: Sequence[Mapping[str, float]], column: str) -> dict[str, list[float]]:
    """Training loss of a run's reports, averaged over at most 200 intervals of equal ratio."""
    if not log:
        return {"tokens": [], "loss": []}
    low, high = math.log(log[0]["tokens"]), math.log(log[-1]["tokens"])
    width = max(1e-9, (high - low) / (CURVE_POINTS - 1))
    bins: dict[int, list[Mapping[str, float]]] = {}
    for row in log:
        bins.setdefault(int((math.log(row["tokens"]) - low) / width), []).append(row)
    return {
        "tokens": [rows[-1]["tokens"] for rows in bins.values()],
        "loss": [round(sum(row[column] for row in rows) / len(rows), 4) for rows in bins.values()],
    }
