"""A step that fails: who is told, and how it goes on."""

import pytest
import torch

from explorer import locale
from explorer.analysis.generation.steps import Sampling, generate
from explorer.errors import ExplorerError
from explorer.generation.engine import CachedText, Engine, StepRequest, engine_of
from explorer.models.stepping.cached_attention import BatchCache
from explorer.models.stepping.step import Step
from tests.generation.texts import network, ragged, same_scores, served


def test_a_failure_is_told_and_the_next_try_goes_on(gpt, monkeypatch):
    found, sampling = engine_of(gpt), Sampling(seed=1, max_new_tokens=6)
    expected = [s.id for s in generate(gpt, "the", sampling)]
    for place, name in ((Step, "__call__"), (found, "logits")):
        generation = generate(gpt, "the", sampling)
        next(generation)

        def broken(*_):
            raise MemoryError

        with monkeypatch.context() as patch, pytest.raises(MemoryError):
            patch.setattr(place, name, broken)
            next(generation)
        list(generation)
        assert generation.ids == expected


def test_one_visitors_failure_leaves_the_others_alone(gpt):
    """A cache without room, and scores that are not numbers, in one batch with a good request."""
    made, net = Engine(gpt.network), gpt.network
    full, broken, good = (CachedText(net.new_cache(capacity=3), [5]) for _ in range(3))
    for text in (full, broken, good):
        net(torch.tensor([[1, 2, 3][: 3 if text is full else 2]]), cache=text.cache)
    broken.cache.memory[..., :2, :] = float("nan")
    ask = generate(gpt, "", Sampling())._sampling_request(0, [])
    requests = [StepRequest([text], ask) for text in (full, broken, good)]
    assert made.serve(requests) == []
    assert [type(request.error) for request in requests] == [IndexError, ExplorerError, type(None)]
    assert requests[2].sampled.id == served(made, *good_again(net), sampling=ask).sampled.id
    assert (full.cache.length, broken.cache.length, good.cache.length) == (3, 2, 3)


def test_each_visitor_of_a_batch_is_told_in_their_language(monkeypatch):
    net, requests, said = network(), [], "There is no {mask} in the text."
    made = Engine(net)

    def broken(states):
        raise ExplorerError(locale._(said, mask="[MASK]"))

    monkeypatch.setattr(made, "logits", broken)
    for name, (text, _ids) in zip(("fr", "zh", "en"), ragged(net, [3, 3, 3]), strict=True):
        locale.use(name)
        requests.append(StepRequest([text]))
    assert made.serve(requests) == []  # by the last one's thread
    french, chinese, english = (request.error.message for request in requests)
    assert french.startswith("Il n’y a") and "文本" in chinese and english == said.format(mask="[MASK]")


def good_again(net):
    """The good text of the test above, alone."""
    text = CachedText(net.new_cache(capacity=3), [5])
    net(torch.tensor([[1, 2]]), cache=text.cache)
    return [text]


def test_a_row_that_a_failed_step_took_is_not_taken_for_its_last_text(monkeypatch):
    """Three texts have rows; a step of two others fails; the three find their own again."""
    net = network()
    made, texts = Engine(net), ragged(net, [4, 4, 4, 6, 6])
    first, others = texts[:3], texts[3:]
    served(made, *(text for text, _ in first))

    def broken(self, layer, heads):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(BatchCache, "attend", broken)
        made.serve([StepRequest([text]) for text, _ in others])
    for text, ids in first:
        text.unread = [7]
        ids.append(7)
    logits = served(made, *(text for text, _ in first)).logits
    same_scores(net, first, logits)
