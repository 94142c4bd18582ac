"""Checkpoints from a hub: fetched once, then without a network; every failure explains itself."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from huggingface_hub import constants, hf_hub_download

import explorer
from explorer.checkpoints import hub as hub_source
from explorer.errors import CheckpointError, FormatError, NetworkError, NotFoundError, SizeError
from explorer.trace import Ability, Checkpoint
from tests import tiny
from tests.checkpoints.fake_hub import Repository


def refused(name: str, kind: type[CheckpointError]) -> CheckpointError:
    """The error of a load that must fail; it has something to say and something to do."""
    with pytest.raises(CheckpointError) as caught:
        explorer.load(name)
    assert type(caught.value) is kind, caught.value
    assert caught.value.message.endswith(".") and caught.value.hint.endswith((".", "?"))
    return caught.value


def store(name: str) -> Path:
    """Where the cache keeps a repository."""
    return Path(constants.HF_HUB_CACHE) / f"models--{name.replace('/', '--')}"


def test_a_model_is_fetched_once_and_then_needs_no_network(hub, bert_folder, tiny_bert):
    hub.repositories["org/tiny"] = Repository.of(bert_folder)
    model = explorer.load("hub:org/tiny")
    assert str(model.checkpoint) == "hub:org/tiny"
    wanted = tiny_bert.trace("the bank")
    assert torch.equal(model.trace("the bank").logits, wanted.logits)
    asked = len(hub.requests)
    explorer.load("hub:org/tiny")
    assert len(hub.requests) == asked, "a complete copy in the cache asks nobody"
    hub.close()
    assert torch.equal(explorer.load("hub:org/tiny").trace("the bank").logits, wanted.logits)


def test_only_what_is_needed_is_fetched_weights_last(hub, bert_folder, tmp_path):
    folder = shutil.copytree(bert_folder, tmp_path / "copy")
    for name in (
        "pytorch_model.bin",
        "tf_model.h5",
        "README.md",
        "training_args.bin",
        "run.py",
        "vocab.json",
    ):
        (folder / name).write_bytes(b"not wanted")
    hub.repositories["org/tiny"] = Repository.of(folder)
    explorer.load("hub:org/tiny")
    assert set(hub.fetched) == {
        "config.json", "tokenizer_config.json", "vocab.txt", "vocab.json", "model.safetensors",
    }  # fmt: skip
    assert hub.fetched[0] == "config.json" and hub.fetched[-1] == "model.safetensors"


def test_gpt_from_vocab_and_merges(hub, gpt_folder, tiny_gpt):
    hub.repositories["org/tiny"] = Repository.of(gpt_folder)
    model = explorer.load("hub:org/tiny")
    assert "vocab.json" in hub.fetched and "merges.txt" in hub.fetched
    assert torch.equal(model.trace("the bank").logits, tiny_gpt.trace("the bank").logits)


def test_progress_is_told(hub, bert_folder, monkeypatch):
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 10_000)
    hub.repositories["org/tiny"] = Repository.of(bert_folder)
    seen = []
    explorer.load("hub:org/tiny", lambda done, total, file: seen.append((done, total, file)))
    dones, totals, files = zip(*seen, strict=True)
    sizes = {path.name: path.stat().st_size for path in bert_folder.iterdir()}
    assert set(totals) == {sum(sizes[file] for file in set(files))}
    assert list(dones) == sorted(dones) and dones[-1] == totals[0]
    assert len([file for file in files if file == "model.safetensors"]) > 5
    seen.clear()
    explorer.load("hub:org/tiny", lambda *news: seen.append(news))
    assert seen == []


def test_progress_over_the_hub_s_other_protocol(capfd):
    """Large files of the real hub come in chunks (Xet), which reports bytes in two ways; one counts."""
    from huggingface_hub.utils._xet_progress_reporting import XetDownloadProgressReporter

    from explorer.checkpoints.fetch import _meter

    seen = []
    meter = _meter(lambda *news: seen.append(news), 50, 150, "model.safetensors")
    with XetDownloadProgressReporter(
        reconstruction_desc="", total=100, log_level=30, tqdm_class=meter
    ) as reporter:
        for done, on_the_wire in ((0, 20), (40, 30), (100, 45)):
            reporter.update_progress(
                SimpleNamespace(
                    total_bytes_completed=done,
                    total_transfer_bytes_completed=on_the_wire,
                    total_bytes=100,
                    total_bytes_completion_rate=1.0,
                    total_transfer_bytes_completion_rate=1.0,
                )
            )
    assert seen == [(90, 150, "model.safetensors"), (150, 150, "model.safetensors")]
    assert capfd.readouterr() == ("", "")


def test_a_revision(hub, bert_folder, gpt_folder):
    hub.repositories["org/tiny"] = Repository.of(bert_folder, revisions=("main", "v1"))
    model = explorer.load("hub:org/tiny@v1")
    assert str(model.checkpoint) == "hub:org/tiny@v1"
    hub.close()
    explorer.load("hub:org/tiny@v1")
    refused("hub:org/tiny", NetworkError)


def test_a_commit_is_a_revision(hub, bert_folder):
    repository = hub.repositories["org/tiny"] = Repository.of(bert_folder)
    explorer.load(f"hub:org/tiny@{repository.commit}")
    hub.close()
    explorer.load(f"hub:org/tiny@{repository.commit}")


def test_shards_with_an_index(hub, tmp_path):
    model = tiny.write_bert(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    model.save_pretrained(tmp_path, max_shard_size="20KB")
    assert len(list(tmp_path.glob("*.safetensors"))) > 2
    hub.repositories["org/shards"] = Repository.of(tmp_path)
    fetched = explorer.load("hub:org/shards")
    hub.close()
    again = explorer.load("hub:org/shards")
    local = explorer.load(f"folder:{tmp_path}")
    for one in (fetched, again):
        assert torch.equal(one.trace("the bank").logits, local.trace("the bank").logits)


def test_an_interrupted_download_is_taken_up_again(hub, bert_folder):
    whole = Repository.of(bert_folder)
    hub.repositories["org/tiny"] = Repository(
        whole.files,
        in_transit=lambda name, content: content[:100] if name.endswith("safetensors") else content,
    )
    error = refused("hub:org/tiny", NetworkError)
    assert "broke off" in error.message
    hub.repositories["org/tiny"] = whole
    explorer.load("hub:org/tiny")


def test_a_copy_without_its_tokenizer_is_completed(hub, bert_folder):
    hub.repositories["org/tiny"] = Repository.of(bert_folder)
    explorer.load("hub:org/tiny")
    next(store("org/tiny").glob("snapshots/*/vocab.txt")).unlink()
    hub.fetched.clear()
    explorer.load("hub:org/tiny")
    assert "model.safetensors" not in hub.fetched
    next(store("org/tiny").glob("snapshots/*/vocab.txt")).unlink()
    hub.close()
    assert "not complete" in refused("hub:org/tiny", NetworkError).message


# Names


def test_listed_models_with_their_abilities():
    listed = {c.name: c.abilities for c in hub_source.listed()}
    assert list(listed) == [
        "google-bert/bert-base-uncased", "google-bert/bert-base-cased", "google-bert/bert-base-chinese",
        "google-bert/bert-base-multilingual-cased", "openai-community/gpt2", "distilbert/distilgpt2",
        "openai-community/gpt2-medium",
    ]  # fmt: skip
    for name, abilities in listed.items():
        assert Ability.CONTEXT | Ability.ATTENTION in abilities
        assert (Ability.GENERATE in abilities) == ("gpt2" in name)
        assert (Ability.FILL | Ability.NEXT_SENTENCE in abilities) == ("bert-base" in name)
    assert {str(c) for c in explorer.available()} >= {f"hub:{name}" for name in listed}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("bert-base-uncased", "hub:google-bert/bert-base-uncased"),
        ("hub:bert-base-uncased", "hub:google-bert/bert-base-uncased"),
        ("hub:bert-base-chinese@v1", "hub:google-bert/bert-base-chinese@v1"),
        ("google-bert/bert-base-cased", "hub:google-bert/bert-base-cased"),
        ("gpt2", "hub:openai-community/gpt2"),
        ("distilgpt2", "hub:distilbert/distilgpt2"),
        ("bert", "bert"),
        ("gpt", "gpt"),
        ("hub:org/name", "hub:org/name"),
        ("folder:gpt2", "folder:gpt2"),
    ],
)
def test_old_and_short_names(written, meant):
    assert str(hub_source.modernise(Checkpoint.parse(written))) == meant


def test_a_copy_cached_under_the_old_name_is_found(hub, bert_folder):
    hub.repositories["bert-base-uncased"] = Repository.of(bert_folder)
    for name in ("config.json", "model.safetensors", "vocab.txt"):
        hf_hub_download("bert-base-uncased", name)
    hub.close()
    for name in ("bert-base-uncased", "hub:bert-base-uncased", "hub:google-bert/bert-base-uncased"):
        assert str(explorer.load(name).checkpoint) == "hub:google-bert/bert-base-uncased"


def test_a_copy_cached_under_the_new_name_is_found(hub, gpt_folder):
    hub.repositories["openai-community/gpt2"] = Repository.of(gpt_folder)
    explorer.load("gpt2")
    hub.close()
    explorer.load("hub:gpt2")


@pytest.mark.parametrize(
    "name", ["hub:a/b/c", "hub:../../etc", "hub:org/na me", "hub:org--x/y", "hub:-", "hub:x" * 99]
)
def test_names_that_cannot_be(hub, name):
    assert "cannot be a name" in refused(name, NotFoundError).message
    assert hub.requests == []


# Refusals


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
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    (tmp_path / "model.safetensors").write_bytes(b"x" * 1000)
    hub.repositories["org/llama"] = Repository.of(tmp_path, sizes={"model.safetensors": 10**12})
    error = refused("hub:org/llama", FormatError)
    assert "llama" in error.message and "bert" in error.hint
    assert hub.fetched == ["config.json"]


def test_pickles_only(hub, bert_folder):
    files = Repository.of(bert_folder).files
    files["pytorch_model.bin"] = files.pop("model.safetensors")
    hub.repositories["org/old"] = Repository(files)
    assert "pickle" in refused("hub:org/old", FormatError).message
    assert hub.fetched == ["config.json"]


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        ({"config.json"}, "config.json"),
        ({"model.safetensors"}, "no weights"),
        ({"vocab.txt"}, "tokenizer"),
    ],
)
def test_repositories_that_are_no_model(hub, bert_folder, lacking, said):
    files = {name: data for name, data in Repository.of(bert_folder).files.items() if name not in lacking}
    hub.repositories["org/part"] = Repository(files)
    assert said in refused("hub:org/part", FormatError).message


def test_weights_over_the_limit_are_not_fetched(hub, bert_folder, monkeypatch):
    hub.repositories["org/big"] = Repository.of(bert_folder, sizes={"model.safetensors": 2_100_000_000})
    error = refused("hub:org/big", SizeError)
    assert "2.1 GB" in error.message and "RIVERBANK_MAX_WEIGHT_GB" in error.hint
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


# Shared servers


def test_free_names_can_be_turned_off(hub, bert_folder, monkeypatch):
    hub.repositories["org/tiny"] = hub.repositories["openai-community/gpt2"] = Repository.of(bert_folder)
    monkeypatch.setenv("RIVERBANK_OPEN_SOURCES", "0")
    for name in ("hub:org/tiny", f"folder:{bert_folder}", "hub:openai-community/gpt2@refs/pr/1"):
        assert "are off here" in refused(name, CheckpointError).message
    assert hub.requests == []
    explorer.load("gpt2")
    monkeypatch.setenv("RIVERBANK_OPEN_SOURCES", "1")
    explorer.load("hub:org/tiny")


def test_the_environment_names_hub_and_cache(hub, bert_folder, tmp_path):
    """HF_ENDPOINT and HF_HOME are honoured, as in every program that reads from the hub."""
    hub.repositories["org/tiny"] = Repository.of(bert_folder)
    code = "import explorer; print(explorer.load('hub:org/tiny').trace('the bank').tokens)"
    environment = {**os.environ, "HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "home")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "['[CLS]', 'the', 'bank', '[SEP]']", done.stderr
    assert "%" not in done.stderr, "no progress bar on a server's terminal"
    assert (tmp_path / "home" / "hub" / "models--org--tiny").is_dir()
