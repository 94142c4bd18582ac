"""Word senses' presets: with nine siblings, the point holds for seven of ten.

The siblings of the page's own sentences are other draws from the library, seeds 0 to 8.
"""

import torch

from explorer.analysis import senses
from explorer.views.senses.presets import A_SENSE, ALL, DEFAULTS, sentences
from explorer.views.senses.word_occurrences import find_word
from tests.siblings import HOLDS


def drawn(word: str, seed: int) -> str:
    """Other sentences for a word: so many a sense as the page opens with, at random."""
    kept = [line for line in sentences(word, ALL).splitlines() if "~" not in line]
    order = torch.randperm(len(kept), generator=torch.Generator().manual_seed(seed)).tolist()
    lines = [kept[i] for i in order]
    kinds = [line.rpartition("#")[2] for line in lines]
    return "\n".join(line for i, line in enumerate(lines) if kinds[:i].count(kinds[i]) < A_SENSE)


def test_the_first_layer_mixes_the_senses_in_seven_draws_of_ten():
    """What the page's second preset promises, as its own test has it."""
    texts = [sentences("bank"), *(drawn("bank", seed) for seed in range(9))]
    assert len(set(texts)) == 10
    held = 0
    for text in texts:
        seen = find_word(DEFAULTS["model"], text, "bank")
        mean = [float(senses.cosine_matrix(seen.found, layer).mean()) for layer in (0, DEFAULTS["layer"])]
        held += float(seen.separation.accuracy[0]) < 0.5 and mean[0] > 0.9 > mean[1]
    assert held >= HOLDS, held
