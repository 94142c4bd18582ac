"""Turns at a model: what each visitor wants read next, and one desk a model where all are served.

    a turn = one step of one visitor: the next token of its text (of each of its texts, in beam search)

Turns that stand in line together are read in one pass over the weights, and their tokens are
chosen together; a prompt is read in pieces, one piece a go, so that nobody waits for a whole one.
"""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.choosing import Chosen, Wish, choose
from explorer.analysis.queue import Queue, Request
from explorer.models.base import LanguageModel
from explorer.models.decoding import PIECE, Decoder
from explorer.models.layers import Cache
from explorer.models.products import ROWS


@dataclass(eq=False)
class Reading:
    """One text as far as it has been read: its cache, and the pieces of ids that are still unread."""

    cache: Cache
    unread: list[list[int]] = field(default_factory=list)


class Turn(Request):
    """One step: its readings up to the end of what is unread, and the token that a wish asks for.

    When done, `states` are the normalised last states and `logits` their scores, a row for each
    reading; `chosen` is what came of the wish. With `every`, there is a state for each token read,
    and no logits.
    """

    def __init__(self, readings: Sequence[Reading], wish: Wish | None = None, every: bool = False) -> None:
        super().__init__(
            size=len(readings), alone=any(len(piece) > 1 for r in readings for piece in r.unread[:1])
        )
        self.readings, self.wish, self.every = readings, wish, every
        self.states: Float[Tensor, "batch d_model"] | None = None
        self.logits: Float[Tensor, "batch d_vocab"] | None = None
        self.chosen: Chosen | None = None
        self._seen: list[Tensor] = []

    def note(self, states: Float[Tensor, "batch d_model"]) -> bool:
        """Take in the states of a go; whether everything is read."""
        for reading in self.readings:
            del reading.unread[:1]
        # Copies: a slice would keep the whole batch in memory.
        self._seen = [*(self._seen if self.every else ()), states.clone()]
        left = self.readings[0].unread
        self.alone = bool(left) and len(left[0]) > 1
        if not left:
            self.states, self._seen = torch.cat(self._seen), []
        return not left


class Desk:
    """Where the turns of one model are served."""

    def __init__(self, model: LanguageModel) -> None:
        self.decoder = Decoder(model.network)
        self.queue = Queue(self.serve, most=ROWS)

    def serve(self, turns: Sequence[Turn]) -> list[Turn]:
        """One go: a piece of one prompt, or one token of every text. Returns those with more to read."""
        if turns[0].alone:
            (reading,) = turns[0].readings
            piece = torch.tensor(reading.unread[0])
            states = [self.decoder.read(piece, reading.cache)]
            states = states if turns[0].every else [states[0][-1:]]
        else:
            readings = [reading for turn in turns for reading in turn.readings]
            rows = self.decoder.step([r.unread[0][0] for r in readings], [r.cache for r in readings])
            states = rows.split([turn.size for turn in turns])
        finished = [turn for turn, found in zip(turns, states, strict=True) if turn.note(found)]
        self._score([turn for turn in finished if not turn.every])
        return [turn for turn in turns if turn.states is None]

    def _score(self, turns: list[Turn]) -> None:
        """The logits of all who are through, in one product, and what they wish for."""
        if not turns:
            return
        logits = self.decoder.scores(torch.cat([turn.states for turn in turns]))
        for turn, rows in zip(turns, logits.split([turn.size for turn in turns]), strict=True):
            turn.logits = rows
        wishing = [turn for turn in turns if turn.wish is not None]
        if wishing:
            rows = logits if len(wishing) == len(logits) else torch.cat([turn.logits for turn in wishing])
            for turn, chosen in zip(wishing, choose(rows, [t.wish for t in wishing]), strict=True):
                turn.chosen, turn.logits = chosen, None


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
