"""A class that answers: `python -m tests.benchmarks.room --phones 100 --visitors 20 --workers 0 2`.

So many phones have the page open, with its stream, and answer within two seconds, once the server has read
its models; the clock of each runs until its answer is acknowledged. Then: how long until all answers are in
the tally. With visitors of the app beside them, what a sentence takes these with the phones and without.
"""

import asyncio
import os
import random
import tempfile
import time
from pathlib import Path

import httpx2

from explorer.room.database import VARIABLE
from explorer.room.questions import Question
from explorer.room.store import Store
from tests.benchmarks.classroom import classroom, processor, report, server
from tests.benchmarks.figures import figure
from tests.command import parser, size

WITHIN_S = size(2.0, 0.1)  # in which all phones answer
ROUNDS = size(5, 1)
WORDS = "river bank lake sea shore canal stream pond".split()


async def phone(url: str, code: str, number: int, question: int, at: float) -> float:
    """One phone: opens the page and its stream, and answers at a moment; seconds to the acknowledgement."""
    rng = random.Random(number)
    async with httpx2.AsyncClient(base_url=url, timeout=60) as client:
        while (await client.get(f"/join/{code}")).status_code == 429:  # all have one address
            await asyncio.sleep(rng.uniform(1, 3))
        async with client.stream("GET", f"/join/{code}/events") as stream:
            await anext(stream.aiter_lines())
            await asyncio.sleep(max(at + rng.uniform(0, WITHIN_S) - time.monotonic(), 0))
            began = time.perf_counter()
            data = {"question": str(question), "answer": rng.choice(WORDS)}
            answer = await client.post(f"/join/{code}", data=data, headers={"accept": "application/json"})
            seconds = time.perf_counter() - began
            assert "Sent" in answer.json()["html"], answer.text
            return seconds


async def answers(url: str, store: Store, phones: int) -> None:
    """Print what the rounds of answers took."""
    code, secret = store.open_room()
    times: list[float] = []
    late: list[float] = []
    for _ in range(ROUNDS):
        question = store.ask(code, secret, Question("word", "What comes next?", "We sat on the bank of the"))
        at = time.monotonic() + size(6, 1)
        times += await asyncio.gather(*(phone(url, code, i, question, at) for i in range(phones)))
        ended = time.monotonic()
        while len(store.answers(code, secret, question)) < phones and time.monotonic() < ended + 10:
            await asyncio.sleep(0.02)
        late.append(time.monotonic() - ended)
        counted = len(store.answers(code, secret, question))
        assert counted == phones, f"{counted} of {phones} answers were counted"
    report(f"{phones} phones", times)
    figure("all counted after the last", f"{max(late):.2f} s")
    store.end(code, secret)


async def measure(url: str, store: Store, phones: int, visitors: int) -> None:
    """Print the answers, and if there are visitors their times with the phones and without."""
    if not visitors:
        await answers(url, store, phones)
        return
    seconds = ROUNDS * 7.0
    alone = await classroom(url, visitors, seconds)
    beside, _ = await asyncio.gather(classroom(url, visitors, seconds), answers(url, store, phones))
    for name, counted in (("without phones", alone), ("with phones", beside)):
        report(name, [each for page in counted.values() for each in page])


def wait_for_rest(pids: list[int]) -> None:
    """Wait until the processes have read what they read at their start."""
    used = -1.0
    while (now := sum(map(processor, pids))) - used > 0.1:
        used = now
        time.sleep(1)


def main() -> None:
    """Measure what was asked for."""
    p = parser("tests.benchmarks.room", __doc__)
    p.add_argument("--phones", type=int, default=100)
    p.add_argument("--visitors", type=int, default=0, help="of the app, beside the phones")
    p.add_argument("--workers", type=int, nargs="+", default=[0])
    options = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ[VARIABLE] = str(Path(folder) / "rooms.sqlite")
        for workers in options.workers:
            with server(workers) as (url, pids):
                wait_for_rest(pids()[: size(None, 0)])
                print(f"{workers} workers behind a proxy" if workers else "one process")
                asyncio.run(measure(url, Store(), size(options.phones, 2), options.visitors))


if __name__ == "__main__":
    main()
