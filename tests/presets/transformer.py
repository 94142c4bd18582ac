"""What the presets of “Step by step” promise."""

import torch

from explorer.analysis.transformer import walk
from explorer.analysis.transformer.layer_walk import Walk
from tests.shared_models import model
from tests.views.opening import defaults

LIMIT = 12


def walked(text: str, name: str, layer: int, head: int) -> Walk:
    return walk(model(name), text, None, layer, head, limit=LIMIT)


def is_on_the_word_before(text: str, *place) -> bool:
    return bool(walked(text, *place).value("weights").diagonal(offset=-1).mean() > 0.9)


def is_empty_at_the_upper_right(text: str, *place) -> bool:
    masked = walked(text, *place).value("masked")
    return bool((masked.isneginf() == torch.ones_like(masked).triu(1).bool()).all())


def has_few_units_at_work(text: str, *place) -> bool:
    return bool((walked(text, *place).value("hidden") > 0).float().mean() < 0.2)


def is_ten_times_as_long(text: str, *place) -> bool:
    walk = walked(text, *place)
    return bool(walk.result.norm(dim=-1).mean() > 10 * walk.values["hidden_states"][0].norm(dim=-1).mean())


def reads_the_subject(text: str, subject: str) -> bool:
    """In the head that Step by step opens with, [MASK] attends most to the subject."""
    opening = defaults("transformer")
    walk = walked(text, "bert", opening["layer"], opening["head"])
    tokens = walk.encoding.tokens
    return tokens[int(walk.value("weights")[tokens.index("[MASK]")].argmax())] == subject


def has_two_segment_rows(text: str, pair: str) -> bool:
    walked = walk(model("bert"), text, pair, limit=LIMIT)
    rows, second = walked.value("segment_rows"), walked.values["segment_ids"].bool()
    assert walked.encoding.truncated == 0 and second.any() and not second.all()
    same = (rows[second] == rows[-1]).all() and (rows[~second] == rows[0]).all()
    return bool(same and not (rows[0] == rows[-1]).all())
