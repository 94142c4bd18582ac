"""A text as one vector: each pooling by its definition, and what the tokens give adds up to it."""

from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F

from explorer.analysis import sentences
from explorer.errors import TextError
from explorer.models.pooling import Normalise, Pooling

TEXTS = ["we sat on the bank", "money", "the river was deep , clean and steep", "home"]
DEFINITIONS = {
    "mean": lambda states: states.mean(0),
    "cls": lambda states: states[0],
    "max": lambda states: states.amax(0),
    "lasttoken": lambda states: states[-1],
}


@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("mode", DEFINITIONS)
def test_each_pooling_is_its_definition(encoder, mode, normalised):
    model = replace(encoder, pooling=Pooling((mode,), (Normalise(),) * normalised))
    expected = torch.stack([DEFINITIONS[mode](model.trace(text).hidden_states[-1]) for text in TEXTS])
    expected = F.normalize(expected, dim=-1) if normalised else expected
    assert torch.allclose(sentences.embed(model, TEXTS), expected, atol=1e-5)


@pytest.mark.parametrize("mode", DEFINITIONS)
def test_a_cosine_is_the_sum_over_pairs_of_tokens(encoder, mode):
    model = replace(encoder, pooling=Pooling((mode,)))
    first, second = (sentences.token_shares(model, text) for text in TEXTS[:2])
    assert first.encoding.tokens[0] == "[CLS]" and len(first.vectors) == len(first.encoding)
    cosine = F.cosine_similarity(*sentences.embed(model, TEXTS[:2]), dim=0)
    assert torch.allclose((first.vectors @ second.vectors.T).sum(), cosine, atol=1e-5)


def test_a_text_is_read_as_far_as_the_files_say_and_with_its_prompt(encoder):
    model = replace(encoder, pooling=Pooling(limit=4, prompts={"query": "the ", "document": "a "}))
    assert sentences.encode(model, TEXTS[0]).tokens == ["[CLS]", "we", "sat", "[SEP]"]
    assert sentences.prompts(model) == ("the ", "a ")
    assert torch.equal(sentences.embed(model, ["bank"], prompt="the "), sentences.embed(model, ["the bank"]))


def test_a_decoder_gives_its_last_token_through_its_last_norm(gpt):
    expected = gpt.final_norm(gpt.trace(TEXTS[0]).hidden_states[-1])[-1]
    assert torch.allclose(sentences.embed(gpt, TEXTS[:1])[0], expected, atol=1e-5)
    assert "last token" in sentences.pooling(gpt).note


def test_an_encoder_without_pooling_files_says_so(encoder):
    assert sentences.pooling(encoder).modes == ("mean",) and "mean" in sentences.pooling(encoder).note


def test_words_without_context_are_averaged_and_unknown_ones_give_zeros(static):
    word = next(filter(str.isalpha, map(static.tokenizer.token, range(static.tokenizer.size))))
    known, unknown = sentences.embed(static, [f"{word} {word}", "zzqqxx"])
    assert torch.allclose(known, static.table[static.tokenizer.encode(word).ids[0]])
    assert not unknown.any() and not len(sentences.token_shares(static, "zzqqxx").vectors)


def test_progress_counts_the_texts_and_may_stop_the_reading(encoder):
    counts = []
    sentences.embed(encoder, TEXTS * 40, progress=lambda count, total: counts.append((count, total)))
    assert counts == sorted(counts) and counts[-1] == (160, 160) and len(counts) > 1

    class Left(Exception):
        pass

    def leave(count, total):
        raise Left

    with pytest.raises(Left):
        sentences.embed(encoder, TEXTS, progress=leave)


@pytest.mark.parametrize("texts", [[], "one text"])
def test_what_is_no_list_of_texts_is_refused(encoder, texts):
    with pytest.raises(TextError):
        sentences.embed(encoder, texts)


def test_an_empty_text_and_equal_ones_have_vectors(encoder):
    vectors = sentences.read(encoder, ["", "home", "home"])
    assert torch.allclose(vectors.cosines.diagonal(), torch.ones(3), atol=1e-5)
    assert vectors.nearest(1, 1)[0][0] == 2
