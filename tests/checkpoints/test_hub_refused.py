"""What the hub cannot give, or what it gives is no model: each is refused with a message and a next step."""

import pytest
from huggingface_hub import constants

import explorer
from explorer.checkpoints import integrity
from explorer.errors import CheckpointError, FormatError, NetworkError, NotFoundError, SizeError
from tests.checkpoints.fake_hub import Repository, store
from tests.checkpoints.refusal import refused


def test_no_network_and_no_copy(hub):
    hub.close()
    error = refused("hub:org/tiny", NetworkError)
    assert "org/tiny" in error.message and "cannot be reached" in error.message


def test_a_network_that_tests_refuse(hub, monkeypatch):
    monkeypatch.setattr(constants, "ENDPOINT", "https://hub.invalid")
    assert "cannot be reached" in refused("hub:org/tiny", NetworkError).message


def test_offline_mode(hub, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert "HF_HUB_OFFLINE" in refused("hub:org/tiny", NetworkError).message


@pytest.mark.parametrize("status", [401, 403])
def test_a_gated_repository(hub, bert_folder, status):
    hub.repositories["org/gated"] = Repository.of(bert_folder, refuse=(status, "GatedRepo"))
    error = refused("hub:org/gated", NetworkError)
    assert "gated" in error.message and "auth login" in error.hint


@pytest.mark.parametrize("status", [403, 500])
def test_a_hub_that_refuses_or_fails(hub, bert_folder, status):
    hub.repositories["org/tiny"] = Repository.of(bert_folder, refuse_listing=(status, "Other"))
    assert str(status) in refused("hub:org/tiny", NetworkError).message


def test_a_missing_repository(hub):
    error = refused("hub:google-bert/bert-base-uncasd", NotFoundError)
    assert "no model" in error.message and "google-bert/bert-base-uncased" in error.hint


def test_a_missing_revision(hub, bert_folder):
    hub.repositories["org/tiny"] = Repository.of(bert_folder)
    assert "v9" in refused("hub:org/tiny@v9", NotFoundError).message


def test_a_foreign_architecture_is_refused_before_its_weights_are_fetched(hub, tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "mamba"}')
    (tmp_path / "model.safetensors").write_bytes(b"x" * 1000)
    hub.repositories["org/llama"] = Repository.of(tmp_path, sizes={"model.safetensors": 10**12})
    error = refused("hub:org/llama", FormatError)
    assert "mamba" in error.message and "SmolLM2" in error.hint
    assert hub.fetched == ["config.json"]


def test_pickles_only(hub, bert_folder):
    files = Repository.of(bert_folder).files
    files["pytorch_model.bin"] = files.pop("model.safetensors")
    hub.repositories["org/old"] = Repository(files)
    assert "pickle" in refused("hub:org/old", FormatError).message
    assert hub.fetched == ["config.json"]


@pytest.mark.parametrize(
    ("lacking", "said"),
    [({"config.json"}, "config.json"), ({"model.safetensors"}, "no weights"), ({"vocab.txt"}, "tokenizer")],
)
def test_repositories_that_are_no_model(hub, bert_folder, lacking, said):
    files = {name: data for name, data in Repository.of(bert_folder).files.items() if name not in lacking}
    hub.repositories["org/part"] = Repository(files)
    assert said in refused("hub:org/part", FormatError).message


def test_weights_over_the_limit_are_not_fetched(hub, bert_folder, monkeypatch):
    hub.repositories["org/big"] = Repository.of(bert_folder, sizes={"model.safetensors": 2_100_000_000})
    monkeypatch.setattr(integrity, "free_bytes", lambda: 2_000_000_000)
    error = refused("hub:org/big", SizeError)
    assert "2.1 GB; 2.0 GB of memory are free" in error.message and "RIVERBANK_MAX_WEIGHT_GB" in error.hint
    assert hub.fetched == ["config.json"]
    monkeypatch.setenv("RIVERBANK_MAX_WEIGHT_GB", "2.2")
    explorer.load("hub:org/big")
    monkeypatch.setenv("RIVERBANK_MAX_WEIGHT_GB", "0.00001")
    refused("hub:org/big", SizeError)
    monkeypatch.setenv("RIVERBANK_MAX_WEIGHT_GB", "much")
    assert "much" in refused("hub:org/big", CheckpointError).message


@pytest.mark.parametrize("damage", ["truncated", "flipped", "config", "vocabulary"])
def test_a_damaged_copy_is_refused(hub, bert_folder, damage):
    hub.repositories["org/tiny"] = Repository.of(bert_folder)
    explorer.load("hub:org/tiny")
    name = {"config": "config.json", "vocabulary": "vocab.txt"}.get(damage, "model.safetensors")
    path = next(store("org/tiny").glob(f"snapshots/*/{name}"))
    content = bytearray(path.read_bytes())
    if damage == "truncated":
        content = content[:-10]
    else:
        content[-7] ^= 1
    path.resolve().write_bytes(content)
    error = refused("hub:org/tiny", FormatError)
    assert name in error.message and "damaged" in error.message and "Delete" in error.hint


def test_a_file_damaged_on_its_way_is_refused(hub, bert_folder):
    def flip(name: str, content: bytes) -> bytes:
        return (
            content[:-3] + bytes([content[-3] ^ 4]) + content[-2:] if name == "model.safetensors" else content
        )

    hub.repositories["org/tiny"] = Repository.of(bert_folder, in_transit=flip)
    assert "damaged" in refused("hub:org/tiny", FormatError).message
