"""All measures by name: heading, requirements, and function."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explorer.models.language_model import LanguageModel
from explorer.tokenizers.languages import Language
from explorer.trace import Ability
from training.metrics import predictions, representations, translations
from training.metrics.figure import Figure
from training.metrics.inputs import Inputs
from training.metrics.retrieval import nearest_translations
from training.metrics.zero_shot import right_in_chinese

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


MEASURES = {
    "bits": Measure("Held-out text", Ability.GENERATE, predictions.held_out_bits),
    "words": Measure(
        "Held-out text, word by word from both sides", Ability.NEXT_WORD, predictions.both_sides
    ),
    "masked": Measure("Held-out text: masked words and next sentences", Ability.FILL, predictions.masked),
    "replaced": Measure(
        "Held-out text: words that a generator replaced", Ability.DETECT, predictions.replaced_words
    ),
    "cloze": Measure("Cloze", Ability.FILL, predictions.accepted_words),
    "classroom": Measure("Everyday sentences with a blank", Ability.FILL, predictions.classroom_blanks),
    "beginnings": Measure(
        "Everyday beginnings: the next word", Ability.GENERATE, predictions.classroom_beginnings, ENGLISH
    ),
    "pairs": Measure("Minimal pairs", Ability.FILL | Ability.GENERATE, predictions.pairs, ENGLISH),
    "senses": Measure("Senses, from three sentences each", Ability.CONTEXT, representations.sense_words),
    "pos": Measure(
        "Part of speech, by a linear classifier on each layer", Ability.CONTEXT, representations.tags, ENGLISH
    ),
    "wic": Measure(
        "Words in context: the same meaning in two sentences?",
        Ability.CONTEXT,
        representations.same_meaning,
        ENGLISH,
    ),
    "similarity": Measure(
        "Word similarity, by the embeddings of whole-word tokens",
        Ability.NONE,
        representations.word_similarity,
        ENGLISH,
    ),
    "analogies": Measure("Analogies, by the same", Ability.NONE, representations.word_analogies, ENGLISH),
    "translations": Measure(
        "Translation of the sentences kept aside, by sacrebleu", Ability.TRANSLATE, translations.bleu
    ),
    "retrieval": Measure(
        "The translation found among the pairs kept aside, by the mean of the hidden states",
        Ability.CONTEXT,
        nearest_translations,
        CHINESE,
    ),
    "zero-shot": Measure(
        "Learnt from English sentences, asked in Chinese", Ability.CONTEXT, right_in_chinese, CHINESE
    ),
    "induction": Measure(
        "Induction: attention to what followed earlier copies",
        Ability.GENERATE,
        representations.induction_head,
    ),
}
