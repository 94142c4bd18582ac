"""The facts of a checkpoint are those of the loaded model, and cost no torch."""

import subprocess
import sys

import pytest

import explorer
from explorer.views.about import facts, record

BUNDLED = [str(c) for c in explorer.available() if c.source == "bundled"]


def test_the_checkpoints_are_the_bundled_ones():
    assert sorted(facts.names()) == sorted(BUNDLED)


@pytest.mark.parametrize("name", BUNDLED)
def test_the_facts_are_those_of_the_model(name):
    found, model = facts.facts(record.CHECKPOINTS / name), explorer.load(name)
    assert found.parameters == sum(p.numel() for p in model.network.parameters())
    for fact, said in (
        ("layers", "layers"),
        ("width", "d_model"),
        ("heads", "heads"),
        ("vocabulary", "d_vocab"),
    ):
        assert getattr(found, fact) == (getattr(model.config, said, None) or None)  # word2vec has no layers
    assert found.file_bytes == (record.CHECKPOINTS / name / "model.safetensors").stat().st_size


@pytest.mark.parametrize("name", BUNDLED)
def test_every_card_says_how_its_training_began(name):
    began, line = facts.origin(facts.card(name))
    assert began in ("continued", "from zero") and line


def test_what_a_card_does_not_say_stays_open():
    assert facts.origin("A model.") == ("", "")
    assert facts.origin("It started\nfrom [one](https://example.org): ...") == ("continued", "from one")
    assert facts.card("nobody") == ""


def test_a_family_without_layers_or_heads_has_its_other_facts(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "word2vec", "vocab_size": 30, "hidden_size": 8}')
    header = b'{"__metadata__": {}, "in": {"dtype": "F16", "shape": [30, 8], "data_offsets": [0, 480]}}'
    (tmp_path / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(480))
    assert facts.facts(tmp_path) == facts.Facts(240, None, 8, None, 30, 8 + len(header) + 480)


def test_nothing_heavy_is_imported():
    code = (
        "import sys; from explorer.views.about import facts, record;"
        "[facts.facts(record.CHECKPOINTS / n) for n in facts.names()]; sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
