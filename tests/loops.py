"""Coroutines in tests, beside Playwright's own loop."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor


def in_a_thread(work: Coroutine[None, None, None]) -> None:
    """Run it to its end; this thread has the loop of Playwright, which drives the other browser tests."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()
