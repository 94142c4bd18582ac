"""`bert-en-zh`: the frozen body, what is learnt beside it, and the difference that ships."""

import torch

from explorer import load
from explorer.checkpoints import format
from explorer.trace import Ability
from training.loop import Run
from training.recipes.bert_en_zh import merged
from training.rows import UNKNOWN, layout


@torch.no_grad()
def shake(network) -> None:
    """Give every trained parameter other numbers."""
    generator = torch.Generator().manual_seed(0)
    for parameter in network.parameters():
        if parameter.requires_grad:
            parameter.normal_(std=0.1, generator=generator)


def test_it_begins_as_the_body_and_the_body_stays(bilingual, tmp_path):
    body = load(f"folder:{tmp_path / 'base'}").network.state_dict()
    for name, weight in merged(bilingual.network).state_dict().items():
        assert torch.equal(weight[: len(body[name])], body[name]), name
    before = {name: p.clone() for name, p in bilingual.network.named_parameters()}
    Run(bilingual, 192 * 6).train()
    for name, parameter in bilingual.network.named_parameters():
        assert torch.equal(parameter, before[name]) != parameter.requires_grad, name


def test_what_is_merged_is_the_same_network(bilingual):
    shake(bilingual.network)
    rows = bilingual.rows(0, 24, 0).take(torch.arange(6))
    allowed, segments, _ = layout(rows, bilingual.frame)
    ours = bilingual.network(rows.ids, segments=segments, mask=allowed).last
    theirs = merged(bilingual.network)(rows.ids, segments=segments, mask=allowed).last
    torch.testing.assert_close(ours[allowed], theirs[allowed], atol=1e-5, rtol=1e-4)


def test_pairs_are_rows_in_either_order_and_those_kept_aside_are_never_read(bilingual):
    rows = bilingual._pairs.rows(32, 0)
    assert len(rows) == 9 and set(rows.columns[2].tolist()) == {UNKNOWN}
    read = [bilingual.backend.decode(ids[:end].tolist()) for ids, end in zip(rows.ids, rows.columns[1])]
    first = {text[0].isascii() for text in read}
    assert first == {True, False}
    for (start, separator, _), ids, second, end in [
        (bilingual.frame, *row)
        for row in zip(rows.ids.tolist(), rows.columns[0].tolist(), rows.columns[1].tolist())
    ]:
        assert ids[0] == start and ids[second - 1] == ids[end - 1] == separator
    aside = {english for english, _ in bilingual.held_out_pairs}
    assert len(aside) == 3
    document = [f"{english} We left." for english in aside] + ["We stayed."]
    assert bilingual.split(document) == ["We left.", "We left.", "We left.", "We stayed."]


def test_what_ships_is_a_difference_that_loads_as_the_whole(bilingual, tmp_path, monkeypatch):
    shake(bilingual.network)
    monkeypatch.setattr(format, "CHECKPOINTS", tmp_path)
    bilingual.after_export(tmp_path / "small")
    model = load(f"folder:{tmp_path / 'small-difference'}")
    expected = merged(bilingual.network).state_dict()
    for name, weight in model.network.state_dict().items():
        torch.testing.assert_close(weight, expected[name], atol=2e-3, rtol=2e-3)
    assert model.config.d_vocab == bilingual.backend.get_vocab_size() == model.tokenizer.size
    assert Ability.NEXT_SENTENCE in model.abilities
