"""What is computed of a model is kept under its checkpoint's name, and the model itself is not kept."""

import gc
from dataclasses import dataclass, replace
from weakref import ref

import pytest
import torch

import explorer
from explorer.model_server.remote import RemoteModel
from explorer.models.language_model import LanguageModel
from explorer.server import caching
from explorer.trace import Checkpoint
from explorer.views.attention import bertviz
from explorer.views.finetuning import head_source
from explorer.views.senses import by_model, word_occurrences
from explorer.views.transformer import translator_bertviz


def model_named(name: str, of: type[LanguageModel] = LanguageModel) -> LanguageModel:
    model = explorer.load("word2vec")
    return of(Checkpoint.parse(name), model.config, model.network, model.tokenizer, model.abilities)


@dataclass(frozen=True)
class Asked:
    layer: int
    words: tuple[str, ...]


@pytest.fixture(params=[caching.resource, caching.data], ids=["resource", "data"])
def counting(request):
    calls = []

    @request.param(max_entries=8)
    def compute(model, text, *more):
        calls.append((str(model.checkpoint), text, *more))
        return f"{model.checkpoint}: {text}"

    compute.clear()
    return compute, calls


def test_the_types_are_called_what_they_are():
    names = {f"{one.__module__}.{one.__qualname__}" for one in (LanguageModel, RemoteModel, torch.Tensor)}
    assert names == {*caching.BY_NAME}


@pytest.mark.parametrize("of", [LanguageModel, RemoteModel])
def test_a_model_counts_as_its_name(counting, of):
    compute, calls = counting
    first = model_named("serve:http://here:8000/one", of)
    assert compute(first, "a text") == compute(replace(first), "a text")
    assert len(calls) == 1
    compute(model_named("serve:http://here:8000/other", of), "a text")
    assert len(calls) == 2


def test_what_else_is_asked_counts_as_before(counting):
    compute, calls = counting
    model = model_named("word2vec")
    layers, pairs = [(Asked(1, ("a",)),), (Asked(2, ("a",)),)], [((1, "a"), None), ((1, "b"), None)]
    for more in [("a",), ("b",), *layers, *pairs]:
        compute(model, "a text", *more)
        compute(model, "a text", *more)
    compute(model, "another")
    assert len(calls) == 7


def test_the_model_is_not_kept(counting):
    compute, _ = counting
    model = model_named("word2vec")
    compute(model, "a text")
    there = ref(model)
    del model
    gc.collect()
    assert there() is None


def test_results_are_computed_again_once_they_have_been_dropped(counting):
    compute, calls = counting
    for _ in range(2):
        compute(model_named("word2vec"), "a text")
        caching.forget_results()
    assert len(calls) == 2


def test_what_was_measured_of_a_model_goes_with_models_and_stays_when_visitors_leave(monkeypatch):
    answers, reports = {"text": 1}, {"model": 1}
    monkeypatch.setattr(caching, "_of_texts", [])
    monkeypatch.setattr(caching, "_of_models", [])
    caching.forget_with_texts(answers)
    caching.forget_with_models(reports)
    caching.forget_results()
    assert answers == {} and reports == {"model": 1}
    caching.forget_models()
    assert reports == {}


def test_sentences_and_what_came_of_them_are_dropped_with_the_last_visitor(tiny_bert):
    """Of each cache that a view keeps by itself, beside those of `resource` and `data`."""
    text = "we sat on the bank\nthe bank was old"
    occurrences = word_occurrences.find_word(tiny_bert, text, "bank")
    by_model.sentence_similarities(tiny_bert, occurrences)
    pages = {id(module._page) for module in (bertviz, translator_bertviz)}
    assert pages <= {id(cache) for cache in caching._of_texts}
    assert word_occurrences._cache().vectors and by_model._similarities
    caching.forget_results()
    assert not word_occurrences._cache().vectors and not by_model._similarities


def test_a_score_goes_with_the_examples_that_it_was_measured_on():
    class Spec:
        def parts(self):
            return [], []

    class Head:
        class task:
            kind = "classes"

    spec = Spec()
    head_source._score_of(Head(), spec)
    there = ref(spec)
    del spec
    caching.forget_results()
    gc.collect()
    assert there() is None
