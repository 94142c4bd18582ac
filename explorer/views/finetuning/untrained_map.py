"""The map before any training: the vectors of some examples in the model as it is."""

from typing import TYPE_CHECKING

from explorer.views.frame import caching

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.finetuning.progress import How, MapPoint
    from explorer.finetuning.training_specs import HeadSpec
    from explorer.models import LanguageModel

MOST_TEXTS = 48


def untrained_map(model: "LanguageModel", spec: "HeadSpec") -> "tuple[list[MapPoint], Tensor]":
    """Some of the examples of a training, or of their words, and their projection (PCA)."""
    return _cached_map(model, spec.how, hash(spec.examples), spec)


@caching.resource(max_entries=24)
def _cached_map(
    model: "LanguageModel", how: "How", examples: int, _spec: "HeadSpec"
) -> "tuple[list[MapPoint], Tensor]":
    import torch

    from explorer.finetuning import fit, sampling
    from explorer.finetuning.base_model import feature_vectors
    from explorer.finetuning.encoding import encode_example
    from explorer.finetuning.fit import default_features
    from explorer.finetuning.map_points import project_aligned

    task, features = _spec.task, default_features(model, how)
    sample = sampling.sample_by_class(_spec.examples, MOST_TEXTS)
    points = fit(model, task, sample, how=how, held_out=0.0).watched
    items = [encode_example(model, task, example, features) for example in sample]
    vectors = dict(feature_vectors(model, items, task.whole_text, features))
    rows = [vectors[i][-1] for i in range(len(items))]  # of the last layer
    rows = [matrix[:1] for matrix in rows] if task.kind == "answers" else rows
    return points, project_aligned(torch.cat(rows)[: len(points)])
