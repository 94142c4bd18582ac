"""The sizes of a checkpoint are those of the loaded model, and cost no torch."""

import pytest

import explorer
from explorer.assets import CHECKPOINTS
from explorer.views.frame.sizes import Sizes, sizes

BUNDLED = [str(c) for c in explorer.available() if c.source == "bundled"]


@pytest.mark.parametrize("name", BUNDLED)
def test_the_sizes_are_those_of_the_model(name):
    found, model = sizes(CHECKPOINTS / name), explorer.load(name)
    assert found.parameters == sum(p.numel() for p in model.network.parameters())
    for size, said in (
        ("layers", "layers"),
        ("width", "d_model"),
        ("heads", "heads"),
        ("vocabulary", "d_vocab"),
    ):
        assert getattr(found, size) == (getattr(model.config, said, None) or None)  # word2vec has no layers
    assert found.file_bytes == (CHECKPOINTS / name / "model.safetensors").stat().st_size


def test_a_family_without_layers_or_heads_has_its_other_sizes(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "word2vec", "vocab_size": 30, "hidden_size": 8}')
    header = b'{"__metadata__": {}, "in": {"dtype": "F16", "shape": [30, 8], "data_offsets": [0, 480]}}'
    (tmp_path / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(480))
    assert sizes(tmp_path) == Sizes(240, None, 8, None, 30, 8 + len(header) + 480)
