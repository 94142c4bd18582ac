"""Two runs of a page do not change the same object at the same moment."""

from concurrent.futures import ThreadPoolExecutor
from threading import RLock
from time import sleep

from explorer.views.frame.one_at_a_time import one_at_a_time


class Counter:
    """A number that grows by one, slowly, which takes another method of the same object."""

    def __init__(self) -> None:
        self.lock, self.number = RLock(), 0

    @one_at_a_time
    def grow(self) -> None:
        number = self.number
        sleep(0.01)
        self.set(number + 1)

    @one_at_a_time
    def set(self, number: int) -> None:
        self.number = number


def test_what_two_threads_do_is_all_done():
    counter = Counter()
    with ThreadPoolExecutor(4) as threads:
        for _ in range(8):
            threads.submit(counter.grow)
    assert counter.number == 8
