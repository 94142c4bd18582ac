"""Models in memory: one load for all who ask, nobody waits for another's hub, one spelling a model."""

import gc
import os
import shutil
import threading
import time
import weakref
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

import explorer
from explorer import locale
from explorer.checkpoints.mapped import LATER
from explorer.errors import NotFoundError, SizeError
from explorer.server import memory
from explorer.server.kept import Kept
from explorer.trace import Capture, Checkpoint
from explorer.views.frame import reading_turn
from tests.waiting import until

SLOW = "hub:somebody/slow"
PAIR = ("the old bank", "we saw the river")


class Left(Exception):
    """What Streamlit raises in the run of a visitor who has gone."""


@pytest.fixture(autouse=True)
def empty(monkeypatch):
    monkeypatch.setattr(memory, "_models", type(memory._models)())
    monkeypatch.setattr(memory, "_loads", {})


@pytest.fixture
def hub(monkeypatch, tiny_bert):
    """A hub that tells of its progress but does not finish before `answer` is set."""

    class Hub:
        answer, calls, ended = threading.Event(), [], []

    real = explorer.load

    def load(name, progress=None):
        if name != SLOW:
            return real(name, progress)
        Hub.calls.append(name)
        try:
            while not Hub.answer.wait(0.01):
                progress(1, 2, "model.safetensors")
        except memory.Abandoned:
            Hub.ended.append("abandoned")
            raise
        return tiny_bert

    monkeypatch.setattr(explorer, "load", load)
    yield Hub
    Hub.answer.set()
    Hub.calls.clear(), Hub.ended.clear(), Hub.answer.clear()


def visitor(name: str, progress=None) -> tuple[threading.Thread, list]:
    """Somebody who asks for a model; what came of it lands in the list."""
    got: list = []

    def ask() -> None:
        try:
            got.append(memory.fetch(name, progress))
        except BaseException as error:
            got.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    return thread, got


def test_a_slow_hub_keeps_nobody_from_another_model(hub, bert_folder):
    memory.fetch(f"folder:{bert_folder}")
    thread, _ = visitor(SLOW)
    until(lambda: hub.calls)
    other, models = visitor(f"folder:{bert_folder}")
    other.join(20)
    assert models and thread.is_alive()
    hub.answer.set()
    thread.join(20)


def test_all_who_ask_share_one_load(hub, tiny_bert):
    visitors = [visitor(SLOW) for _ in range(5)]
    until(lambda: hub.calls)
    hub.answer.set()
    for thread, got in visitors:
        thread.join(20)
        assert got == [tiny_bert]
    assert hub.calls == [SLOW]


def test_a_load_is_given_up_when_the_last_who_asked_has_left(hub):
    has_left = threading.Event()

    def draw(loaded_bytes: int, total: int, file: str) -> None:
        if has_left.is_set():
            raise Left

    (first, one), (second, two) = visitor(SLOW, draw), visitor(SLOW, draw)
    until(lambda: hub.calls)
    time.sleep(0.2)
    assert not hub.ended, "somebody still waits"
    has_left.set()
    first.join(20), second.join(20)
    assert isinstance(one[0], Left) and isinstance(two[0], Left)
    until(lambda: hub.ended)
    assert hub.ended == ["abandoned"] and not memory._loads


def test_an_error_reaches_all_who_wait_and_is_not_kept(monkeypatch):
    def load(name, progress=None):
        raise NotFoundError(locale._("The answer is empty."), "Choose another.")

    monkeypatch.setattr(explorer, "load", load)
    locale.use("fr")
    with pytest.raises(NotFoundError, match="La réponse est vide"):  # a thread of its own says it
        memory.fetch("bert")
    locale.use("en")
    assert not memory._loads and not memory._models


@pytest.mark.parametrize("alias", [" bert", "bert ", "bert"])
def test_one_model_has_one_spelling(monkeypatch, tiny_bert, alias):
    requests = []
    monkeypatch.setattr(explorer, "load", lambda name, progress=None: requests.append(name) or tiny_bert)
    assert memory.fetch(alias) is memory.fetch("bert") is tiny_bert
    assert requests == ["bert"] and list(memory._models) == ["bert"]


def test_of_models_that_did_not_ship_the_one_unused_for_longest_goes(monkeypatch, tiny_bert):
    monkeypatch.setattr(explorer, "load", lambda name, progress=None: tiny_bert)
    names = [f"folder:/{i}" for i in range(memory.OTHERS_KEPT + 1)]
    for name in names:
        memory.fetch(name)
    assert list(memory._models) == names[1:]


def test_where_there_is_no_room_those_that_did_not_ship_make_way(monkeypatch, tiny_bert):
    def load(name, progress=None):
        if any(":" in other for other in memory._models):
            raise SizeError("There is too little memory.", "Choose a smaller model.")
        return replace(tiny_bert, checkpoint=Checkpoint.parse(name))

    monkeypatch.setattr(explorer, "load", load)
    for name in ("bert", "folder:/1", "folder:/2"):
        memory.fetch(name)
    assert list(memory._models) == ["bert", "folder:/2"]


def test_who_clicks_again_and_again_while_a_folder_loads_waits_for_one_load(monkeypatch, tiny_bert):
    finished, calls = threading.Event(), []

    def load(name, progress=None):
        calls.append(name)
        assert finished.wait(20)
        return tiny_bert

    def left(loaded_bytes: int, total: int, file: str) -> None:
        raise Left

    monkeypatch.setattr(explorer, "load", load)
    for _ in range(3):
        with pytest.raises(Left):
            memory.fetch("folder:/somewhere", left)
    thread, got = visitor("folder:/somewhere")
    finished.set()
    thread.join(20)
    assert got == [tiny_bert] and calls == ["folder:/somewhere"]


def test_a_load_that_cannot_begin_says_so_and_blocks_nobody(monkeypatch, tiny_bert):
    monkeypatch.setattr(explorer, "load", lambda name, progress=None: tiny_bert)

    def none(self):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="thread"):
        patch.setattr(threading.Thread, "start", none)
        memory.fetch("bert")
    assert memory.fetch("bert") is tiny_bert


def test_a_trace_is_kept_by_all_that_it_is_of(monkeypatch, tiny_bert):
    monkeypatch.setattr(memory, "_traces", Kept())
    questions = [
        (PAIR[0], None, Capture.ALL, None),
        (PAIR[1], None, Capture.ALL, None),
        (*PAIR, Capture.ALL, None),
        (PAIR[0], None, Capture.HIDDEN, None),
        (PAIR[0], None, Capture.ALL, 4),
    ]
    traces = [memory.trace(tiny_bert, *question) for question in questions]
    assert len(set(map(id, traces))) == len(questions)
    assert [memory.trace(tiny_bert, *question) is trace for question, trace in zip(questions, traces)] == [
        True
    ] * 5
    twin = replace(tiny_bert, checkpoint=Checkpoint("folder", "another"))
    assert memory.trace(twin, *questions[0]) is not traces[0]


@pytest.fixture
def folders(bert_folder, tmp_path):
    """Three checkpoints of their own, by name."""
    return [
        f"folder:{shutil.copytree(bert_folder, tmp_path / str(n))}" for n in range(memory.OTHERS_KEPT + 1)
    ]


def test_a_model_that_has_left_the_memory_is_free(folders):
    model = memory.fetch(folders[0])
    reading_turn.timed(model, "the [MASK] of the river")
    memory.trace(model, "the bank", None, Capture.ALL, None)
    left = weakref.ref(model)
    del model
    for name in folders[1:]:
        memory.fetch(name)
    gc.collect()
    assert left() is None


def test_a_folder_that_was_written_again_is_read_again(folders):
    name, text = folders[0], "the bank of the river"
    model, other = memory.fetch(name), memory.fetch(folders[1])
    before = memory.trace(model, text, None, Capture.ALL, None)
    assert memory.fetch(name) is model and memory.fetch(folders[1]) is other
    weights = Path(name.removeprefix("folder:")) / "model.safetensors"
    tensors = {key: tensor * 2 for key, tensor in load_file(weights).items()}
    save_file(tensors, weights, metadata={"format": "pt"})
    again = memory.fetch(name)
    after = memory.trace(again, text, None, Capture.ALL, None)
    assert again is not model and memory.fetch(folders[1]) is other
    assert not torch.equal(before.hidden_states, after.hidden_states)


def test_a_folder_that_is_written_while_it_is_read_is_read_again(folders, monkeypatch):
    weights, load = Path(folders[0].removeprefix("folder:")) / "model.safetensors", explorer.load

    def load_and_write(name):
        model = load(name)
        os.utime(weights, ns=(1, 1))
        return model

    monkeypatch.setattr(explorer, "load", load_and_write)
    model = memory.fetch(folders[0])
    assert memory.fetch(folders[0]) is not model


def test_a_view_alone_loads_no_model_from_elsewhere(monkeypatch):
    monkeypatch.setattr(explorer, "load", lambda *_: pytest.fail("nothing is asked"))
    for name in ("hub:organisation/model", "folder:/tmp", "serve:http://localhost:1/bert"):
        with pytest.raises(NotFoundError):
            memory.get(name)


def test_titles_are_read_while_others_models_come_and_go(monkeypatch):
    class Busy(OrderedDict):
        """A dictionary that another thread changes as soon as its items are read without the lock."""

        def items(self):
            for number, item in enumerate(super().items()):
                if number == 1 and not memory._lock.locked():
                    raise RuntimeError("OrderedDict mutated during iteration")
                yield item

        def __reversed__(self):
            return reversed(list(self))

    model = explorer.load("word2vec")
    monkeypatch.setattr(memory, "_models", Busy(a=model, b=model))
    assert list(memory.titles()) == ["b", "a"]


def test_files_of_weights_wait_for_the_end_of_the_warm_up_alone(monkeypatch, tiny_bert):
    written = []

    def load(name):
        later = LATER.get()
        (written if later is None else later).append(lambda: written.append(name))
        return tiny_bert

    monkeypatch.setattr(explorer, "load", load)
    monkeypatch.setattr(memory, "_unwritten", [])
    memory.fetch("bert")
    assert not written
    memory.write_files()
    assert written == ["bert"]
    memory.fetch("gpt")
    assert len(written) == 2
