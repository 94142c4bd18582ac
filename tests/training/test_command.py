"""The command on every recipe, from text to a checkpoint with its record, on tiny networks."""

import sys

import pytest
import torch

import explorer
from explorer.tokenizers import languages
from tests.training import conftest as tiny
from training import __main__ as command
from training.record import Record

# Budget in tokens, the figure that falls, and what it is at most of what it was.
RECIPES = {
    "bert": (64 * 100, "masked_nats", 1.0),
    "bert-mini": (64 * 200, "masked_nats", 1.0),
    "bert-zh": (64 * 200, "masked_nats", 1.0),
    "bert-en-zh": (192 * 50, "masked_nats", 1.0),
    "electra-generator": (64 * 60, "masked_nats", 1.0),
    "electra-discriminator": (64 * 60, "replaced_nats", 1.0),
    "gpt": (64 * 100, "nats_per_token", 0.7),
    "elmo": (64 * 150, "bits_next", 0.8),
    "translator": (20_000, "french_nats", 0.5),
    "word2vec": (96 * 40, "pair_nats", 0.9),
}
CONSTANTS: dict[str, dict[str, object]] = {
    "bert": {},
    "bert_mini": {"CONFIG": tiny.bert_config(200)},
    "bert_zh": {"CONFIG": tiny.bert_config(140), "HELD_OUT_CHINESE": 3},
    "bert_en_zh": {"RANK": 3, "HELD_OUT_CHINESE": 3},
    "electra": {"CONFIGS": tiny.ELECTRA},
    "gpt": {"CONFIG": tiny.GPT},
    "elmo": {"CONFIG": tiny.ELMO},
    "translator": {"D_VOCAB": 101, "SIZES": tiny.TRANSLATOR, "BATCH": 256},
    "word2vec": {"D_MODEL": 8, "PART": 96, "SUBSAMPLE": 0.0, "TOGETHER": 64},
}


@pytest.fixture
def train(text, chinese_text, pairs, encoder, tmp_path, monkeypatch, chinese):
    """The command on our small texts, in a folder."""
    for name, constants in CONSTANTS.items():
        module = sys.modules[f"training.recipes.{name}"]
        if name not in ("translator", "word2vec"):
            monkeypatch.setattr(module, "SCHEDULE", tiny.SCHEDULE)
        for constant, value in constants.items():
            monkeypatch.setattr(module, constant, value)
    monkeypatch.setattr(languages, "CHARACTERS", 50)
    monkeypatch.setattr("training.recipes.bert.encoder_folder", lambda: encoder)
    monkeypatch.setattr("training.loop.MILESTONES", (0.0, 0.5, 1.0))
    monkeypatch.chdir(tmp_path)
    tiny.export(chinese.network, chinese.write_tokenizer, tmp_path / "base")
    lines = [f"{en} {n}.\t{zh}{n}。" for en, zh in zip(tiny.SAID, tiny.GESAGT) for n in range(4)]
    (tmp_path / "cmn.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "sources.md").write_text("Stories of ours.", encoding="utf-8")
    read = {"bert-zh": chinese_text, "translator": pairs}
    more = {"bert-zh": ["--pairs", "cmn.txt"], "bert-en-zh": ["--pairs", "cmn.txt", "--start", "base"]}

    def run(name: str, tokens: int, *arguments: str) -> None:
        file = str(read.get(name, text))
        said = ["--text", file, "--held-out", file, "--sources", "sources.md", "--threads", "1"]
        command.main([name, *said, "--tokens", str(tokens), *more.get(name, []), *arguments])

    before = torch.get_num_threads()
    yield run
    torch.set_num_threads(before)


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_learns_and_leaves_a_checkpoint_with_its_record(name, train, tmp_path):
    tokens, figure, most = RECIPES[name]
    recipe = "electra" if name.startswith("electra") else name
    train(recipe, tokens)
    out = tmp_path / "assets" / "checkpoints" / name
    record = Record.read(out)
    first, last = record.points[0], record.points[-1]
    assert last["figures"][figure] < most * first["figures"][figure]
    assert first["tokens"] == 0 and last["tokens"] == record.run["tokens"] >= tokens
    for point in record.points:
        assert len(point["predictions"]) == len(record.sentences) > 5
        for row in point["predictions"]:
            assert [p for _, p in row] == sorted((p for _, p in row), reverse=True)
    assert f"--tokens {tokens}" in record.run["command"] and str(tmp_path) not in record.run["command"]
    assert record.run["sources"] == "Stories of ours." and record.run["finished"] == 1
    assert explorer.load(f"folder:{out}").parameters > 0
    if name not in ("bert-en-zh", "word2vec"):
        again = ["--start", f"assets/checkpoints/{recipe}", "--rate", "0.1", "--out", f"again/{recipe}"]
        train(recipe, 1, *again)
        start = explorer.load(f"folder:{out}").network.state_dict()
        changed = explorer.load(f"folder:{tmp_path / 'again' / name}").network.state_dict()
        assert all((changed[key] - weight).abs().max() < 0.05 for key, weight in start.items())
