"""The map before any training: what the layers, as they are, make of some of the examples."""

from collections import OrderedDict
from typing import TYPE_CHECKING

from explorer.views.finetuning.settings import BODY

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.finetuning.progress import MapPoint
    from explorer.views.finetuning.bench import Bench

MOST = 48  # texts
KEPT = 24  # maps in memory, for all visitors
_known: "OrderedDict[tuple[str, str, str], tuple[list[MapPoint], Tensor]]" = OrderedDict()


def before(bench: "Bench") -> "tuple[list[MapPoint], Tensor]":
    """Some of the examples, or of their words, and where they lie on the plane of their main directions."""
    key = (bench.asked.model, bench.asked.how, bench.asked.examples)
    if key not in _known:
        _known[key] = _made(bench)
        while len(_known) > KEPT:
            _known.popitem(last=False)
    return _known[key]


def _made(bench: "Bench") -> "tuple[list[MapPoint], Tensor]":
    import torch

    from explorer.finetuning import fit, sampling
    from explorer.finetuning.base_model import feature_vectors
    from explorer.finetuning.map_points import project_aligned

    examples = sampling.sample_by_class(list(bench.examples.examples), MOST)
    whole_text = bench.kind in ("classes", "pairs")
    run = fit(bench.model, bench.task, examples, how=bench.settings[BODY], held_out=0.0)
    items = [bench.read(example) for example in examples]
    found = dict(feature_vectors(bench.model, items, whole_text, bench.features))
    rows = [
        found[i][-1] if whole_text or bench.kind == "tags" else found[i][-1][:1] for i in range(len(items))
    ]
    return run.watched, project_aligned(torch.cat(rows)[: len(run.watched)])
