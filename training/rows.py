"""BERT's rows of equal length from token ids: texts and pairs of texts, with hidden words."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Int
from tokenizers import Tokenizer as Backend
from torch import Generator, Tensor

from training.text import Shard

SINGLE = 0.5  # share of BERT's rows with one text: the app reads single sentences more often than pairs
UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows that can be drawn in any order.

    `columns` say where segment 1 begins, where padding begins, and the next sentence: 0 for a true one, 1 for
    one from another document, -1 (`UNKNOWN`) for a single text.
    """

    ids: Int[Tensor, "row pos"]
    columns: Int[Tensor, "3 row"]

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, rows: Tensor) -> "Rows":
        """Rows of these numbers, with ids as int64 for the embedding."""
        return Rows(self.ids[rows].long(), self.columns[:, rows])


def frame_of(backend: Backend) -> tuple[int, int, int]:
    """Ids of [CLS], [SEP] and [PAD]."""
    start, separator, padding = (backend.token_to_id(token) for token in ("[CLS]", "[SEP]", "[PAD]"))
    assert start is not None and separator is not None and padding is not None, "every BERT has them"
    return start, separator, padding


def pairs(shard: Shard, length: int, frame: tuple[int, int, int], seed: int, short: float = 0.1) -> Rows:
    """BERT's rows: `[CLS] text [SEP]`, or `[CLS] first [SEP] second [SEP]` with a true or false second text.

    Half of the pairs have a second text from another document. Of eight random documents it is the one
    whose mean sentence length is nearest, so that style alone does not give it away. A `short` share of the
    rows is cut at random, so that texts end at all positions. `frame` has the ids of [CLS], [SEP] and [PAD].
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
                    others = random.integers(0, len(tokens), 8)
                    others = others[others != document]
                    if not len(others):
                        follows = 0
                if follows:
                    other = others[np.abs(style[others] - style[document]).argmin()]
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
        return Rows(torch.zeros(0, length, dtype=torch.int32), torch.zeros(3, 0, dtype=torch.long))
    return Rows(torch.from_numpy(np.stack(ids).astype(np.int32)), torch.tensor(columns).T)


def layout(
    rows: Rows, frame: tuple[int, int, int]
) -> tuple[Bool[Tensor, "row pos"], Int[Tensor, "row pos"], Bool[Tensor, "row pos"]]:
    """Masks of each position: it is text, it belongs to segment 1, it may be masked."""
    place = torch.arange(rows.ids.shape[1])
    second, end, _ = rows.columns
    allowed = place < end[:, None]
    segments = ((place >= second[:, None]) & allowed).long()
    special = torch.stack([rows.ids == id for id in frame]).any(0)
    return allowed, segments, allowed & ~special


def _text(shard: Shard, piece: int, stop: int, limit: int | None = None) -> np.ndarray:
    return shard.ids[shard.pieces[piece] : shard.pieces[stop]][:limit]


def shortened(first: np.ndarray, after: np.ndarray, room: int) -> tuple[np.ndarray, np.ndarray]:
    """Both texts cut at the end to fit into `room` tokens, the longer one first."""
    half = room // 2
    keep_after = min(len(after), max(half, room - len(first)))
    return first[: room - keep_after], after[:keep_after]


RATE, HIDDEN, RANDOM = 0.15, 0.8, 0.1


def hide(
    ids: Int[Tensor, "row pos"],
    candidates: Bool[Tensor, "row pos"],
    mask: int,
    d_vocab: int,
    generator: Generator,
    hidden: float = HIDDEN,
    random: float = RANDOM,
    rate: float = RATE,
) -> tuple[Int[Tensor, "row pos"], Bool[Tensor, "row pos"]]:
    """Ids that the network reads, and the positions that it must predict (Devlin et al. 2019, section 3.1).

    Some of the chosen positions stay as they are, since the network will later read text without masks.

    `candidates` leaves out [CLS], [SEP] and padding. `hidden` and `random` are the shares of the chosen
    positions that become [MASK] and a random token; with 1 and 0 held-out accuracy is measured.
    """
    draw = torch.rand(ids.shape, generator=generator)
    outcome = torch.rand(ids.shape, generator=generator)
    other = torch.randint(d_vocab, ids.shape, generator=generator)
    chosen = (draw < rate) & candidates
    read = torch.where(chosen & (outcome < hidden), mask, ids)
    read = torch.where(chosen & (outcome >= hidden) & (outcome < hidden + random), other, read)
    return read, chosen
