"""Checkpoints from a hub: fetched once, then without a network; every failure explains itself."""

import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch
from huggingface_hub import constants, hf_hub_download

import explorer
from explorer.checkpoints import listed
from explorer.errors import CheckpointError, NetworkError, NotFoundError
from explorer.trace import Ability, Checkpoint
from tests import tiny
from tests.checkpoints.fake_hub import Repository, store
from tests.checkpoints.refusal import refused


def test_a_model_is_fetched_once_and_then_needs_no_network(hub, bert_folder, tiny_bert):
    hub.repositories["org/tiny"] = Repository.of(bert_folder)
    model = explorer.load("hub:org/tiny")
    assert str(model.checkpoint) == "hub:org/tiny"
    expected = tiny_bert.trace("the bank")
    assert torch.equal(model.trace("the bank").logits, expected.logits)
    asked = len(hub.requests)
    explorer.load("hub:org/tiny")
    assert len(hub.requests) == asked, "a complete copy in the cache asks nobody"
    hub.close()
    assert torch.equal(explorer.load("hub:org/tiny").trace("the bank").logits, expected.logits)


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
    offered = {c.name: c.abilities for c in listed.listed()}
    writers = list(offered)[list(offered).index("openai-community/gpt2") :]
    for name, abilities in offered.items():
        assert Ability.CONTEXT | Ability.ATTENTION in abilities
        assert (Ability.GENERATE in abilities) == (name in writers)
        assert (Ability.FILL in abilities) == (name not in writers)
        assert (Ability.NEXT_SENTENCE in abilities) == name.startswith("google-bert/")
    assert {str(c) for c in explorer.available()} >= {f"hub:{name}" for name in listed.LISTED}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("bert-base-uncased", "hub:google-bert/bert-base-uncased"),
        ("hub:bert-base-uncased", "hub:google-bert/bert-base-uncased"),
        ("hub:bert-base-chinese@v1", "hub:google-bert/bert-base-chinese@v1"),
        ("google-bert/bert-base-cased", "hub:google-bert/bert-base-cased"),
        ("gpt2", "hub:openai-community/gpt2"), ("distilgpt2", "hub:distilbert/distilgpt2"),
        ("roberta-base", "hub:FacebookAI/roberta-base"),
        ("hub:albert-base-v2", "hub:albert/albert-base-v2"), ("bert", "bert"), ("gpt", "gpt"),
        ("hub:org/name", "hub:org/name"), ("folder:gpt2", "folder:gpt2"),
    ],
)  # fmt: skip
def test_old_and_short_names(written, meant):
    assert str(listed.modernise(Checkpoint.parse(written))) == meant


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


@pytest.mark.slow
def test_the_environment_names_hub_and_cache(hub, bert_folder, tmp_path):
    """HF_ENDPOINT and HF_HOME are honoured, as in every program that reads from the hub."""
    hub.repositories["org/tiny"] = Repository.of(bert_folder)
    code = "import explorer; print(explorer.load('hub:org/tiny').trace('the bank').tokens)"
    environment = {**os.environ, "HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "home")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "['[CLS]', 'the', 'bank', '[SEP]']", done.stderr
    assert "%" not in done.stderr, "no progress bar on a server's terminal"
    assert (tmp_path / "home" / "hub" / "models--org--tiny").is_dir()
