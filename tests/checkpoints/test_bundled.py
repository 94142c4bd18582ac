"""The checkpoints that ship with the repository."""

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import explorer
from explorer import assets
from explorer.analysis import translation
from explorer.assets import CHECKPOINTS
from explorer.catalogue.manifest import FILE, manifests
from explorer.checkpoints import bundled, difference, format
from explorer.errors import NotFoundError
from explorer.models import FAMILIES
from explorer.trace import Ability, Checkpoint, captured
from tests.hub_files import write_model

LARGEST = 50_000_000  # bytes of one file
TOGETHER = 150_000_000

here = pytest.mark.parametrize("name", [checkpoint.name for checkpoint in bundled.shipped()])


def weights(name: str) -> str | None:
    """The file that a checkpoint's weights are in: all of them, or what they add to another's."""
    known = ("model.safetensors", difference.NAME)
    return next((file for file in known if (CHECKPOINTS / name / file).exists()), None)


def copy_manifest(name: str, folder: Path) -> None:
    """Describe a bundled model in another folder of checkpoints, without its weights."""
    (folder / name).mkdir()
    shutil.copy(CHECKPOINTS / name / FILE, folder / name)


def test_what_is_offered_is_there():
    for checkpoint in bundled.shipped():
        assert checkpoint.source == "bundled"
        assert checkpoint.abilities == manifests()[checkpoint.name].abilities
        assert weights(checkpoint.name) is not None
    names = [str(c) for c in explorer.available() if c.source == "bundled"]
    assert names == [m.name for m in manifests().values() if weights(m.name) or m.is_available()]


@pytest.mark.slow
@here
def test_the_abilities_in_the_list_are_those_of_the_files(name):
    model = explorer.load(name)
    assert model.abilities == manifests()[name].abilities
    assert str(model.checkpoint) == name
    assert all(torch.isfinite(p).all() for p in model.network.parameters())


@here
def test_the_checksums_cover_every_file_of_the_model(name):
    folder = CHECKPOINTS / name
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    listed = {line.split("  ")[1]: line.split("  ")[0] for line in lines}
    assert set(listed) >= {"config.json", weights(name)}
    assert set(listed) & {"tokenizer.json", "vocab.txt", "vocab.json"}
    for file, digest in listed.items():
        assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == digest
    assert (folder / "card.md").exists()


def test_the_files_stay_small():
    sizes = [path.stat().st_size for path in CHECKPOINTS.rglob("*") if path.is_file()]
    assert max(sizes, default=0) < LARGEST and sum(sizes) < TOGETHER


@pytest.mark.weights
@here
def test_transformers_reads_it_and_computes_the_same(name, tmp_path):
    import transformers

    from tests.models import reference

    if format.read_config(CHECKPOINTS / name)["model_type"] not in transformers.CONFIG_MAPPING:
        pytest.skip("transformers does not have this architecture")
    if Ability.TRANSLATE in manifests()[name].abilities:
        pytest.skip("an encoder and a decoder are compared below")
    (architecture,) = format.read_config(CHECKPOINTS / name)["architectures"]
    model, folder = explorer.load(name), CHECKPOINTS / name
    if weights(name) == difference.NAME:  # it is read once it is written out as a whole
        write_model(tmp_path, model.network, FAMILIES["bert"])
        for file in ("tokenizer.json", "tokenizer_config.json"):
            shutil.copy(folder / file, tmp_path)
        folder, model = tmp_path, explorer.load(f"folder:{tmp_path}")  # each sum is rounded to float16
    theirs = (
        getattr(transformers, architecture)
        .from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
        .eval()
    )
    trace = model.trace("She sat on the river bank and counted her money.")
    (expected,) = reference.run(theirs, [trace.encoding])
    if Ability.DETECT in model.abilities:  # a score a token, and none for the vocabulary
        trace = replace(trace, logits=model.detect(captured(trace.hidden_states)[-1])[:, None])
        expected = replace(expected, logits=expected.logits[:, None])
    reference.assert_same(trace, expected, tolerance=5e-5)


@pytest.mark.weights
@here
def test_transformers_translates_the_same(name):
    if Ability.TRANSLATE not in manifests()[name].abilities:
        pytest.skip("does not translate")
    import transformers

    folder = CHECKPOINTS / name
    theirs = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    text = "My brother bought a red car."
    for beams in (1, 4):
        result = translation.translate(explorer.load(name), text, beams)
        limit = {"max_new_tokens": 60, "num_beams": beams, "do_sample": False}
        ids = theirs.generate(**tokenizer(text, return_tensors="pt"), **limit)[0]
        assert tokenizer.decode(ids, skip_special_tokens=True) == result.text


def test_what_is_not_in_this_copy_is_said(monkeypatch, tmp_path):
    copy_manifest("translator", tmp_path)
    monkeypatch.setattr(assets, "CHECKPOINTS", tmp_path)
    with pytest.raises(NotFoundError, match="not in this copy"):
        explorer.load("translator")


@pytest.mark.parametrize("written", ["brt", "Bert", "bertt"])
def test_a_name_almost_right(written, monkeypatch, tmp_path):
    copy_manifest("bert", tmp_path)
    (tmp_path / "bert" / "config.json").write_text("{}")
    monkeypatch.setattr(assets, "CHECKPOINTS", tmp_path)
    with pytest.raises(NotFoundError) as caught:
        bundled.locate(Checkpoint("bundled", written))
    assert written in caught.value.message and "bert" in caught.value.hint


def test_a_name_of_the_hub_without_its_source():
    with pytest.raises(NotFoundError) as caught:
        explorer.load("org/name")
    assert "hub:org/name" in caught.value.hint


def test_no_name_leads_out_of_the_folder(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")  # whatever lies beside the checkout
    for name in ("../checkpoints", "..", "bert/../bert"):
        with pytest.raises(NotFoundError):
            explorer.load(name)
