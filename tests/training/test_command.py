"""The command, from text to a checkpoint with its card, on the smallest network."""

import json
import shutil
from pathlib import Path

import pytest
import torch

import explorer
from explorer.models.bert import BertConfig
from explorer.models.gpt import GptConfig
from explorer.tokenizers import languages
from training import __main__ as command
from training import recipes
from training.record import CHINESE_BLANKS
from training.run.schedule import LAST, Schedule
from training.translator import task

SMALL = (
    Schedule(((0.0, 16),), batch=(64, 64)),
    GptConfig(d_vocab=300, d_model=24, layers=2, heads=3, d_mlp=96, positions=32),
)


def train(text: Path, folder: Path, tokens: int, *more: str) -> None:
    """The command on our small corpus, for a number of tokens, in a folder."""
    (folder / "sources.md").write_text("Stories of ours.", encoding="utf-8")
    files = ["--text", str(text), "--held-out", str(text), "--sources", "sources.md"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recipes.GptTask.__init__, "__defaults__", SMALL)
        patch.chdir(folder)
        command.main(["gpt", *files, "--device", "cpu", "--tokens", str(tokens), *more])


@pytest.fixture(scope="module")
def trained(text, tmp_path_factory) -> Path:
    """A folder in which the command has read 256 tokens; to be read, or copied."""
    folder = tmp_path_factory.mktemp("trained")
    train(text, folder, 256)
    return folder


@pytest.fixture
def begun(trained, tmp_path) -> Path:
    """A copy of it, to go on in."""
    return shutil.copytree(trained, tmp_path, dirs_exist_ok=True)


@pytest.mark.slow
def test_the_command_leaves_a_checkpoint_with_its_card(trained):
    out = trained / "assets" / "checkpoints" / "gpt"
    assert json.loads((out / "config.json").read_text())["model_type"] == "gpt2"
    card = (out / "card.md").read_text(encoding="utf-8")
    for said in (
        "trained from scratch",
        "Stories of ours.",
        "bits per byte",
        "bad at",
        "--tokens 256",
        "in 4 steps",
        "## Twenty samples",
    ):
        assert said in card
    assert str(trained) not in card


@pytest.mark.slow
def test_the_command_goes_on_where_it_stopped(text, begun):
    train(text, begun, 512)
    state = torch.load(begun / "runs" / "gpt" / "run.pt", weights_only=True)
    assert (state["step"], state["tokens"]) == (8, 512)


@pytest.mark.slow
def test_the_record_tells_the_moments_of_training(text, tmp_path):
    train(text, tmp_path, 1024)
    record = json.loads((tmp_path / "assets" / "checkpoints" / "gpt" / "training.json").read_text())
    points = record["points"]
    assert [p["tokens"] for p in points] == [0, 64, 128, 256, 512, 1024]  # two moments fall on one step
    assert points[0]["figures"]["bits_per_byte"] > points[-1]["figures"]["bits_per_byte"] > 0
    for point in points:
        assert len(point["predictions"]) == len(point["continuations"]) == len(record["sentences"])
        for row in point["predictions"]:
            assert [p for _, p in row] == sorted((p for _, p in row), reverse=True)


@pytest.mark.slow
def test_a_run_from_a_checkpoint_goes_on_with_its_record(text, begun):
    first = begun / "assets" / "checkpoints" / "gpt"
    train(text, begun, 128, "--start", str(first), "--run", "second", "--out", "second-out")
    record = json.loads((begun / "second-out" / "training.json").read_text())
    assert [run["tokens"] for run in (*record["before"], record["run"])] == [256, 128]
    assert [p["tokens"] for p in record["points"]] == [0, 64, 128, 256, 320, 384]
    assert (begun / "second-out" / "card.md").read_text(encoding="utf-8").count("million tokens in") == 2
    same = [(f / "tokenizer.json").read_bytes() for f in (first, begun / "second-out")]
    assert same[0] == same[1]


@pytest.fixture
def translating(pairs, tmp_path, monkeypatch):
    """The command on our few pairs, with a small network."""
    sizes = {"d_model": 24, "heads": 3, "decoder_heads": 3, "d_mlp": 40, "d_decoder_mlp": 40}
    small = {"layers": 2, "decoder_layers": 1, "positions": 40} | sizes
    monkeypatch.setattr(task, "SIZES", small)
    monkeypatch.setattr(task.TranslatorTask.__init__, "__defaults__", (101,))
    monkeypatch.setattr(task, "BATCH", 256)
    monkeypatch.chdir(tmp_path)

    def run(tokens: int, *more: str) -> None:
        command.main(["translator", "--text", str(pairs), "--device", "cpu", "--tokens", str(tokens), *more])

    return run


@pytest.mark.slow
def test_a_translator_is_the_mean_of_its_last_weights_and_has_a_card(translating, tmp_path):
    translating(16_000)
    out, run = tmp_path / "assets" / "checkpoints" / "translator", tmp_path / "runs" / "translator"
    last = [explorer.load(f"folder:{path.parent}") for path in run.glob("last/*/place.json")]
    assert len(last) == len(LAST)
    mean = explorer.load(f"folder:{out}").network.state_dict()
    for name, weight in mean.items():
        wanted = torch.stack([model.network.state_dict()[name] for model in last]).mean(0)
        torch.testing.assert_close(weight, wanted, atol=1e-3, rtol=1e-3)
    card = (out / "card.md").read_text(encoding="utf-8")
    for said in ("is held out by", "held-out loss per French token", "## Ten samples", "--tokens 16000"):
        assert said in card
    record = json.loads((out / "training.json").read_text(encoding="utf-8"))
    figures = [point["figures"]["french_nats"] for point in record["points"]]
    assert figures[-1] < figures[0] and len(record["points"][-1]["continuations"]) == 6
    assert len((out / "known_words.txt").read_text().split()) > 10


@pytest.mark.slow
def test_a_translator_goes_on_from_another_ones_weights(translating, tmp_path):
    translating(512, "--out", "first")
    translating(256, "--start", "first", "--run", "second", "--out", "second-out")
    point = explorer.load(f"folder:{tmp_path / 'second' / 'points' / '01'}")
    start = explorer.load(f"folder:{tmp_path / 'first'}").network.state_dict()
    assert all(torch.equal(weight, start[name]) for name, weight in point.network.state_dict().items())


def test_a_translator_wants_one_file_of_pairs(translating, pairs):
    with pytest.raises(SystemExit, match="one file of pairs"):
        command.main(["translator", "--text", str(pairs), str(pairs)])


@pytest.mark.slow
def test_chinese_from_text_to_card(chinese_text, tmp_path, monkeypatch):
    """Watched on Chinese sentences; of the pairs only the Chinese side is read."""
    schedule = Schedule(((0.0, 16),), batch=(64, 64))
    config = BertConfig(d_vocab=140, d_model=24, layers=1, heads=3, d_mlp=40, positions=32)
    monkeypatch.setattr(recipes.ChineseBert.__init__, "__defaults__", ((), schedule, config))
    monkeypatch.setattr(recipes.split_chinese, "__defaults__", (2,))
    monkeypatch.setattr(languages, "CHARACTERS", 50)
    monkeypatch.chdir(tmp_path)
    pairs = "".join(f"Number {i}.\t號碼{i}。\n" for i in range(8))
    (tmp_path / "cmn.txt").write_text(pairs, encoding="utf-8")
    text = str(chinese_text)
    command.main(["bert-zh", "--text", text, "--held-out", text, "--pairs", "cmn.txt", "--tokens", "256"])
    out = tmp_path / "assets" / "checkpoints" / "bert-zh"
    record = json.loads((out / "training.json").read_text(encoding="utf-8"))
    assert record["sentences"] == list(CHINESE_BLANKS)
    assert {"masked_nats", "next_sentence"} <= record["points"][-1]["figures"].keys()
    assert "cloze" in record["points"][-1]["figures"] and "repeats" not in record["points"][-1]["figures"]
    card = (out / "card.md").read_text(encoding="utf-8")
    assert "--pairs cmn.txt" in card and "一年有十二個[MASK]。" in card


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
