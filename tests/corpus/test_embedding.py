"""Vectors of a draw: those that a look at each sentence gives, none computed twice."""

import torch

from explorer.analysis import senses
from explorer.corpus import embedding
from explorer.corpus.embedding import embed
from explorer.corpus.lookup import draw, lookup
from explorer.server.kept import Kept

TEXT = "A bank by the bank. Two banks met. The bank's door. Old Bank. She banked it. Water. " + " ".join(
    f"Bank number {i} is shut." for i in range(80)
)


def drawn(indexed, most=200):
    index = indexed(TEXT)
    return draw(index, lookup(index, "bank", forms=True), most).occurrences


def test_each_drawn_occurrence_has_its_own_vector(indexed, tiny_bert):
    some = drawn(indexed)
    found = embed(tiny_bert, some, "bank")
    assert found.sentence_index == list(range(len(some))) and found.span == [one.span for one in some]
    assert {one.form.lower() for one in some} == {"bank", "banks", "banked"}
    for i, one in enumerate(some[:12]):
        plain = senses.occurrences(tiny_bert, [one.text], one.form)
        expected = plain.vectors[plain.span.index(one.span)]
        torch.testing.assert_close(found.vectors[i], expected, atol=1e-5, rtol=1e-5)
        assert found.tokens[i] == plain.tokens[plain.span.index(one.span)]


def test_nothing_is_run_twice_and_progress_is_told(indexed, tiny_bert, monkeypatch):
    ran, real = [], senses.occurrences

    def counting(model, texts, word):
        ran.extend(texts)
        return real(model, texts, word)

    monkeypatch.setattr(embedding.senses, "occurrences", counting)
    some, kept, steps = drawn(indexed), Kept(), []
    first = embed(tiny_bert, some[:30], "bank", kept)
    assert len(ran) == len({one.text for one in some[:30]})
    ran.clear()
    both = embed(tiny_bert, some, "bank", kept, steps.append)
    assert {one.text for one in some[30:]} >= set(ran)
    assert steps == sorted(steps) and steps[0] == 30 and steps[-1] == len(some)
    assert torch.equal(both.vectors[:30], first.vectors)
    ran.clear(), steps.clear()
    embed(tiny_bert, some, "bank", kept, steps.append)
    assert ran == steps == []


def test_models_are_kept_apart(indexed, tiny_bert, tiny_gpt):
    some, kept = drawn(indexed, 5), Kept()
    embed(tiny_bert, some, "bank", kept)
    assert embed(tiny_gpt, some, "bank", kept).vectors.shape[2] == tiny_gpt.config.d_model


def test_what_is_kept_stays_within_its_bounds(indexed, tiny_bert):
    some = drawn(indexed)
    size = embed(tiny_bert, some[:1], "bank").vectors.nbytes
    kept = Kept(most_bytes=10 * size)
    found = embed(tiny_bert, some, "bank", kept)
    assert len(found) == len(some) and len(kept._entries) == 10 and kept._bytes == 10 * size


def test_what_was_done_before_a_stop_is_kept(indexed, tiny_bert):
    some, kept = drawn(indexed), Kept()

    def stop(done: int) -> None:
        if done:
            raise InterruptedError

    try:
        embed(tiny_bert, some, "bank", kept, stop)
    except InterruptedError:
        assert 0 < len(kept._entries) <= embedding.BATCH


def test_a_word_past_the_context_is_missing(indexed, tiny_bert):
    long = "word " * 90 + "bank"
    index = indexed(long)
    some = draw(index, lookup(index, "bank"), 5).occurrences
    found = embed(tiny_bert, some, "bank")
    room = tiny_bert.config.positions
    assert (found.missing == [0]) == (len(tiny_bert.encode(long).tokens) >= room and room < 92)
    assert len(found.vectors) == len(found) == 1 - len(found.missing)
