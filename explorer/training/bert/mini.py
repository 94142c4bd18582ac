"""Training `bert-mini` from zero: a WordPiece vocabulary of its own, then masked words and next sentences.

Nothing but the stated text has gone into it, so its record shows what is learned when.
"""

from pathlib import Path

import torch
from tokenizers import Tokenizer as Backend
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers
from torch import Tensor, nn

from explorer.models.bert import PARTS, Bert, BertConfig
from explorer.training.bert.task import BertTask
from explorer.training.run.optimiser import muon_and_adamw
from explorer.training.run.task import Recipe
from explorer.training.text.corpus import Corpus

D_VOCAB = 8192
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
GPU_LENGTHS = ((0.0, 128), (0.85, 256))
# A sentence or two teach grammar as well as a paragraph, and on a CPU short rows are read a quarter faster.
CPU_LENGTHS = ((0.0, 64), (0.6, 128), (0.9, 256))
# From zero a network first learns which words are frequent, and more blanks teach that sooner;
# what is read later, in the app, has few blanks.
MASKED = (0.30, 0.15)
# A GPU wants wide batches; on a CPU a narrow one learns more from the same tokens.
CPU = Recipe(CPU_LENGTHS, batch=(4096, 4096), masked=MASKED, short=0.2)
GPU = Recipe(GPU_LENGTHS, batch=(65_536, 131_072), masked=MASKED)
# A third of the rates that suit a GPT: normalised after each addition, as BERT is, the network does not
# bear more. With Muon at 0.02 and steps of 2,048 tokens the loss rose again after the first million.
MUON, ADAMW = 0.007, 1.05e-3


def train_wordpiece(corpus: Corpus, size: int = D_VOCAB, blocks: int = 8) -> Backend:
    """An uncased WordPiece (Devlin et al. 2019) from a sample of the text that will be trained on."""
    backend = Backend(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=list(SPECIAL), limit_alphabet=200, show_progress=False
    )
    count = len(corpus.blocks())
    sample = sorted({i * count // blocks for i in range(blocks)})
    texts = ("\n".join(d) for block in sample for d in corpus.documents(block))
    backend.train_from_iterator(texts, trainer)
    frame = [(token, backend.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
    backend.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=frame
    )
    return backend


class MiniBert(BertTask):
    """`bert-mini`: 6 x 256, from zero."""

    name = "bert-mini"

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        recipe: Recipe = CPU,
        config: BertConfig | None = None,
    ) -> None:
        path = folder / "tokenizer.json"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            train_wordpiece(corpus, config.d_vocab if config else D_VOCAB).save(str(path))
        super().__init__(Backend.from_file(str(path)), corpus, held_out, folder, recipe)
        config = config or BertConfig(
            d_vocab=self.backend.get_vocab_size(), d_model=256, layers=6, heads=8, d_mlp=1024, positions=512
        )
        self.network = initialised(Bert(config, PARTS), self.counts())

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return muon_and_adamw(self.network, MUON, ADAMW)


def initialised(network: Bert, counts: Tensor, seed: int = 0) -> Bert:
    """BERT's start: N(0, 0.02), biases 0, except the vocabulary's: each token's log-frequency."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in network.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
        elif "norm" not in name:
            nn.init.normal_(parameter, std=0.02, generator=generator)
    assert network.fill is not None, "a network in training has its heads"
    with torch.no_grad():
        network.fill.bias.copy_(((counts + 0.5) / (counts.sum() + 0.5 * len(counts))).log())
    return network
