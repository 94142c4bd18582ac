"""What `bert`, `bert-mini`, `bert-zh`, `bert-en-zh` and `electra` share: WordPieces, rows, masked words.

`BertTask` has BERT's two tasks, masked words and next sentences (Devlin et al. 2019, section 3.1).
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from tokenizers import Tokenizer as Backend
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers
from torch import Tensor

from explorer.models.bert import Bert
from explorer.models.language_model import LanguageModel
from training.loop import Schedule, Task
from training.metrics.figure import values
from training.metrics.masked import masked_words
from training.rows import HIDDEN, RANDOM, UNKNOWN, Rows, frame_of, hide, layout, pairs, twins
from training.text import Corpus, Document, Shards, sentences

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ALPHABET = 200  # letters and signs of an English text; rarer ones are [UNK]
SAMPLE = 8  # blocks of a corpus that a vocabulary is made from


class WordPieceTask(Task):
    """Rows of `[CLS] text [SEP]` or of two texts, from a corpus and an uncased WordPiece tokenizer."""

    def __init__(self, backend: Backend, corpus: Corpus, schedule: Schedule) -> None:
        mask = backend.token_to_id("[MASK]")
        assert mask is not None, "every WordPiece here has it"
        self.backend, self.frame, self.mask, self.schedule = backend, frame_of(backend), mask, schedule
        self._shards = Shards(corpus, backend, self.split)

    def split(self, document: Document) -> list[str]:
        """Pieces of a document that are read: its sentences, in order."""
        return sentences(document)

    def counts(self) -> Float[Tensor, "d_vocab"]:
        """Count of each token in the first shard."""
        ids = torch.from_numpy(self._shards[0].ids.astype("int64"))
        return torch.bincount(ids, minlength=self.backend.get_vocab_size()).float()

    def shards(self) -> int:
        return len(self._shards)

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        return pairs(self._shards[shard], length, self.frame, seed, self.schedule.short)

    def masked_share(self, progress: float) -> float:
        """Share of words that are to be predicted."""
        start, end = self.schedule.masked
        return start + (end - start) * min(1.0, progress)

    def held_out(self, model: LanguageModel, corpus: Corpus | None, limit: int | None) -> dict[str, float]:
        """Masked words and next sentences (see `metrics.masked`)."""
        return values(masked_words(model, Shards(corpus, self.backend), limit)) if corpus else {}

    def write_tokenizer(self, folder: Path) -> None:
        self.backend.no_truncation()
        self.backend.no_padding()
        self.backend.save(str(folder / "tokenizer.json"))
        self.write_settings(folder)


def train_wordpieces(texts: Iterable[str], size: int, alphabet: Sequence[str] = ()) -> Backend:
    """Uncased WordPiece of `size` tokens (Devlin et al. 2019); every Chinese character is a token.

    The alphabet is by default the most frequent characters of the text.
    """
    backend = Backend(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=size,
        special_tokens=list(SPECIAL),
        limit_alphabet=len(set(alphabet)) or ALPHABET,
        initial_alphabet=list(alphabet),
        show_progress=False,
    )
    backend.train_from_iterator(texts, trainer)
    frame = [(token, backend.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
    backend.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=frame
    )
    return backend


def sample_texts(corpus: Corpus, blocks: int | None = SAMPLE) -> Iterable[str]:
    """Texts of documents spread evenly over a corpus, for a vocabulary."""
    return ("\n".join(document) for document in corpus.sample(blocks))


# The next-sentence loss has a small weight: with a weight of 1 the gradient's norm grew, and clipping then
# also reduces the masked words' share.
FOLLOWS = 0.25
# The most frequent tokens ("the", "of", "##s", a comma) occur several times in most rows, and copying them
# teaches nothing wrong. Only the others are hidden everywhere in a short row.
FREQUENT = 200


class BertTask(WordPieceTask):
    """BERT's loss: masked words, and 0.25 times next sentences."""

    network: Bert
    curves: ClassVar = {"": "masked"}
    replacements: tuple[float, float] = (HIDDEN, RANDOM)  # shares that become [MASK] and a random token

    def __init__(self, backend: Backend, corpus: Corpus, schedule: Schedule) -> None:
        super().__init__(backend, corpus, schedule)
        self._content = torch.ones(backend.get_vocab_size(), dtype=torch.bool)
        self._content[self.counts().topk(min(FREQUENT, backend.get_vocab_size())).indices] = False

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        generator = torch.Generator().manual_seed(step)
        _, end, after = rows.columns
        allowed, segments, candidates = layout(rows, self.frame)
        d_vocab, shares = self.network.config.d_vocab, (*self.replacements, self.masked_share(progress))
        read, chosen = hide(rows.ids, candidates, self.mask, d_vocab, generator, *shares)
        if self.schedule.hide_repeats:
            content = self._content[rows.ids] & (end <= self.schedule.hide_repeats)[:, None]
            repeats = twins(rows.ids, chosen & content, candidates) & content
            read, candidates = read.masked_fill(repeats, self.mask), candidates & ~repeats
        last = self.network(read, segments=segments, mask=allowed).last
        loss, figures = word_loss(self.network.unembed(last[chosen]), rows.ids[chosen])
        judged = after != UNKNOWN
        if judged.any():
            follows = F.cross_entropy(self.network.next_sentence(last[judged]), after[judged])
            loss = loss + FOLLOWS * follows
            figures["next"] = follows.detach()
        further, further_figures = self.further_loss(last, rows, segments, allowed, candidates & ~chosen)
        return loss + further, figures | further_figures

    def further_loss(
        self, last: Tensor, rows: Rows, segments: Tensor, allowed: Tensor, plain: Tensor
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """Another term of the loss and its figures; `plain` marks the words that are not masked."""
        return last.new_zeros(()), {}


def word_loss(
    scores: Float[Tensor, "word d_vocab"], truth: Int[Tensor, "word"]
) -> tuple[Float[Tensor, ""], dict[str, Tensor]]:
    """Mean cross-entropy of the true tokens in nats, with figures for the log; 0 without words."""
    nats = F.cross_entropy(scores.float(), truth, reduction="sum") / max(1, len(truth))
    hits = (scores.argmax(-1) == truth).sum() / max(1, len(truth))
    return nats, {"masked": nats.detach(), "top1": hits}
