"""Training `bert-mini` from random weights, with a vocabulary of its own.

It has read nothing but the stated text, so its record shows what is learnt when.
"""

from dataclasses import replace

import torch
from tokenizers import Tokenizer as Backend

from explorer.models.bert import HEADS, Bert, BertConfig
from explorer.models.language_model import LanguageModel
from training.loop import Schedule
from training.optimiser import initialise_normal, log_frequencies, muon_and_adamw
from training.recipes import Sources
from training.recipes.masked import BertTask, sample_texts, train_wordpieces
from training.text import Corpus

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
CONFIG = BertConfig(8192, d_model=256, layers=6, heads=8, d_mlp=1024, positions=512)


class MiniBert(BertTask):
    """6 layers of 256; with a model to start from, its vocabulary and its weights."""

    name = "bert-mini"

    def __init__(
        self, corpus: Corpus, start: LanguageModel | None, schedule: Schedule, config: BertConfig
    ) -> None:
        backend = start.tokenizer.backend if start else self.train_tokenizer(corpus, config.d_vocab)
        super().__init__(backend, corpus, schedule)
        # A small text may have fewer tokens.
        self.network = Bert(replace(config, d_vocab=backend.get_vocab_size()), HEADS)
        initialise_normal(self.network)
        assert self.network.mlm_head is not None, "a network in training has its heads"
        self.network.mlm_head.bias.data.copy_(log_frequencies(self.counts()))
        if start:
            self.network.load_state_dict(start.network.state_dict())

    def train_tokenizer(self, corpus: Corpus, size: int) -> Backend:
        """WordPiece from a sample of the text."""
        return train_wordpieces(sample_texts(corpus), size)

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return muon_and_adamw(self.network, MUON, ADAMW)


def begin(sources: Sources) -> MiniBert:
    """The task on the given text."""
    return MiniBert(sources.corpus, sources.model, SCHEDULE, CONFIG)
