"""Learning a task from examples in the prompt, without any training (Brown et al. 2020, GPT-3).

    hot: cold⏎big: small⏎day:            P(" night⏎" | two examples and the question)

A row of pairs holds every number of examples at once: each pair is a question, and then an example for
those after it. A seed draws the order of the pairs on a circle, and a row begins at each of them. So every
pair is asked once after 0, 1, ... examples, never among its own examples, and each pair that is read is also
a question that is answered.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.analysis.prediction.fill import Candidate
from explorer.analysis.prediction.likelihood import Row, batch_tokens, batches, states_at
from explorer.errors import TextError
from explorer.files.tables import find_delimiter, rows
from explorer.locale import _, ngettext
from explorer.models.base import Model, context_length
from explorer.system.threads import map_in_threads
from explorer.trace import Ability

MOST_SHOTS = 8
CANDIDATES = 8
END = "\n"  # ends a pair, and so an answer


class Pair(NamedTuple):
    """A question and its right answer."""

    question: str
    answer: str


@dataclass(frozen=True, eq=False)
class FewShot:
    """What a model answers to every pair after each number of examples.

    `order` is the circle of pairs, `between` what stands between question and answer.
    `log_probability` is that of the whole right answer with its end, in nats; `written` says whether it is
    what the model writes if it always takes the most probable token. `ids` and `probabilities` are the most
    probable first tokens of an answer, and `first` is the right one; a token of mere spaces before it (as
    SmolLM2 reads " 7") is passed over.
    """

    pairs: list[Pair]
    order: list[int]
    between: str
    log_probability: Float[Tensor, "pair shot"]
    written: Bool[Tensor, "pair shot"]
    first: Int[Tensor, "pair shot"]
    ids: Int[Tensor, "pair shot candidate"]
    probabilities: Float[Tensor, "pair shot candidate"]

    @property
    def shots(self) -> int:
        """The largest number of examples."""
        return self.log_probability.shape[1] - 1

    @property
    def wrong(self) -> Float[Tensor, "pair shot"]:
        """The probability of the likeliest wrong first token."""
        right = self.ids == self.first[..., None]
        return self.probabilities.masked_fill(right, 0).amax(-1)

    def prompt(self, pair: int, shots: int) -> str:
        """The examples before a pair, and its question."""
        return prompt(self.pairs, self.order, self.between, pair, shots)

    def candidates(self, model: Model, pair: int, shots: int) -> list[Candidate]:
        """The most probable first tokens of an answer."""
        ids, probabilities = self.ids[pair, shots].tolist(), self.probabilities[pair, shots].tolist()
        return [
            Candidate(id, model.tokenizer.readable(id), p, rank)
            for rank, (id, p) in enumerate(zip(ids, probabilities, strict=True), 1)
        ]


def prompt(pairs: Sequence[Pair], order: Sequence[int], between: str, pair: int, shots: int) -> str:
    """The pairs that stand before one in a circle, as so many examples, and its question."""
    at = order.index(pair)
    examples = [pairs[order[at - back]] for back in range(shots, 0, -1)]
    return "".join(line(example, between) for example in examples) + pairs[pair].question + between


def circle(count: int, seed: int) -> list[int]:
    """So many pairs in a circle: those before a pair are its examples."""
    return torch.randperm(count, generator=torch.Generator().manual_seed(seed)).tolist()


def read_pairs(table: str) -> list[Pair]:
    """The pairs of a table with two columns, as pasted from a spreadsheet or typed; each question once.

    Raises TextError for a row that has not two cells.

    >>> read_pairs("hot, cold\\nbig, small")
    [Pair(question='hot', answer='cold'), Pair(question='big', answer='small')]
    """
    answers: dict[str, str] = {}
    for number, row in rows(io.StringIO(table, newline=""), find_delimiter(table), "The table"):
        cells = [cell.strip() for cell in row if cell.strip()]
        if len(cells) != 2:
            raise TextError(
                ngettext(
                    "Line {number}, “{line}”, has one column; a pair has two.",
                    "Line {number}, “{line}”, has {count} columns; a pair has two.",
                    len(cells),
                    number=number,
                    line=f"{' '.join(cells):.40}",
                ),
                _("Write a question and its answer on each line, with a comma, a tab or a bar between them."),
            )
        answers.setdefault(" ".join(cells[0].split()), " ".join(cells[1].split()))
    return [Pair(question, answer) for question, answer in answers.items()]


def line(pair: Pair, between: str) -> str:
    """A pair as it stands in a prompt.

    >>> line(Pair("hot", "cold"), ":")
    'hot: cold\\n'
    """
    return f"{pair.question}{between} {pair.answer}{END}"


def few_shot(
    model: Model,
    pairs: Sequence[Pair],
    between: str = ":",
    seed: int = 0,
    progress: Callable[[float], object] = lambda share: None,
) -> FewShot:
    """Ask a model every pair after 0 to 8 examples, drawn by a seed among the other pairs.

    The answer's probability is the product over its tokens and the line end after it, each read after the
    right ones before. `progress` is called with the share of rows that are read. Raises TextError for
    fewer than two pairs or too long ones, AbilityError for a model that does not read from left to right.

    >>> task = [Pair("hot", "cold"), Pair("big", "small"), Pair("day", "night")]
    >>> answers = few_shot(explorer.load("gpt"), task)
    >>> answers.log_probability.shape, answers.prompt(pair=0, shots=0)
    (torch.Size([3, 3]), 'hot:')
    """
    model.require(Ability.GENERATE, "answer after examples")
    pairs = list(pairs)
    if len(pairs) < 2:
        raise TextError(
            _("A task takes at least two pairs: one to ask, and one as its example."), _("Add more pairs.")
        )
    order = circle(len(pairs), seed)
    length = min(MOST_SHOTS + 1, len(pairs))
    questions = [
        _row(model, [pairs[order[(start + i) % len(order)]] for i in range(length)], between, start)
        for start in range(len(order))
    ]
    shape = len(pairs), length
    log_probability, written = torch.zeros(shape), torch.ones(shape, dtype=torch.bool)
    first = torch.zeros(shape, dtype=torch.long)
    best = min(CANDIDATES, model.config.d_vocab)
    ids, probabilities = torch.zeros(*shape, best, dtype=torch.long), torch.zeros(*shape, best)
    read = 0
    groups = list(batches([row for row, __ in questions], batch_tokens(model) // 2))
    for batch, together in zip(groups, map_in_threads(lambda some: states_at(model, some), groups)):
        for row, states in zip(batch, together.split([len(row.tokens) for row in batch]), strict=True):
            logs = model.unembed(states).log_softmax(-1).cpu()
            tokens, at = torch.tensor(row.tokens), 0
            own, most = logs.gather(1, tokens[:, None])[:, 0], logs.amax(-1)
            for shot, count in enumerate(questions[row.text][1]):
                pair, part = order[(row.text + shot) % len(order)], slice(at, at + count)
                log_probability[pair, shot] = own[part].sum()
                written[pair, shot] = bool((own[part] == most[part]).all())
                begins = at + (count > 1 and not model.tokenizer.readable(row.tokens[at]).strip())
                first[pair, shot] = tokens[begins]
                top = logs[begins].exp().topk(best)
                probabilities[pair, shot], ids[pair, shot] = top.values, top.indices
                at += count
        read += len(batch)
        progress(read / len(questions))
    return FewShot(pairs, order, between, log_probability, written, first, ids, probabilities)


def _row(model: Model, pairs: Sequence[Pair], between: str, number: int) -> tuple[Row, list[int]]:
    """A row of pairs with the positions before each token of the answers, and the tokens of each answer."""
    text, answers = "", []
    for pair in pairs:
        answers.append((len(text) + len(pair.question) + len(between), len(text) + len(line(pair, between))))
        text += line(pair, between)
    encoding = model.tokenizer.encode(text).without_frame()
    whole = model.tokenizer.with_start(encoding.ids).tolist()
    if len(whole) > context_length(model.config):
        raise TextError(
            _(
                "{count} pairs have {tokens} tokens; {model} reads {most}.",
                count=len(pairs),
                tokens=len(whole),
                model=model.checkpoint,
                most=context_length(model.config),
            ),
            _("Shorten the pairs."),
        )
    lead = len(whole) - len(encoding.ids)
    inside = [
        [i + lead for i, (__, end) in enumerate(encoding.spans) if start < end <= last]
        for start, last in answers
    ]
    positions = [i for some in inside for i in some]
    return Row(number, whole[:-1], [i - 1 for i in positions], [whole[i] for i in positions]), [
        len(some) for some in inside
    ]
