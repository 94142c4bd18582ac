"""The files that the continuations page offers to save."""

import json

from explorer.views import kit
from explorer.views.continuations.pipeline import pipeline_of
from explorer.views.continuations.session import Continuations
from explorer.views.types import ScoredText


def steps_csv(run: Continuations) -> str:
    """The tokens of the continuation on the screen as a table."""
    columns = ["step", "token", "probability", "rank", "bits", "draw", "chance when drawn"]
    rows = [
        [number, _on_one_line(s.token), s.probability, s.rank, s.bits, s.draw, s.chance]
        for number, s in enumerate(run.generation.steps, 1)
    ]
    return kit.table(columns, rows)


def pipeline_csv(run: Continuations) -> str:
    """The sampling pipeline of the shown step for the whole vocabulary, the most probable token first."""
    heads = ["rank", "token", "logit", "divided", "softmax", "in top-k", "in top-p", "chance"]
    if not run.generation.steps:
        return kit.table(heads, [])
    pipeline = pipeline_of(run, min(max(run.shown_step, 0), len(run.generation.steps) - 1))
    cuts = [pipeline.after_k.int(), pipeline.after_p.int()]
    stages = [pipeline.logits, pipeline.scaled, pipeline.after_temperature, *cuts, pipeline.chances]
    order = pipeline.logits.argsort(descending=True).tolist()
    readable, columns = run.generation.model.tokenizer.readable, [stage.tolist() for stage in stages]
    return kit.table(
        heads,
        [
            [rank, _on_one_line(readable(id)), *(column[id] for column in columns)]
            for rank, id in enumerate(order, 1)
        ],
    )


def tree_json(run: Continuations) -> str:
    """The prompt, and each branch: where it forks off, its name, its tokens and their probabilities."""
    branches = []
    for branch in run.tree.branches:
        generation = run.generations.get(branch.number)
        own = generation.steps[branch.at :] if generation else []
        tokens = [{"id": s.id, "token": s.token, "probability": s.probability, "rank": s.rank} for s in own]
        branches.append(
            {"branch": branch.number, "parent": branch.parent, "after": branch.at, "name": branch.name}
            | {"tokens": tokens[: len(branch.ids)]}
        )
    model, prompt = str(run.generation.model.checkpoint), run.generation.prompt
    document = {"model": model, "prompt": prompt, "branches": branches}
    return json.dumps(document, ensure_ascii=False, indent=1)


def words_csv(scored: "ScoredText", names: list[str], others: list[list[float | None]]) -> str:
    """The words of a coloured text as a table, with the bits of each model that read it."""
    from explorer.analysis.prediction import surprisal

    text, words = scored.encoding.text, surprisal.of_words(scored)
    rows = []
    for i, w in enumerate(words):
        bits = ["" if values[i] is None else values[i] for values in others]
        own = [w.rank, w.bits] if w.rank else ["", ""]  # the first word may have no context
        rows.append([text[w.start : w.end], w.start, w.end, w.tokens, *own, *bits])
    return kit.table(["word", "start", "end", "tokens", "rank", *(f"bits, {name}" for name in names)], rows)


def tokens_csv(scored: "ScoredText") -> str:
    """The tokens of a coloured text as a table, with their surprisal and rank."""
    encoding = scored.encoding
    scores = [["", ""]] * scored.unscored
    scores += list(map(list, zip(scored.bits.tolist(), scored.ranks.tolist())))[scored.unscored :]
    tokens = zip(encoding.tokens, encoding.ids.tolist(), scores)
    rows = [[token, id, *score] for token, id, score in tokens]
    return kit.table(["token", "id", "bits", "rank"], rows)


def _on_one_line(token: str) -> str:
    """A token with `\\r` written out, at which some readers would end a CSV's line."""
    return token.replace("\r", "\\r")
