"""Training on rows of WordPieces: the vocabulary, the rows of a corpus, and the tokenizer's files."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer as Backend
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers
from torch import Tensor

from explorer.models import LanguageModel
from training.metrics.figure import values
from training.metrics.masked import masked_words
from training.run.schedule import Schedule
from training.run.task import Task, write_settings
from training.text.corpus import Corpus, Document
from training.text.rows import Rows, frame_of, pairs
from training.text.shards import Shards, sentences

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ALPHABET = 200  # letters and signs of an English text; rarer ones are [UNK]
SAMPLE = 8  # blocks of a corpus that a vocabulary is made from


class WordPieceTask(Task):
    """Rows of `[CLS] text [SEP]` or of two texts, from a corpus and an uncased WordPiece tokenizer."""

    def __init__(
        self, backend: Backend, corpus: Corpus, held_out: Corpus | None, folder: Path, schedule: Schedule
    ) -> None:
        self.backend = backend
        mask = backend.token_to_id("[MASK]")
        assert mask is not None, "every WordPiece here has it"
        self.frame, self.mask = frame_of(backend), mask
        self._shards = Shards(corpus, backend, self.split, folder / "tokens")
        self._held_out = held_out
        self._folder = folder
        self.schedule = schedule

    def split(self, document: Document) -> list[str]:
        """Pieces of a document that are read: its sentences, in order."""
        return sentences(document)

    def counts(self) -> Tensor:
        """Count of each token in the first shard."""
        ids = torch.from_numpy(self._shards[0].ids.astype("int64"))
        return torch.bincount(ids, minlength=self.backend.get_vocab_size()).float()

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        return pairs(self._shards[shard], length, self.frame, seed, self.schedule.short)

    def rate(self, progress: float) -> float:
        """Share of words that are to be predicted."""
        start, end = self.schedule.masked
        return start + (end - start) * min(1.0, progress)

    def held_out_shards(self) -> Shards | None:
        """Held-out text as token ids, if there is any."""
        if self._held_out is None:
            return None
        return Shards(self._held_out, self.backend, sentences, self._folder / "held-out")

    def held_out_words(self, model: LanguageModel, limit: int | None) -> dict[str, float]:
        """Figures on masked words of the held-out text, if there is any."""
        shards = self.held_out_shards()
        return {} if shards is None else values(masked_words(model, shards, limit))

    def write_tokenizer(self, folder: Path) -> None:
        write_wordpieces(self.backend, self.network.config.positions, folder)


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


def write_wordpieces(backend: Backend, positions: int, folder: Path) -> None:
    """Write the tokenizer's files as `transformers` reads them, for a network with `positions` positions."""
    backend.no_truncation()
    backend.no_padding()
    backend.save(str(folder / "tokenizer.json"))
    write_settings(
        folder,
        tokenizer_class="BertTokenizer",
        do_lower_case=True,
        unk_token="[UNK]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        mask_token="[MASK]",
        model_max_length=positions,
    )
