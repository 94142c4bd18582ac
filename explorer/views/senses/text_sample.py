"""A sample of a word's occurrences in a visitor's own text, which is too long to show."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.errors import TextError
from explorer.locale import _, format_number, ngettext
from explorer.text.search import note as search_note
from explorer.views.senses.example_sentences import FEW_OCCURRENCES
from explorer.views.senses.settings import DRAWN
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.settings.settings import Settings

if TYPE_CHECKING:
    from explorer.analysis.senses.occurrences import Sentence
    from explorer.corpus.embedding import Store
    from explorer.corpus.lookup import Occurrence, Sample
    from explorer.models import LanguageModel

LIVE, MOST = 300, 2000  # occurrences: at once, and on request
MOST_SENSES = 12  # with a colour and a shape of their own


@dataclass(frozen=True, eq=False)
class SampledOccurrences(WordOccurrences):
    """Some occurrences of a word in a long text; `sample` says which of how many."""

    sample: "Sample"

    def name(self, index: int) -> str:
        """An occurrence's name in a link: its sentence's number and where its word starts, without text."""
        occurrence = self.sample.occurrences[self.matches.sentence_index[index]]
        return f"{occurrence.sentence}:{occurrence.span[0]}"


def sample_size(settings: Settings) -> int:
    """The size of the sample that the settings ask for."""
    return min(max(settings[DRAWN], 1), MOST)


def embed_sample(
    model: "LanguageModel",
    sample: "Sample",
    key: str,
    step: Callable[[int, int], None],
    cache: "Store | None" = None,
) -> SampledOccurrences:
    """The sampled occurrences at all layers; `step(count, total)` is called as they are run.

    Raises TextError if the model cannot read the text, or all occurrences come after the last token that it
    reads.
    """
    from explorer.analysis import senses
    from explorer.analysis.senses import chinese
    from explorer.analysis.senses.separation import separation
    from explorer.corpus.embedding import embed

    places = sample.occurrences
    texts = [occurrence.text for occurrence in places]
    chinese.require(model, texts[:FEW_OCCURRENCES])
    matches = embed(model, places, sample.word, cache, lambda count: step(count, len(places)))
    if not len(matches):
        raise TextError(
            _(
                "“{word}” comes too late in its sentences: {model} reads the first {count} tokens.",
                word=sample.word,
                model=model.checkpoint,
                count=model.config.positions,
            ),
            _("Choose another word, or another model."),
        )
    sentences, notes = sentences_with_senses(places)
    if matches.missing:
        notes.append(
            ngettext(
                "{count} occurrence is left out: it comes after the last token that is read.",
                "{count} occurrences are left out: they come after the last token that is read.",
                len(matches.missing),
                count=format_number(len(matches.missing)),
            )
        )
    notes += filter(None, [search_note(sample.word)])
    labels = senses.senses_of(matches, sentences)
    return SampledOccurrences(
        key=key,
        word=sample.word,
        sentences=sentences,
        matches=matches,
        alone=senses.isolated_vectors(model, texts, matches),
        senses=labels,
        separation=separation(matches.vectors, labels),
        notes=notes,
        sample=sample,
    )


def sentences_with_senses(sample: "Sequence[Occurrence]") -> "tuple[list[Sentence], list[str]]":
    """Sentences with the MOST_SENSES most frequent senses, which have marks; and a note on the others."""
    from explorer.analysis.senses.occurrences import Sentence

    counts = Counter(occurrence.sense for occurrence in sample if occurrence.sense)
    frequent = {sense for sense, n in counts.most_common(MOST_SENSES)}
    rare = len(counts) > MOST_SENSES
    text = _("Of {all} senses the {named} most frequent are named.", all=len(counts), named=MOST_SENSES)
    return [
        Sentence(occurrence.text, occurrence.sense if occurrence.sense in frequent else None)
        for occurrence in sample
    ], [text] if rare else []
