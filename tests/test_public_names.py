"""Names that code outside this repository relies on, and how quickly they are there."""

import inspect
import subprocess
import sys

import pytest

import explorer
from explorer.trace import Capture
from tests import gguf_files


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import sys, explorer; print([m for m in ('torch', 'streamlit', 'transformers') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


@pytest.fixture(scope="module")
def imported(bert_folder, tmp_path_factory) -> list[set[str]]:
    """The modules that are there once models are loaded, and once the rest of the model side is imported."""
    gguf_files.write_model(file := tmp_path_factory.mktemp("gguf") / "model.gguf", "gpt2")
    code = (
        f"import sys, explorer; explorer.available(); explorer.load('folder:{bert_folder}'); "
        f"explorer.load('folder:{file}'); "
        "print(*sys.modules); import explorer.checkpoints, explorer.analysis; print(*sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [set(line.split()) for line in out.stdout.splitlines()]


def test_the_model_side_never_imports_streamlit_or_transformers(imported):
    assert not {"streamlit", "transformers"} & imported[1]


def test_loading_a_model_does_not_load_the_compiler(imported):
    assert "torch" in imported[0] and "torch._dynamo" not in imported[0], "it takes seconds"


@pytest.mark.parametrize(
    ("call", "names"), [(explorer.load, ["name", "progress", "device", "dtype"]), (explorer.available, [])]
)
def test_entry_points(call, names):
    assert list(inspect.signature(call).parameters) == names


def test_methods_of_a_model(tiny_bert):
    assert list(inspect.signature(tiny_bert.trace).parameters)[:3] == ["text", "pair", "capture"]
    assert inspect.signature(tiny_bert.trace).parameters["capture"].default is Capture.ALL
    assert list(inspect.signature(tiny_bert.trace_many).parameters)[:2] == ["texts", "capture"]
    assert inspect.signature(tiny_bert.trace_many).parameters["capture"].default is Capture.HIDDEN
    trace = tiny_bert.trace("the bank")
    assert {"checkpoint", "encoding", "tokens", "hidden_states", "attention", "logits"} <= set(dir(trace))
    assert tiny_bert.unembed(trace.hidden_states).shape == (4, 4, 97)
