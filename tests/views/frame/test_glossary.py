"""One glossary: what a dotted word means is the same everywhere, by hand and by keyboard."""

import re

import pytest

from explorer.views.frame.glossary import terms, with_terms
from tests.views.opening import opened, said, sent

TERM = re.compile(r'<span class="rb-term" tabindex="0"[^>]* data-meaning="([^"]*)"[^>]*>([^<]*)</span>')


def test_there_are_sixty_terms_and_each_is_explained_in_a_line():
    assert len(terms()) >= 60
    assert {"head", "layer", "logit", "residual stream", "centroid", "macro-F1", "perplexity"} <= set(terms())
    for term, meaning in terms().items():
        assert 20 < len(meaning) < 220 and meaning[-1] == ".", term
    names = [term.casefold() for term in terms()]
    ordinary = names[: names.index("bert")]
    assert ordinary == sorted(ordinary)


def test_a_term_is_marked_where_it_comes_first_and_not_in_an_example():
    html = with_terms("A <b title='layer'>layer</b> of heads, the next layer; his “head”; a Header.")
    assert [text for _, text in TERM.findall(html)] == ["layer", "heads"]
    assert "<b title='layer'>" in html
    assert TERM.search(html)[1] == terms()["layer"]


def test_the_cosine_of_a_wave_is_not_that_of_two_vectors():
    assert not TERM.search(
        with_terms("The pairs are a sine and a cosine; others store all sines, then all cosines.")
    )
    assert TERM.search(with_terms("A sine is a wave. The cosine of two words is high."))[2] == "cosine"


def test_the_longest_term_wins():
    terms_found = TERM.findall(with_terms("an induction head, bits per byte"))
    assert [text for _, text in terms_found] == ["induction head", "bits per byte"]


@pytest.mark.parametrize(
    ("page", "link", "term"),
    [
        ("attention", {}, "head"),
        ("senses", {"shown": "layers"}, "baselines"),
        ("continuations", {"view": "colour"}, "Perplexity"),
        ("continuations", {}, "logit"),
    ],
)
def test_the_pages_explain_their_terms(page, link, term):
    terms_found = {text: meaning for meaning, text in TERM.findall(said(opened(page, **link)))}
    assert terms_found.get(term)


COURSE = {
    *(
        "key (attention)", "value (attention)", "query", "encoder", "decoder", "skip-gram",
        "negative sampling",
    ),
    *("positional encoding", "masked self-attention", "zero-shot", "BLEU", "fine-tuning"),
}  # fmt: skip


def test_the_words_of_a_course_are_explained():
    assert set(terms()) >= COURSE


@pytest.mark.parametrize("page", ["home", "vectors"])
def test_all_terms_are_in_the_header_but_not_in_presenter_mode(page):
    (mount,) = sent(opened(page), "terms")
    assert [term for term, _ in mount["terms"]] == list(terms())
    assert not sent(opened(page, present="1"), "terms")
