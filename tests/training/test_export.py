"""What training exports loads in `transformers` unchanged, with the same ids and the same scores."""

import hashlib

import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    AutoModelForPreTraining,
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
    BertTokenizer,
    ElectraForMaskedLM,
    ElectraForPreTraining,
)

from explorer import load
from explorer.trace import Ability
from training.average import export

TEXT = "The baker crossed the bridge near the bank."
CHINESE = [
    "我表哥在银行卖了兩盞燈。",
    "老护士在車站旁[MASK][MASK]那封信！",
    "Apple 第15天，Café Ω 龘 のぞみ。",
]


@pytest.fixture
def written(tmp_path):
    """Writes what a task becomes into folders, and returns them."""

    def write(task):
        folders = []
        for half, network in task.networks().items():
            folders.append(tmp_path / f"{task.name}{half}")
            export(network, task.write_tokenizer, folders[-1])
        return folders

    return write


@pytest.mark.parametrize(
    ("name", "texts"), [("bert", (TEXT, "She fed the geese.")), ("chinese", CHINESE[:2])]
)
def test_bert_loads_in_transformers(name, texts, request, written):
    (folder,) = written(request.getfixturevalue(name))
    ours = load(f"folder:{folder}")
    theirs = AutoModelForPreTraining.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = BertTokenizer.from_pretrained(folder, tokenize_chinese_chars=True)
    for text in (*texts, CHINESE[2]):
        assert tokenizer(text)["input_ids"] == ours.encode(text).ids.tolist()
    batch = tokenizer(*texts, return_tensors="pt")
    trace = ours.trace(*texts)
    assert batch["input_ids"][0].tolist() == trace.encoding.ids.tolist()
    assert batch["token_type_ids"][0].tolist() == trace.encoding.segments.tolist()
    with torch.no_grad():
        result = theirs(**batch)
        verdict = ours.network.next_sentence(trace.hidden_states[-1][None])
    torch.testing.assert_close(trace.logits, result.prediction_logits[0], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(verdict, result.seq_relationship_logits, atol=1e-5, rtol=1e-4)


def test_both_halves_of_electra_load_in_transformers(electra, written):
    abilities, kinds = (Ability.FILL, Ability.DETECT), (ElectraForMaskedLM, ElectraForPreTraining)
    for folder, ability, kind in zip(written(electra), abilities, kinds, strict=True):
        ours = load(f"folder:{folder}")
        assert ours.abilities == Ability.CONTEXT | Ability.ATTENTION | ability
        network, report = kind.from_pretrained(folder, dtype=torch.float32, output_loading_info=True)
        assert not report["missing_keys"] and not report["unexpected_keys"]
        batch = AutoTokenizer.from_pretrained(folder)(TEXT, return_tensors="pt")
        trace = ours.trace(TEXT)
        assert batch["input_ids"][0].tolist() == trace.encoding.ids.tolist()
        with torch.no_grad():
            expected = network.eval()(**batch).logits[0]
        found = trace.logits if ability is Ability.FILL else ours.detect(trace.hidden_states[-1])
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


def test_gpt_loads_in_transformers(gpt, written):
    (folder,) = written(gpt)
    ours = load(f"folder:{folder}")
    theirs = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    text = TEXT + "\n“Où?” she asked 🙂"
    batch = tokenizer(text, return_tensors="pt")
    trace = ours.trace(text, limit=len(batch["input_ids"][0]))
    assert batch["input_ids"][0].tolist() == ours.tokenizer.pieces(text)
    assert tokenizer.decode(batch["input_ids"][0]) == text
    assert tokenizer.eos_token_id == ours.tokenizer.start == 0
    with torch.no_grad():
        logits = theirs(batch["input_ids"][:, :32]).logits[0]
    torch.testing.assert_close(trace.logits[:32], logits[: len(trace.logits)], atol=1e-5, rtol=1e-4)


def test_the_translator_loads_in_transformers(translator, written):
    (folder,) = written(translator)
    ours = load(f"folder:{folder}")
    theirs = AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert type(tokenizer).__name__ == "MarianTokenizer"
    text = "The\u00a0baker doesn’t sell the old lamp…"
    ids = tokenizer(text)["input_ids"]
    assert ids == ours.encode(text).ids.tolist()
    target = tokenizer(text_target="Le boulanger vend la lampe.")["input_ids"]
    assert target == ours.tokenizer.encode_target("Le boulanger vend la lampe.").ids.tolist()
    assert tokenizer.decode(target, skip_special_tokens=True) == ours.tokenizer.decode(target)
    read = torch.tensor([[ours.config.d_vocab - 1, *target[:-1]]])
    with torch.no_grad():
        wanted = theirs(torch.tensor([ids]), decoder_input_ids=read).logits
        source = ours.network(torch.tensor([ids])).last
        found = ours.network.unembed(ours.network.decode(read, source).last)
    torch.testing.assert_close(found, wanted, atol=1e-5, rtol=1e-5)


def test_sums_name_every_file(gpt, written):
    written(gpt)
    (folder,) = written(gpt)  # a second time over the first
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    assert {line.split("  ")[1] for line in lines} == {
        p.name for p in folder.iterdir() if p.name != "SHA256SUMS"
    }
    for line in lines:
        digest, name = line.split("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
