"""What the presets of “Write” with BERT promise."""

from explorer.analysis.prediction import gibbs, log_likelihood
from explorer.views.masked.three_orders import options
from tests.shared_models import model
from tests.views.opening import defaults

DEFAULTS = defaults("masked")


def written(frame: str, order: gibbs.Order, **settings) -> gibbs.Writing:
    values = DEFAULTS | settings
    writing = gibbs.write(model("bert"), gibbs.with_blanks(frame, values["blanks"]), order, options(values))
    list(writing)
    return writing


def texts(frame: str, *orders: gibbs.Order) -> int:
    """How many different texts come."""
    return len({tuple(written(frame, order).ids.tolist()) for order in orders})


def has_two_texts(frame: str) -> bool:
    """The two orders that fill each blank once; Gibbs sampling takes a hundred steps more."""
    return texts(frame, gibbs.Order.LEFT_TO_RIGHT, gibbs.Order.MOST_CONFIDENT) == 2


def has_three_texts(frame: str) -> bool:
    return texts(frame, *gibbs.Order) == 3


def is_far_likelier_than_noise(frame: str, blanks: int, temperature: float) -> bool:
    """Half of the surprisal or less is left of the random tokens'."""
    writing = written(frame, gibbs.Order.GIBBS, blanks=blanks, temperature=temperature, start="noise")
    before = writing.ids.clone()
    before[writing.positions] = before.new_tensor(writing.start)
    texts = [model("bert").tokenizer.decode(ids.tolist()) for ids in (before, writing.ids)]
    noise, end = (-log_likelihood(model("bert"), text) for text in texts)
    return end < noise / 2


def is_as_published(blanks: int, temperature: float, top_k: int, steps: int) -> bool:
    options = gibbs.SamplingOptions(temperature, top_k, steps // 2, steps)
    return blanks == gibbs.LENGTH and options == gibbs.PUBLISHED
