"""Models and traces, kept in memory for all visitors.

A model in memory is returned without a lock. Any other is loaded in a thread of its own, so that a visitor
who waits for the hub delays nobody. All who ask for the same model wait for the same load; it is abandoned
when the last of them has left.
"""

import gc
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.catalogue import manifest
from explorer.errors import NotFoundError, SizeError
from explorer.locale import in_this_language
from explorer.server import kept, turns
from explorer.server.kept import Kept
from explorer.system.free_memory import machine_bytes, return_freed

if TYPE_CHECKING:
    from explorer.models import LanguageModel, Model
    from explorer.trace import Capture, Checkpoint, Trace

Progress = Callable[[int, int, str], None]  # bytes so far, bytes in all, the file

OTHERS_KEPT = 2  # hub and folder models in memory; the bundled ones all stay
POLL_INTERVAL_S = 0.1  # between two reports of a load's progress
TRACE_BYTES = 512_000_000  # some sixty texts of 128 tokens by the bundled BERT, attention alone
SHARE = 16  # of the machine's memory for traces, where that is less


def most_trace_bytes() -> int:
    """The bytes that all traces may take together. 64 long texts of a large model would take gigabytes."""
    return min(TRACE_BYTES, (machine_bytes() or SHARE * TRACE_BYTES) // SHARE)


_models: "OrderedDict[str, LanguageModel]" = OrderedDict()
_stamps: dict[str, object] = {}  # of the files that a model in memory was read from
_loads: "dict[str, Load]" = {}
_fetched: set[str] = set()  # names that have been loaded, whether they are still in memory or not
_traces: "Kept[Trace]" = Kept(most_bytes=most_trace_bytes())
_unwritten: list[Callable[[], None]] | None = []  # what writes files; None once the server has warmed up
_lock = threading.Lock()  # guards models and loads, for look-ups only


class Abandoned(Exception):
    """Nobody waits for this load any more."""


class Load:
    """A model that is being loaded, and how many wait for it."""

    def __init__(self, name: str) -> None:
        self.name, self.waiting = name, 0
        self.progress = (0, 0, "")  # bytes so far, bytes in all, file: "" while the hub is asked
        self.error: BaseException | None = None
        self.model: LanguageModel | None = None
        self.stamp: object = None  # of the files that it is read from
        self.ended = threading.Event()

    def start(self) -> None:
        """Start the load in a daemon thread."""
        try:
            run = in_this_language(self._run)
            threading.Thread(target=run, name=f"load {self.name}", daemon=True).start()
        except RuntimeError as error:  # the system gives no more threads
            self._end(error)

    def report_progress(self, loaded_bytes: int, total: int, file: str) -> None:
        """Report the progress of the load. Raises Abandoned, in the thread that loads, if nobody waits."""
        with _lock:
            if self.waiting == 0:
                self._forget()  # a later request starts a new load
                raise Abandoned
        self.progress = loaded_bytes, total, file

    def _run(self) -> None:
        try:
            import torch

            from explorer.checkpoints.mapped import LATER
            from explorer.trace import Checkpoint

            LATER.set(_unwritten)
            # One thread per forward pass: more of them stall each other when several visitors ask at once.
            torch.set_num_threads(1)
            # Before the files are read: one that is written meanwhile has another.
            self.stamp = stamp(Checkpoint.parse(self.name))
            if self.name.startswith("serve:"):
                from explorer.model_server import remote

                self.model = remote.connect(self.name, turns.outside_slot)
            else:
                self.model = self._read()
        except BaseException as error:  # raised again for those who wait
            self._end(error)
        else:
            self._end()

    def _read(self) -> "LanguageModel":
        import explorer

        arguments = (self.name, self.report_progress) if self.name.startswith("hub:") else (self.name,)
        try:
            return explorer.load(*arguments)
        except SizeError:
            if not _forget_others():
                raise
        return explorer.load(*arguments)

    def _end(self, error: BaseException | None = None) -> None:
        self.error = error
        with _lock:
            if self.model is not None:
                _fetched.add(self.name)
                _keep(self.name, self.model, self.stamp)
            self._forget()
        self.ended.set()

    def _forget(self) -> None:
        if _loads.get(self.name) is self:
            del _loads[self.name]


def get(name: str) -> "LanguageModel":
    """A model that ships, or that was fetched before.

    Raises NotFoundError for any other, since a link may name it, and CheckpointError as `fetch` does.
    """
    if name not in _models and ":" in (exact := canonical(name)) and exact not in _fetched:
        raise NotFoundError(f"{exact:.80} is not in memory.", "Choose it in the page’s picker.")
    return fetch(name)


def fetch(name: str, progress: Progress | None = None) -> "LanguageModel":
    """A loaded model, from wherever it is; `progress` is called while it is fetched.

    Only for names that a visitor has chosen, which the picker knows. Another spelling of a name ("bert ", an
    old hub name) gives the same model. A folder whose files have been written again is read again. Raises
    CheckpointError.
    """
    model = _models.get(name) or _models.get(canonical(name))
    if model is not None and stamp(model.checkpoint) != _stamps.get(str(model.checkpoint)):
        with _lock:
            if str(model.checkpoint) in _models:
                _forget_model(str(model.checkpoint))
        model = None
    if model is None:
        return _wait(canonical(name), progress)
    with _lock:
        if str(model.checkpoint) in _models:
            _models.move_to_end(str(model.checkpoint))
    return model


def canonical(name: str) -> str:
    """The canonical spelling of a checkpoint's name. Raises NotFoundError if it names no checkpoint.

    >>> canonical(" bert "), canonical("hub:gpt2")
    ('bert', 'hub:openai-community/gpt2')
    """
    from explorer.checkpoints.listed import modernise
    from explorer.trace import Checkpoint

    return str(modernise(Checkpoint.parse(name)))


def loaded(name: str) -> bool:
    """Whether a model is in memory."""
    return name in _models


def short_label(name: str) -> str:
    """A checkpoint's name without where it comes from: `BERT`."""
    return titles().get(name) or manifest.label(name)


def titles() -> dict[str, str]:
    """The models in memory, the last used first, and what their files call themselves, if anything."""
    with _lock:  # another visitor's model may be moved or dropped meanwhile
        models = list(_models.items())
    return {name: model.title for name, model in reversed(models)}


def trace(model: "Model", text: str, pair: str | None, capture: "Capture", limit: int | None) -> "Trace":
    """The trace of a text, computed once for all visitors."""
    key = (str(model.checkpoint), text, pair, capture.value, limit)
    return _traces.get(key, lambda: model.trace(text, pair, capture, limit))


def write_files() -> None:
    """Write the files from which models will be opened faster; from now on each is written with its load."""
    global _unwritten
    waiting, _unwritten = _unwritten or [], None
    while waiting:
        waiting.pop()()
        return_freed()


def _finished_within_poll(load: Load) -> bool:
    """Wait for POLL_INTERVAL_S; whether the load has ended by then."""
    with turns.outside_slot():
        return load.ended.wait(POLL_INTERVAL_S)


def _wait(name: str, progress: Progress | None) -> "LanguageModel":
    """The model of a load, started here or by another visitor."""
    with _lock:
        if name in _models:
            return _models[name]
        load = _loads.get(name)
        is_new = load is None
        load = _loads.setdefault(name, load or Load(name))
        load.waiting += 1
    if is_new:
        load.start()
    try:
        while not _finished_within_poll(load):
            if progress is not None:
                progress(*load.progress)  # if the visitor has left, Streamlit ends the run here
    finally:
        with _lock:
            load.waiting -= 1  # if this was the last one, the load is abandoned
    if load.model is not None:
        return load.model
    assert load.error is not None
    raise load.error


def _keep(name: str, model: "LanguageModel", stamp_then: object) -> None:
    """Put a model into memory; the least recently used hub or folder models go."""
    _models[name] = model
    _stamps[str(model.checkpoint)] = stamp_then
    others = [n for n, m in _models.items() if m.checkpoint.source != "bundled"]
    for old in others[:-OTHERS_KEPT]:
        _forget_model(old)


def _forget_others() -> bool:
    """Drop the hub and folder models, to make room; whether there were any."""
    with _lock:
        others = [name for name, model in _models.items() if model.checkpoint.source != "bundled"]
        for name in others:
            _forget_model(name)
    gc.collect()
    return bool(others)


def _forget_model(name: str) -> None:
    del _models[name]
    kept.forget_models()


def stamp(checkpoint: "Checkpoint") -> object:
    """What changes when the files of a folder or a GGUF file are written again; None for other sources."""
    if checkpoint.source != "folder":
        return None
    from explorer.checkpoints.folder import path_of

    path = path_of(checkpoint.name)
    try:
        stats = {file.name: file.stat() for file in (path.iterdir() if path.is_dir() else [path])}
        return {name: (stat.st_mtime_ns, stat.st_size) for name, stat in stats.items()}
    except OSError:  # it is gone, or a file of it just now: the model in memory stays
        return _stamps.get(str(checkpoint))
