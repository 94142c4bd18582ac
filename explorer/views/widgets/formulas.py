"""Formulas that several pages show."""

from explorer.views.widgets.formula import Formula

ATTENTION = Formula(
    r"\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{QK^{\top}}{\sqrt{d_k}}\right) V",
    "Vaswani et al. 2017, equation 1.",
    {
        "Q": "One query for each token: what it looks for in the others.",
        "QK⊤": "The dot product of each query with each key: how well they match.",
        "dk": "The number of dimensions of a key, which is that of a head.",
        "V": "One value for each token: what it passes on to those that attend to it.",
    },
)
ELMO = Formula(
    r"\mathrm{ELMo}_k = \gamma \sum_{j=0}^{L} s_j \, \mathbf{h}_{k,j}",
    "Peters et al. 2018, equation 1: ELMo’s vector of word k, for one task.",
    {
        "γ": "A number that scales the whole vector, learnt with the task.",
        "sj": "The weight of layer j, learnt with the task. The weights are positive and sum to 1.",
        "hk,j": "Layer j of word k: the forward and the backward state side by side.",
        "L": "The number of layers: 2. Layer 0 is the word alone, from its letters.",
    },
)
