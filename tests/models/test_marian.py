"""Marian against `transformers` on the same random weights, and its decoder's cache."""

import json

import pytest
import torch

import explorer
from explorer.errors import FormatError
from explorer.models.marian import sinusoids
from explorer.trace import Ability, Capture
from tests import tiny

SENTENCES = ["the bank", "we saw light on the water, and it was deep: 東京 🙂", "x", "", "old money!"]
TARGETS = ["la banque", "l'eau était vieille", "", "la lumière sur l'argent à la rivière", "à"]
TOLERANCE = {"atol": 1e-5, "rtol": 1e-5}


def padded(rows: list[torch.Tensor], padding: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids of several lengths in one tensor, and where they are no padding."""
    ids = torch.full((len(rows), max(map(len, rows))), padding)
    for row, result in zip(ids, rows, strict=True):
        row[: len(result)] = result
    return ids, torch.arange(ids.shape[1]) < torch.tensor([len(row) for row in rows])[:, None]


def inputs(ours):
    """Sources with their mask, and what the decoder reads of the targets."""
    padding = ours.config.padding
    source, mask = padded([ours.encode(text).ids for text in SENTENCES], padding)
    starts = [torch.tensor([ours.config.start, *ours.tokenizer.encode_target(t).ids[:-1]]) for t in TARGETS]
    return source, mask, *padded(starts, padding)


def test_the_abilities_of_a_translator(tiny_marian):
    assert tiny_marian.abilities == Ability.CONTEXT | Ability.ATTENTION | Ability.TRANSLATE


@torch.no_grad()
def test_encoder_decoder_and_cross_attention_of_a_padded_batch(tiny_marian, their_marian):
    source, mask, target, written = inputs(tiny_marian)
    wanted = their_marian(
        source,
        attention_mask=mask.long(),
        decoder_input_ids=target,
        output_hidden_states=True,
        output_attentions=True,
    )
    read = tiny_marian.network(source, mask=mask, capture=Capture.ALL)
    result = tiny_marian.network.decode(target, read.last, mask, Capture.ALL)
    pairs = [
        *zip(read.hidden_states, wanted.encoder_hidden_states, [mask] * 9),
        *zip(result.hidden_states, wanted.decoder_hidden_states, [written] * 9),
        (result.logits, wanted.logits, written),
    ]
    assert len(pairs) == 4 + 3 + 1
    for got, expected, real in pairs:
        torch.testing.assert_close(got[real], expected[real], **TOLERANCE)
    patterns = [
        *zip(read.heads, wanted.encoder_attentions, [mask] * 9),
        *zip(result.heads, wanted.decoder_attentions, [written] * 9),
        *zip(result.cross, wanted.cross_attentions, [written] * 9),
    ]
    assert len(patterns) == 3 + 2 + 2
    for heads, expected, rows in patterns:
        got = heads.pattern.transpose(1, 2)[rows]
        torch.testing.assert_close(got, expected.transpose(1, 2)[rows], **TOLERANCE)


@torch.no_grad()
def test_the_cache_gives_what_a_whole_pass_gives(tiny_marian):
    source, mask, target, written = inputs(tiny_marian)
    states = tiny_marian.network(source, mask=mask).last
    whole = tiny_marian.network.decode(target, states, mask, Capture.LOGITS).logits
    cache = tiny_marian.network.new_cache(states, mask, capacity=target.shape[1])
    pieces = [
        tiny_marian.network.decode(part, capture=Capture.LOGITS, cache=cache).logits
        for part in target.split([1, 3, target.shape[1] - 4], dim=1)
    ]
    torch.testing.assert_close(torch.cat(pieces, dim=1)[written], whole[written], **TOLERANCE)


@torch.no_grad()
def test_rows_of_a_cache_can_be_taken_again_and_in_another_order(tiny_marian):
    source, mask, target, _ = inputs(tiny_marian)
    states, rows = tiny_marian.network(source, mask=mask).last, torch.tensor([3, 1, 3])
    cache = tiny_marian.network.new_cache(states, mask)
    tiny_marian.network.decode(target[:, :2], cache=cache)
    cache.keep(rows)
    result = tiny_marian.network.decode(target[rows, 2:5], capture=Capture.LOGITS, cache=cache).logits
    whole = tiny_marian.network.decode(target[:, :5], states, mask, Capture.LOGITS).logits
    torch.testing.assert_close(result, whole[rows, 2:], **TOLERANCE)


@torch.no_grad()
def test_the_fused_kernel_gives_what_plain_attention_gives(tiny_marian):
    source, mask, target, written = inputs(tiny_marian)
    states = tiny_marian.network(source, mask=mask).last
    fused = tiny_marian.network.decode(target, states, mask).last
    plain = tiny_marian.network.decode(target, states, mask, edit=lambda site, layer, tensor: tensor).last
    torch.testing.assert_close(fused[written], plain[written], **TOLERANCE)


@torch.no_grad()
def test_every_site_of_the_decoder_is_offered_once_a_layer(tiny_marian):
    seen = []

    def look(site, layer, tensor):
        seen.append((site, layer))
        return tensor

    states = tiny_marian.network(tiny_marian.encode("the bank").ids[None]).last
    tiny_marian.network.decode(torch.tensor([[5, 6, 7]]), states, edit=look)
    attention = {"queries", "keys", "values", "scores", "pattern", "head_output", "attention_output"}
    sites = attention | {f"cross_{site}" for site in attention} | {"mlp_output", "hidden"}
    assert len(seen) == len(set(seen))
    assert set(seen) == {(site, layer) for site in sites for layer in (0, 1)} | {("embedding", 0)}


@pytest.mark.parametrize("d_model", [35, 36])
def test_positions_are_sines_then_cosines(d_model):
    from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding

    theirs = MarianSinusoidalPositionalEmbedding(61, d_model).create_weight()
    torch.testing.assert_close(sinusoids(61, d_model), theirs, atol=1e-6, rtol=0)


@pytest.mark.parametrize("activation", ["relu", "gelu"])
@torch.no_grad()
def test_other_choices_of_a_configuration(tmp_path, activation):
    theirs = tiny.write_marian(tmp_path, activation_function=activation, scale_embedding=False)
    ours = explorer.load(f"folder:{tmp_path}")
    ids, target = ours.encode("we saw the old bank").ids[None], torch.tensor([[156, 5, 9]])
    result = ours.network.decode(target, ours.network(ids).last, capture=Capture.LOGITS).logits
    torch.testing.assert_close(result, theirs(ids, decoder_input_ids=target).logits, **TOLERANCE)


def test_a_file_may_keep_the_one_matrix_under_any_of_its_names(marian_folder, tiny_marian, tmp_path):
    from safetensors.torch import load_file, save_file

    tensors = load_file(marian_folder / "model.safetensors")
    shared = tensors.pop("model.shared.weight")
    for names in (
        ["model.encoder.embed_tokens.weight"],
        ["model.decoder.embed_tokens.weight", "lm_head.weight"],
        ["lm_head.weight"],
    ):
        for path in marian_folder.iterdir():
            (tmp_path / path.name).write_bytes(path.read_bytes())
        save_file(tensors | {name: shared.clone() for name in names}, tmp_path / "model.safetensors")
        again = explorer.load(f"folder:{tmp_path}")
        assert torch.equal(again.network.tokens.weight, tiny_marian.network.tokens.weight)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("decoder_attention_heads", 6),
        ("decoder_start_token_id", 157),
        ("share_encoder_decoder_embeddings", False),
        ("decoder_layers", 10**7),
    ],
)
def test_a_configuration_that_cannot_be_is_refused(marian_folder, tmp_path, key, value):
    for path in marian_folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    config = json.loads((marian_folder / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {key: value}))
    with pytest.raises(FormatError):
        explorer.load(f"folder:{tmp_path}")
