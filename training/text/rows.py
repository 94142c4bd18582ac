"""Token ids to rows of equal length: a plain cut for GPT, single texts and sentence pairs for BERT."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Int
from tokenizers import Tokenizer as Backend
from torch import Tensor

from training.text.shards import Shard

SINGLE = 0.5  # rows of one text: the app reads single sentences more often than pairs
COPIES = 0.05  # GPT's rows in which a passage comes twice: without them a small model hardly learns to copy
SHORT = 0.1  # rows made shorter at random, so that position 20 also ends texts (Devlin et al. 2019)
UNKNOWN = -1
LEAST = 5  # tokens of a sentence that stands alone: fewer say too little of a gap among them


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows that can be drawn in any order. BERT alone has the three columns.

    `second` is where segment 1 begins and `end` where padding begins; `follows` is 0 for a
    true next sentence, 1 for one from elsewhere, -1 for a single text. `joined` is there where whole words
    are masked: whether a token belongs to the word of the token before it.
    """

    ids: Int[Tensor, "row pos"]
    second: Int[Tensor, "row"] | None = None
    end: Int[Tensor, "row"] | None = None
    follows: Int[Tensor, "row"] | None = None
    joined: Bool[Tensor, "row pos"] | None = None

    @property
    def columns(self) -> tuple[Int[Tensor, "row"], Int[Tensor, "row"], Int[Tensor, "row"]]:
        """`second`, `end` and `follows`. Raises ValueError for rows that are not BERT's."""
        if self.second is None or self.end is None or self.follows is None:
            raise ValueError("Rows without segments are no rows for BERT.")
        return self.second, self.end, self.follows

    def __len__(self) -> int:
        return len(self.ids)

    def read(self, length: int) -> int:
        """The tokens that a step reads of these rows, each of `length`."""
        return len(self) * length

    def take(self, rows: Tensor) -> "Rows":
        """Some of the rows, ids widened for embedding."""
        return Rows(self.ids[rows].long(), *(None if c is None else c[rows] for c in self._besides))

    def to(self, device: torch.device) -> "Rows":
        """The same rows on another device."""
        return Rows(self.ids.to(device), *(None if c is None else c.to(device) for c in self._besides))

    def and_also(self, others: "Rows") -> "Rows":
        """These rows and then others of the same length and kind."""
        both = zip(self._besides, others._besides, strict=True)
        return Rows(
            torch.cat([self.ids, others.ids]),
            *(None if a is None or b is None else torch.cat([a, b]) for a, b in both),
        )

    @property
    def _besides(self) -> tuple[Tensor | None, ...]:
        return self.second, self.end, self.follows, self.joined


def stream(shard: Shard, length: int) -> Rows:
    """GPT's rows: the stream cut every `length` tokens; the last token of a row is a target only."""
    ids = torch.from_numpy(shard.ids.astype(np.int32))
    return Rows(ids.unfold(0, length + 1, length) if len(ids) > length else ids.new_zeros(0, length + 1))


def with_copies(rows: Rows, seed: int, share: float = COPIES) -> Rows:
    """The same rows, but in a `share` of them a passage stands again, further on, in place of what did.

    What follows the second time is then known from the first. That teaches induction: to look for
    an earlier copy of the token at hand and to read what came after it (Olsson et al. 2022).
    """
    ids, random = rows.ids.clone(), np.random.default_rng(seed)
    length = ids.shape[1]
    for row in np.flatnonzero(random.random(len(ids)) < share).tolist():
        passage = int(random.integers(length // 8, length // 2))
        first = int(random.integers(0, length - 2 * passage + 1))
        again = int(random.integers(first + passage, length - passage + 1))
        ids[row, again : again + passage] = ids[row, first : first + passage]
    return Rows(ids)


def frame_of(backend: Backend) -> tuple[int, int, int]:
    """The ids of [CLS], [SEP] and [PAD], which stand around BERT's texts."""
    start, separator, padding = (backend.token_to_id(token) for token in ("[CLS]", "[SEP]", "[PAD]"))
    assert start is not None and separator is not None and padding is not None, "every BERT has them"
    return start, separator, padding


def pairs(shard: Shard, length: int, frame: tuple[int, int, int], seed: int, short: float = SHORT) -> Rows:
    """BERT's rows: `[CLS] text [SEP]`, or `[CLS] first [SEP] second [SEP]` with a true or false second.

    Half of the pairs have a second text from another document: of eight drawn, the one
    whose sentences are most nearly as long, so that style alone does not give it away.
    `frame` is the ids of [CLS], [SEP] and [PAD].
    """
    start, separator, padding = frame
    random = np.random.default_rng([seed, length])
    ids, columns = [], []
    tokens = np.diff(shard.pieces[shard.documents])
    style = tokens / np.maximum(1, np.diff(shard.documents))
    for document in range(len(tokens)):
        piece, last = shard.documents[document], shard.documents[document + 1]
        while piece < last:
            single = random.random() < SINGLE
            room = length - (2 if single else 3)
            if random.random() < short:
                room = int(random.integers(8, room + 1))
            stop = piece + 1
            while stop < last and shard.pieces[stop] - shard.pieces[piece] < room:
                stop += 1
            if single or stop - piece < 2:
                body = _text(shard, piece, stop)[: length - 2 if stop - piece < 2 else room]
                row, second, follows = [start, *body, separator], length, UNKNOWN
                piece = stop
            else:
                middle = int(random.integers(piece + 1, stop))
                first, follows = _text(shard, piece, middle), int(random.random() < 0.5)
                if follows:
                    drawn = random.integers(0, len(tokens), 8)
                    drawn = drawn[drawn != document]
                    if not len(drawn):
                        follows = 0
                if follows:
                    other = drawn[np.abs(style[drawn] - style[document]).argmin()]
                    begin = int(random.integers(shard.documents[other], shard.documents[other + 1]))
                    after = _text(shard, begin, shard.documents[other + 1], room)
                    piece = middle
                else:
                    after = _text(shard, middle, stop)
                    piece = stop
                first, after = shortened(first, after, room)
                row = [start, *first, separator, *after, separator]
                second = len(first) + 2
            columns.append((second, len(row), follows))
            ids.append(np.pad(np.asarray(row), (0, length - len(row)), constant_values=padding))
    if not ids:
        return Rows(torch.zeros(0, length, dtype=torch.int32), *torch.zeros(3, 0, dtype=torch.long))
    second, end, follows = torch.tensor(columns).T
    return Rows(torch.from_numpy(np.stack(ids).astype(np.int32)), second, end, follows)


def alone(shard: Shard, length: int, frame: tuple[int, int, int], seed: int, count: int) -> Rows:
    """`[CLS] sentence [SEP]`: as many of a shard's sentences as are asked for, or all, drawn by the seed."""
    start, separator, padding = frame
    tokens = np.diff(shard.pieces)
    fit = np.flatnonzero((tokens >= LEAST) & (tokens <= length - 2))
    drawn = np.random.default_rng([seed, length]).permutation(fit)[:count]
    ids = np.full((len(drawn), length), padding, dtype=np.int32)
    for row, piece in zip(ids, drawn.tolist(), strict=True):
        text = _text(shard, piece, piece + 1)
        row[: len(text) + 2] = [start, *text, separator]
    end = torch.from_numpy(tokens[drawn] + 2)
    return Rows(torch.from_numpy(ids), torch.full_like(end, length), end, torch.full_like(end, UNKNOWN))


def layout(
    rows: Rows, frame: tuple[int, int, int]
) -> tuple[Bool[Tensor, "row pos"], Int[Tensor, "row pos"], Bool[Tensor, "row pos"]]:
    """Which positions are text, which belong to segment 1, and which may be masked."""
    place = torch.arange(rows.ids.shape[1], device=rows.ids.device)
    second, end, _ = rows.columns
    allowed = place < end[:, None]
    segments = ((place >= second[:, None]) & allowed).long()
    special = torch.stack([rows.ids == id for id in frame]).any(0)
    return allowed, segments, allowed & ~special


def by_length(end: Int[Tensor, "row"], parts: int) -> list[tuple[Int[Tensor, "part"], int]]:
    """Rows of like length together: which they are, and how many positions the longest of them has.

    >>> by_length(torch.tensor([9, 3, 8, 2]), 2)
    [(tensor([3, 1]), 3), (tensor([2, 0]), 9)]
    """
    order = end.argsort(stable=True)
    return [(rows, int(end[rows].max())) for rows in order.chunk(parts) if len(rows)]


def _text(shard: Shard, piece: int, stop: int, limit: int | None = None) -> np.ndarray:
    return shard.ids[shard.pieces[piece] : shard.pieces[stop]][:limit]


def shortened(first: np.ndarray, after: np.ndarray, room: int) -> tuple[np.ndarray, np.ndarray]:
    """Both texts cut at the end until they fit, the longer one first."""
    half = room // 2
    keep_after = min(len(after), max(half, room - len(first)))
    return first[: room - keep_after], after[:keep_after]
