"""The vectors of a sample's occurrences: run a few sentences at a time, and none of them twice."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from explorer.analysis import senses
from explorer.analysis.senses.occurrences import Occurrences
from explorer.corpus.lookup import Drawn
from explorer.models.base import Model

AT_A_TIME = 128  # occurrences between two signs of progress; more go faster, since they are run by length
MOST_BYTES = 64 << 20


Key = tuple[str, int, tuple[int, int]]  # the model's name, the sentence's number, the word's place in it


@dataclass(eq=False)
class Kept:
    """Vectors that were computed for one text, the least recently used forgotten first."""

    vectors: "OrderedDict[Key, tuple[Tensor, list[str]]]" = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    size: int = 0

    def get(self, key: Key) -> tuple[Tensor, list[str]] | None:
        """What is kept under a key."""
        with self.lock:
            if key in self.vectors:
                self.vectors.move_to_end(key)
            return self.vectors.get(key)

    def put(self, key: Key, vector: Tensor, tokens: list[str]) -> None:
        """Keep a vector of all layers, copied: a view would hold on to all that it was cut from."""
        with self.lock:
            if key not in self.vectors:
                self.vectors[key] = vector.clone(), tokens
                self.size += vector.nbytes
            while self.size > MOST_BYTES and len(self.vectors) > 1:
                self.size -= self.vectors.popitem(last=False)[1][0].nbytes

    def clear(self) -> None:
        """Forget all of them."""
        with self.lock:
            self.vectors.clear()
            self.size = 0


def embed(
    model: Model,
    drawn: Sequence[Drawn],
    word: str,
    kept: Kept | None = None,
    step: Callable[[int], None] = lambda done: None,
) -> Occurrences:
    """The vectors of some occurrences, in their order; `step` is told how many there are so far.

    `sentence_index` counts in `drawn`. An occurrence past the end of the model's context is `missing`.
    """
    shape = len(drawn), model.config.layers + 1, model.config.d_model
    vectors = torch.empty(shape)
    tokens: list[list[str]] = [[] for _ in drawn]
    kept, name = kept or Kept(), str(model.checkpoint)
    todo: list[int] = []
    for i, one in enumerate(drawn):
        if found_before := kept.get((name, one.sentence, one.span)):
            vectors[i], tokens[i] = found_before
        else:
            todo.append(i)
    if todo:
        step(len(drawn) - len(todo))
    done = len(drawn) - len(todo)
    for part in _parts(drawn, todo):
        at = {(drawn[i].text, drawn[i].span): i for i in part}
        texts = list(dict.fromkeys(text for text, _ in at))
        found = senses.occurrences(model, texts, drawn[part[0]].form)
        for j, (k, span) in enumerate(zip(found.sentence_index, found.span)):
            place = at.get((texts[k], span))
            if place is not None:
                i = place
                vectors[i], tokens[i] = found.vectors[j], found.tokens[j]
                kept.put((name, drawn[i].sentence, span), found.vectors[j], found.tokens[j])
        done += len(part)
        step(done)
    there = [i for i in range(len(drawn)) if tokens[i]]
    return Occurrences(
        word=word,
        vectors=vectors if len(there) == len(drawn) else vectors[there],
        sentence_index=there,
        span=[drawn[i].span for i in there],
        tokens=[tokens[i] for i in there],
        missing=[i for i in range(len(drawn)) if not tokens[i]],
    )


def _parts(drawn: Sequence[Drawn], todo: list[int]) -> Iterator[list[int]]:
    """Occurrences of one form each, a few at a time."""
    forms: dict[str, list[int]] = {}
    for i in todo:
        forms.setdefault(drawn[i].form.lower(), []).append(i)
    for of in forms.values():
        for start in range(0, len(of), AT_A_TIME):
            yield of[start : start + AT_A_TIME]
