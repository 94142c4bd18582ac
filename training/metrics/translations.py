"""BLEU of a translator on the sentences that its training kept aside, beside translation word by word.

A kept-aside sentence may differ from one in training by a single word (“He is a good man.”, “He is a bad
man.”), which flatters. The figure that counts is therefore the one on sentences of six or more words that no
training sentence is within one word of.
"""

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np

from explorer.analysis import translation
from explorer.analysis.translation.doubts import LOWEST, words
from explorer.errors import NotFoundError
from explorer.models.language_model import LanguageModel
from training.metrics.figure import Figure
from training.metrics.inputs import Inputs
from training.text.pairs import Neighbours, Pair, read, split
from training.translator.word_by_word import WordByWord

BEAMS = 4
LONG = 6  # words of a source from which its neighbours in training are looked for
PERCENTILE = 5


def bleu(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """BLEU on all sentences kept aside and on those far from training; and how low their scores go.

    Every pair counts once, with its one reference. Raises NotFoundError without sacrebleu or pairs.
    """
    if find_spec("sacrebleu") is None:
        raise NotFoundError("sacrebleu is not installed (tests/requirements.txt)")
    pairs = split(read(inputs.translated()))
    aside = pairs.aside[: inputs.limits["translations"]]
    near = Neighbours({english for english, _ in pairs.train})
    far = [p for p in aside if len(words(p[0])) >= LONG and not near.of(p[0])]
    sources = list(dict.fromkeys(english for english, _ in aside))
    found = dict(zip(sources, translation.translate_many(model, sources, BEAMS), strict=True))
    written = {source: one.text for source, one in found.items()}
    baseline = WordByWord(pairs.train)
    plain = {source: baseline.translate(source) for source in sources}
    scores = [one.score for one in found.values()]
    of_far = f"sentences of {LONG} or more words, none in training within one word"
    return [
        _figure("bleu", f"BLEU, all, {BEAMS} beams", written, aside, "sentences kept aside"),
        _figure("bleu_far", f"BLEU, far from training, {BEAMS} beams", written, far, of_far),
        _figure("bleu_words", "word by word (IBM model 1), all", plain, aside, "sentences kept aside", True),
        _figure("bleu_words_far", "word by word, far from training", plain, far, of_far, True),
        Figure(
            LOWEST,
            f"score below which {PERCENTILE} % of the translations lie",
            float(np.percentile(scores, PERCENTILE)),
            len(scores),
            "different sentences",
            share=False,
            note="mean log P of a token, in nats",
        ),
    ]


def _figure(
    key: str, label: str, written: dict[str, str], pairs: Sequence[Pair], of: str, lowercase: bool = False
) -> Figure:
    """BLEU over some pairs, with sacrebleu's signature; None where there are none."""
    from sacrebleu.metrics.bleu import BLEU

    if not pairs:
        return Figure(key, label, None, note="no such sentences")
    metric = BLEU(lowercase=lowercase, force=True)  # our own words stand apart from their marks
    result = metric.corpus_score([written[english] for english, _ in pairs], [[f for _, f in pairs]])
    return Figure(key, label, result.score, len(pairs), of, share=False, note=str(metric.get_signature()))
