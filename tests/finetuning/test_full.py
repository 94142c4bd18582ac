"""One epoch is what a plain loop over `transformers` does with the same weights and the same order."""

import pytest
import torch
import torch.nn.functional as F

from explorer.finetuning import full, task_of
from explorer.finetuning.encoding import encode_example
from explorer.finetuning.features import Features
from explorer.finetuning.full import FullTraining, TrainingConfig
from explorer.finetuning.minibatches import MAX_NORM, WEIGHT_DECAY, batch_order, linear_schedule

RATE, HEAD_RATE, BATCH = 2e-4, 2e-3, 4


@pytest.mark.parametrize(
    ("kind", "tokens"),
    [
        ("classes", full.TOKENS), ("pairs", full.TOKENS), ("tags", full.TOKENS), ("answers", full.TOKENS),
        ("tags", 16), ("answers", 40),
    ],
)  # fmt: skip
def test_an_epoch_is_a_plain_loop(tiny_bert, bert_folder, every, kind, tokens, monkeypatch):
    """Also where a batch is read in several parts."""
    import transformers

    monkeypatch.setattr(full, "TOKENS", tokens)
    examples = every[kind]
    task, features = task_of(examples), Features()
    items = [encode_example(tiny_bert, task, example, features) for example in examples]
    training = FullTraining(
        tiny_bert, task, items, features, TrainingConfig(1, BATCH, RATE, HEAD_RATE, seed=3)
    )
    weight, bias = (training.head[n].detach().clone().requires_grad_() for n in ("weight", "bias"))
    counts = {len(list(full.sub_batches(items[i : i + BATCH]))) for i in range(0, len(items), BATCH)}
    assert (max(counts) > 1) == (tokens < 1024)
    ours = [training.step() for _ in range(training.batches.total)]

    zero = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    theirs = transformers.BertModel.from_pretrained(
        bert_folder, attn_implementation="eager", add_pooling_layer=False, **zero
    )
    theirs.embeddings.requires_grad_(False)
    body = [p for p in theirs.parameters() if p.requires_grad]
    groups = [{"params": body, "lr": RATE}, {"params": [weight, bias], "lr": HEAD_RATE}]
    optimiser = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY)
    batches = batch_order([len(item.encoding) for item in items], BATCH, 3, 0)
    losses = []
    for step, batch in enumerate(batches):
        mine = [items[i] for i in batch]
        for group, top in zip(optimiser.param_groups, (RATE, HEAD_RATE)):
            group["lr"] = top * linear_schedule(step, len(batches))
        longest = max(len(item.encoding) for item in mine)

        def padded(rows, longest=longest):
            return torch.stack([F.pad(row, (0, longest - len(row))) for row in rows])

        out = theirs(
            input_ids=padded([item.encoding.ids for item in mine]),
            token_type_ids=padded([item.encoding.segments for item in mine]),
            attention_mask=padded([torch.ones(len(item.encoding)) for item in mine]),
        ).last_hidden_state
        scores = out @ weight.T + bias
        if kind == "answers":
            logits = [scores[row, list(item.places)] for row, item in enumerate(mine)]
            each = [
                F.cross_entropy(one[:, side][None], torch.tensor([item.targets[side]]))
                for one, item in zip(logits, mine)
                for side in (0, 1)
            ]
            loss = torch.stack(each).mean()
        else:
            picked = torch.cat([scores[row, list(item.places)] for row, item in enumerate(mine)])
            loss = F.cross_entropy(picked, torch.tensor([t for item in mine for t in item.targets]))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*body, weight, bias], MAX_NORM)
        optimiser.step()
        losses.append(loss.item())

    assert torch.tensor(ours) == pytest.approx(torch.tensor(losses), abs=1e-4)
    assert (training.head["weight"] - weight).abs().max() < 1e-4
    block = theirs.encoder.layer[1]
    own = dict(training.network.named_parameters())
    assert (own["blocks.1.mlp.up.weight"] - block.intermediate.dense.weight).abs().max() < 1e-4
    queries = own["blocks.1.attention.qkv.weight"][:35]
    assert (queries - block.attention.self.query.weight).abs().max() < 1e-4
    start = dict(tiny_bert.network.named_parameters())["blocks.1.mlp.up.weight"]
    assert (own["blocks.1.mlp.up.weight"] - start).abs().max() > 1e-4, "it has moved"
