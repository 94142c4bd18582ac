"""What the views of the heads page compute, as functions that “Show the code” prints."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.heads import Candidate
    from explorer.analysis.heads.ablation import Change
    from explorer.models import Model


def on_a_text(model: "Model", text: str, behaviour: str, limit: int) -> "Tensor":
    """A behaviour of every head, [layer, head], on the first tokens of a text."""
    from explorer.analysis import heads

    return heads.behaviours(model.trace(text, limit=limit))[behaviour]


def on_repeated_tokens(model: "Model", score: str) -> "Tensor":
    """A score of every head, [layer, head], on random tokens that are repeated."""
    from explorer.analysis.heads import induction

    scores: Tensor = getattr(induction.induction(model), score)
    return scores


def on_our_sentences(model: "Model", half: str, behaviour: str) -> "Tensor":
    """A behaviour of every head, [layer, head], on the sentences "written" by hand or of the "grammar"."""
    from explorer.analysis import heads
    from explorer.analysis.heads import relations

    return heads.measure(model, relations.library(half)).behaviours[behaviour]


def relation_accuracy(model: "Model", half: str, relation: str, direction: str) -> dict[str, object]:
    """How often every head finds the other word of a relation, [layer, head]; the best fixed offset."""
    from explorer.analysis import heads
    from explorer.analysis.heads import relations

    scores = heads.measure(model, relations.library(half))
    found = scores.relations[relation][direction]
    return {"accuracy": found.accuracy, "best head": found.best, "baseline": found.baseline}


def heads_that_draw(
    model: "Model",
    text: str,
    arcs: list[tuple[int, int]],
    by: str,
    rescale: bool,
    top: int,
    limit: int,
) -> "list[Candidate]":
    """The heads that draw arcs between the words of a text best; by "attention" or its "margin"."""
    from explorer.analysis import heads
    from explorer.analysis.attention.weights import between_words

    _, pattern = between_words(model.trace(text, limit=limit), rescale)
    return heads.find(pattern, arcs).ranking(by)[:top]


def guesses_without(
    model: "Model", text: str, which: int, off: list[tuple[int, int]], how: str, top: int, limit: int
) -> "list[Change]":
    """The likeliest tokens at a [MASK] (or after the text) with all heads on, and with some off."""
    from explorer.analysis.heads import ablation, loss

    question = ablation.ask(model, text, which, limit)
    means = ablation.mean_outputs(model, loss.sentences(model.tokenizer.languages)) if how == "mean" else None
    before = ablation.answer(model, question)
    after = ablation.answer(model, question, ablation.switch_off(off, how, means))
    return ablation.changes(model, before, after, top)
