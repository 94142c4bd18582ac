"""Modified Kneser-Ney against sums on paper, and against a slow and plain second version of itself."""

from collections import Counter

import numpy as np
import pytest

from training.metrics import kneser_ney
from training.metrics.kneser_ney import ABSENT, discounts, fit

END, V = 0, 7


def joined(documents):
    return np.array([END] + [t for d in documents for t in (*d, END)], dtype=np.uint16)


def some_documents(count=60, seed=0):
    """Skewed tokens, so that some n-grams come often and the counts of counts are all there."""
    random = np.random.default_rng(seed)
    return [(1 + random.zipf(1.6, random.integers(1, 12)) % (V - 1)).tolist() for _ in range(count)]


def window(context, token, order=5):
    left = [*context, token][-order:]
    return [ABSENT] * (order - len(left)) + left


def test_bigrams_on_paper():
    # end a b a c end: bigrams (end a) (a b) (b a) (a c) (c end), once each. Before a stand end and
    # b, before b, c and end one token each: 2 1 1 1 of 5. Too few for estimates: 0.5 off 1, 1 off 2.
    a, b, c = 1, 2, 3
    model = fit(joined([[a, b, a, c]]), 4, END, order=2)
    shared = (1 + 3 * 0.5) / 4
    expected = np.array([0.5 + shared, 1 + shared, 0.5 + shared, 0.5 + shared]) / 5
    np.testing.assert_allclose(model.unigrams, expected)
    after_a = model.probability(np.array([[a, END], [a, a], [a, b], [a, c]]))
    # Two tokens follow a: 0.5 off each is half of its count of 2, handed on to the unigrams.
    np.testing.assert_allclose(after_a, 0.5 * expected + np.array([0, 0, 0.25, 0.25]), rtol=1e-6)
    np.testing.assert_allclose(model.probability(np.array([[ABSENT, c]])), expected[3:])


def test_discounts_on_paper():
    counts = np.repeat([1, 2, 3, 4, 9], [10, 4, 2, 1, 3])
    y = 10 / 18
    np.testing.assert_allclose(discounts(counts), [0, 1 - 2 * y * 0.4, 2 - 3 * y * 0.5, 3 - 4 * y * 0.5])
    assert discounts(np.array([1, 1, 7])).tolist() == [0, 0.5, 1, 1.5]


class Plain:
    """The definition word by word, on dictionaries."""

    def __init__(self, documents, d_vocab, order):
        self.d_vocab, self.order = d_vocab, order
        lines = [(END, *d, END) for d in documents]
        self.raw = {
            n: Counter(line[i : i + n] for line in lines for i in range(len(line) - n + 1))
            for n in range(1, order + 1)
        }
        self.counts = {n: {g: self.count(g) for g in self.raw[n]} for n in self.raw}
        self.off = {n: discounts(np.array(list(c.values()))) for n, c in self.counts.items()}

    def count(self, gram):
        n = len(gram)
        if n == self.order or (n > 1 and gram[0] == END):
            return self.raw[n][gram]
        return sum(gram == longer[1:] for longer in self.raw[n + 1])

    def p(self, context, token):
        n = len(context) + 1
        lower = self.p(context[1:], token) if context else 1 / self.d_vocab
        counts = {g[-1]: c for g, c in self.counts[n].items() if g[:-1] == context}
        total = sum(counts.values())
        if not total:
            return lower
        off = {t: self.off[n][min(c, 3)] for t, c in counts.items()}
        return (counts.get(token, 0) - off.get(token, 0) + sum(off.values()) * lower) / total


@pytest.mark.parametrize("order", [2, 3, 5])
def test_every_probability_is_that_of_the_definition(order):
    documents = some_documents()
    model, plain = fit(joined(documents), V, END, order), Plain(documents, V, order)
    assert (plain.off[2] != [0, 0.5, 1, 1.5]).any(), "the discounts should be estimated ones"
    contexts = sorted({g[:-1] for n in range(2, order + 1) for g in plain.raw[n] if END not in g[1:-1]})
    for context in [*contexts[:: max(1, len(contexts) // 60)], (6, 6, 5, 6)[: order - 1], ()]:
        rows = np.array([window(context, token, order) for token in range(V)])
        expected = [plain.p(tuple(context), token) for token in range(V)]
        np.testing.assert_allclose(model.probability(rows), expected, rtol=1e-5)


def test_the_probabilities_after_every_context_sum_to_1():
    documents = some_documents(80, seed=3)
    model = fit(joined(documents), V, END)
    lines = [(END, *d) for d in documents]
    contexts = {line[max(0, i - 4) : i] for line in lines for i in range(1, len(line) + 1)}
    contexts |= {(5, 6), (6, 5, 4, 3), ()}
    rows = np.array([window(c, token) for c in contexts for token in range(V)])
    sums = model.probability(rows).reshape(len(contexts), V).sum(1)
    np.testing.assert_allclose(sums, 1, atol=1e-6)
    assert len(contexts) > 150


def test_the_parts_make_no_difference(monkeypatch):
    text = joined(some_documents(50, seed=5))
    whole = fit(text, V, END)
    monkeypatch.setattr(kneser_ney, "PART", 23)
    parts = fit(text, V, END)
    np.testing.assert_array_equal(whole.unigrams, parts.unigrams)
    for a, b in zip(whole.levels, parts.levels, strict=True):
        for name in ("keys", "counts", "discounts", "totals"):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
        np.testing.assert_allclose(a.handed_on, b.handed_on, rtol=1e-6)
        assert (np.diff(a.keys) > 0).all()


def test_no_ngram_reaches_past_the_end_of_a_document():
    model = fit(joined([[1, 2], [3, 4]]), V, END)
    trigrams = model.levels[1]
    assert len(trigrams.keys) == 4  # end 1 2, 1 2 end, end 3 4, 3 4 end
    assert [len(level.keys) for level in model.levels] == [6, 4, 2, 0]
    known = model.probability(np.array([[END, 1, 2, END, 3]]))  # backs off to what follows an end
    assert known == model.probability(np.array([[ABSENT, ABSENT, ABSENT, END, 3]]))
