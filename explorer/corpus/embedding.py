"""The vectors of sampled occurrences: a few sentences at a time, and no sentence twice."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import torch
from torch import Tensor

from explorer.analysis import senses
from explorer.analysis.senses.occurrences import Occurrences
from explorer.corpus.lookup import Occurrence
from explorer.models.base import Model

BATCH = 128  # occurrences between two reports of progress; larger is faster, since texts are run by length


Key = tuple[str, str, tuple[int, int]]  # the model's name, the sentence, the word's span in it


class Store(Protocol):
    """Where `embed` finds the vectors and tokens that were computed before, and leaves new ones."""

    def look_up(self, key: Key) -> tuple[Tensor, list[str]] | None:
        """What is stored under a key, if anything."""

    def put(self, key: Key, read: tuple[Tensor, list[str]]) -> None:
        """Store a vector and its tokens."""


def embed(
    model: Model,
    occurrences: Sequence[Occurrence],
    word: str,
    cache: Store | None = None,
    step: Callable[[int], None] = lambda count: None,
) -> Occurrences:
    """The vectors of some occurrences, in their order; `step` receives how many are computed so far.

    `sentence_index` counts in `occurrences`. An occurrence past the end of the model's context is `missing`.
    """
    name = str(model.checkpoint)
    vectors = torch.empty(len(occurrences), model.config.layers + 1, model.config.d_model)
    tokens: list[list[str]] = [[] for _ in occurrences]
    numbers: dict[Key, list[int]] = {}  # sentences may repeat
    for i, one in enumerate(occurrences):
        numbers.setdefault((name, one.text, one.span), []).append(i)

    def fill(key: Key, vector: Tensor, its_tokens: list[str]) -> None:
        for i in numbers[key]:
            vectors[i], tokens[i] = vector, its_tokens

    todo = []
    for key, same in numbers.items():
        if cache and (cached := cache.look_up(key)):
            fill(key, *cached)
        else:
            todo.append(same[0])
    count = len(occurrences) - len(todo)
    if todo:
        step(count)
    for batch in _batches(occurrences, todo):
        texts = list(dict.fromkeys(occurrences[i].text for i in batch))
        result = senses.occurrences(model, texts, occurrences[batch[0]].form)
        for j, (text, span) in enumerate(zip(result.sentence_index, result.span)):
            if (key := (name, texts[text], span)) in numbers:
                fill(key, result.vectors[j], result.tokens[j])
                if cache:  # with a copy: a view would keep its whole batch in memory
                    cache.put(key, (result.vectors[j].clone(), result.tokens[j]))
        count += len(batch)
        step(count)
    present = [i for i in range(len(occurrences)) if tokens[i]]
    return Occurrences(
        word=word,
        vectors=vectors if len(present) == len(occurrences) else vectors[present],
        sentence_index=present,
        span=[occurrences[i].span for i in present],
        tokens=[tokens[i] for i in present],
        missing=[i for i in range(len(occurrences)) if not tokens[i]],
    )


def _batches(occurrences: Sequence[Occurrence], numbers: list[int]) -> Iterator[list[int]]:
    """The numbers in batches, each of one word form."""
    by_form: dict[str, list[int]] = {}
    for i in numbers:
        by_form.setdefault(occurrences[i].form.lower(), []).append(i)
    for same in by_form.values():
        for start in range(0, len(same), BATCH):
            yield same[start : start + BATCH]
