"""word2vec: one vector a word, learned by guessing which words occur near each other.

Papers: Mikolov, Chen, Corrado, Dean, "Efficient Estimation of Word Representations in Vector
Space" (2013, arXiv:1301.3781: CBOW and skip-gram); Mikolov, Sutskever, Chen, Corrado, Dean,
"Distributed Representations of Words and Phrases and their Compositionality" (NIPS 2013: negative
sampling, subsampling). Reference code: code.google.com/archive/p/word2vec, word2vec.c, by which
the details are decided that the papers leave open.

    skip-gram   the centre's vector  . a context word's output vector   -> how well the two go together
    CBOW        mean of the context's vectors . the centre's output vector

The network with its loss comes first, then what is drawn at random while it learns: which words
are kept, how wide each window is, and which words serve as wrong answers.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.models.family import Family, Pass, Rule, register
from explorer.models.layers import edited
from explorer.trace import Ability, Capture, Edit

POWER = 0.75  # of a word's frequency, for the draw of negatives (2013b, section 2.2)


@dataclass(frozen=True)
class Word2VecConfig:
    """Sizes, named as everywhere in this project, and how the vectors were learned."""

    d_vocab: int
    d_model: int = 128
    method: str = "skip-gram"

    @property
    def layers(self) -> int:
        """None: the vector of a word is all there is."""
        return 0

    @property
    def positions(self) -> int:
        """No context that could be full; a bound all the same, on what one text may cost."""
        return 100_000


class Word2Vec(nn.Module):
    """Two tables: a word's vector (`tokens`), and its vector as an answer (`contexts`).

    After training only the first is used, and most published files hold nothing else.
    """

    def __init__(self, config: Word2VecConfig, heads: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.config = config
        self.tokens = _table(config)
        if "contexts" in heads:
            self.contexts = _table(config)

    def forward(
        self,
        ids: Int[Tensor, "batch pos"],
        segments: Int[Tensor, "batch pos"] | None = None,
        mask: Bool[Tensor, "batch pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
    ) -> Pass:
        """Look every word up; its neighbours make no difference, and so there is one layer only."""
        x = edited(edit, "embedding", 0, self.tokens(ids))
        return Pass(last=x, hidden_states=[x] if Capture.HIDDEN in capture else None)

    def loss(
        self,
        read: Int[Tensor, "pair word"],
        answer: Int[Tensor, "pair"],
        negatives: Int[Tensor, "pair negative"],
    ) -> Float[Tensor, "pair"]:
        """Negative sampling (2013b, equation 4), in nats, for each pair of words read and answer.

            - log s(u_answer . v) - sum over negatives n of log s(- u_n . v)      s = sigmoid

        v is the mean vector of the words read: of one for skip-gram, of the window for CBOW, whose
        unused places hold -1. A negative that is the answer itself does not count.
        """
        used = (read >= 0).unsqueeze(-1)
        vectors = (self.tokens(read.clamp_min(0)) * used).sum(1) / used.sum(1)
        right = torch.einsum("pd,pd->p", vectors, self.contexts(answer))
        wrong = torch.einsum("pd,pnd->pn", vectors, self.contexts(negatives))
        wrong = F.logsigmoid(-wrong).masked_fill(negatives == answer[:, None], 0.0)
        return -F.logsigmoid(right) - wrong.sum(1)


def _table(config: Word2VecConfig) -> nn.Embedding:
    """Zeros, until a checkpoint or `initialise` fills them; torch would draw from the global generator."""
    zeros = torch.zeros(config.d_vocab, config.d_model)
    table: nn.Embedding = nn.Embedding.from_pretrained(zeros, freeze=False)
    return table


def initialise(network: Word2Vec, generator: torch.Generator) -> Word2Vec:
    """Small random vectors, uniform within 1 / 2 d_model of 0, and answers of 0, as in word2vec.c."""
    with torch.no_grad():
        network.tokens.weight.uniform_(-0.5, 0.5, generator=generator).div_(network.config.d_model)
        network.contexts.weight.zero_()
    return network


def kept_share(counts: Int[Tensor, "d_vocab"], threshold: float) -> Float[Tensor, "d_vocab"]:
    """The probability that one occurrence of a word is read, so that frequent words do not drown the rest.

        min(1, sqrt(t / f) + t / f)     f: the word's share of the text

    This is word2vec.c's rule; 2013b, section 2.3 prints sqrt(t / f). All are read at threshold 0.
    """
    if threshold <= 0:
        return torch.ones(len(counts))
    ratio = threshold * counts.sum().double() / counts.double()
    return (ratio.sqrt() + ratio).clamp_max(1.0).float()


def negative_odds(counts: Int[Tensor, "d_vocab"]) -> Float[Tensor, "d_vocab"]:
    """The cumulative distribution that negatives are drawn from: frequency to the power 3/4."""
    cumulative = counts.double().pow(POWER).cumsum(0)
    return (cumulative / cumulative[-1]).float()


def draw_negatives(
    odds: Float[Tensor, "d_vocab"], shape: tuple[int, ...], generator: torch.Generator
) -> Int[Tensor, "*shape"]:
    """Words at random, by the inverse of their cumulative distribution."""
    at = torch.rand(shape, generator=generator)
    return torch.searchsorted(odds, at, right=True).clamp_max_(len(odds) - 1)


def draw_reach(count: int, window: int, generator: torch.Generator) -> Int[Tensor, "pos"]:
    """How far each centre looks to both sides: 1 to `window`, all equally often, so near words count more."""
    return torch.randint(1, window + 1, (count,), generator=generator)


def neighbours(
    lines: Int[Tensor, "pos"], reach: Int[Tensor, "pos"], window: int
) -> Bool[Tensor, "pos offset"]:
    """Which places around each word are its context: within reach, in the same line, and not itself.

    Column k stands for the word at distance k - window.
    """
    offsets = torch.arange(-window, window + 1)
    around = F.pad(lines, (window, window), value=-1).unfold(0, 2 * window + 1, 1)
    near = (offsets.abs() <= reach[:, None]) & (offsets != 0)
    return near & (around == lines[:, None])


register(
    Family(
        model_type="word2vec",
        config=Word2VecConfig,
        network=Word2Vec,
        rules=(
            Rule("tokens.weight", ("vectors.weight",)),
            Rule("contexts.weight", ("contexts.weight",), head="contexts"),
        ),
        abilities=lambda heads: Ability.VECTORS,
        keys={"d_vocab": "vocab_size", "d_model": "hidden_size", "method": "method"},
    )
)
