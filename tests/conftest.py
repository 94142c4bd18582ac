"""For every test: no network beyond this computer, one thread, tiny checkpoints to work on."""

from __future__ import annotations

import gc
import os
import socket
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import explorer

if TYPE_CHECKING:
    from explorer.models import LanguageModel


def pytest_configure(config) -> None:
    """One thread, and the same examples on every run: a test that fails, fails for whoever looks next.

    The fast tests open pages with our GPT where a class sees SmolLM2, which takes ten times as long. Slow
    ones open them with what is installed. The process that hands the tests out to others imports nothing
    heavy: they wait for it.
    """
    if config.getoption("dist", "no") != "no" and not hasattr(config, "workerinput"):
        return
    rooms = tempfile.TemporaryDirectory()  # those of whoever runs the tests stay as they are
    config.add_cleanup(rooms.cleanup)
    os.environ["RIVERBANK_ROOMS"] = os.path.join(rooms.name, "rooms.sqlite")

    import torch
    from hypothesis import settings

    from explorer.views.frame import default_models
    from explorer.views.widgets import growing_rows

    torch.set_num_threads(1)
    settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=30)
    settings.load_profile("repeatable")
    growing_rows.FIRST_SECONDS = float("inf")  # without a browser nobody follows a stream
    if not wants_slow(config):
        assert "explorer.views.kit" not in sys.modules, "A conftest.py has imported views, with their writer."
        default_models.WRITER = "gpt"


def wants_slow(config) -> bool:
    """Whether `-m` names the slow tests, or those of the weights or the long ones, which are slow."""
    return any(mark in config.option.markexpr for mark in ("slow", "weights", "long"))


collect_ignore = ["benchmarks"]  # no examples of docstrings there, and much to import


@pytest.hookimpl(trylast=True)  # after other files have marked their tests
def pytest_collection_modifyitems(config, items) -> None:
    """Leave out what is slow or long, unless `-m` names it (in `addopts` another `-m` would undo that)."""
    selected = [item for item in items if is_selected(item, config)]
    if len(selected) < len(items):
        kept = set(selected)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = selected


def is_selected(item, config) -> bool:
    """Whether a test is of a tier that `-m` names; `weights` names the long ones of the weights too."""
    if item.get_closest_marker("long"):
        named = config.option.markexpr
        return "long" in named or ("weights" in named and item.get_closest_marker("weights") is not None)
    return wants_slow(config) or item.get_closest_marker("slow") is None


def pytest_collection_finish() -> None:
    """All that was imported stays to the end: the collector need not look through it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


class Collected:
    """How often the collector has looked through everything, as far as we have seen."""

    times = 0


def pytest_runtest_logfinish() -> None:
    """What a full collection has left stays, too: the next one need not look through it again."""
    full = gc.get_stats()[2]["collections"]
    if full > Collected.times:
        gc.collect(1)
        gc.freeze()
        Collected.times = full


LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")


class NetworkRefused(OSError):
    """A test tried to reach another computer."""


def _guarded(name: str):
    real = getattr(socket.socket, name)

    def guarded(self: socket.socket, *arguments):
        address = arguments[-1]
        if self.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple):
            _refuse_unless_local(address[0])
        return real(self, *arguments)

    return guarded


def _refuse_unless_local(host) -> None:
    host = host.decode() if isinstance(host, bytes) else host
    if host and not host.startswith(LOOPBACK):
        raise NetworkRefused(f"tests do not use the network, and this one asked for {host}")


@pytest.fixture(scope="session", autouse=True)
def no_network():
    """Sockets connect to this computer only; no other name is even looked up."""
    patch = pytest.MonkeyPatch()
    for name in ("connect", "connect_ex", "sendto"):
        patch.setattr(socket.socket, name, _guarded(name))
    look_up = socket.getaddrinfo

    def guarded(host, *arguments, **settings):
        _refuse_unless_local(host)
        return look_up(host, *arguments, **settings)

    patch.setattr(socket, "getaddrinfo", guarded)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def write_tiny(tmp_path_factory):
    """write_tiny("bert") -> the folder of a tiny checkpoint of a kind that tests/tiny.py writes."""
    from tests import tiny

    def write(kind: str) -> Path:
        folder = tmp_path_factory.mktemp(f"tiny-{kind}")
        getattr(tiny, f"write_{kind}")(folder)
        return folder

    return write


@pytest.fixture(scope="session")
def bert_folder(write_tiny) -> Path:
    """A tiny BERT with both heads."""
    return write_tiny("bert")


@pytest.fixture(scope="session")
def marian_folder(write_tiny) -> Path:
    """A tiny Marian translator."""
    return write_tiny("marian")


@pytest.fixture(scope="session")
def their_marian(marian_folder):
    """What `transformers` makes of the tiny Marian's files."""
    import transformers

    return transformers.MarianMTModel.from_pretrained(marian_folder, attn_implementation="eager").eval()


@pytest.fixture(scope="session")
def gpt_folder(write_tiny) -> Path:
    """A tiny GPT-2."""
    return write_tiny("gpt")


@pytest.fixture(scope="session")
def tiny_bert(bert_folder) -> LanguageModel:
    """The tiny BERT, loaded."""
    return explorer.load(f"folder:{bert_folder}")


@pytest.fixture(scope="session")
def tiny_chinese(write_tiny) -> LanguageModel:
    """A tiny BERT that reads Chinese, one character a token."""
    return explorer.load(f"folder:{write_tiny('chinese_bert')}")


@pytest.fixture(scope="session")
def tiny_bilingual(write_tiny) -> LanguageModel:
    """A tiny BERT that reads English and Chinese."""
    return explorer.load(f"folder:{write_tiny('bilingual_bert')}")


@pytest.fixture(scope="session")
def tiny_gpt(gpt_folder) -> LanguageModel:
    """The tiny GPT-2, loaded."""
    return explorer.load(f"folder:{gpt_folder}")


@pytest.fixture(scope="session")
def tiny_marian(marian_folder) -> LanguageModel:
    """The tiny Marian, loaded."""
    return explorer.load(f"folder:{marian_folder}")
