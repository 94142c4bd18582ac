"""Training `bert-mini` from zero: a WordPiece vocabulary of its own, then masked words and next sentences.

Nothing but the stated text has gone into it, so its record shows what is learned when.
"""

from dataclasses import replace
from pathlib import Path

import torch
from tokenizers import Tokenizer as Backend
from torch import Tensor, nn

from explorer.models.bert import HEADS, Bert, BertConfig
from explorer.training.bert.task import BertTask
from explorer.training.bert.vocabulary import sample, wordpieces
from explorer.training.run.optimiser import muon_and_adamw
from explorer.training.run.task import Recipe
from explorer.training.text.corpus import Corpus

D_VOCAB = 8192
GPU_LENGTHS = ((0.0, 128), (0.85, 256))
# A sentence or two teach grammar as well as a paragraph, and on a CPU short rows are read a quarter faster.
CPU_LENGTHS = ((0.0, 64), (0.6, 128), (0.9, 256))
# From zero a network first learns which words are frequent, and more blanks teach that sooner;
# what is read later, in the app, has few blanks.
MASKED = (0.30, 0.15)
# A GPU wants wide batches; on a CPU a narrow one learns more from the same tokens.
CPU = Recipe(CPU_LENGTHS, batch=(4096, 4096), masked=MASKED, short=0.2, copied=True)
GPU = Recipe(GPU_LENGTHS, batch=(65_536, 131_072), masked=MASKED, copied=True)
# A third of the rates that suit a GPT: normalised after each addition, as BERT is, the network does not
# bear more. With Muon at 0.02 and steps of 2,048 tokens the loss rose again after the first million.
MUON, ADAMW = 0.007, 1.05e-3


class MiniBert(BertTask):
    """`bert-mini`: 6 x 256, from zero."""

    name = "bert-mini"
    d_vocab, positions = D_VOCAB, 512
    network_class: type[Bert] = Bert

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
            self.vocabulary(corpus, config.d_vocab if config else self.d_vocab).save(str(path))
        super().__init__(Backend.from_file(str(path)), corpus, held_out, folder, recipe)
        d_vocab = self.backend.get_vocab_size()  # a small text may have fewer tokens than were asked for
        config = config or BertConfig(
            d_vocab, d_model=256, layers=6, heads=8, d_mlp=1024, positions=self.positions
        )
        config = replace(config, d_vocab=d_vocab)
        self.network = initialised(self.network_class(config, HEADS), self.counts())

    def vocabulary(self, corpus: Corpus, size: int) -> Backend:
        """A WordPiece from a sample of the text."""
        return wordpieces(sample(corpus), size)

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
    assert network.mlm_head is not None, "a network in training has its heads"
    with torch.no_grad():
        network.mlm_head.bias.copy_(((counts + 0.5) / (counts.sum() + 0.5 * len(counts))).log())
    return network
