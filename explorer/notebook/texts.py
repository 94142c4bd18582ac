"""Texts in a cell: coloured by surprise, written token by token, translated, and found by their meaning."""

from typing import Any

from explorer.analysis.generation.steps import Generation
from explorer.analysis.generation.tree import ContinuationTree
from explorer.analysis.prediction import surprisal
from explorer.analysis.prediction.surprisal import ScoredText
from explorer.analysis.sentences import Answers, Pairs, Ranking
from explorer.analysis.translation.search import Search, Translation
from explorer.analysis.translation.tracing import trace_encoded
from explorer.locale import _
from explorer.notebook.cell import Cell, cell_of
from explorer.views.continuations.shades import picture
from explorer.views.continuations.steps import chips, prompt
from explorer.views.continuations.tree import branches
from explorer.views.frame.saving.web_page import Component
from explorer.views.look import blocklist, theme
from explorer.views.search.pair_data import pair_data, ranking_data
from explorer.views.transformer import translator_data
from explorer.views.transformer.translator_search import TranslatorSearch, hypotheses
from explorer.views.widgets.bars import FULL_BAR, bars_data
from explorer.views.widgets.fixed_tree import fixed_tree

CANDIDATES = 6  # of each step of a translation


@cell_of.register
def _scored(scored: ScoredText) -> Cell | None:
    if not len(scored.bits):
        return None
    blocked = blocklist.over("", scored.encoding.text)
    line = {"name": "bits", "values": [word.bits for word in surprisal.of_words(scored)]}
    light, dark = (
        picture(scored, "probability", blocked, [line], None, colours)
        for colours in (theme.LIGHT, theme.DARK)
    )
    return Cell(
        [Component("continuations/colour", light, dark)],
        notes=_("The stronger the colour, the more probable the token."),
    )


@cell_of.register
def _generation(generation: Generation) -> Cell | None:
    """The text as chips, and the candidates of one of its steps: a click on a chip shows those of another."""
    if not generation.steps:
        return None
    blocked = blocklist.over(str(generation.model.checkpoint), generation.prompt)
    least = min(range(len(generation.steps)), key=lambda at: generation.steps[at].probability)
    light, dark = (chips(generation, colours, blocked) for colours in (theme.LIGHT, theme.DARK))
    in_view = next(at for at, chip in enumerate(light) if chip["first"] <= least <= chip["last"])

    def strip(boxes: list[dict[str, Any]]) -> dict[str, Any]:
        label = _("The prompt and its continuation; press a token for its candidates")
        return _strip(generation, boxes, label) | {"active": True, "choice": in_view + 1}

    steps = [_candidates(generation, chip["first"], blocked) for chip in light]
    lists = {"choices": [None, *steps], "choice": in_view + 1}
    notes = f"{_('Press a token to see what else could have come there.')} {_(FULL_BAR)}"
    return Cell(
        [Component("widgets/token_strip", strip(light), strip(dark)), Component("widgets/bars", lists)],
        notes=notes,
    )


def _strip(generation: Generation, boxes: list[dict[str, Any]], label: str) -> dict[str, Any]:
    """The prompt and its continuation, a token for each chip."""
    start = {"text": prompt(generation), "quiet": True}
    return {"tokens": [start, *map(_token, boxes)], "label": label, "active": False}


def _token(chip: dict[str, Any]) -> dict[str, Any]:
    same = {name: chip[name] for name in ("colour", "ink", "mark")}
    text = chip["text"]
    return same | {"text": text.strip() or "␣", "title": chip["tip"], "glued": not text[:1].isspace()}


def _candidates(generation: Generation, at: int, blocked: blocklist.Blocklist) -> dict[str, Any]:
    """The bars of a step; the token that was written is marked."""
    step = generation.steps[at]
    before = generation.prompt + "".join(earlier.text for earlier in generation.steps[:at])
    rows = [
        {
            "token": candidate.token,
            "probability": candidate.probability,
            "chance": candidate.chance,
            "state": "chosen" if candidate.id == step.id else "",
            "covered": blocklist.covers(blocked, before, candidate.token),
        }
        for candidate in step.candidates
    ]
    return bars_data(
        rows,
        _("Candidates of token {number}", number=at + 1),
        visible=len(rows),
        headings=(_("model"), _("chance")),
    )


@cell_of.register
def _continuations(continuations: ContinuationTree) -> Cell:
    """The text of a branch, and below it the tree: a click on a branch shows its text."""
    first = continuations.generations[0]
    blocked = blocklist.over(str(first.model.checkpoint), first.prompt)
    rows = branches(continuations.tree, continuations.generations, blocked)
    texts = [continuations.generations[row["number"]] for row in rows]
    lengths = [len(text.steps) for text in texts]

    def strips(colours: theme.Palette) -> dict[str, Any]:
        boxes = [chips(text, colours, blocked) for text in texts]
        labels = [_("Branch {name} with the prompt", name=row["called"]) for row in rows]
        return {"choices": list(map(_strip, texts, boxes, labels)), "choice": 0}

    tree = fixed_tree(rows, 0, lengths[0]) | {"lengths": lengths}
    strip = Component("widgets/token_strip", strips(theme.LIGHT), strips(theme.DARK))
    notes = _("Press a branch to see its text. A line is as thick as its token was probable.")
    return Cell([strip, Component("widgets/tree", tree)], notes=notes)


@cell_of.register
def _translation(translation: Translation) -> Cell | None:
    """What was read for each token of the translation; below it the hypotheses of the search."""
    model = translation.model
    if model is None or not translation.ids:
        return None
    search = Search(model, [translation.source], max(len(translation.hypotheses), 1))
    steps = []
    while not search.complete:
        steps.append(search.step()[0])
    trace = trace_encoded(model, translation.source, translation.ids)
    view = TranslatorSearch(translation, hypotheses(translation, steps), trace, steps, 0)
    data = translator_data.picture_data(model, view, None, None, CANDIDATES) | {"part": "words", "chosen": -1}
    tree = translator_data.branches(model, view) | {
        "shown": -1,
        "heading": _("The best hypotheses of the beam search"),
    }
    return Cell([Component("transformer/translator", data), Component("widgets/tree", tree)], height=620)


@cell_of.register
def _ranking(ranking: Ranking) -> Cell | None:
    if not ranking.matches:
        return None
    return Cell([Component("search/passages", ranking_data(ranking))], ranking.question)


@cell_of.register
def _pairs(pairs: Pairs) -> Cell:
    notes = _(
        "A square is what a pair of tokens adds to the cosine. Shades in the passage are sums of columns."
    )
    return Cell([Component("search/pairs", pair_data(pairs))], pairs.question.encoding.text, notes)


@cell_of.register
def _answers(answers: Answers) -> Cell:
    texts = {_("with the passages"): answers.with_passages, _("without"): answers.without}
    rows = [{"score": label, "text": text.continuation} for label, text in texts.items()]
    data = {"label": _("Two answers"), "rows": rows, "chosen": -1}
    return Cell([Component("search/passages", data)], answers.question, "\n".join(answers.passages))
