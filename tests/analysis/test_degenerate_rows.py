"""Rows that no ordinary sentences give: equal, zero, collinear or single ones, exactly and by one bit."""

from itertools import chain

import pytest
import torch
import torch.nn.functional as F

from explorer.analysis import projection
from explorer.analysis.probing.classifier import fit_linear, fit_mlp
from explorer.analysis.probing.fitting import TrainingConfig
from explorer.analysis.probing.structural import fit_structural, squared_distances
from explorer.analysis.projection.lda import discriminant
from explorer.analysis.senses import clusters, contextuality, duplicates, seriation
from explorer.analysis.vectors.arithmetic import analogy, plane
from explorer.analysis.vectors.table import Vectors
from explorer.analysis.vectors.words import nearest, similarities

ROWS, WIDTH = 8, 16
SENSES = ["a", "b"] * (ROWS // 2)
WORDS = list("abcdefgh")
TARGETS = torch.tensor([0, 1] * (ROWS // 2))
HEADS = [-1, *range(ROWS - 1)]  # each word depends on the one before
SHORT = TrainingConfig(epochs=2)


def one_bit(rows):
    """The same rows, every third number of them the next one that float32 has."""
    changed = rows.clone()
    changed.view(-1)[::3] = torch.nextafter(changed, torch.full_like(changed, 9.0)).view(-1)[::3]
    return changed


def rows(kind):
    """Rows of a kind, float32."""
    first = torch.linspace(-1, 1, WIDTH)
    return {
        "equal": first.repeat(ROWS, 1),
        "zero": torch.zeros(ROWS, WIDTH),
        "collinear": torch.arange(1.0, ROWS + 1)[:, None] * first,
        "opposite": torch.tensor([1.0, -1.0] * (ROWS // 2))[:, None] * first,
        "one differs": torch.cat([first.repeat(ROWS - 1, 1), first.flip(0)[None]]),
        "one is zero": torch.cat([first.repeat(ROWS - 1, 1), torch.zeros(1, WIDTH)]),
        "a pair differs": torch.cat([first.repeat(ROWS - 2, 1), torch.eye(WIDTH)[:2]]),
    }[kind]


KINDS = ["equal", "zero", "collinear", "opposite", "one differs", "one is zero", "a pair differs"]
ANALYSES = {
    "lda": lambda x: discriminant(x, SENSES).coordinates,
    "lda, three senses": lambda x: discriminant(x, ["a", "a", "b", "b", "c", "c", None, "d"]).coordinates,
    "pca": lambda x: projection.project(x, "pca").coordinates,
    "tsne": lambda x: projection.project(x, "tsne").coordinates,
    "self-similarity": lambda x: contextuality.self_similarity(x[:, None]),
    "cosines of words": lambda x: similarities(Vectors(WORDS, x), WORDS),
    "neighbours": lambda x: torch.tensor([near.cosine for near in nearest(Vectors(WORDS, x), "a")]),
    "analogy": lambda x: torch.tensor([near.cosine for near in analogy(Vectors(WORDS, x), *"abc").answers]),
    "plane of words": lambda x: plane(Vectors(WORDS, x), WORDS).points,
    "linear probe": lambda x: fit_linear(x, TARGETS, ["a", "b"], SHORT).weight,
    "probe with a hidden layer": lambda x: fit_mlp(x, TARGETS, 2, SHORT)(x),
    "structural probe": lambda x: fit_structural([x], [HEADS], [3], SHORT)[3],
    "distances of a tree": lambda x: squared_distances(x, torch.eye(WIDTH)),
}


@pytest.mark.parametrize("bit", [False, True], ids=["exactly", "by one bit"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("analysis", ANALYSES)
def test_degenerate_rows_give_finite_numbers(analysis, kind, bit):
    vectors = one_bit(rows(kind)) if bit else rows(kind)
    assert ANALYSES[analysis](vectors).isfinite().all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("analysis", ["lda", "lda, three senses"])
def test_senses_without_any_width_do_not_fill_the_map(analysis, kind):
    """All layers share one scale, and points of ordinary layers lie within two hundred."""
    assert ANALYSES[analysis](one_bit(rows(kind))).abs().max() < 500


@pytest.mark.parametrize("kind", KINDS)
def test_degenerate_rows_can_be_ordered_and_grouped(kind):
    vectors = one_bit(rows(kind))
    cosines = F.normalize(vectors, dim=-1) @ F.normalize(vectors, dim=-1).T
    assert sorted(seriation.order_by_similarity(cosines)) == list(range(ROWS))
    assert clusters.groups(vectors) is None or len(clusters.groups(vectors).member) == ROWS
    assert sorted(chain.from_iterable(duplicates.duplicates(vectors))) == list(range(ROWS))


@pytest.mark.parametrize("method", ["pca", "tsne"])
def test_a_single_row_has_a_place(method):
    assert projection.project(torch.ones(1, WIDTH), method).coordinates.isfinite().all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_umap_of_degenerate_rows(kind):
    for vectors in (rows(kind), one_bit(rows(kind))):
        assert projection.project(vectors, "umap").coordinates.isfinite().all()
