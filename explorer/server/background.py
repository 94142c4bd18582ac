"""Work that pages do not wait for: a task at a time, in one thread of low priority, the newest first.

    background.ask(text, read)     `read` is called, unless this visitor asks for another one, or leaves

A visitor has one task, those who ask for the same share it, and one that nobody wants any more is given up
between two passes of its network. A process of its own gains nothing: a page beside it takes as long as
beside the thread, and it takes 0.2 GB.
"""

import logging
import os
import sys
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from explorer.server import streamlit_private, visitors
from explorer.system.interruption import Interrupted, while_wanted

# On Linux, where threads have priorities: a tenth of what a page's thread gets beside it. At the lowest one,
# 19, nothing is done for as long as other programs use all cores, and pages wait for a thread that stands
# still with the interpreter's lock.
NICE = 10
PATIENCE_S = 5.0  # seconds that the process waits for this thread at its end


@dataclass(eq=False)
class Task:
    """What is called, and what it is called for."""

    key: Hashable
    work: Callable[[], object]


_tasks: dict[str, Task] = {}  # by visitor, the newest last
_changed = threading.Condition()  # guards _tasks
_ending = threading.Event()
_threads: list[threading.Thread] = []


def ask(key: Hashable, work: Callable[[], object]) -> None:
    """Have `work` called, in place of what this visitor asked for before."""
    visitor = streamlit_private.session()
    with _changed:
        task = next((task for task in _tasks.values() if task.key == key), None) or Task(key, work)
        if _tasks.get(visitor) is not task:
            _tasks.pop(visitor, None)
            _tasks[visitor] = task
        if not _threads:
            _threads.append(threading.Thread(target=_run, name="background", daemon=True))
            _threads[0].start()
        _changed.notify()


def alone(key: Hashable) -> bool:
    """Whether this is asked for, and nothing else."""
    with _changed:
        return {task.key for task in _tasks.values()} == {key}


def finish() -> None:
    """End the thread: one in compiled code at the interpreter's end would crash the process."""
    _ending.set()
    with _changed:
        _changed.notify()
    for thread in _threads:
        thread.join(PATIENCE_S)


def _run() -> None:
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
    while not _ending.is_set():
        with _changed:
            _changed.wait_for(lambda: _tasks or _ending.is_set())
            _leave_out_gone()
            task = next(reversed(_tasks.values()), None)
        if task is not None:
            _do(task)
            del task  # with a visitor's text


def _do(task: Task) -> None:
    try:
        with while_wanted(lambda: _is_wanted(task)):
            task.work()
    except Interrupted:
        return
    except Exception:  # the next task may succeed
        logging.getLogger(__name__).exception("a task in the background broke off")
    with _changed:
        for visitor in [visitor for visitor, other in _tasks.items() if other is task]:
            del _tasks[visitor]


def _is_wanted(task: Task) -> bool:
    with _changed:
        _leave_out_gone()
        return task in _tasks.values() and not _ending.is_set()


def _leave_out_gone() -> None:
    for visitor in [visitor for visitor in _tasks if not visitors.connected(visitor)]:
        del _tasks[visitor]
