"""The app's pictures in a notebook: what an analysis returns draws itself in JupyterLab, VS Code or Colab.

    explorer.load("bert").trace("The animal was too tired.")      as the last line of a cell: every head
    heads(trace, layer=4, head=2)                                 the same picture, opened at a head
    lens(text_lens.over_text(model, text), model)                 a picture that needs the model
    html(result)                                                  a picture as HTML

A kernel that imports `explorer` learns here how each result is drawn (`%load_ext explorer.notebook` does the
same); the results know nothing of it. A picture is drawn by the scripts of the app's own pages, from the same
data, in a page of its own that needs neither server nor network.
"""

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.analysis.prediction.text_lens import TextLens
    from explorer.models import LanguageModel
    from explorer.notebook.cell import Cell
    from explorer.trace import Trace

# What the views say where there is no server.
logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").addFilter(
    lambda record: "ScriptRunContext" not in (text := record.getMessage()) and "No runtime found" not in text
)


# The results that have pictures, by module: IPython is told their names, and imports none before it is shown.
ANALYSIS = "explorer.analysis"
RESULTS = {
    "explorer.trace": ("Trace",),
    f"{ANALYSIS}.attention.comparison": ("Comparison",),
    f"{ANALYSIS}.attention.inside_head": ("InsideHead",),
    f"{ANALYSIS}.attention.rollout": ("TokenRollout",),
    f"{ANALYSIS}.attribution.prediction": ("Prediction",),
    f"{ANALYSIS}.generation.tree": ("ContinuationTree",),
    f"{ANALYSIS}.generation.steps": ("Generation",),
    f"{ANALYSIS}.heads.ablation": ("Changes",),
    f"{ANALYSIS}.patching.direct": ("DirectLogits",),
    f"{ANALYSIS}.patching.heads": ("PatchedHeads",),
    f"{ANALYSIS}.patching.states": ("PatchedStates",),
    f"{ANALYSIS}.prediction.both_readers": ("BothReaders",),
    f"{ANALYSIS}.prediction.fill": ("Guesses",),
    f"{ANALYSIS}.prediction.surprisal": ("ScoredText",),
    f"{ANALYSIS}.probing.reading": ("LabelProbabilities", "TreesByLayer"),
    f"{ANALYSIS}.senses.occurrences": ("Occurrences",),
    f"{ANALYSIS}.sentences.vectors": ("SentenceVectors",),
    f"{ANALYSIS}.sentences.answering": ("Answers",),
    f"{ANALYSIS}.sentences.ranking": ("Pairs", "Ranking"),
    f"{ANALYSIS}.translation.search": ("Translation",),
    f"{ANALYSIS}.vectors.arithmetic": ("Analogy",),
    f"{ANALYSIS}.vectors.words": ("Neighbours",),
}


def load_ipython_extension(shell: Any) -> None:
    """Let IPython's `shell` draw results; it calls this at `%load_ext explorer.notebook`."""
    formatter = shell.display_formatter.formatters["text/html"]
    for module, names in RESULTS.items():
        for name in names:
            formatter.for_type_by_name(module, name, html)


def html(result: Any) -> str | None:
    """A result's picture as HTML for a notebook; None for one that has no picture."""
    from explorer.notebook.cell import cell_of

    for name in ("attention", "causes", "guesses", "texts", "words"):  # each registers its results
        import_module(f"explorer.notebook.{name}")

    cell = cell_of(result)
    return None if cell is None else cell._repr_html_()


def heads(trace: "Trace", layer: int = 0, head: int = 0) -> "Cell":
    """Every head of a trace, opened at one of them; both are counted from 0."""
    from explorer.notebook.attention import every_head

    return every_head(trace, layer, head)


def lens(result: "TextLens", model: "LanguageModel") -> "Cell":
    """What a model would say at every token after each of its layers.

    >>> from explorer.analysis.prediction import text_lens
    >>> bert = explorer.load("bert")
    >>> [part.name for part in lens(text_lens.over_text(bert, "A cup of [MASK]."), bert).components]
    ['why/lens']
    """
    from explorer.notebook.guesses import lens_cell

    return lens_cell(result, model)
