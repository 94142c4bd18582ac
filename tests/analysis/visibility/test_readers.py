"""Who reads whom: the drawings say what the bundled networks do."""

from dataclasses import replace

import pytest
import torch

import explorer
from explorer.analysis.visibility import readers
from explorer.analysis.visibility.readers import Node
from explorer.errors import ExplorerError
from explorer.trace import Capture

TEXT = "the boat left the old bank"
SIDES = {"BERT": [""], "GPT": [""], "ELMo": ["left", "right"]}


def changes(model, text, side="", layer=-1):
    """Which states change when one token is replaced: [pos changed]; `side` selects a half of ELMo's."""
    encoding = model.encode(text)
    others = [with_another_token(model, encoding, place) for place in range(len(encoding))]
    traces = model.trace_encodings([encoding, *others], Capture.HIDDEN)
    states = torch.stack([trace.hidden_states[layer] for trace in traces])
    if side:
        states = states.chunk(2, dim=-1)[side == "right"]
    return ((states[1:] - states[0]).abs().amax(-1) > 1e-6).T


def with_another_token(model, encoding, place):
    ids, characters = encoding.ids.clone(), encoding.characters
    ids[place] = (ids[place] + 1) % model.tokenizer.size
    if characters is not None:
        characters = characters.clone()
        characters[place, 1] = (characters[place, 1] + 1) % 256
    return replace(encoding, ids=ids, characters=characters)


@pytest.mark.parametrize("kind", readers.KINDS)
def test_a_drawing_is_what_the_bundled_model_does(kind):
    model = explorer.load(kind.lower())
    for side in SIDES[kind]:
        found = changes(model, TEXT, side).tolist()
        drawn = readers.drawing(kind, len(found))
        for place, row in enumerate(found):
            read = readers.read_by(drawn, Node(2, place, side))
            assert [p for p, changed in enumerate(row) if changed] == sorted(read)


def test_after_one_layer_too():
    for kind in ("BERT", "GPT"):
        found = changes(explorer.load(kind.lower()), TEXT, layer=1).tolist()
        drawn = readers.drawing(kind, len(found), layers=1)
        for place, row in enumerate(found):
            assert {p for p, changed in enumerate(row) if changed} == readers.read_by(drawn, Node(1, place))


def test_elmo_joins_its_two_rows_at_the_top_alone():
    found = readers.drawing("ELMo", 5)
    assert readers.read_by(found, Node(2, 1, "left")) == {0, 1}
    assert readers.read_by(found, Node(2, 1, "right")) == {1, 2, 3, 4}
    assert readers.read_by(found, Node(3, 1)) == set(range(5))
    assert all(one.side in ("", other.side) or other.row == 3 for one, other in found.lines)


@pytest.mark.parametrize(("kind", "count"), [("BERT", 16), ("GPT", 10), ("ELMo", 2 * (4 + 3))])
def test_the_lines_of_a_layer_are_counted(kind, count):
    lines = readers.drawing(kind, 4, layers=1).lines
    assert len(lines) == count + 4 * len(SIDES[kind])
    assert len(set(lines)) == len(lines)


def test_a_word_has_read_itself_alone():
    assert readers.read_by(readers.drawing("BERT", 3), Node(0, 1)) == {1}


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(ExplorerError, match="no drawing of"):
        readers.drawing("T5", 3)
    with pytest.raises(ExplorerError):
        readers.drawing("GPT", 0)
