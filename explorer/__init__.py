"""Riverbank's backend: look inside language models from Python.

    explorer.load("bert")           a model: tokenizer, network, abilities
    explorer.load_tokenizer("bert") its tokenizer alone, in a moment
    explorer.available()            the models that can be loaded on this machine
    model.trace(text)               one forward pass with all its activations
    explorer.to_frame(result)       a result as a table for pandas
    explorer.analysis               traces -> small results (senses, predictions, ...)
    explorer.views                  the Streamlit side; nothing else imports Streamlit
    explorer.notebook               results as pictures in a notebook, whose kernel is told of them here

Map: errors, trace (central types), catalogue (which models there are), tokenizers, models (one file per
architecture), checkpoints (a name -> a folder -> a model), analysis, corpus (a visitor's own text, indexed
and sampled), finetuning (heads trained on an encoder), generation (the engine that writes text), views,
training, workers (several server processes behind a proxy), model_server (models on other machines).
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    import torch

    from explorer.data_frame import to_frame
    from explorer.models.language_model import LanguageModel
    from explorer.tokenizers import Tokenizer
    from explorer.trace import Checkpoint

__all__ = ["available", "load", "load_tokenizer", "to_frame"]
__version__ = "0.2.0"


def load(
    name: "str | PathLike[str]",
    progress: "Callable[[int, int, str], None] | None" = None,
    device: "str | torch.device | None" = None,
    dtype: "str | torch.dtype | None" = None,
) -> "LanguageModel":
    """Load a checkpoint: `bert`, `hub:org/name@revision`, `folder:/path` or a pathlib.Path.

    `serve:http://host:8000/bert` is a model on another machine, asked over the network
    (`explorer.model_server`).

    `progress(done, total, file)`, in bytes, is called while files are fetched from the hub. `device` is
    "cpu", "cuda" or "mps", by default what RIVERBANK_DEVICE says, else the CPU. `dtype` is how matrices are
    kept, "float32" or "bfloat16", which takes half the memory; by default float32 if there is room for it.
    What is computed is float32 in both cases. Both concern models of attention layers that run here.
    Raises a CheckpointError that says what is wrong and what to do.

    >>> load("bert").trace("The river bank").tokens
    ['[CLS]', 'the', 'river', 'bank', '[SEP]']
    """
    from explorer import checkpoints  # torch is heavy: not before it is needed

    if isinstance(name, str) and name.strip().startswith("serve:"):
        from explorer.model_server import remote

        return remote.connect(name)
    return checkpoints.load(name, progress, device, dtype)


def load_tokenizer(name: "str | PathLike[str]") -> "Tokenizer":
    """A checkpoint's tokenizer without its weights; a name is written as for `load`, and nothing is fetched.

    Raises a CheckpointError that says what is wrong and what to do.

    >>> load_tokenizer("gpt").encode("Two riverbanks").tokens
    ['Two', 'Ġriver', 'b', 'anks']
    """
    from explorer import checkpoints

    return checkpoints.load_tokenizer(name)


def available() -> "list[Checkpoint]":
    """The checkpoints that can be loaded here, with their abilities where known.

    >>> [str(checkpoint) for checkpoint in available()][:3]
    ['word2vec', 'elmo', 'bert']
    """
    from explorer import checkpoints

    return checkpoints.available()


def _draw_in_notebooks() -> None:
    """Tell the kernel of a notebook how results are drawn, if this is one."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        from explorer import notebook

        notebook.load_ipython_extension(shell)


_draw_in_notebooks()


def __getattr__(name: str) -> Any:
    """Let `import explorer` be enough for `explorer.analysis...`, without importing it early."""
    if name in (
        "analysis",
        "checkpoints",
        "errors",
        "finetuning",
        "generation",
        "model_server",
        "models",
        "notebook",
        "tokenizers",
        "trace",
    ):
        return import_module(f"explorer.{name}")
    if name == "to_frame":
        return import_module("explorer.data_frame").to_frame
    raise AttributeError(f"module 'explorer' has no attribute {name!r}")
