# mypy: implicit-reexport
# ruff: noqa: F401
"""Types for annotations, by names that cost nothing: torch, Plotly and the analyses are imported late.

    from explorer.views.types import LanguageModel, Tensor

    def tokens(model: "LanguageModel", states: "Tensor") -> list[str]: ...

A type checker finds the real types here; while the app runs, each of these names is `Any`.
Annotations have them in quotes, for “Show the code” prints functions without their imports.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from torch import Tensor

    from explorer.analysis.attention.weights import Patterns
    from explorer.analysis.attribution.faithfulness import Curves
    from explorer.analysis.generation.steps import Generation, Sampling
    from explorer.analysis.generation.tree import Tree
    from explorer.analysis.heads import Report
    from explorer.analysis.heads.ablation import Change
    from explorer.analysis.heads.loss import HeadLoss
    from explorer.analysis.heads.relations import Parse
    from explorer.analysis.patching import Contrast, PatchedHeads, PatchedStates
    from explorer.analysis.prediction.few_shot import FewShot
    from explorer.analysis.prediction.fill import Blanks, Probe
    from explorer.analysis.prediction.logit_lens import Lens
    from explorer.analysis.prediction.replacing import Detection, Replacement
    from explorer.analysis.prediction.shannon import Spot
    from explorer.analysis.prediction.surprisal import ScoredText
    from explorer.analysis.projection.layers import MapMethod
    from explorer.analysis.projection.lda import Discriminant
    from explorer.analysis.projection.methods import Projection
    from explorer.analysis.senses.contextuality import Contextuality
    from explorer.analysis.senses.occurrences import Occurrences
    from explorer.analysis.senses.separation import Curve, Separation
    from explorer.analysis.sentences import Pairs, Ranking, SentenceVectors
    from explorer.analysis.transformer import Walk
    from explorer.analysis.translation import Translation
    from explorer.analysis.vectors import Neighbour, Vectors
    from explorer.analysis.vectors.cooccurrence import Ratio
    from explorer.analysis.vectors.pieces import RelatedWord
    from explorer.analysis.visibility.masks import MaskResult
    from explorer.analysis.words import Word
    from explorer.finetuning import MapPoint, Progress, TaskHead
    from explorer.finetuning.training_specs import HeadSpec
    from explorer.models import LanguageModel, Model
    from explorer.trace import Encoding, Trace
else:

    def __getattr__(name: str) -> Any:
        """Any, whatever the type."""
        return Any
