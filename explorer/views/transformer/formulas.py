"""The formulas under the pictures of this page, as in the papers."""

from explorer.views.widgets.formula import Formula
from explorer.views.widgets.formulas import ATTENTION

LAYER = (
    ATTENTION,
    Formula(
        r"\mathrm{LayerNorm}(x) = \frac{x - \mu}{\sigma} \odot g + b",
        "Ba, Kiros and Hinton 2016.",
        {
            "x": "The vector of one token.",
            "μ": "The mean of its numbers.",
            "σ": "Their standard deviation.",
            "g": "The gain: one learnt number for each dimension.",
            "b": "The shift, or bias: another learnt number for each dimension.",
        },
    ),
)
POSITIONS = Formula(
    r"""\begin{aligned}
    \mathrm{PE}_{(\mathrm{pos},\,2i)} &= \sin\!\left(\mathrm{pos} / {10000}^{2i/d_{\mathrm{model}}}\right) \\
    \mathrm{PE}_{(\mathrm{pos},\,2i+1)} &= \cos\!\left(\mathrm{pos} / {10000}^{2i/d_{\mathrm{model}}}\right)
    \end{aligned}""",
    "Vaswani et al. 2017, section 3.5.",
    {
        "PE": "Positional encoding: the vector that is added to the word at this position.",
        "pos": "The position of the word in the text, counted from 0: a row of the table.",
        "i": "The number of a pair of dimensions, a sine and a cosine, counted from 0.",
        "10000": "It makes the slowest wave longer than any text that is read.",
        "dmodel": "The number of dimensions of a word’s vector.",
    },
)
