"""The mean of checkpoints: weight by weight, with the first one's tokenizer and sums of its own."""

import hashlib

import torch

import explorer
from training.average import export, main


def test_every_weight_is_the_mean(gpt, tmp_path):
    for place in ("one", "two"):
        export(gpt.network, gpt.write_tokenizer, tmp_path / place)
        with torch.no_grad():
            for parameter in gpt.network.parameters():
                parameter.mul_(3)
    main([str(tmp_path / name) for name in ("mean", "one", "two")])
    one, mean = (explorer.load(f"folder:{tmp_path / name}") for name in ("one", "mean"))
    for name, weight in one.network.state_dict().items():
        assert torch.allclose(mean.network.state_dict()[name], 2 * weight, atol=1e-4), name
    assert mean.tokenizer.size == one.tokenizer.size
    for line in (tmp_path / "mean" / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((tmp_path / "mean" / name).read_bytes()).hexdigest() == digest
