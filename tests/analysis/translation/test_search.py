"""Beam search against `transformers`' own, and its steps."""

import pytest

from explorer.analysis import translation
from explorer.errors import AbilityError, ExplorerError, TextError

SENTENCES = [
    "the bank by the river",
    "we saw light on the water",
    "x",
    "old money in the deep water: 🙂",
    "the light was old and deep and the money was in the bank",
]


def reference(
    their_marian, model, text: str, beams: int, limit: int, penalty: float = 1.0
) -> tuple[list[int], float]:
    """The ids that `generate` writes, and its score of them."""
    ids = model.encode(text).ids[None]
    out = their_marian.generate(
        ids,
        num_beams=beams,
        do_sample=False,
        max_new_tokens=limit,
        length_penalty=penalty,
        forced_eos_token_id=None,
        output_scores=True,
        return_dict_in_generate=True,
    )
    found = out.sequences[0, 1:].tolist()
    while found and found[-1] == model.config.padding:
        found.pop()
    return found, float(out.sequences_scores[0]) if beams > 1 else 0.0


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("limit", [5, 23])
def test_greedy_equals_generate(tiny_marian, their_marian, text, limit):
    wanted, _ = reference(their_marian, tiny_marian, text, 1, limit)
    assert list(translation.translate(tiny_marian, text, beams=1, limit=limit).ids) == wanted


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize(
    ("beams", "limit", "penalty"), [(2, 23, 1.0), (4, 17, 1.0), (5, 6, 1.0), (4, 23, 0.3)]
)
def test_beam_search_equals_generate(tiny_marian, their_marian, text, beams, limit, penalty):
    wanted, score = reference(their_marian, tiny_marian, text, beams, limit, penalty)
    found = translation.translate(tiny_marian, text, beams, limit, penalty)
    assert list(found.ids) == wanted
    assert found.score == pytest.approx(score, abs=1e-4)


def test_translations_end_at_the_limit_or_before(tiny_marian):
    """Else the comparisons above would say nothing of how hypotheses are finished."""
    found = [translation.translate(tiny_marian, text, b, 23) for text in SENTENCES for b in (1, 2, 4)]
    assert all((t.ids[-1] == tiny_marian.tokenizer.end) or len(t.ids) == 23 for t in found)
    assert len({len(t.ids) for t in found}) > 2


def test_many_at_once_are_as_if_alone(tiny_marian):
    texts = SENTENCES * 2
    together = translation.translate_many(tiny_marian, texts, limit=11)
    for text, found in zip(texts, together, strict=True):
        alone = translation.translate(tiny_marian, text, limit=11)
        assert found.ids == alone.ids and found.score == pytest.approx(alone.score, abs=1e-5)


def test_the_steps_lead_to_the_translation(tiny_marian):
    search = translation.Search(tiny_marian, [tiny_marian.encode(SENTENCES[0])], beams=3, limit=9)
    before = [()]
    while not search.complete:
        step = search.step()[0]
        assert all(hypothesis.ids[:-1] in before for hypothesis in step.alive)
        before = [hypothesis.ids for hypothesis in step.alive]
    whole = translation.translate(tiny_marian, SENTENCES[0], beams=3, limit=9)
    assert step.finished[0].ids == search.result(0).ids == whole.ids


def test_padding_is_never_written(tiny_marian):
    network = tiny_marian.network
    before = network.bias.clone()
    try:
        network.bias[0, tiny_marian.config.padding] = 100.0
        found = translation.translate(tiny_marian, SENTENCES[0], limit=7)
    finally:
        network.bias.copy_(before)
    assert tiny_marian.config.padding not in found.ids


@pytest.mark.parametrize("text", ["", "   ", "\u00a0\n"])
def test_an_empty_text_is_refused(tiny_marian, text):
    with pytest.raises(TextError, match="no text to translate"):
        translation.translate(tiny_marian, text)


def test_a_long_text_is_cut_and_counted(tiny_marian):
    found = translation.translate(tiny_marian, "the deep water " * 200, limit=3)
    assert len(found.source) == tiny_marian.config.positions and found.source.truncated > 400


def test_only_emoji_are_translated_all_the_same(tiny_marian):
    assert translation.translate(tiny_marian, "🙂🙂", limit=3).ids


def test_values_without_meaning_are_refused(tiny_marian):
    for settings in ({"beams": 0}, {"limit": 0}, {"length_penalty": -1.0}):
        with pytest.raises(ExplorerError):
            translation.translate(tiny_marian, "the bank", **settings)


def test_a_model_that_does_not_translate_says_so(tiny_gpt):
    with pytest.raises(AbilityError, match="cannot translate"):
        translation.translate(tiny_gpt, "the bank")
