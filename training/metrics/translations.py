"""BLEU of a translator on held-out sentences, beside translation word by word.

A held-out sentence may differ from one in training by a single word (“He is a good man.”, “He is a bad
man.”), which flatters. The figure to look at is therefore the one on sentences of six or more words that no
training sentence is within one word of.
"""

from collections.abc import Sequence

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from explorer.analysis import translation
from explorer.analysis.translation.doubts import LOWEST, words
from explorer.models.language_model import LanguageModel
from training.metrics.figure import Figure, Inputs, number
from training.metrics.word_by_word import WordByWord
from training.sentence_pairs import Neighbours, Pair, read, split

BEAMS = 4
LONG = 6  # words of a source from which its neighbours in training are looked for
PERCENTILE = 5


def bleu(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """BLEU on all held-out sentences and on those far from training, and the lower end of the scores.

    Every pair counts once, with its one reference. Raises NotFoundError without pairs.
    """
    parts = split(read(inputs.sentence_pairs()))
    pairs = parts.held_out[: inputs.limits["translations"]]
    near = Neighbours({english for english, _ in parts.train})
    far = [pair for pair in pairs if len(words(pair[0])) >= LONG and not near.of(pair[0])]
    sources = list(dict.fromkeys(english for english, _ in pairs))
    results = dict(zip(sources, translation.translate_many(model, sources, BEAMS), strict=True))
    translations = {source: result.text for source, result in results.items()}
    dictionary = WordByWord(parts.train)
    by_word = {source: dictionary.translate(source) for source in sources}
    scores = [result.score for result in results.values()]
    of_all, of_far = (
        "sentences kept aside",
        f"sentences of {LONG} or more words, none in training within one word",
    )
    lowest = f"score below which {PERCENTILE} % of the translations lie"
    value, note = float(np.percentile(scores, PERCENTILE)), "mean log P of a token, in nats"
    return [
        bleu_figure("bleu", f"BLEU, all, {BEAMS} beams", translations, pairs, of_all),
        bleu_figure("bleu_far", f"BLEU, far from training, {BEAMS} beams", translations, far, of_far),
        bleu_figure("bleu_words", "word by word (IBM model 1), all", by_word, pairs, of_all, True),
        bleu_figure("bleu_words_far", "word by word, far from training", by_word, far, of_far, True),
        number(LOWEST, lowest, value, len(scores), "different sentences", note=note),
    ]


def bleu_figure(
    key: str,
    label: str,
    translations: dict[str, str],
    pairs: Sequence[Pair],
    of: str,
    lowercase: bool = False,
) -> Figure:
    """BLEU over some pairs, with sacrebleu's signature; without a value if there are no pairs."""
    if not pairs:
        return Figure(key, label, None, note="no such sentences")
    metric = BLEU(lowercase=lowercase, force=True)  # in word-by-word translations punctuation is separate
    result = metric.corpus_score([translations[english] for english, _ in pairs], [[f for _, f in pairs]])
    return number(key, label, result.score, len(pairs), of, note=str(metric.get_signature()))
