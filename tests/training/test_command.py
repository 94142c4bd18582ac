"""The command, from text to a checkpoint with its card, on the smallest network."""

import json

import pytest
import torch

from explorer.training import __main__ as command
from explorer.training.gpt import Size
from explorer.training.task import Recipe

SMALL = Size(24, 2, 3, Recipe(((0.0, 16),), batch=(64, 64)), d_vocab=300, positions=32)


@pytest.fixture
def call(text, tmp_path, monkeypatch):
    """The command on our small corpus, for a number of tokens."""
    monkeypatch.setattr(command, "SIZES", {"tiny": SMALL})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sources.md").write_text("Stories of ours.", encoding="utf-8")

    def run(tokens: int) -> None:
        command.main(
            ["gpt", "--text", str(text), "--held-out", str(text), "--sources", "sources.md",
             "--device", "cpu", "--tokens", str(tokens)]
        )  # fmt: skip

    return run


def test_the_command_leaves_a_checkpoint_with_its_card(call, tmp_path):
    call(256)
    out = tmp_path / "assets" / "checkpoints" / "gpt"
    assert json.loads((out / "config.json").read_text())["model_type"] == "gpt2"
    card = (out / "card.md").read_text(encoding="utf-8")
    for said in (
        "trained from zero",
        "Stories of ours.",
        "bits per byte",
        "bad at",
        "--tokens 256",
        "in 4 steps",
    ):
        assert said in card
    assert str(tmp_path) not in card


def test_the_command_goes_on_where_it_stopped(call, tmp_path):
    call(256)
    call(512)
    state = torch.load(tmp_path / "runs" / "gpt" / "run.pt", weights_only=True)
    assert (state["step"], state["tokens"]) == (8, 512)
    lines = (tmp_path / "runs" / "gpt" / "held-out.csv").read_text().splitlines()
    assert lines[0] == "step,tokens,seconds,nats_per_token,bits_per_byte,measured"
    assert len(lines) == 3


def test_help_names_every_option(capsys):
    with pytest.raises(SystemExit):
        command.main(["--help"])
    said = capsys.readouterr().out
    for option in (
        "--text",
        "--held-out",
        "--out",
        "--run",
        "--seconds",
        "--tokens",
        "--device",
        "--threads",
    ):
        assert option in said
