"""A trace of two sequences: its rows, its shapes, and that they are what `transformers` computes."""

import pytest
import torch

from explorer.analysis import translation
from explorer.errors import TextError
from explorer.trace import Capture

TEXT, TARGET = "the bank by the river", "la banque près de l'eau"


def test_shapes_and_rows(tiny_marian):
    found = translation.trace(tiny_marian, TEXT, TARGET)
    c = tiny_marian.config
    s, t = len(found.source.tokens), len(found.target.tokens)
    assert found.source.hidden_states.shape == (c.layers + 1, s, c.d_model)
    assert found.target.hidden_states.shape == (c.decoder_layers + 1, t, c.d_model)
    assert found.source.attention.pattern.shape == (c.layers, c.heads, s, s)
    assert found.target.attention.pattern.shape == (c.decoder_layers, c.decoder_heads, t, t)
    assert found.cross.pattern.shape == (c.decoder_layers, c.decoder_heads, t, s)
    assert found.cross.queries.shape[2] == t and found.cross.keys.shape[2] == s
    assert found.target.tokens[0] == "<pad>" and found.target.tokens[1:] == found.written[:-1]
    assert found.written[-1] == "</s>" and found.target.logits.shape == (t, c.d_vocab)
    rows = found.cross.pattern.sum(-1)
    torch.testing.assert_close(rows, torch.ones_like(rows))


@torch.no_grad()
def test_it_is_what_transformers_computes(tiny_marian, their_marian):
    found = translation.trace(tiny_marian, TEXT, TARGET)
    wanted = their_marian(
        found.source.encoding.ids[None],
        decoder_input_ids=found.target.encoding.ids[None],
        output_attentions=True,
        output_hidden_states=True,
    )
    close = {"atol": 1e-5, "rtol": 1e-5}
    torch.testing.assert_close(found.cross.pattern, torch.cat(wanted.cross_attentions), **close)
    torch.testing.assert_close(found.target.attention.pattern, torch.cat(wanted.decoder_attentions), **close)
    torch.testing.assert_close(found.source.hidden_states, torch.cat(wanted.encoder_hidden_states), **close)
    torch.testing.assert_close(found.target.logits, wanted.logits[0], **close)


def test_row_i_is_the_step_that_wrote_token_i(tiny_marian):
    written = translation.translate(tiny_marian, TEXT, beams=1, limit=6)
    found = translation.trace(tiny_marian, TEXT, written.ids)
    logits = found.target.logits.clone()
    logits[:, tiny_marian.config.padding] = -torch.inf
    assert logits.argmax(-1).tolist() == list(written.ids)
    assert found.written == written.tokens


def test_only_what_is_asked_for_is_kept(tiny_marian):
    found = translation.trace(tiny_marian, TEXT, TARGET, Capture.HIDDEN)
    assert found.cross is None and found.target.logits is None and found.source.attention is None
    assert found.target.hidden_states is not None


def test_an_edit_reaches_one_side_alone(tiny_marian):
    def zero(site, layer, tensor):
        return tensor * 0 if site == "cross_head_output" else tensor

    plain = translation.trace(tiny_marian, TEXT, TARGET)
    cut = translation.trace(tiny_marian, TEXT, TARGET, edit_decoder=zero)
    assert torch.equal(plain.source.hidden_states, cut.source.hidden_states)
    other = translation.trace(tiny_marian, "old money", TARGET, edit_decoder=zero)
    assert torch.equal(cut.target.logits, other.target.logits)  # deaf to its source
    assert not torch.allclose(plain.target.logits, cut.target.logits, atol=1e-3)


def test_a_target_without_a_token_is_refused(tiny_marian):
    with pytest.raises(TextError, match="no translation"):
        translation.trace(tiny_marian, TEXT, [])
