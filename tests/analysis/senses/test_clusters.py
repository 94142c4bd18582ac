"""Groups: blobs are found, noise is not, and the silhouette is the one in the book."""

import pytest
import torch
from sklearn.metrics import silhouette_score

from explorer.analysis.senses.clusters import groups, kmeans, silhouette


def blobs(sizes, apart=3.0, d=24, seed=0):
    generator = torch.Generator().manual_seed(seed)
    centres = torch.randn(len(sizes), d, generator=generator) * apart
    kinds = torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes))
    return centres[kinds] + torch.randn(len(kinds), d, generator=generator), kinds.tolist()


@pytest.mark.parametrize("sizes", [[7, 5], [9, 8, 4], [30, 20, 10, 6]])
def test_blobs_are_found_the_largest_first(sizes):
    vectors, kinds = blobs(sizes)
    found = groups(vectors)
    assert found.member == kinds and found.count == len(sizes) and found.silhouette > 0.5
    assert groups(vectors).member == found.member


@pytest.mark.parametrize("n", [0, 1, 3, 12, 60])
def test_one_heap_has_no_groups(n):
    generator = torch.Generator().manual_seed(n)
    assert groups(torch.randn(n, 64, generator=generator) + 2 * torch.randn(64, generator=generator)) is None


def test_the_silhouette_of_groups_is_by_cosine():
    vectors, _ = blobs([7, 5])
    grouping = groups(vectors)
    expected = silhouette_score(vectors.numpy(), grouping.member, metric="cosine")
    assert grouping.silhouette == pytest.approx(expected, abs=1e-5)


def test_equal_vectors_have_no_groups():
    assert groups(torch.ones(8, 5)) is None


def test_the_silhouette_is_scikit_learns():
    vectors, _ = blobs([6, 5, 1], apart=0.5)
    member = torch.tensor([0] * 6 + [1] * 5 + [2])
    expected = silhouette_score(vectors.numpy(), member.numpy())
    assert silhouette(torch.cdist(vectors, vectors), member) == pytest.approx(expected, abs=1e-5)
    assert silhouette(torch.cdist(vectors, vectors), torch.zeros(12, dtype=torch.long)) == 0


def test_the_same_points_and_seed_give_the_same_groups():
    noise, _ = blobs([60], d=4)
    one, again = (kmeans(noise, 5, seed=3) for _ in range(2))
    assert torch.equal(one, again)
    assert any(not torch.equal(one, kmeans(noise, 5, seed=seed)) for seed in range(3)), "the seed matters"


def test_kmeans_leaves_every_point_with_its_nearest_mean():
    vectors, _ = blobs([9, 9, 9], apart=1.0, d=3)
    member = kmeans(vectors, 3)
    means = torch.stack([vectors[member == g].mean(0) for g in range(3)])
    assert torch.equal(torch.cdist(vectors, means).argmin(1), member)
