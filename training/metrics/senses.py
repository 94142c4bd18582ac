"""Senses by layer: with three sentences of each sense, which sense does the word have in the others?

Two baselines do not see the word's vectors: naive Bayes on the sentence's other words, and the mean of the
other words' vectors. They show how much the topic alone gives away.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.analysis.senses import chinese_words
from explorer.analysis.senses.occurrences import Sentence, find, read_sentences, token_positions
from explorer.assets import SENSES
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.tokenizers.languages import is_ideograph
from explorer.trace import Ability, Capture, captured
from training import splits
from training.metrics.figure import Figure, Inputs, by_layer

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True)
class Library:
    """Functions for a word's sentences, its spans in one, and the other words there, for naive Bayes.

    The words are named as their files. `prefix`, `label` and `units` are for the names of the figures.
    """

    sentences: Callable[[str], list[Sentence]]
    find: Callable[[str, str], list[tuple[int, int]]]
    others: Callable[[str, str], list[str]]
    prefix: str = ""
    label: str = ""
    units: str = "words"


def english(folder: Path = SENSES) -> Library:
    """English words of a folder; the others of a sentence are its words in lower case.

    >>> english().others("The bank lent my sister's money.", "bank")
    ['the', 'lent', 'my', "sister's", 'money']
    """

    def sentences(word: str) -> list[Sentence]:
        return read_sentences((folder / f"{word}.txt").read_text(encoding="utf-8"))

    def others(text: str, word: str) -> list[str]:
        return [other for other in _WORD.findall(text.lower()) if other != word.lower()]

    return Library(sentences, find, others)


def chinese() -> Library:
    """Chinese words; the others of a sentence are its Chinese characters without the word's own.

    >>> chinese().others("這個開關壞了。", "kaiguan")
    ['這', '個', '壞', '了']
    """

    def others(text: str, word: str) -> list[str]:
        inside = {place for start, end in spans(text, word) for place in range(start, end)}
        return [char for place, char in enumerate(text) if is_ideograph(char) and place not in inside]

    def spans(text: str, word: str) -> list[tuple[int, int]]:
        return chinese_words.find(text, chinese_words.word(word))

    def sentences(word: str) -> list[Sentence]:
        return chinese_words.sentences(chinese_words.word(word))

    return Library(sentences, spans, others, "zh_", "Chinese, ", "characters")


SHOTS = 3
DRAWS = 20
ENGLISH = english()
TIED = -1
TIE = 1e-6  # a smaller difference is rounding


@dataclass(frozen=True, eq=False)
class Examples:
    """Sentences of a word: its vectors, the mean of the other words' vectors, the other words' counts.

    `truth` numbers the senses; vectors have one entry for each layer, 0 being the embedding.
    """

    truth: Int[Tensor, "sentence"]
    vectors: Float[Tensor, "sentence depth d_model"]
    others: Float[Tensor, "sentence depth d_model"]
    bags: Float[Tensor, "sentence word"]


def sense_words(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Senses of a word, classified at each layer, for each split of the words of the model's languages."""
    figures = []
    for language, file, library in (("en", splits.FILE, ENGLISH), ("zh", splits.FILE_ZH, chinese())):
        if language in model.languages:
            for split, words in splits.read(file).items():
                figures += senses(model, split, words, library)
    return figures


def senses(
    model: LanguageModel,
    split: str,
    words: Sequence[str],
    library: Library = ENGLISH,
    draws: int = DRAWS,
    seed: int = 0,
) -> list[Figure]:
    """Macro-F1 of senses from three sentences of each, mean over draws and then over the words of a split.

    A draw takes three sentences of every sense at random and classifies all others of the word:

        guess(v) = argmax_s cos(v, mean of the three unit vectors of sense s)

    by the word's own vectors, by the mean of the other words' vectors, and by naive Bayes on the other words.
    Guessing is the mean of 1 / number of senses. A tie counts as wrong. Raises AbilityError for a model
    without hidden states, TextError if no word has two senses of four sentences.
    """
    model.require(Ability.CONTEXT, "tell the senses of a word apart")
    own, others, bayes, sizes, sentences = [], [], [], [], 0
    for word in words:
        data = examples(model, word, library)
        kinds = len(data.truth.unique())
        if kinds < 2:
            continue
        shots = draw_shots(data.truth, draws, seed)
        test = torch.ones(draws, len(data.truth), dtype=torch.bool)
        test[torch.arange(draws)[:, None], shots.flatten(1)] = False
        own.append(macro_f1(data.truth, by_centroid(data.vectors, shots), test).mean(0))
        others.append(macro_f1(data.truth, by_centroid(data.others, shots), test).mean(0))
        bayes.append(macro_f1(data.truth, by_naive_bayes(data.bags, shots)[..., None], test).mean())
        sizes.append(1 / kinds)
        sentences += len(data.truth)
    if not own:
        raise TextError("No word has two senses of four sentences.", "Give more sentences.")
    layers, around = (tuple(torch.stack(scores).mean(0).tolist()) for scores in (own, others))
    name, label = f"{library.prefix}{split}", f"{library.label}{split}: "
    mean, naive = f"the other {library.units}' mean, last layer", f"naive Bayes on the other {library.units}"
    chance = f"guessing: {100 * sum(sizes) / len(sizes):.1f}"
    basis = (len(own), f"words, {sentences:,} sentences")
    return [
        by_layer(f"senses_{name}", f"{label}macro-F1, last layer", layers, *basis),
        Figure(f"senses_others_{name}", label + mean, around[-1], layers=around),
        Figure(f"senses_bayes_{name}", label + naive, float(torch.stack(bayes).mean()), note=chance),
    ]


def examples(model: LanguageModel, word: str, library: Library = ENGLISH) -> Examples:
    """Sentences of a word as numbers; senses of fewer than four sentences are left out."""
    tagged = [s for s in library.sentences(word) if s.sense]
    names = sorted(
        s for s in {s.sense for s in tagged if s.sense} if sum(t.sense == s for t in tagged) > SHOTS
    )
    usable, vectors, others = [], [], []
    tagged = [s for s in tagged if s.sense in names]
    for sentence, trace in zip(
        tagged, model.trace_many([s.text for s in tagged], Capture.HIDDEN), strict=True
    ):
        spans = library.find(sentence.text, word)
        own = token_positions(trace.encoding, spans[0]) if spans else []
        rest = ~trace.encoding.special
        rest[own] = False
        if own and rest.any():  # the word may stand past the end of the context
            usable.append(sentence)
            hidden = captured(trace.hidden_states)
            vectors.append(hidden[:, own].mean(1))
            others.append(hidden[:, rest].mean(1))
    bags = [library.others(s.text, word) for s in usable]
    vocabulary = sorted({w for bag in bags for w in bag})
    empty = torch.empty(0, model.config.layers + 1, model.config.d_model)
    return Examples(
        truth=torch.tensor([names.index(s.sense) for s in usable if s.sense], dtype=torch.long),
        vectors=torch.stack(vectors) if usable else empty,
        others=torch.stack(others) if usable else empty,
        bags=torch.tensor([[bag.count(w) for w in vocabulary] for bag in bags], dtype=torch.float64),
    )


def draw_shots(truth: Int[Tensor, "sentence"], draws: int, seed: int) -> Int[Tensor, "draw sense 3"]:
    """Three random sentences of every sense, for each draw."""
    random = np.random.default_rng(seed)
    of_sense = [(truth == sense).nonzero().flatten().numpy() for sense in truth.unique()]
    return torch.tensor(
        np.array([[random.choice(s, SHOTS, replace=False) for s in of_sense] for _ in range(draws)])
    )


def by_centroid(
    vectors: Float[Tensor, "sentence layer d_model"], shots: Int[Tensor, "draw sense 3"]
) -> Int[Tensor, "draw sentence layer"]:
    """Sense with the nearest centroid by cosine."""
    unit = F.normalize(vectors, dim=-1)
    centroids = F.normalize(unit[shots].mean(2), dim=-1)
    return sole_best(torch.einsum("nld,rsld->rnls", unit, centroids))


def by_naive_bayes(
    bags: Float[Tensor, "sentence word"], shots: Int[Tensor, "draw sense 3"]
) -> Int[Tensor, "draw sentence"]:
    """Sense by multinomial naive Bayes with equal priors.

        argmax_s sum_w count(w) log((count(w in s) + 1) / (words in s + vocabulary))

    over the words of the three sentences of all senses (McCallum & Nigam 1998).
    """
    counts = bags[shots].sum(2)  # draw sense word
    seen_words = counts.sum(1, keepdim=True) > 0
    size = seen_words.sum(-1, keepdim=True)
    logs = ((counts + 1) / (counts.sum(-1, keepdim=True) + size)).log() * seen_words
    return sole_best(torch.einsum("nw,rsw->rns", bags, logs))


def sole_best(scores: Float[Tensor, "*items sense"]) -> Int[Tensor, "*items"]:
    """Sense with the highest score; -1 for a tie."""
    best = scores.topk(2, dim=-1)
    tied = best.values[..., 0] - best.values[..., 1] <= TIE
    return best.indices[..., 0].masked_fill(tied, TIED)


def macro_f1(
    truth: Int[Tensor, "sentence"],
    guess: Int[Tensor, "draw sentence layer"],
    test: Bool[Tensor, "draw sentence"],
) -> Float[Tensor, "draw layer"]:
    """Mean over senses of F1 = 2 tp / (2 tp + fp + fn), on the test sentences of each draw."""
    scores = []
    for sense in truth.unique():
        true, guessed = (truth == sense)[None, :, None] & test[..., None], (guess == sense) & test[..., None]
        scores.append(2 * (true & guessed).sum(1) / (true.sum(1) + guessed.sum(1)))
    return torch.stack(scores).mean(0)
