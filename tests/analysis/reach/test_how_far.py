"""How far a state moves, against two passes by hand; and the stored figures against the models that ship."""

import pytest
import torch

import explorer
from explorer.analysis.reach import how_far
from explorer.errors import AbilityError, ExplorerError, TextError
from explorer.views.transformer import how_far_presets
from training.stored import READERS, how_far_back

TEXT = "The old ferry came back from the island before the rain began."


@pytest.fixture(scope="module")
def models():
    return {name: explorer.load(name) for name in READERS}


def test_both_models_moves_are_those_of_two_passes(models):
    found = how_far.how_far_back(models, TEXT, places=3)
    assert found.words == ("began", "rain", "the", "before")
    start = TEXT.index("rain")
    texts = how_far.changed(models, TEXT, (start, start + 4))
    assert len(texts) == how_far.OTHERS and TEXT not in texts
    forwards = [models["elmo"].trace(text).hidden_states[-1, -3, :128] for text in (TEXT, *texts)]
    gpt = models["gpt"]
    ids = [torch.cat([torch.tensor([gpt.tokenizer.start]), gpt.encode(text).ids]) for text in (TEXT, *texts)]
    decoded = [gpt.run(one[None]).last[0, -2] for one in ids]
    for name, (own, *others) in (("elmo", forwards), ("gpt", decoded)):
        wanted = torch.stack([(other - own).norm() for other in others]).mean()
        torch.testing.assert_close(found.moves[name][1], wanted, rtol=1e-4, atol=1e-4)
        assert float(found.relative(name)[0]) == 1


def test_another_word_leaves_all_the_others_in_their_places(models):
    for start, word in ((4, "old"), (8, "ferry")):
        for text in how_far.changed(models, TEXT, (start, start + len(word))):
            assert text.startswith(TEXT[:start]) and text.endswith(TEXT[start + len(word) :])
            for model in models.values():
                assert len(model.encode(text)) == len(model.encode(TEXT))


def test_the_watched_word_is_the_last_that_is_no_mark_or_a_chosen_one(models):
    assert how_far.how_far_back(models, "We saw it!?", places=9).words == ("it", "saw", "We")
    assert how_far.how_far_back(models, "We saw it!?", watched=1).words == ("saw", "We")
    assert how_far.how_far_back(models, "We saw it!?", watched=99, places=1).words == ("?", "!")


def test_later_words_do_not_matter(models):
    short, long = (
        how_far.how_far_back(models, text, watched=2, places=2) for text in ("We saw it", "We saw it in May.")
    )
    for name in READERS:
        torch.testing.assert_close(short.moves[name], long.moves[name], rtol=1e-3, atol=1e-3)


def test_every_stored_sentence_is_long_enough_and_there_are_50():
    texts = how_far.sentences()
    assert len(texts) == len(set(texts)) == 50
    assert {table.shape for table in how_far.stored().values()} == {(50, how_far.PLACES + 1)}


@pytest.mark.weights
def test_the_stored_figures_are_those_of_the_models_that_ship(models):
    _, fresh = how_far_back(models, how_far.sentences()[17])
    for name, table in how_far.stored().items():
        wanted = torch.tensor([torch.nan if value is None else value for value in fresh[name]])
        torch.testing.assert_close(table[17], wanted, atol=2e-3, rtol=0, equal_nan=True)


@pytest.mark.weights
def test_the_opening_sentence_is_stored_as_the_models_that_ship_have_it(models):
    text, kept = how_far.opening()
    live = how_far.how_far_back(models, text)
    assert text == how_far_presets.WALK and (kept.watched, kept.words) == (live.watched, live.words)
    for name in READERS:
        torch.testing.assert_close(
            kept.relative(name), live.relative(name), atol=2e-3, rtol=0, equal_nan=True
        )


def test_what_cannot_be_watched(models, tiny_bert):
    with pytest.raises(TextError):
        how_far.how_far_back(models, "  ")
    with pytest.raises(AbilityError):
        how_far.how_far_back({**models, "bert": tiny_bert}, TEXT)
    with pytest.raises(ExplorerError, match="whole words"):
        how_far.how_far_back({"gpt": models["gpt"]}, TEXT)


def test_a_single_word_has_one_place(models):
    found = how_far.how_far_back(models, "river")
    assert found.words == ("river",) and len(found.moves["gpt"]) == 1
