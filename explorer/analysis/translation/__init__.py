"""Translation with an encoder and a decoder: the search, its steps, and traces of both networks.

>>> from explorer.trace import Ability
>>> explorer.load("bert").abilities & Ability.TRANSLATE  # it does not translate
<Ability.NONE: 0>
"""

from explorer.analysis.translation.doubts import Doubt, Limits, doubts, limits
from explorer.analysis.translation.search import (
    Hypothesis,
    Search,
    Step,
    Translation,
    translate,
    translate_many,
)
from explorer.analysis.translation.tracing import trace

__all__ = [
    "Doubt",
    "Hypothesis",
    "Limits",
    "Search",
    "Step",
    "Translation",
    "doubts",
    "limits",
    "trace",
    "translate",
    "translate_many",
]
