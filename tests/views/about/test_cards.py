"""Every bundled checkpoint and every packaged one is listed and its card read, without torch."""

import subprocess
import sys

import pytest

from explorer.catalogue.manifest import manifests
from explorer.checkpoints import bundled
from explorer.views.about import cards

BUNDLED = [str(c) for c in bundled.shipped()]


def test_the_checkpoints_are_the_bundled_ones():
    assert sorted(cards.shipped()) == sorted(BUNDLED)
    assert cards.names() == list(manifests()) and all(map(cards.card, cards.names()))


@pytest.mark.parametrize("name", BUNDLED)
def test_every_card_says_how_its_training_began(name):
    began, line = cards.origin(cards.card(name))
    assert began in ("trained further", "trained from scratch") and line


def test_what_a_card_does_not_say_stays_open():
    assert cards.origin("A model.") == ("", "")
    assert cards.origin("It started\nfrom [one](https://example.org): ...") == ("trained further", "from one")
    assert cards.card("nobody") == ""


def test_nothing_heavy_is_imported():
    code = (
        "import sys; from explorer.views.about import cards, record;"
        "from explorer.views.frame.sizes import sizes;"
        "[sizes(record.folder(n)) for n in cards.names()]; sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
