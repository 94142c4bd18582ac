"""Models and traces, kept in memory for all visitors.

A model that is there is handed out without a lock. One that is not is loaded in a thread of its own,
under no lock that anybody else needs: a visitor who waits for the hub keeps nobody from a bundled
model. Whoever asks for a model that is on its way waits for the same load; when the last who asked
has left, the load is given up.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from explorer import manifest
from explorer.views.frame import turns
from explorer.views.frame.traces import Kept

if TYPE_CHECKING:
    from explorer.models import LanguageModel, Model
    from explorer.trace import Capture, Trace

Progress = Callable[[int, int, str], None]  # bytes so far, bytes in all, the file

OTHERS_KEPT = 2  # hub and folder models in memory; the bundled ones all stay
LOOK_S = 0.1  # how often one who waits is told how far the load is

_models: "OrderedDict[str, LanguageModel]" = OrderedDict()
_gone: "WeakValueDictionary[str, LanguageModel]" = WeakValueDictionary()  # no longer kept, but still in use
_loads: "dict[str, Load]" = {}
_traces = Kept()
_lock = threading.Lock()  # guards models and loads; held no longer than to look something up


class Abandoned(Exception):
    """Nobody waits for this load any more."""


class Load:
    """One model on its way, with all who wait for it."""

    def __init__(self, name: str) -> None:
        self.name, self.waiting = name, 0
        self.told = (0, 0, "")  # what `progress` is called with; no file while the hub is asked
        self.error: BaseException | None = None
        self.model: LanguageModel | None = None
        self.done = threading.Event()

    def start(self) -> None:
        """Load in a thread of its own, which ends with the process."""
        try:
            threading.Thread(target=self._run, name=f"load {self.name}", daemon=True).start()
        except RuntimeError as error:  # no thread can be had: those who wait are to know
            self._end(error)

    def tell(self, done: int, total: int, file: str) -> None:
        """How far the load is; raises Abandoned in the thread that loads where nobody waits."""
        with _lock:
            if self.waiting == 0:
                self._forget()  # who asks from now on begins anew
                raise Abandoned
        self.told = done, total, file

    def _run(self) -> None:
        try:
            import torch

            import explorer

            # One thread per forward pass: two on two cores stall for seconds when two visitors ask at once.
            torch.set_num_threads(1)
            if self.name.startswith("serve:"):
                from explorer.serving import client

                client.waiting = turns.aside
            remote = self.name.startswith("hub:")
            self.model = explorer.load(self.name, self.tell) if remote else explorer.load(self.name)
        except BaseException as error:  # handed to those who wait, whatever it is
            self._end(error)
        else:
            self._end()

    def _end(self, error: BaseException | None = None) -> None:
        self.error = error
        with _lock:
            if self.model is not None:
                _keep(self.name, self.model)
            self._forget()
        self.done.set()

    def _forget(self) -> None:
        if _loads.get(self.name) is self:
            del _loads[self.name]


def get(name: str, progress: Progress | None = None) -> "LanguageModel":
    """A loaded model, from memory where it is there; `progress` is called while it is fetched.

    The same model under another spelling ("bert ", an old hub name) is the same. Raises CheckpointError.
    """
    model = _models.get(name) or _models.get(canonical(name))
    if model is None:
        return _wait(canonical(name), progress)
    with _lock:
        if str(model.checkpoint) in _models:
            _models.move_to_end(str(model.checkpoint))
    return model


def canonical(name: str) -> str:
    """The one spelling of a checkpoint's name. Raises NotFoundError for what names none.

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
    return manifest.label(name)


def trace(model: "Model", text: str, pair: str | None, capture: "Capture", limit: int | None) -> "Trace":
    """One text's trace, computed once for all visitors."""
    key = (str(model.checkpoint), text, pair, capture.value, limit)
    found: Trace = _traces.get(key, lambda: model.trace(text, pair, capture, limit))
    return found


def _done(load: Load) -> bool:
    """Whether a load has come to its end within a moment."""
    with turns.aside():
        return load.done.wait(LOOK_S)


def _wait(name: str, progress: Progress | None) -> "LanguageModel":
    """Wait for a load, begun here or by another visitor."""
    with _lock:
        if name in _models:
            return _models[name]
        if (still := _gone.get(name)) is not None:
            _keep(name, still)
            return still
        load = _loads.get(name)
        begun = load is None
        load = _loads.setdefault(name, load or Load(name))
        load.waiting += 1
    if begun:
        load.start()
    try:
        while not _done(load):
            if progress is not None:
                progress(*load.told)  # raises where the visitor has left: Streamlit ends the run there
    finally:
        with _lock:
            load.waiting -= 1  # where it was the last one, a fetch ends; who comes back joins any other
    if load.model is not None:
        return load.model
    assert load.error is not None
    raise load.error


def _keep(name: str, model: "LanguageModel") -> None:
    """Put a model into memory; of those that did not ship, the one unused for longest goes."""
    _models[name] = model
    others = [n for n, m in _models.items() if m.checkpoint.source != "bundled"]
    for old in others[:-OTHERS_KEPT]:
        _gone[old] = _models.pop(old)
