"""What ships of a pair: two checkpoints that `transformers` and `explorer.load` read alike, with records."""

import json
from argparse import Namespace

import pytest
import torch
from transformers import AutoTokenizer, ElectraForMaskedLM, ElectraForPreTraining

import explorer
from explorer.checkpoints.format import read_config
from explorer.trace import Ability
from training import __main__ as command
from training.average import export
from training.electra import task as module
from training.recipes import electra as begin
from training.run.schedule import Schedule

TEXT = "The baker crossed the bridge near the bank."
SIZES = {"layers": 1, "heads": 3, "d_mlp": 31, "positions": 160, "width": 24}


@pytest.fixture
def written(electra, tmp_path):
    """The folders of a pair's two halves."""
    generator, discriminator = electra.checkpoints()
    export(generator, tmp_path / "electra-generator")
    export(discriminator, tmp_path / "electra-discriminator")
    return tmp_path / "electra-generator", tmp_path / "electra-discriminator"


def test_both_load_here_and_in_transformers(written):
    abilities = (Ability.FILL, Ability.DETECT)
    for folder, ability, theirs in zip(
        written, abilities, (ElectraForMaskedLM, ElectraForPreTraining), strict=True
    ):
        ours = explorer.load(f"folder:{folder}")
        assert ours.abilities == Ability.CONTEXT | Ability.ATTENTION | ability
        assert read_config(folder)["architectures"] == [theirs.__name__]
        network, report = theirs.from_pretrained(folder, dtype=torch.float32, output_loading_info=True)
        assert not report["missing_keys"] and not report["unexpected_keys"]
        batch = AutoTokenizer.from_pretrained(folder)(TEXT, return_tensors="pt")
        trace = ours.trace(TEXT)
        assert batch["input_ids"][0].tolist() == trace.encoding.ids.tolist()
        with torch.no_grad():
            expected = network.eval()(**batch).logits[0]
        found = trace.logits if ability is Ability.FILL else ours.detect(trace.hidden_states[-1])
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


def test_a_half_is_a_copy_that_leaves_the_pair_and_its_writer_alone(electra):
    _, discriminator = electra.checkpoints()
    before = electra.held_out(400)
    assert discriminator.held_out(400)["replaced_nats"] == before["replaced_nats"]
    with torch.no_grad():
        for parameter in discriminator.network.parameters():
            parameter.zero_()
    assert electra.held_out(400) == before
    assert discriminator.held_out(400)["replaced_nats"] == pytest.approx(0.6931, abs=1e-4)


def test_an_earlier_pair_goes_on_without_help(electra, written, corpus, tmp_path):
    options = Namespace(text=corpus.files, held_out=None, run=tmp_path / "again", start=tmp_path / "electra")
    task = begin(options)
    assert task.backend.to_str() == electra.backend.to_str()
    assert task.network.generator.tokens is task.network.discriminator.tokens
    for name, parameter in task.network.named_parameters():
        if not name.startswith("corrected."):  # it does not ship
            assert torch.equal(parameter, electra.network.get_parameter(name).half().float()), name
    loss, figures = task.loss(task.rows(0, 24, 0).take(torch.arange(8)), 3, 0.0)
    torch.testing.assert_close(loss.detach(), figures["masked"] + 50 * figures["detected"])


@pytest.mark.long
@pytest.mark.slow
def test_the_command_leaves_two_checkpoints_with_records_and_cards(text, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "GENERATOR", SIZES | {"d_model": 24})
    monkeypatch.setattr(module, "DISCRIMINATOR", SIZES | {"d_model": 36})
    monkeypatch.setattr(module, "D_VOCAB", 200)
    monkeypatch.setattr(
        module.ElectraTask.__init__, "__defaults__", (Schedule(((0.0, 16),), (64, 64)), None, True)
    )
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sources.md").write_text("Stories of ours.", encoding="utf-8")
    called = ["electra", "--text", str(text), "--held-out", str(text), "--device", "cpu", "--tokens", "512"]
    command.main([*called, "--sources", "sources.md"])
    for half, figure in (("generator", "masked_top1"), ("discriminator", "replaced_f1")):
        out = tmp_path / "assets" / "checkpoints" / f"electra-{half}"
        told = json.loads((out / "training.json").read_text(encoding="utf-8"))
        assert [p["tokens"] for p in told["points"]] == [0, 64, 128, 256, 512]
        for point in told["points"]:
            assert figure in point["figures"]
            assert len(point["predictions"]) == len(told["sentences"]) == 6
        assert told["curve"]["loss"] is not None and told["run"]["tokens"] == 512
        card = (out / "card.md").read_text(encoding="utf-8")
        for said in (f"# electra-{half}", "Stories of ours.", "## Ten samples", "--tokens 512", "bad at"):
            assert said in card
    command.main([*called, "--start", "assets/checkpoints/electra", "--run", "second", "--out", "more"])
    told = json.loads((tmp_path / "more-discriminator" / "training.json").read_text(encoding="utf-8"))
    assert [run["tokens"] for run in (*told["before"], told["run"])] == [512, 512]
    assert told["numbers"] == "replaced"
