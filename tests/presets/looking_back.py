"""What the presets of “Looking back” promise: of SmolLM2, and of our GPT where it is not installed."""

from collections.abc import Callable, Sequence
from functools import cache

from explorer.analysis.attention.while_generating import GenerationAttention, generation_attention
from explorer.analysis.generation.steps import Sampling, generate
from explorer.views.continuations.looking_back import LENGTH
from tests.shared_models import model

STEPS = 12  # of the page's forty: enough to tell, and soon written


@cache
def written(text: str, name: str, steps: int = STEPS) -> GenerationAttention:
    generation = generate(model(name), text, Sampling(temperature=0.0, max_new_tokens=steps), candidates=1)
    list(generation)
    return generation_attention(generation)


def row(text: str, name: str, step: int, *head: int) -> list[float]:
    weights: list[float] = written(text, name).row(step, *head).tolist()
    return weights


def reads_what_followed(text: str, layer: int, head: int, name: str) -> bool:
    """The last token stood once before; what the head reads most is the token after that one."""
    attention = written(text, name)
    prompt = attention.tokens[: attention.prompt]
    followed = prompt.index(prompt[-1]) + 1
    weights = row(text, name, 0, layer, head)
    assert followed < len(prompt)
    return max(weights) == weights[followed]


def reads_one_back(text: str, layer: int, head: int, name: str) -> bool:
    """At nine steps of ten the token before the last one that was read has the most weight."""
    rows = [row(text, name, step, layer, head) for step in range(STEPS)]
    return sum(max(one) == one[-2] for one in rows) >= 0.9 * STEPS


def rests_on_the_first(text: str, name: str) -> bool:
    """At nine steps of ten no token has more weight than the first."""
    rows = [row(text, name, step) for step in range(STEPS)]
    return sum(max(one) == one[0] for one in rows) >= 0.9 * STEPS


def last_three(tokens: Sequence[str]) -> list[int]:
    return list(range(max(len(tokens) - 3, 0), len(tokens)))


def stops(tokens: Sequence[str]) -> list[int]:
    return [i for i, token in enumerate(tokens) if token.strip() in {",", ".", ""}]


def share(text: str, places: Callable[[Sequence[str]], list[int]], *head: int) -> tuple[float, float]:
    """The mean share of GPT's attention on some places, and what an even look would give them."""
    attention = written(text, "gpt", LENGTH)
    tokens, steps = attention.tokens, range(len(attention.tokens) - attention.prompt)
    rows = [attention.row(step, *head) for step in steps]
    at = [places(tokens[: len(row)]) for row in rows]
    observed = [float(row[some].sum()) for row, some in zip(rows, at)]
    even = [len(some) / len(row) for row, some in zip(rows, at)]
    return sum(observed) / len(rows), sum(even) / len(rows)


def reads_the_last_few(text: str) -> bool:
    observed, even = share(text, last_three)
    return observed > 2 * even


def reads_just_behind(text: str, layer: int, head: int) -> bool:
    return share(text, last_three, layer, head)[0] > 0.6


def reads_stops(text: str, layer: int, head: int) -> bool:
    observed, even = share(text, stops, layer, head)
    return observed > max(0.4, 2 * even)
