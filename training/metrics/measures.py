"""All measures by name: heading, requirements, and function."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explorer.analysis.heads import induction
from explorer.models.language_model import LanguageModel
from explorer.tokenizers.languages import Language
from explorer.trace import Ability
from training.metrics import (
    bits,
    blanks,
    both_ways,
    masked,
    minimal_pairs,
    pos,
    replaced,
    retrieval,
    senses,
    translations,
    wic,
    word_vectors,
    zero_shot,
)
from training.metrics.figure import Figure, Inputs, number

ENGLISH: frozenset[Language] = frozenset({"en"})
CHINESE: frozenset[Language] = frozenset({"zh"})
ANY = ENGLISH | CHINESE


@dataclass(frozen=True)
class Measure:
    """A measure: its heading, the ability that it needs, and its function.

    `languages` are those of its texts; held-out text may be in any.
    """

    heading: str
    needs: Ability
    run: Callable[[LanguageModel, Inputs], Sequence[Figure]]
    languages: frozenset[Language] = ANY


def induction_head(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Induction score of the best head."""
    result = induction.induction(model)
    layer, head = result.best
    return [number("induction", f"best head: L{layer}H{head}", result.score, result.texts, "random texts")]


MEASURES = {
    "bits": Measure("Held-out text", Ability.GENERATE, bits.held_out_bits),
    "words": Measure("Held-out text, word by word from both sides", Ability.NEXT_WORD, both_ways.both_sides),
    "masked": Measure("Held-out text: masked words and next sentences", Ability.FILL, masked.held_out_blanks),
    "replaced": Measure(
        "Held-out text: words that a generator replaced", Ability.DETECT, replaced.replaced_words
    ),
    "cloze": Measure("Cloze", Ability.FILL, blanks.cloze),
    "classroom": Measure("Everyday sentences with a blank", Ability.FILL, blanks.classroom),
    "beginnings": Measure("Everyday beginnings: the next word", Ability.GENERATE, blanks.beginnings, ENGLISH),
    "pairs": Measure("Minimal pairs", Ability.FILL | Ability.GENERATE, minimal_pairs.preferences, ENGLISH),
    "senses": Measure("Senses, from three sentences each", Ability.CONTEXT, senses.sense_words),
    "pos": Measure(
        "Part of speech, by a linear classifier on each layer", Ability.CONTEXT, pos.tags, ENGLISH
    ),
    "wic": Measure(
        "Words in context: the same meaning in two sentences?",
        Ability.CONTEXT,
        wic.same_meaning,
        ENGLISH,
    ),
    "similarity": Measure(
        "Word similarity, by the embeddings of whole-word tokens",
        Ability.NONE,
        word_vectors.word_similarity,
        ENGLISH,
    ),
    "analogies": Measure("Analogies, by the same", Ability.NONE, word_vectors.word_analogies, ENGLISH),
    "translations": Measure(
        "Translation of the sentences kept aside, by sacrebleu", Ability.TRANSLATE, translations.bleu
    ),
    "retrieval": Measure(
        "The translation found among the pairs kept aside, by the mean of the hidden states",
        Ability.CONTEXT,
        retrieval.nearest_translations,
        CHINESE,
    ),
    "zero-shot": Measure(
        "Learnt from English sentences, asked in Chinese",
        Ability.CONTEXT,
        zero_shot.right_in_chinese,
        CHINESE,
    ),
    "induction": Measure(
        "Induction: attention to what followed earlier copies",
        Ability.GENERATE,
        induction_head,
    ),
}
