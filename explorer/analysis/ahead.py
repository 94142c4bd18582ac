"""Guesses of what a text says next, to be read in rows that cost little.

A pass over the weights takes little longer for four rows than for one. Where a token is certain to be
the most probable one, further rows read on from guesses of it, and those that come true are steps
already made: Stern, Shazeer, Uszkoreit, "Blockwise Parallel Decoding for Deep Autoregressive
Models" (NeurIPS 2018). A guess is whatever followed the same two tokens, or the same one, last time
(after Yang et al., "Inference with Reference", 2023). The text is the same to the last bit.
"""

from collections.abc import Sequence

from explorer.models.decoding import FREE

AHEAD = FREE - 1  # guesses for one text
MOST = 100_000  # pairs and single tokens remembered; then memory begins anew


class Guesses:
    """What followed what, in the texts that one model has read and written lately."""

    def __init__(self) -> None:
        self._after: dict[tuple[int, ...], int] = {}

    def learn(self, ids: Sequence[int]) -> None:
        """Remember what follows each token and each pair of a text."""
        if len(self._after) > MOST:
            self._after.clear()
        for at in range(1, len(ids)):
            self._after[(ids[at - 1],)] = ids[at]
            if at > 1:
                self._after[(ids[at - 2], ids[at - 1])] = ids[at]

    def after(self, ids: Sequence[int], count: int) -> list[int]:
        """Up to `count` tokens that may come after these."""
        found = list(ids)
        for _ in range(count):
            following = self._after.get(tuple(found[-2:]), self._after.get(tuple(found[-1:])))
            if following is None:
                break
            found.append(following)
        return found[len(ids) :]
