"""Translator: the beam search, its tree, and the trace of one hypothesis."""

from typing import NamedTuple

from explorer import analysis
from explorer.server.kept import kept
from explorer.views.transformer.written import search_translation
from explorer.views.types import LanguageModel, PairTrace, Translation, Tree

TOKENS = 40  # of the source; more would not be read on a screen


class TranslatorSearch(NamedTuple):
    """The search, and the hypothesis in view by its branch, with its trace."""

    translation: "Translation"
    tree: "Tree"
    trace: "PairTrace"
    steps: "list[analysis.translation.Step]"
    branch: int


def search(model: "LanguageModel", text: str, branch: int) -> TranslatorSearch:
    """The search for a text's translation, and one of its hypotheses. Raises as `translate`."""
    translation, steps = search_translation(model, text, TOKENS)
    tree = hypotheses(translation, steps)
    branch = branch if branch in tree else 0
    return TranslatorSearch(translation, tree, _trace(model, text, tree.path(branch)), steps, branch)


def hypotheses(result: "Translation", steps: "list[analysis.translation.Step]") -> "Tree":
    """The hypotheses that were finished or still open at the end; the best is the first branch."""
    from explorer.analysis.generation.tree import Branch, Tree
    from explorer.analysis.generation.tree import step as grow

    tree = Tree((Branch(0, result.ids),))
    for hypothesis in (*result.hypotheses, *steps[-1].alive):
        number = 0
        for at, id in enumerate(hypothesis.ids):
            tree, number = grow(tree, number, at, id)
    return tree


@kept(32)
def _trace(model: "LanguageModel", text: str, ids: tuple[int, ...]) -> "PairTrace":
    from explorer.analysis.translation.search import read
    from explorer.analysis.translation.tracing import trace_encoded

    return trace_encoded(model, read(model, text, TOKENS), ids)
