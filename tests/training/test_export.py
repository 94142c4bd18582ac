"""What training exports loads in `transformers` unchanged, with the same ids and the same scores."""

import hashlib

import torch
from transformers import AutoModelForCausalLM, AutoModelForPreTraining, AutoTokenizer

from explorer.checkpoints.format import read_model
from explorer.trace import Checkpoint
from training.average import export

TEXT = "The baker crossed the bridge near the bank."


def test_bert_loads_in_transformers(bert, tmp_path):
    export(bert, tmp_path / "out")
    ours = read_model(tmp_path / "out", Checkpoint("folder", "out"))
    theirs = AutoModelForPreTraining.from_pretrained(tmp_path / "out", dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "out")
    batch = tokenizer(TEXT, "She fed the geese.", return_tensors="pt")
    trace = ours.trace(TEXT, "She fed the geese.")
    assert batch["input_ids"][0].tolist() == trace.encoding.ids.tolist()
    assert batch["token_type_ids"][0].tolist() == trace.encoding.segments.tolist()
    assert tokenizer.mask_token_id == ours.tokenizer.mask
    with torch.no_grad():
        result = theirs(**batch)
        verdict = ours.network.next_sentence(trace.hidden_states[-1][None])
    torch.testing.assert_close(trace.logits, result.prediction_logits[0], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(verdict, result.seq_relationship_logits, atol=1e-5, rtol=1e-4)


def test_gpt_loads_in_transformers(gpt, tmp_path):
    export(gpt, tmp_path / "out")
    ours = read_model(tmp_path / "out", Checkpoint("folder", "out"))
    theirs = AutoModelForCausalLM.from_pretrained(tmp_path / "out", dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "out")
    text = TEXT + "\n“Où?” she asked 🙂"
    batch = tokenizer(text, return_tensors="pt")
    trace = ours.trace(text, limit=len(batch["input_ids"][0]))
    assert batch["input_ids"][0].tolist() == ours.tokenizer.pieces(text)
    assert tokenizer.decode(batch["input_ids"][0]) == text
    assert tokenizer.eos_token_id == ours.tokenizer.start == 0
    with torch.no_grad():
        logits = theirs(batch["input_ids"][:, :32]).logits[0]
    torch.testing.assert_close(trace.logits[:32], logits[: len(trace.logits)], atol=1e-5, rtol=1e-4)


def test_sums_name_every_file(gpt, tmp_path):
    export(gpt, tmp_path / "out")
    export(gpt, tmp_path / "out")  # a second time over the first
    lines = (tmp_path / "out" / "SHA256SUMS").read_text().splitlines()
    assert {line.split("  ")[1] for line in lines} == {
        p.name for p in (tmp_path / "out").iterdir() if p.name != "SHA256SUMS"
    }
    for line in lines:
        digest, name = line.split("  ")
        assert hashlib.sha256((tmp_path / "out" / name).read_bytes()).hexdigest() == digest
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".new")] == []
