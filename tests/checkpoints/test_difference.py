"""A checkpoint stored as a difference: it is added to the right weights, or refused."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from explorer import load
from explorer.checkpoints import difference, format
from explorer.errors import FormatError
from explorer.models.saved_names import saved_name
from tests import tiny

MATRIX, NEW = "blocks.0.mlp.up.weight", 5


@pytest.fixture
def stored(tmp_path, monkeypatch) -> Path:
    """A difference of rank 2 in one matrix, and five tokens more, to a tiny Chinese BERT."""
    tiny.write_chinese_bert(tmp_path / "base")
    monkeypatch.setattr(format, "CHECKPOINTS", tmp_path)
    base = load(f"folder:{tmp_path / 'base'}")
    rows, columns = base.network.get_parameter(MATRIX).shape
    generator = torch.Generator().manual_seed(0)
    tensors = {
        "tokens.weight": torch.randn(NEW, base.config.width, generator=generator),
        "mlm_head.bias": torch.randn(NEW, generator=generator),
        f"{MATRIX}.up": torch.randn(rows, 2, generator=generator),
        f"{MATRIX}.down": torch.randn(2, columns, generator=generator),
    }
    config = json.loads((tmp_path / "base" / "config.json").read_text(encoding="utf-8"))
    config["vocab_size"] += NEW
    config |= {difference.BASE: "base", difference.DIGEST: difference.digest(tmp_path / "base")}
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "config.json").write_text(json.dumps(config), encoding="utf-8")
    halves = {saved_name(name): tensor.half() for name, tensor in tensors.items()}
    save_file(halves, tmp_path / "small" / difference.NAME)
    words = (tmp_path / "base" / "vocab.txt").read_text(encoding="utf-8").splitlines()
    words += [f"more{number}" for number in range(NEW)]
    (tmp_path / "small" / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    return tmp_path / "small"


def test_the_product_is_added_and_the_rows_are_appended(stored, tmp_path):
    model, base = load(f"folder:{stored}"), load(f"folder:{tmp_path / 'base'}")
    tensors = load_file(stored / difference.NAME)
    added = tensors[f"{MATRIX}.up"].float() @ tensors[f"{MATRIX}.down"].float()
    torch.testing.assert_close(
        model.network.get_parameter(MATRIX), base.network.get_parameter(MATRIX) + added
    )
    assert torch.equal(model.network.tokens.weight[-NEW:], tensors["tokens.weight"].float())
    assert torch.equal(model.network.tokens.weight[:-NEW], base.network.tokens.weight)
    assert model.trace("天地").logits.shape[-1] == base.config.d_vocab + NEW == model.tokenizer.size
    assert not any(parameter.requires_grad for parameter in model.network.parameters())


def test_other_weights_are_refused(stored, tmp_path):
    with (tmp_path / "base" / "model.safetensors").open("ab") as file:
        file.write(b" ")
    with pytest.raises(FormatError, match="other weights of base"):
        load(f"folder:{stored}")


@pytest.mark.parametrize("base", ["nowhere", "../base", None])
def test_weights_that_are_not_here_are_refused(stored, base):
    config = json.loads((stored / "config.json").read_text())
    (stored / "config.json").write_text(json.dumps(config | {"difference_to": base}))
    with pytest.raises(FormatError, match="does not ship here"):
        load(f"folder:{stored}")


@pytest.mark.parametrize("change", ["lacks", "more", "shape"])
def test_a_damaged_difference_is_refused(stored, change):
    tensors = load_file(stored / difference.NAME)
    if change == "lacks":
        del tensors[f"{MATRIX}.down"]
    elif change == "more":
        tensors["pooler.weight"] = torch.zeros(2)
    else:
        tensors["tokens.weight"] = torch.zeros(3, 5)
    save_file(tensors, stored / difference.NAME)
    with pytest.raises(FormatError, match="difference of"):
        load(f"folder:{stored}")
