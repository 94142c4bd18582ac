"""How probable a model finds whole texts, many of them in one batch."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from explorer.analysis.words import words
from explorer.errors import TextError
from explorer.locale import _
from explorer.models import padding
from explorer.models.base import Model, context_length
from explorer.models.padding import BATCH_TOKENS
from explorer.trace import Ability, Edit, Encoding

FROM_SECOND = "has no token for the beginning of a text: texts are scored from their second token on."
GPU_BATCH = 64  # how many times larger the batches on a GPU are, to keep it busy


@dataclass(frozen=True, eq=False)
class Row:
    """Ids to read, and the positions at which tokens are scored; `text` is the number of the text."""

    text: int
    read: list[int]
    positions: list[int]
    tokens: list[int]


def log_likelihoods(model: Model, texts: Sequence[str]) -> list[float]:
    """How probable a model finds each text, in nats: what `fill.log_likelihood` gives for one.

    Rows of similar length share a batch, whichever texts they come from. Raises TextError for a text that is
    longer than the context, AbilityError for a model that predicts no tokens.
    """
    model.require(Ability.FILL | Ability.GENERATE, "score a text")
    questions = left_to_right if Ability.GENERATE in model.abilities else one_masked_at_a_time
    if questions is left_to_right and model.tokenizer.start is None:
        warnings.warn(f"{model.checkpoint} {FROM_SECOND}", stacklevel=2)
    rows = [row for i, text in enumerate(texts) for row in questions(model, encode_whole(model, text), i)]
    totals = torch.zeros(len(texts), dtype=torch.float64)
    for batch in batches(rows, batch_tokens(model)):
        whose = torch.tensor([row.text for row in batch for _ in row.positions])
        totals.index_add_(0, whose, log_probabilities(model, batch).cpu().double())
    return totals.tolist()


def left_to_right(model: Model, encoding: Encoding, text: int) -> list[Row]:
    """GPT's row: the start token and the text; every token is scored one position before it.

    Without a start token, the first token is not scored. Nor are the special tokens that the tokenizer puts
    around a text.
    """
    ids = encoding.without_frame().ids
    read = model.tokenizer.with_start(ids)[:-1].tolist() if len(ids) else []
    if not read:
        return []
    scored = ids[len(ids) - len(read) :].tolist()
    return [Row(text, read, list(range(len(scored))), scored)]


def one_masked_at_a_time(
    model: Model, encoding: Encoding, text: int, rest_of_word: bool = False
) -> list[Row]:
    """BERT's rows: the text once for every token, with that token masked and scored.

    With `rest_of_word` the later tokens of its word are masked too (Kauf and Ivanova, ACL 2023).
    """
    ids, mask = encoding.ids.tolist(), model.tokenizer.special_id("mask")
    scored = (~encoding.special).nonzero().flatten().tolist()
    pieces = [word.positions for word in words(encoding)] if rest_of_word else []
    last = {position: word[-1] for word in pieces for position in word}
    ends = [last.get(p, p) + 1 for p in scored]
    return [
        Row(text, [*ids[:p], *[mask] * (end - p), *ids[end:]], [p], [ids[p]])
        for p, end in zip(scored, ends, strict=True)
    ]


def states_at(model: Model, rows: list[Row], edit: Edit | None = None) -> Float[Tensor, "position d_model"]:
    """The last layer's states at all positions of the rows, in one forward pass."""
    ids = pad_sequence([torch.tensor(row.read) for row in rows], batch_first=True)
    lengths = torch.tensor([len(row.read) for row in rows])
    mask = torch.arange(ids.shape[1]) < lengths[:, None]
    where = torch.tensor([(i, p) for i, row in enumerate(rows) for p in row.positions]).T.to(model.device)
    allowed = None if mask.all() else mask
    return model.run(ids, mask=allowed, edit=edit).last[where[0], where[1]]


def log_probabilities(model: Model, rows: list[Row], edit: Edit | None = None) -> Float[Tensor, "position"]:
    """log P of all tokens to score, in the order of the rows, in one forward pass."""
    tokens = torch.tensor([token for row in rows for token in row.tokens])
    return log_probabilities_of(model, states_at(model, rows, edit), tokens)


def log_probabilities_of(
    model: Model, states: Float[Tensor, "position d_model"], tokens: Int[Tensor, "position"]
) -> Float[Tensor, "position"]:
    """log P of one token for each of the last layer's states."""
    scores = []
    step = max(1, batch_tokens(model) // 8)  # logits are large: a few rows of them at a time
    for some, targets in zip(states.split(step), tokens.to(states.device).split(step), strict=True):
        logits = model.unembed(some)
        scores.append(logits.gather(-1, targets[:, None])[:, 0] - logits.logsumexp(-1))
    return torch.cat(scores)


def batches(rows: list[Row], tokens: int) -> Iterator[list[Row]]:
    """The rows in groups of similar length, each of at most `tokens` tokens with its padding."""
    for batch in padding.batches([row.read for row in rows], tokens):
        yield [rows[i] for i in batch]


def batch_tokens(model: Model) -> int:
    """How many tokens a batch should have on the model's device."""
    return BATCH_TOKENS if model.device.type == "cpu" else GPU_BATCH * BATCH_TOKENS


def encode_whole(model: Model, text: str) -> Encoding:
    """The encoding of a whole text. Raises TextError if it is longer than the context."""
    encoding, most = model.tokenizer.encode(text), context_length(model.config)
    if len(encoding) > most:
        raise TextError(
            _(
                "The text has {count} tokens; {model} reads {most}.",
                count=len(encoding),
                model=model.checkpoint,
                most=most,
            ),
            _("Score it in parts."),
        )
    return encoding
