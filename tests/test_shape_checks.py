"""A tensor of the wrong shape or kind is refused where it goes in, and a right one passes."""

import pytest
import torch
from jaxtyping import TypeCheckError

from explorer.analysis.attention.rollout import rollout
from explorer.models.layers import Heads
from explorer.trace import Encoding
from tests import shape_checks


def test_one_size_for_one_name():
    queries, keys = torch.zeros(1, 2, 3, 4), torch.zeros(1, 2, 5, 4)
    Heads(queries, keys, keys, pattern=torch.zeros(1, 2, 3, 5))
    with pytest.raises(TypeCheckError):
        Heads(queries, keys, keys, pattern=torch.zeros(1, 2, 5, 3))


def test_an_argument_of_too_few_axes():
    assert rollout(torch.eye(2)[None]).shape == (2, 2, 2)
    with pytest.raises(TypeCheckError):
        rollout(torch.eye(2))


def test_another_kind_of_number():
    ids, none = torch.tensor([7]), torch.tensor([False])
    Encoding("a", ["a"], ids, [(0, 1)], special=none, segments=ids)
    with pytest.raises(TypeCheckError):
        Encoding("a", ["a"], ids.float(), [(0, 1)], special=none, segments=ids)


def test_elsewhere_they_are_off():
    assert shape_checks.wanted(shape_checks.ROOT / "explorer" / "trace.py")
    assert not shape_checks.wanted(shape_checks.ROOT / "tests" / "views" / "heads" / "test_page.py")
    queries, keys = torch.zeros(1, 2, 3, 4), torch.zeros(1, 2, 5, 4)
    with shape_checks.switched(on=False):
        Heads(queries, keys, keys, pattern=torch.zeros(1, 2, 5, 3))
    with pytest.raises(TypeCheckError):
        Heads(queries, keys, keys, pattern=torch.zeros(1, 2, 5, 3))
