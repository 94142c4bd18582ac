"""Translator: the data of the pictures, and warnings that a translation may be wrong."""

from collections.abc import Sequence
from math import exp, log
from typing import Any

from explorer.analysis.generation import tree as trees
from explorer.locale import N_, _, format_with, localised, percent
from explorer.views.transformer.translator_search import TranslatorSearch
from explorer.views.transformer.written import END, piece_text, tokens
from explorer.views.types import Doubt, LanguageModel, Tensor
from explorer.views.widgets.fixed_tree import fixed_tree
from explorer.views.widgets.numbers import short
from explorer.views.widgets.quoted import quoted

EVEN = 0.5  # below this probability a token was less likely than all others together


def picture_data(
    model: "LanguageModel", search: "TranslatorSearch", layer: int | None, head: int | None, candidates: int
) -> dict[str, Any]:
    """Both sentences, each step's candidates, and the three attentions of a layer and head, or their mean."""
    trace = search.trace
    assert trace.cross is not None and trace.source.attention and trace.target.attention
    assert trace.target.logits is not None
    written = [piece_text(token) for token in trace.written]
    source = [piece_text(token) for token in trace.source.tokens]
    probabilities = trace.target.logits.softmax(-1)
    probabilities[:, model.config.padding] = 0
    top = probabilities.topk(candidates)
    ranks = _ranks(search, probabilities)
    french = tokens(written, [token == "</s>" for token in trace.written])
    for token, rank in zip(french, ranks):
        token["unsure"] = rank["probability"] < EVEN
    return {
        "source": tokens(source, trace.source.encoding.special.tolist()),
        "written": french,
        "candidates": [
            [
                {"text": piece_text(model.tokenizer.token(id)), "probability": round(p, 5)}
                for id, p in zip(ids, values)
            ]
            for ids, values in zip(top.indices.tolist(), top.values.tolist())
        ],
        "ranks": ranks,
        "cross": _of(trace.cross.pattern, layer, head),
        "own": _of(trace.target.attention.pattern, layer, head),
        "encoder": _of(trace.source.attention.pattern, layer, head),
        "selection": _selection(model, layer, head),
        "english": trace.source.encoding.text,
        "text": model.tokenizer.decode(list(search.tree.path(search.branch))),
        "score": score_text(search),
    }


def score_text(search: "TranslatorSearch") -> str:
    """The score of the hypothesis in view: of those finished, the highest is the translation."""
    path = search.tree.path(search.branch)
    chances = _probabilities(search)
    total = sum(log(chances[path[: at + 1]]) for at in range(len(path)))
    return _("Score: {score} nats per token", score=format_with(total / len(path), ".2f"))


def branches(model: "LanguageModel", search: "TranslatorSearch") -> dict[str, Any]:
    """The hypotheses of the search as a tree, each token as wide as it was probable."""
    chances = _probabilities(search)
    order = [branch.number for branch in trees.drawing_order(search.tree)]
    rows = []
    for number in order:
        branch = search.tree[number]
        path = search.tree.path(number)
        own = range(branch.at, branch.at + len(branch.ids))
        words = [piece_text(model.tokenizer.token(path[at])) for at in own]
        widths = [round(chances.get(path[: at + 1], 0.0), 4) for at in own]
        rows.append(
            {
                "number": number,
                "parent": -1 if branch.parent is None else order.index(branch.parent),
                "at": branch.at,
                "name": "",
                "called": words[0] if words else "",
                "words": model.tokenizer.decode(list(branch.ids)) or _(END),
                "widths": widths,
                "tips": [
                    _(
                        "{word}: probability {percent}",
                        word=word,
                        percent=percent(localised(f"{100 * width:.1f}")),
                    )
                    for word, width in zip(words, widths)
                ],
            }
        )
    heading = _("The four best hypotheses at each step. Press one to see it.")
    return fixed_tree(rows, search.branch, len(search.tree.path(search.branch))) | {"heading": heading}


def _probabilities(search: "TranslatorSearch") -> dict[tuple[int, ...], float]:
    """The probability of the last token of every hypothesis that was kept, given those before it."""
    totals: dict[tuple[int, ...], float] = {(): 0.0}
    for step in search.steps:
        totals |= {h.ids: h.log_probability for h in (*step.alive, *step.finished)}
    totals |= {h.ids: h.log_probability for h in search.translation.hypotheses}
    return {ids: exp(total - totals[ids[:-1]]) for ids, total in totals.items() if ids}


def _ranks(search: "TranslatorSearch", probabilities: "Tensor") -> list[dict[str, float]]:
    """Of each written token: its probability, and how many were more probable."""
    ids = search.tree.path(search.branch)
    return [
        {"probability": round(float(row[id]), 5), "rank": 1 + int((row > row[id]).sum())}
        for row, id in zip(probabilities, ids)
    ]


def _of(pattern: "Tensor", layer: int | None, head: int | None) -> list[list[float]]:
    """One head's pattern, or the mean over heads, layers or both; the last layer where there are fewer."""
    chosen = pattern.mean(0) if layer is None else pattern[min(layer, len(pattern) - 1)]
    mean = chosen.mean(0) if head is None else chosen[head]
    return [[round(x, 4) for x in row] for row in mean.tolist()]


def _selection(model: "LanguageModel", layer: int | None, head: int | None) -> str:
    where = _("mean of all layers") if layer is None else _("layer {n}", n=layer + 1)
    which = _("mean of all heads") if head is None else _("head {n}", n=head + 1)
    text = N_("{where}, {which}")
    if layer is not None and layer >= min(model.config.layers, model.config.decoder_layers):
        text = N_("{where}, {which} (the encoder’s last layer, as it has fewer)")
        if model.config.decoder_layers < model.config.layers:
            text = N_("{where}, {which} (the decoder’s last layer, as it has fewer)")
    return _(text, where=where, which=which)


def unsure_words(search: "TranslatorSearch") -> str:
    """The tokens that had less than an even chance, as a line of HTML; empty without one."""
    path = search.tree.path(search.branch)
    chances = _probabilities(search)
    words = [
        _("“{word}” ({probability})", word=quoted(piece_text(written)), probability=short(chance))
        for at, written in enumerate(search.trace.written[: len(path)])
        if (chance := chances.get(path[: at + 1], 1.0)) < EVEN and written != "</s>"
    ]
    line = _("Unsure, with a probability below one half: {words}.", words=_(", ").join(words))
    return line if words else ""


def warnings(doubts: "Sequence[Doubt]") -> list[str]:
    """The warnings as lines of HTML."""
    lines = []
    for doubt in doubts:
        if doubt.kind == "long":
            line = _(
                "{count} tokens: longer than the sentences that this translator learnt from.",
                count=doubt.tokens,
            )
        elif doubt.kind == "rare":
            words = _(", ").join(_("“{word}”", word=quoted(word)) for word in doubt.words)
            line = _("Seen fewer than five times in training: {words}.", words=words)
        else:
            score = format_with(doubt.score, ".2f")
            line = _(
                "Do not trust this translation. Its score, {score} nats per token, is lower than for 95% of "
                "the held-out sentences.",
                score=score,
            )
        lines.append(line)
    return lines
