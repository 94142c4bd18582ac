"""A pair's two halves are found by their names."""

import pytest

from explorer.checkpoints.partner import generator_of
from explorer.errors import NotFoundError


def test_the_last_part_of_the_name_changes_and_nothing_else():
    assert generator_of("folder:/discriminators/x-discriminator") == "folder:/discriminators/x-generator"
    with pytest.raises(NotFoundError, match="bert"):
        generator_of("bert")
