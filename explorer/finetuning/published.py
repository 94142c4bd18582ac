"""Figures of papers, to stand beside ours: another model on other data, and always marked as such."""

from collections.abc import Mapping

from explorer.finetuning.features import Layers

# Devlin et al. 2019, table 7: F1 on the development part of CoNLL-2003 by a BiLSTM of two layers on frozen
# features of BERT base. Their sums are weighted; ours are plain.
BERT_NAMES: Mapping[Layers, float] = {
    "embeddings": 0.910,
    "second-to-last": 0.956,
    "last": 0.949,
    "sum of last four": 0.959,
    "last four side by side": 0.961,
    "sum of all": 0.955,
}
