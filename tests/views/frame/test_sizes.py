"""The sizes of a checkpoint are those of the loaded model, and cost no torch."""

import pytest

import explorer
from explorer.assets import CHECKPOINTS
from explorer.catalogue.manifest import manifests, missing
from explorer.checkpoints import bundled
from explorer.models import FAMILIES
from explorer.views.frame.sizes import Sizes, sizes
from tests.hub_files import write_model

BUNDLED = [str(c) for c in bundled.shipped()]


def is_that_of(actual: Sizes, model) -> None:
    config = model.config
    assert actual.parameters == sum(p.numel() for p in model.network.parameters())
    layers = (getattr(config, "layers", None) or 0) + getattr(config, "decoder_layers", 0)
    assert actual.layers == (layers or None)  # word2vec has none
    for size, attribute in (("width", "d_model"), ("heads", "heads"), ("vocabulary", "d_vocab")):
        assert getattr(actual, size) == (getattr(config, attribute, None) or None)


@pytest.mark.parametrize("name", BUNDLED)
def test_the_sizes_are_those_of_the_model(name):
    actual = sizes(CHECKPOINTS / name)
    is_that_of(actual, explorer.load(name))
    (weights,) = (CHECKPOINTS / name).glob("*.safetensors")
    assert actual.file_bytes == weights.stat().st_size


@pytest.mark.slow
@pytest.mark.parametrize("name", ["smollm2", "minilm"])
def test_the_stored_sizes_are_those_of_the_packaged_model(name):
    if name in [model.name for model in missing()]:
        pytest.skip("its package is not installed")
    actual = sizes(CHECKPOINTS / name)
    is_that_of(actual, explorer.load(name))
    assert actual.file_bytes == manifests()[name].package.size


def test_a_translators_halves_add_up_and_what_it_did_not_learn_is_not_counted(tiny_marian, tmp_path):
    write_model(tmp_path, tiny_marian.network, FAMILIES["marian"])
    is_that_of(sizes(tmp_path), tiny_marian)


def test_a_family_without_layers_or_heads_has_its_other_sizes(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "word2vec", "vocab_size": 30, "hidden_size": 8}')
    header = b'{"__metadata__": {}, "in": {"dtype": "F16", "shape": [30, 8], "data_offsets": [0, 480]}}'
    (tmp_path / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(480))
    assert sizes(tmp_path) == Sizes(240, None, 8, None, 30, 8 + len(header) + 480)


def test_differences_are_known_by_the_loaders_names():
    from explorer.checkpoints import difference
    from explorer.views.frame import sizes as read

    assert (read.DIFFERENCE, read.BASE) == (difference.NAME, difference.BASE)
    assert read.EXTENDED == difference.EXTENDED
