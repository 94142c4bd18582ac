"""The numbers of a training's record as tables to save."""

from collections.abc import Sequence

from explorer.views import kit
from explorer.views.about import curves, milestones
from explorer.views.about.record import Record
from explorer.views.look.blocklist import DOTS, written


def guesses_csv(record: Record, sentence: int, blocked: kit.Blocklist) -> str:
    """The guesses for one sentence at every snapshot; blocked words are dots."""
    text = record.sentences[sentence]
    rows = [
        [one.tokens, one.steps, one.seconds, text, rank, token, number]
        for one in record.snapshots
        for rank, (token, number) in enumerate(one.guesses[sentence], 1)
    ]
    for row in rows:
        row[5] = DOTS if milestones.hides(blocked, text, str(row[5])) else row[5]
    return kit.table(["tokens", "steps", "seconds", "sentence", "rank", "token", record.numbers], rows)


def texts_csv(record: Record, sentence: int, blocked: kit.Blocklist) -> str:
    """How one sentence was continued at every snapshot; blocked words are dots."""
    prompt = record.sentences[sentence]
    rows = [
        [one.tokens, one.steps, one.seconds, prompt, "".join(written(blocked, texts, prompt))]
        for one in record.snapshots
        for texts in [one.continuations[sentence : sentence + 1]]
    ]
    return kit.table(["tokens", "steps", "seconds", "beginning", "continuation"], rows)


def curves_csv(lines: Sequence[curves.Line]) -> str:
    """The curves of one picture."""
    rows = [[line.name, tokens, value] for line in lines for tokens, value in line.values]
    return kit.table(["curve", "tokens", "value"], rows)


def record_csv(record: Record) -> str:
    """All that was measured: the loss, and the figures of every snapshot."""
    rows: list[list[str | float]] = [["training loss", t, "", "", nats] for t, nats in record.loss]
    rows += [
        [curves.NAMES.get(name, (name, ""))[0], one.tokens, one.steps, one.seconds, value]
        for one in record.snapshots
        for name, value in one.figures.items()
    ]
    return kit.table(["measure", "tokens", "steps", "seconds", "value"], rows)
