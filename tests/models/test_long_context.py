"""A model with positions for a whole book: what is read and kept unasked is no longer than elsewhere."""

import pytest

import explorer
from explorer.analysis.generation.steps import Ending, Sampling, generate
from explorer.analysis.prediction import likelihood, logit_lens, surprisal
from explorer.analysis.reach.segments import read_in_segments
from explorer.errors import TextError
from explorer.models import base
from explorer.models.cache import Cache
from tests import decoders

MOST = 60
BOOK = "we saw the old river in the light " * 40


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    decoders.write("llama", folder, max_position_embeddings=131_072)
    return explorer.load(f"folder:{folder}")


@pytest.fixture
def capacities(monkeypatch):
    """A model reads little at once here; how many positions each new cache has room for."""
    monkeypatch.setattr(base, "READ_AT_ONCE", MOST)
    made, make = [], Cache.__init__

    def note(self, layers, batch, heads, capacity, *more):
        made.append(capacity)
        make(self, layers, batch, heads, capacity, *more)

    monkeypatch.setattr(Cache, "__init__", note)
    return made


def test_a_text_is_read_as_far_as_is_asked_or_else_as_far_as_one_can_wait(model):
    assert model.config.positions == 131_072
    long = BOOK * 10
    assert len(model.encode(long)) == base.READ_AT_ONCE and model.encode(long).truncated > 0
    assert len(model.encode(long, limit=2500)) == 2500


def test_what_is_written_has_room_for_itself(model, capacities):
    for prompt, asked in (("the bank", 9), (BOOK, 9)):
        written = generate(model, prompt, Sampling(greedy=True, max_new_tokens=asked))
        list(written)
        assert capacities[-1] == len(written.prompt_ids) + asked <= MOST
        assert (written.cut > 0) == (prompt == BOOK)
    written = generate(model, "the bank", Sampling(max_new_tokens=1000))
    list(written)
    assert written.ending in (Ending.CONTEXT, Ending.END_OF_TEXT) and capacities[-1] == MOST


def test_segments_remember_no_more_than_the_text(model, capacities):
    read_in_segments(model, "the old river", segment=2, memory=100_000)
    read_in_segments(model, BOOK, segment=7, memory=100_000)
    assert capacities[0] < 12 and capacities[1] <= MOST


def test_scores_of_a_long_text_come_in_windows(model, capacities):
    assert surprisal.read(model, BOOK).windows > 5
    assert logit_lens.at_end(model, BOOK).position == MOST - 1
    with pytest.raises(TextError, match=f"reads {MOST}"):
        likelihood.encode_whole(model, BOOK)
