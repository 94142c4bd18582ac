"""A WordPiece vocabulary from text (Devlin et al. 2019): uncased, every Chinese character by itself."""

from collections.abc import Iterable, Iterator, Sequence

from tokenizers import Tokenizer as Backend
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

from training.text.corpus import Corpus

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ALPHABET = 200  # letters and signs of an English text; rarer ones are [UNK]


def wordpieces(texts: Iterable[str], size: int, alphabet: Sequence[str] = ()) -> Backend:
    """A vocabulary of `size` tokens: the characters of an alphabet, and pieces made of them.

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


def sample(corpus: Corpus, blocks: int | None = 8) -> Iterator[str]:
    """The documents of some blocks, spread evenly over a corpus, or of all."""
    count = len(corpus.blocks())
    blocks = blocks or count
    for block in sorted({i * count // blocks for i in range(blocks)}):
        yield from ("\n".join(document) for document in corpus.documents(block))
