"""Training `bert-mini` from random weights, with its own WordPiece vocabulary.

It has read nothing but the stated text, so its record shows what is learnt when.
"""

from dataclasses import replace
from pathlib import Path

import torch
from tokenizers import Tokenizer as Backend

from explorer.models.bert import HEADS, Bert, BertConfig
from training.bert.task import BertTask
from training.bert.wordpieces import sample_texts, train_wordpieces
from training.run.optimiser import muon_and_adamw
from training.run.schedule import Schedule
from training.run.task import initialise_normal, log_frequencies, stored_tokenizer
from training.text.corpus import Corpus

D_VOCAB = 8192
# A network with random weights first learns which words are frequent, and more blanks teach that sooner; the
# texts that it reads later, in the app, have few.
MASKED = (0.30, 0.15)
# A sentence or two teach grammar as well as a paragraph, and a CPU reads short rows a quarter faster.
# A narrow batch learns more from the same tokens.
SCHEDULE = Schedule(
    lengths=((0.0, 64), (0.6, 128), (0.9, 256)),
    batch=(4096, 4096),
    masked=MASKED,
    short=0.2,
    copy_positions=True,
)
# A third of the rates that suit a GPT: BERT normalises after each addition and needs smaller steps. With Muon
# at 0.02 and steps of 2,048 tokens the loss rose again after the first million.
MUON, ADAMW = 0.007, 1.05e-3


class MiniBert(BertTask):
    """`bert-mini`: 6 layers of 256, from random weights."""

    name = "bert-mini"
    d_vocab, positions = D_VOCAB, 512
    network_class: type[Bert] = Bert

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        schedule: Schedule = SCHEDULE,
        config: BertConfig | None = None,
    ) -> None:
        size = config.d_vocab if config else self.d_vocab
        backend = stored_tokenizer(folder / "tokenizer.json", lambda: self.train_tokenizer(corpus, size))
        super().__init__(backend, corpus, held_out, folder, schedule)
        d_vocab = backend.get_vocab_size()  # a small text may have fewer tokens
        config = config or BertConfig(
            d_vocab, d_model=256, layers=6, heads=8, d_mlp=1024, positions=self.positions
        )
        self.network = self.network_class(replace(config, d_vocab=d_vocab), HEADS)
        initialise_normal(self.network)
        assert self.network.mlm_head is not None, "a network in training has its heads"
        self.network.mlm_head.bias.data.copy_(log_frequencies(self.counts()))

    def train_tokenizer(self, corpus: Corpus, size: int) -> Backend:
        """WordPiece from a sample of the text."""
        return train_wordpieces(sample_texts(corpus), size)

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return muon_and_adamw(self.network, MUON, ADAMW)
