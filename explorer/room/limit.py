"""How often something may come from one address; addresses are in memory alone, and only for that time."""

import time
from collections import OrderedDict, deque

MOST_ADDRESSES = 10_000


class Limit:
    """At most `most` within `seconds` from one address, counted by this process.

    >>> limit = Limit(1, 60)
    >>> limit.takes("a"), limit.takes("a"), limit.takes("b")
    (True, False, True)
    """

    def __init__(self, most: int, seconds: float) -> None:
        self.most, self.seconds = most, seconds
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def takes(self, address: str) -> bool:
        """Count one more of an address, unless it has had its number."""
        if self.is_reached(address):
            return False
        self._times.setdefault(address, deque()).append(time.monotonic())
        self._times.move_to_end(address)
        while len(self._times) > MOST_ADDRESSES:
            self._times.popitem(last=False)
        return True

    def is_reached(self, address: str) -> bool:
        """Whether an address has had its number."""
        times = self._times.get(address)
        while times and time.monotonic() - times[0] >= self.seconds:
            times.popleft()
        return times is not None and len(times) >= self.most
