"""A tokenizer that puts a start token before every text: the same figures as where an analysis puts it."""

import json
from dataclasses import replace
from math import log

import pytest
import torch

from explorer.analysis.generation.steps import Ending, Sampling, generate
from explorer.analysis.generation.writing import read_ids
from explorer.analysis.heads.induction import repeated
from explorer.analysis.prediction import log_likelihood, next_tokens, shannon, surprisal
from explorer.analysis.reach.segments import read_in_segments
from explorer.models import FAMILIES
from explorer.models.gpt import GptConfig
from explorer.models.language_model import LanguageModel
from explorer.tokenizers import read_tokenizer
from explorer.trace import Checkpoint
from tests import tiny
from tests.tokenizers import small

TEXT = "we saw the old bank by the river"


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> tuple[LanguageModel, LanguageModel]:
    """One network, with its tokenizer as it is, and with the start token and the end around each text."""
    folder = tmp_path_factory.mktemp("framed")
    small.write_converted(folder)
    path = folder / "tokenizer_config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    tokenizers = []
    for framed in (False, True):
        chosen = config | {"add_bos_token": framed, "add_eos_token": framed}
        path.write_text(json.dumps(chosen), encoding="utf-8")
        tokenizers.append(read_tokenizer(folder))
    sizes = GptConfig(d_vocab=tokenizers[0].size, d_model=14, layers=2, heads=2, d_mlp=19, positions=24)
    network = tiny.shake(FAMILIES["gpt2"].network(sizes)).eval().requires_grad_(False)
    abilities = FAMILIES["gpt2"].abilities(frozenset({"lm_head"}))
    plain = LanguageModel(Checkpoint("folder", "framed"), sizes, network, tokenizers[0], abilities)
    return plain, replace(plain, tokenizer=tokenizers[1])


def test_scores_are_of_the_texts_own_tokens(models):
    plain, framed = models
    assert framed.encode(TEXT).special.tolist() == [True, *[False] * (len(framed.encode(TEXT)) - 2), True]
    assert log_likelihood(framed, TEXT) == pytest.approx(log_likelihood(plain, TEXT), rel=1e-6)
    for read in (
        lambda model: surprisal.read(model, TEXT),
        lambda model: read_in_segments(model, TEXT, 4, 4),
    ):
        one, other = read(plain), read(framed)
        assert one.encoding.tokens == other.encoding.tokens and torch.equal(one.bits, other.bits)


def test_later_windows_begin_with_the_start_token(models):
    framed = models[1]
    found = surprisal.read(framed, " ".join([TEXT] * 5))
    ids = found.encoding.ids
    window = framed.tokenizer.with_start(ids[-framed.config.positions : -1])  # a whole context
    scores = framed.unembed(framed.run(window[None]).last[0, -1]).log_softmax(-1)
    assert found.windows > 2
    assert float(found.bits[-1]) == pytest.approx(-float(scores[ids[-1]]) / log(2), rel=1e-4)


def test_a_text_goes_on_after_its_last_token(models):
    plain, framed = models
    start = framed.tokenizer.start
    own = plain.encode(TEXT).ids.tolist()
    assert read_ids(framed, TEXT, 5) == ([start, *own], 0)
    ids, cut = read_ids(framed, " ".join([TEXT] * 5), 5)
    assert ids[0] == start and len(ids) == 19 and ids[-3:] == own[-3:] and cut > 0
    assert read_ids(framed, "", 5) == ([start], 0)
    assert next_tokens(framed, "") == next_tokens(plain, "")
    spots = shannon.spots(TEXT)
    one, other = (shannon.next_word(model, TEXT, spots[2], "the") for model in models)
    assert one.probability == pytest.approx(other.probability)
    assert repeated(framed, 5, 2, 0).tolist() == repeated(plain, 5, 2, 0).tolist()


def test_a_text_ends_with_the_end_token_and_not_with_the_start(models):
    for id, ending in ((1, Ending.END_OF_TEXT), (0, None)):
        generation = generate(models[1], TEXT, Sampling(max_new_tokens=5, seed=0))
        generation.take([id])
        assert generation.ending is ending
