"""A bundled model is one folder with its manifest: nothing else names it."""

import json

import pytest

import explorer
from explorer import assets
from explorer.catalogue import manifest
from explorer.catalogue.ability import Ability
from explorer.catalogue.manifest import Package, manifests, read_manifest
from explorer.errors import FormatError
from explorer.server import memory
from explorer.views.frame import picker
from tests import tiny
from tests.views.opening import opened

DATA = {"order": 15, "label": "Newcomer", "abilities": ["CONTEXT", "ATTENTION", "FILL", "NEXT_SENTENCE"]}


@pytest.fixture
def newcomer(monkeypatch, tmp_path) -> str:
    """The bundled models and one more, which is a folder with weights and a manifest."""
    for folder in assets.CHECKPOINTS.iterdir():
        (tmp_path / folder.name).symlink_to(folder)
    (tmp_path / "newcomer").mkdir()
    tiny.write_bert(tmp_path / "newcomer")
    (tmp_path / "newcomer" / manifest.FILE).write_text(json.dumps(DATA))
    monkeypatch.setattr(assets, "CHECKPOINTS", tmp_path)
    monkeypatch.setattr(memory, "_models", type(memory._models)())
    return "newcomer"


def test_a_folder_with_a_manifest_is_a_bundled_model(newcomer):
    names = [str(checkpoint) for checkpoint in explorer.available()]
    assert names[:3] == ["word2vec", newcomer, "elmo"], "by its order"
    assert explorer.load(newcomer).abilities == manifests()[newcomer].abilities
    assert picker.label(newcomer) == "Newcomer, English" and memory.short_label(newcomer) == "Newcomer"


def test_the_picker_offers_it_and_the_page_opens_with_it(newcomer):
    at = opened("masked", model=newcomer)
    assert not at.exception
    assert "Newcomer, English" in at.selectbox(key="masked.model").options


def test_without_its_weights_it_is_known_and_not_offered(newcomer, tmp_path):
    (tmp_path / newcomer / "config.json").unlink()
    assert newcomer in manifests() and newcomer not in map(str, explorer.available())


def test_every_folder_of_checkpoints_has_one():
    folders = {path.name for path in assets.CHECKPOINTS.iterdir()}
    assert set(manifests()) == folders
    orders = [model.order for model in manifests().values()]
    assert len(set(orders)) == len(orders), "no two models have the same place"


def test_a_whole_manifest_is_read(tmp_path):
    package = {"name": "a", "version": "1", "file": "a.gguf", "size": 3, "sha256": "00"}
    whole = DATA | {"comparison": "reads", "default_for": ["writing"], "probes": True, "languages": ["zh"]}
    whole |= {"guesses": ["A [MASK]."], "package": package, "licence": "MIT"}
    model = read(tmp_path, whole)
    assert set(whole) == set(manifest.KEYS)
    assert model.abilities == Ability.CONTEXT | Ability.ATTENTION | Ability.FILL | Ability.NEXT_SENTENCE
    assert model.package == Package(**package) and model.default_for == ("writing",)
    assert (model.name, model.label, model.guesses) == ("made-up", "Newcomer", ("A [MASK].",))


@pytest.mark.parametrize(
    ("data", "problem", "hint"),
    [
        ([1], "it is not a JSON object", "{"),
        ({"order": 1, "label": "A"}, "it lacks abilities", "Add abilities"),
        (DATA | {"colour": "red"}, "it has a key colour", "The keys are order, label"),
        (DATA | {"order": "first"}, "its order is 'first'", "type int"),
        (DATA | {"abilities": ["FILL", "FLY"]}, "it names an ability FLY", "VECTORS, CONTEXT"),
        (DATA | {"guesses": [1]}, "its guesses are not all texts", "quotation marks"),
        (DATA | {"package": {"name": "a"}}, "its package is wrong", "Package"),
    ],
)
def test_a_wrong_one_says_what_is_wrong(tmp_path, data, problem, hint):
    with pytest.raises(FormatError) as caught:
        read(tmp_path, data)
    assert caught.value.message.startswith("made-up/riverbank.json") and problem in caught.value.message
    assert hint in caught.value.hint


def test_a_folder_with_capital_letters_could_never_be_named(tmp_path):
    with pytest.raises(FormatError, match="Made"):
        read(tmp_path, DATA, "Made")


def read(folder, data, name="made-up"):
    """A manifest with this content, read."""
    path = folder / name / manifest.FILE
    path.parent.mkdir()
    path.write_text(json.dumps(data))
    return read_manifest(path)


def test_a_package_that_comes_or_goes_while_the_server_runs_is_noticed(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(tmp_path)
    package, info = (
        Package("weights-of-none", "1.2", "none.gguf", 1, ""),
        tmp_path / "weights_of_none-1.2.dist-info",
    )
    assert package.installed_version() is None
    info.mkdir()
    (info / "METADATA").write_text("Name: weights-of-none\nVersion: 1.2\n")
    assert package.installed_version() == "1.2" and package.path() == tmp_path / "none.gguf"
    info.rename(tmp_path / "weights_of_none-1.3.dist-info")
    (tmp_path / "weights_of_none-1.3.dist-info" / "METADATA").write_text(
        "Name: weights-of-none\nVersion: 1.3\n"
    )
    assert package.installed_version() == "1.3"
