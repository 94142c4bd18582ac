"""The Transformer page's presets: with nine siblings, the point holds for seven of ten."""

import pytest
import torch

from explorer.analysis.transformer import walk
from explorer.views.transformer.presets import STEPS
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings
from tests.views.opening import defaults

DEFAULTS = defaults("transformer")

PRESETS = {preset.label: DEFAULTS | preset.values for preset in STEPS}


def walked(label: str, text: str):
    chosen = PRESETS[label]
    return walk(model(chosen["model"]), text, None, chosen["layer"], chosen["head"], limit=12)


def word_before(found) -> bool:
    return bool(found.value("weights").diagonal(offset=-1).mean() > 0.9)


def upper_right_empty(found) -> bool:
    masked = found.value("masked")
    return bool((masked.isneginf() == torch.ones_like(masked).triu(1).bool()).all())


def few_units(found) -> bool:
    return bool((found.value("hidden") > 0).float().mean() < 0.2)


def ten_times_as_long(found) -> bool:
    entered, left = found.values["hidden_states"][0], found.result
    return bool(left.norm(dim=-1).mean() > 10 * entered.norm(dim=-1).mean())


POINTS = {
    "The word before": word_before,
    "No looking ahead": upper_right_empty,
    "Few units at work": few_units,
    "Nothing holds GPT back": ten_times_as_long,
}


def test_every_preset_that_promises_something_of_a_sentence_is_here():
    assert set(POINTS) == set(PRESETS) - {"Two sentences"}


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    ten = [PRESETS[label]["text"], *siblings("transformer")["short"]]
    seven_of_ten(lambda text: POINTS[label](walked(label, text)), ten)


def reads_the_subject(text: str, subject: str) -> bool:
    """In the head that Step by step opens with, [MASK] attends most to the subject."""
    found = walk(model("bert"), text, None, DEFAULTS["layer"], DEFAULTS["head"], limit=12)
    tokens = found.encoding.tokens
    return tokens[int(found.value("weights")[tokens.index("[MASK]")].argmax())] == subject


def test_the_opening_head_reads_the_subject():
    assert walk(model("bert"), DEFAULTS["text"]).encoding.tokens[DEFAULTS["word"]] == "[MASK]"
    seven_of_ten(reads_the_subject, [[DEFAULTS["text"], "train"], *siblings("transformer")["guess"]])


def test_two_sentences_have_two_rows_of_the_segment_table():
    chosen = PRESETS["Two sentences"]
    found = walk(model("bert"), chosen["text"], chosen["pair"], limit=12)
    rows, second = found.value("segment_rows"), found.values["segment_ids"].bool()
    assert found.encoding.truncated == 0 and second.any() and not second.all()
    assert (rows[second] == rows[-1]).all() and (rows[~second] == rows[0]).all()
    assert not (rows[0] == rows[-1]).all()
