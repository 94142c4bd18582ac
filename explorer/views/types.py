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

    from explorer.analysis.attention.inside_head import InsideHead
    from explorer.analysis.attention.rollout import Strand, TokenRollout
    from explorer.analysis.attention.weights import Patterns
    from explorer.analysis.attention.while_generating import GenerationAttention
    from explorer.analysis.attribution.faithfulness import Curves
    from explorer.analysis.bleu import Bleu
    from explorer.analysis.characters import SpelledWord
    from explorer.analysis.generation.steps import Generation, Sampling
    from explorer.analysis.generation.tree import Tree
    from explorer.analysis.heads import Found, Report
    from explorer.analysis.heads.ablation import Change
    from explorer.analysis.heads.loss import Exam, HeadLoss
    from explorer.analysis.heads.relations import Parse
    from explorer.analysis.patching import Contrast, DirectLogits, PatchedHeads, PatchedStates, Together
    from explorer.analysis.pieces import Cut, Learning
    from explorer.analysis.pieces.vocabulary import Vocabulary
    from explorer.analysis.positions.learnt import ByDistance
    from explorer.analysis.positions.shuffling import Moved
    from explorer.analysis.positions.sinusoids import Shift
    from explorer.analysis.prediction.both_readers import BothReaders
    from explorer.analysis.prediction.corruption import CorruptedText, TokenLoss, Treatment
    from explorer.analysis.prediction.few_shot import FewShot
    from explorer.analysis.prediction.fill import Blanks, Probe
    from explorer.analysis.prediction.gibbs import SamplingOptions, Writing
    from explorer.analysis.prediction.reading_on import ReadOn
    from explorer.analysis.prediction.replacing import Detection, Replacement
    from explorer.analysis.prediction.shannon import Spot
    from explorer.analysis.prediction.surprisal import ScoredText
    from explorer.analysis.prediction.template_bias import Bias, TemplateBias
    from explorer.analysis.prediction.text_lens import TextLens
    from explorer.analysis.probing import LabelProbabilities
    from explorer.analysis.probing.reading import TreesByLayer
    from explorer.analysis.probing.states import WordStates
    from explorer.analysis.probing.structural import Arc
    from explorer.analysis.projection.contours import Density
    from explorer.analysis.projection.layers import MapMethod
    from explorer.analysis.projection.lda import Discriminant
    from explorer.analysis.projection.methods import Projection
    from explorer.analysis.reach.segments import SegmentedText
    from explorer.analysis.senses.classify import Classification
    from explorer.analysis.senses.contextuality import RandomWords
    from explorer.analysis.senses.occurrences import Occurrences
    from explorer.analysis.senses.separation import Separation
    from explorer.analysis.senses.wordnet import Meaning
    from explorer.analysis.sentences import Pairs, Ranking, SentenceVectors, TokenShares, TranslatedSentence
    from explorer.analysis.steering import Direction, Effect
    from explorer.analysis.transformer import Cause, Cell, Origin, Walk
    from explorer.analysis.translation import Doubt, Translation
    from explorer.analysis.vectors import Analogy, Neighbour, Vectors
    from explorer.analysis.vectors.cooccurrence import Counts, Ratio
    from explorer.analysis.vectors.pieces import RelatedWord
    from explorer.analysis.visibility.masks import MaskResult
    from explorer.analysis.words import Word
    from explorer.finetuning import MapPoint, Progress, TaskHead
    from explorer.finetuning.features import Features, Layers
    from explorer.finetuning.gpt1 import Transformation
    from explorer.finetuning.jobs import Job
    from explorer.finetuning.predictions import AnswerPrediction, ClassPrediction, TagPrediction
    from explorer.finetuning.tasks import Task
    from explorer.finetuning.training_specs import HeadSpec, LayerMixSpec, TrainingSpec
    from explorer.generation.pipeline import Pipeline
    from explorer.models import LanguageModel, Model
    from explorer.models.rotary import Rotary
    from explorer.tokenizers import Tokenizer
    from explorer.trace import Encoding, PairTrace, Trace
else:

    def __getattr__(name: str) -> Any:
        """Any for a type, whose name has a capital, and for Plotly's `go`; nothing else is here."""
        if name != "go" and not name[0].isupper():
            raise AttributeError(name)
        return Any
