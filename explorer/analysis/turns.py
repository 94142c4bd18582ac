"""Turns at a model: what each visitor wants read next, and one desk a model where all are served.

    a turn = one step of one visitor: the next token of its text (of each of its texts, in beam search)

Turns that stand in line together are read in one pass over the weights, and their tokens are
chosen together. A short prompt is read with them, a long one in pieces of its own, one piece a go,
so that nobody waits for a whole one.
"""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.ahead import Guesses
from explorer.analysis.choosing import Chosen, Wish, choose
from explorer.analysis.queue import Queue, Request
from explorer.models.base import LanguageModel
from explorer.models.decoding import PIECE, ROWS, Decoder
from explorer.models.layers import Cache

SHORT = 8  # a piece of so many tokens shares a go with others' tokens: each of its own is a row


@dataclass(eq=False)
class Reading:
    """One text as far as it has been read: its cache, and the pieces of ids that are still unread.

    `last` are the two tokens read last, by which guesses are made.
    """

    cache: Cache
    unread: list[list[int]] = field(default_factory=list)
    last: tuple[int, ...] = ()


class Turn(Request):
    """One step: its readings up to the end of what is unread, and the tokens that wishes ask for.

    When done, `states` are the normalised last states and `logits` their scores, a row for each
    reading. With wishes, `chosen` is what came of the first, and of as many of the others, which
    are for the steps after it, as could be read ahead; `states` has a row for each. With `every`,
    there is a state for each token read, and no logits.
    """

    def __init__(self, readings: Sequence[Reading], wishes: Sequence[Wish] = (), every: bool = False) -> None:
        super().__init__()
        self.readings, self.wishes, self.every = readings, wishes, every
        self.states: Float[Tensor, "batch d_model"] | None = None
        self.logits: Float[Tensor, "batch d_vocab"] | None = None
        self.chosen: list[Chosen] = []
        self.guessed: list[int] = []
        self._seen: list[Tensor] = []
        self._next_go()

    def note(self, states: Float[Tensor, "batch d_model"]) -> bool:
        """Take in the states of a go; whether everything is read."""
        for reading in self.readings:
            reading.last = (*reading.last, *reading.unread.pop(0))[-2:]
        # Copies: a slice would keep the whole batch in memory.
        self._seen = [*(self._seen if self.every else ()), states.clone()]
        finished = not self.readings[0].unread
        if finished:
            self.states, self._seen = torch.cat(self._seen), []
        else:
            self._next_go()
        return finished

    def _next_go(self) -> None:
        """How many rows the next pieces take, and whether that is too many to share a go."""
        self.size = sum(len(reading.unread[0]) for reading in self.readings)
        self.alone = self.size > SHORT * len(self.readings)

    def keep_true(self, logits: Float[Tensor, "batch d_vocab"], end: int | None) -> None:
        """Keep the logits and states up to the first guess that is not the most probable token there."""
        true = 0
        if self.guessed:
            for guess, best in zip(self.guessed, logits.argmax(-1).tolist()):
                if guess != best or best == end:
                    break
                true += 1
        reading = self.readings[0]
        reading.cache.length += true
        reading.last = (*reading.last, *self.guessed[:true])[-2:]
        self.logits, self.states = logits[: 1 + true], self.states[: 1 + true]


class Desk:
    """Where the turns of one model are served."""

    def __init__(self, model: LanguageModel) -> None:
        self.decoder = Decoder(model.network)
        self.queue = Queue(self.serve, most=ROWS)
        self.guesses = Guesses()
        self._end = model.tokenizer.start

    def serve(self, turns: Sequence[Turn]) -> list[Turn]:
        """One go: a piece of one prompt, or one token of every text. Returns those with more to read."""
        states = [self._piece(turns[0])] if turns[0].alone else self._tokens(turns)
        finished = [turn for turn, found in zip(turns, states, strict=True) if turn.note(found)]
        self._score([turn for turn in finished if not turn.every])
        return [turn for turn in turns if turn.states is None]

    def _piece(self, turn: Turn) -> Float[Tensor, "pos d_model"]:
        (reading,) = turn.readings
        ids = reading.unread[0]
        if len(turn.wishes) > 1:
            self.guesses.learn(ids)
        states = self.decoder.read(torch.tensor(ids), reading.cache)
        return states if turn.every else states[-1:]

    def _tokens(self, turns: Sequence[Turn]) -> list[Float[Tensor, "batch d_model"]]:
        """A token of every text; where rows are to be had for little, they read on by guesses."""
        ids, caches, ahead, counts = [], [], [], []
        empty = self.decoder.free - sum(turn.size for turn in turns)
        for turn in turns:
            first, turn.guessed = turn.readings[0], []
            if empty > 0 and len(turn.wishes) > 1 and len(first.unread) == 1:
                known = (*first.last, *first.unread[0])
                turn.guessed = self.guesses.after(known, min(empty, len(turn.wishes) - 1))
                empty -= len(turn.guessed)
            for reading in turn.readings:
                piece = reading.unread[0] + (turn.guessed if reading is first else [])
                ids += piece
                caches += [reading.cache] * len(piece)
                ahead += range(len(piece))
            counts.append(turn.size + len(turn.guessed))
        rows = self.decoder.step(ids, caches, ahead).split(counts)
        for turn in turns:
            for reading in turn.readings:
                reading.cache.length += len(reading.unread[0]) - 1
        # Of a piece that is longer than a token only the last state is wanted, unless every one is.
        return [
            states if turn.every or len(turn.readings) > 1 else states[turn.size - 1 :]
            for turn, states in zip(turns, rows, strict=True)
        ]

    def _score(self, turns: list[Turn]) -> None:
        """The logits of all who are through, in one product, and what they wish for."""
        if not turns:
            return
        logits = self.decoder.scores(torch.cat([turn.states for turn in turns]))
        wishing = [turn for turn in turns if turn.wishes]
        for turn, rows in zip(turns, logits.split([len(turn.states) for turn in turns]), strict=True):
            turn.logits = rows
            if turn.wishes:
                turn.keep_true(rows, self._end)
        if not wishing:
            return
        wishes = [wish for turn in wishing for wish in turn.wishes[: len(turn.states)]]
        asked = logits if len(wishes) == len(logits) else torch.cat([turn.logits for turn in wishing])
        chosen = iter(choose(asked, wishes))
        for turn in wishing:
            turn.chosen, turn.logits = [next(chosen) for _ in turn.states], None
            if len(turn.wishes) > 1:
                self.guesses.learn([*turn.readings[0].last, turn.chosen[-1].id])


def pieces(ids: Sequence[int]) -> list[list[int]]:
    """A text in pieces of as many tokens as are read in one go."""
    return [list(ids[at : at + PIECE]) for at in range(0, len(ids), PIECE)]


def singly(ids: Iterable[int]) -> list[list[int]]:
    """A text token by token: read as it was written, so that every bit comes out the same."""
    return [[id] for id in ids]


_desks: "WeakKeyDictionary[LanguageModel, Desk]" = WeakKeyDictionary()
_lock = threading.Lock()


def desk_of(model: LanguageModel) -> Desk:
    """The one desk of a model, made when it is first needed; its weights are up to date."""
    with _lock:
        if model not in _desks:
            _desks[model] = Desk(model)
        desk = _desks[model]
        desk.decoder.refresh()
        return desk
