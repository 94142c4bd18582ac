"""A classroom on one machine: `python -m tests.benchmarks.classroom --visitors 10 20 50 --workers 0 2`.

Each visitor is a websocket that does what a browser does: it opens a page, waits for it, thinks three
seconds, and sends the text box with another sentence, which no visitor has sent before. The clock runs from
sending to the end of the script's run, when the last part of the picture is handed over. Four pages
are mixed. `--workers 0` is one plain `streamlit run`; any other number is `python -m explorer.workers`.

The visitors run in this process and take some of the same cores: their share is printed. At the end, on a
plain server: `--together 20` visitors have Continuations open and press Start again within two seconds, then
type a prompt within two; and for one visitor alone the processor time of a rerun, by page.
"""

import asyncio
import itertools
import json
import math
import os
import random
import resource
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection

from explorer.workers.processes import free_port
from explorer.workers.supervisor import serving
from tests.benchmarks.figures import figure, percentile_95
from tests.benchmarks.latency import WORDS
from tests.browser.conftest import start_server
from tests.command import parser, size
from tests.streams import stream

THINK = size(3.0, 0.1)  # seconds between a picture and the next sentence
ENTER = size(10, 1)  # seconds in which they come in
RERUNS = size(20, 1)
WAIT = 30.0  # seconds at most for what is read in the background
PRESS = size(2.0, 0.1)  # seconds in which all press, or type
PAGES = {
    "attention": "The {} keeper told the {} visitors that the {} bank had never been closed.",
    "masked": "The {} keeper told the {} visitors that the {} [MASK] had never been closed.",
    "senses": "money: The {} bank lent the {} farmer a {} sum.\nriver: The {} boat lay at the {} bank.\n"
    "money: Her {} bank has closed the {} account.\nriver: We sat on the {} bank of the {} river.",
    "continuations": "The {} keeper told the {} visitors that the {} bank",
}
MORE = "next token"  # of a continuation that grows
WAITED = "SmolLM2 beside BERT, late"  # endless where the next sentence was typed before it came


@dataclass
class Visitor:
    """One browser on one page: what it holds of the page, and how long each of its sentences took."""

    page: str
    socket: ClientConnection
    url: str
    cookie: str = ""
    query: str = ""  # the settings in the page's address
    box: str = ""  # the text box's id
    stream: BidiComponent = field(default_factory=BidiComponent)  # what is written token by token
    written: dict[str, Any] = field(default_factory=dict)  # what the browser has of it
    fragment: str = ""  # the part of the page that the stream runs again
    waits: tuple[str, float] | None = None  # the part that the browser runs again by itself, and how often
    hashes: dict[str, None] = field(default_factory=dict)  # messages that the server need not send again

    async def open(self) -> float:
        """Open the page; seconds until it stood."""
        return await self._run(BackMsg())

    async def type(self, text: str) -> float:
        """Send the text box with another text; seconds until the picture stood."""
        assert self.box, f"{self.page} has no text box"
        asked = BackMsg()
        asked.rerun_script.widget_states.widgets.add(id=self.box, json_value=json.dumps({"text": text}))
        return await self._run(asked)

    async def write(self, press: str = "") -> AsyncIterator[tuple[float, int]]:
        """Follow the text as the browser does, after a press; seconds and tokens so far, each time.

        The one run of the page at the end is not among them.
        """
        if not press and not self.written.get("going"):
            return
        began, data, port = time.perf_counter(), self.written, urlsplit(self.url).port
        body = json.dumps({"secret": data["secret"], "run": data["run"], "press": press})
        head = f"POST {data['address']} HTTP/1.1\r\nHost: localhost:{port}\r\nCookie: {self.cookie}\r\n"
        reader, writer = await asyncio.open_connection("localhost", port, limit=2**20)
        writer.write(f"{head}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        async for line in reader:
            if line.startswith(b"data: "):
                data |= json.loads(line[6:])
                yield time.perf_counter() - began, data["count"]
        writer.close()
        asked = BackMsg()
        value = [{"event": "more", "value": {name: data[name] for name in ("run", "count", "answers")}}]
        asked.rerun_script.widget_states.widgets.add(
            id=f"$$STREAMLIT_INTERNAL_KEY_{self.stream.id}__events", json_trigger_value=json.dumps(value)
        )
        asked.rerun_script.fragment_id = self.fragment
        await self._run(asked)

    async def waited(self, longest: float) -> bool:
        """Run a part that waits again as the browser does, for so many seconds; whether it need not wait."""
        until = time.monotonic() + longest
        while self.waits and time.monotonic() + self.waits[1] < until:
            asked = BackMsg()
            asked.rerun_script.fragment_id, every = self.waits
            await asyncio.sleep(every)
            await self._run(asked)
        return self.waits is None

    async def _run(self, asked: BackMsg) -> float:
        asked.rerun_script.page_name, asked.rerun_script.query_string = self.page, self.query
        asked.rerun_script.cached_message_hashes.extend(self.hashes)
        asked.rerun_script.context_info.url = f"http://localhost/{self.page}"
        asked.rerun_script.context_info.color_scheme = "light"
        if not asked.rerun_script.fragment_id:
            self.waits = None
        began = time.perf_counter()
        await self.socket.send(asked.SerializeToString())
        while True:
            said = ForwardMsg.FromString(await self.socket.recv(decode=False))
            if said.metadata.cacheable and said.hash:
                self.hashes[said.hash] = None
            kind = said.WhichOneof("type")
            if kind == "auto_rerun":
                self.waits = said.auto_rerun.fragment_id, said.auto_rerun.interval
            if kind == "script_finished":
                if said.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    return time.perf_counter() - began
                self.waits = None  # the part asks for the whole page
            if kind == "delta" and said.delta.WhichOneof("type") == "new_element":
                self._see(said.delta.new_element, said.delta.fragment_id)

    def _see(self, element: Element, fragment: str) -> None:
        if element.WhichOneof("type") == "exception":
            raise RuntimeError(element.exception.message)
        if element.WhichOneof("type") != "bidi_component":
            return
        if element.bidi_component.id.endswith(f"-{self.page}.text.box"):
            self.box = element.bidi_component.id
        elif element.bidi_component.id.endswith("-continuations.stream"):
            self.stream, self.fragment = element.bidi_component, fragment
            (self.written,) = json.loads(self.stream.json)


class Texts:
    """Sentences of a page that never come twice, so that nothing is answered from memory."""

    def __init__(self, seed: int) -> None:
        self.random, self.number, self.words = random.Random(seed), itertools.count(), WORDS.split()

    def next(self, page: str) -> str:
        """A sentence for the page, with a number as one of its words."""
        pattern = PAGES[page]
        words = [self.random.choice(self.words) for _ in range(pattern.count("{}") - 1)]
        return pattern.format(str(next(self.number)), *words)


async def visit(url: str, page: str, texts: Texts, until: float, took: Callable[[str, float], bool]) -> None:
    """One visitor: opens the page and types until the time is over; `took` says whether it counts."""
    with urlopen(f"{url}/{page}", timeout=60) as answer:  # the proxy says here which worker is ours
        cookie = (answer.headers.get("set-cookie") or "").split(";")[0]
    asked = {"Cookie": cookie} if cookie else {}
    async with stream(url, additional_headers=asked, open_timeout=60) as socket:
        visitor = Visitor(page, socket, url, cookie)
        await visitor.open()
        await asyncio.sleep(texts.random.uniform(0, THINK))  # they do not all press Enter at once
        while time.monotonic() < until:
            began = time.perf_counter()
            counts = took(page, await visitor.type(texts.next(page)))
            before = 0.0
            async for seconds, _ in visitor.write():
                took(MORE, seconds - before)
                before = seconds
            think = time.perf_counter() + THINK
            if visitor.waits:
                came = await visitor.waited(THINK)
                if counts:  # as its sentence does
                    took(WAITED, time.perf_counter() - began if came else math.inf)
            await asyncio.sleep(max(0, think - time.perf_counter()))


async def classroom(url: str, visitors: int, seconds: float) -> dict[str, list[float]]:
    """So many visitors for so long, after the seconds in which they come in; seconds a sentence, by page."""
    times: dict[str, list[float]] = defaultdict(list)
    counted_from = time.monotonic() + ENTER
    texts = Texts(visitors)

    def took(page: str, seconds: float) -> bool:
        if counts := time.monotonic() > counted_from:
            times[page].append(seconds)
        return counts

    async def later(number: int) -> None:
        await asyncio.sleep(0.8 * ENTER * number / visitors)
        await visit(url, list(PAGES)[number % len(PAGES)], texts, counted_from + seconds, took)

    await asyncio.gather(*(later(number) for number in range(visitors)))
    return times


async def write_together(url: str, visitors: int) -> dict[str, list[tuple[float, float]]]:
    """Visitors who press Start again, and later type a prompt, all together: seconds to the first token of
    each, and tokens a second after it.
    """
    texts, together = Texts(visitors), asyncio.Barrier(visitors)

    async def write(press: str, visitor: Visitor) -> tuple[float, float]:
        await together.wait()
        await asyncio.sleep(texts.random.uniform(0, PRESS))
        typed = 0.0 if press else await visitor.type(texts.next(visitor.page))
        first = typed if not press and visitor.written["count"] else 0.0
        seconds, count, begun = typed, 0, visitor.written["count"]
        async for taken, count in visitor.write(press):
            seconds = typed + taken
            first = first or (seconds if count else 0.0)
        return first, (count - (1 if press else begun)) / max(seconds - (first if press else typed), 1e-3)

    async def visit() -> list[tuple[float, float]]:
        async with stream(url, open_timeout=60) as socket:
            visitor = Visitor("continuations", socket, url)
            await visitor.open()
            async for _ in visitor.write():
                pass
            return [await write(press, visitor) for press in ("Start again", "")]

    pressed, typed = zip(*await asyncio.gather(*(visit() for _ in range(visitors))), strict=True)
    return {"press": list(pressed), "type": list(typed)}


def bare_rate(texts: int) -> float:
    """Tokens a second of each of so many texts, if their steps alone were computed, on one thread as there.

    The scores of the whole vocabulary are among that.
    """
    import torch

    import explorer
    from explorer.models.stepping import Step
    from explorer.views.frame.default_models import WRITER

    torch.set_num_threads(1)
    network, times = explorer.load(WRITER).network, []
    step, caches = Step(network), [network.new_cache(capacity=64) for _ in range(texts)]
    with torch.inference_mode():
        for _ in range(size(40, 2)):
            began = time.perf_counter()
            step.scores(step([[1]] * texts, caches))
            times.append(time.perf_counter() - began)
            for cache in caches:
                cache.length += 1
    return 1 / statistics.median(times)


def memory(pids: list[int], field: str = "Pss:") -> float:
    """Gigabytes of all these processes, by default with shared pages counted once."""
    rollups = [Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8") for pid in pids]
    lines = [line.split() for rollup in rollups for line in rollup.splitlines()]
    return sum(int(words[1]) for words in lines if words[0] == field) / 2**20


def processor(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report(name: str, times: list[float]) -> None:
    """Print p50, p95 and the longest, in milliseconds."""
    if times:
        middle, p95, longest = (1e3 * f(times) for f in (statistics.median, percentile_95, max))
        figure(name, f"p50 {middle:.0f}, p95 {p95:.0f}, max {longest:.0f} ms")


@contextmanager
def server(workers: int) -> Iterator[tuple[str, Callable[[], list[int]]]]:
    """An address, and the processes behind it."""
    with tempfile.TemporaryDirectory() as home:
        if workers:
            with serving(workers, free_port(), False, lambda _: None) as supervisor:
                yield (
                    f"http://localhost:{supervisor.processes[-1].port}",
                    lambda: [worker.process.pid for worker in supervisor.processes[:-1] if worker.process],
                )
        else:
            process, url = start_server(Path(home))
            try:
                yield url, lambda: [process.pid]
            finally:
                process.terminate()
                process.wait(30)


def measure(workers: int, visitors: int, seconds: float) -> None:
    """Print one classroom: each page's times, reruns a second, memory, and the visitors' own share."""
    with server(workers) as (url, pids):
        own, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
        times = asyncio.run(classroom(url, visitors, seconds))
        used, elapsed = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter() - began
        waited = times.pop(WAITED, [])
        together = [each for page in times.values() for each in page]
        kind = f"{visitors} visitors, {f'{workers} workers' if workers else 'one process'}"
        for page in (*PAGES, MORE):
            report(f"  {page}", times[page])
        report(kind, together)
        late = [each for each in waited if math.isfinite(each)]
        report(f"  {WAITED}", late)
        if sentences := len(times["masked"]):
            figure("  SmolLM2 beside BERT", f"seen for {1 - (len(waited) - len(late)) / sentences:.0%}")
        share = (used.ru_utime + used.ru_stime - own.ru_utime - own.ru_stime) / elapsed
        figure(f"{kind}, memory", f"{memory(pids()):.2f} GB", f"visitors: {share:.0%} of a core")


async def costs(url: str, pid: int) -> None:
    """Print the processor time of a rerun, by page, for one visitor alone."""
    texts = Texts(0)
    for page in list(PAGES)[: size(None, 1)]:
        async with stream(url) as socket:
            visitor = Visitor(page, socket, url)
            await visitor.open()
            for _ in range(size(3, 0)):
                await visitor.type(texts.next(page))
            await asyncio.sleep(size(3, 0))  # what warms up in the background has ended
            before = processor(pid)
            for _ in range(RERUNS):
                await visitor.type(texts.next(page))
                await visitor.waited(WAIT)
            milliseconds = (processor(pid) - before) / RERUNS * 1000
            figure(f"a rerun, {page}", f"{milliseconds:.0f} ms of one core")


def main() -> None:
    """Measure what was asked for."""
    p = parser("tests.benchmarks.classroom", __doc__)
    p.add_argument("--visitors", type=int, nargs="*", default=[10, 20, 50])
    p.add_argument("--workers", type=int, nargs="+", default=[0])
    p.add_argument("--seconds", type=float, default=30, help="how long each classroom is counted")
    p.add_argument("--together", type=int, default=20, help="visitors who all write; 0 leaves it out")
    asked = p.parse_args()
    for workers in asked.workers[: size(None, 1)]:
        for visitors in size(asked.visitors, [len(PAGES)]):
            measure(workers, visitors, size(asked.seconds, 1))
    with server(0) as (url, pids):
        if together := size(asked.together, min(asked.together, 2)):
            asyncio.run(write_together(url, 1))  # warms up
            bare = bare_rate(together)
            for way, taken in asyncio.run(write_together(url, together)).items():
                firsts, rates = zip(*taken, strict=True)
                report(f"{together} {way}, first token", list(firsts))
                slowest = f"slowest {min(rates):.1f}, median {statistics.median(rates):.1f}"
                limit = f"{statistics.median(rates) / bare:.0%} of bare steps, {bare:.1f}"
                figure(f"{together} {way}, then", f"{slowest} tokens a second each", limit)
        asyncio.run(costs(url, pids()[0]))


if __name__ == "__main__":
    main()
