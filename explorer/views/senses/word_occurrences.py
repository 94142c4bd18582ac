"""A word's occurrences at all layers of a model, computed once and cached for all visitors."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import regex

from explorer.errors import TextError
from explorer.locale import _, format_number, language, ngettext
from explorer.server.kept import Kept, kept
from explorer.text.folding import fold, in_small_letters
from explorer.text.letters import LETTERS, has_unspaced
from explorer.text.search import note as search_note
from explorer.views.settings.setting import LIVE_TOKENS
from explorer.views.types import LanguageModel, Occurrences, Separation, Tensor
from explorer.views.widgets.unread_characters import unread_characters

if TYPE_CHECKING:
    from explorer.analysis.senses.occurrences import Sentence

MOST_SENTENCES = 200
MOST_BYTES = 64 << 20
# Of recent sentences, so that only an edited one is run again.
_vectors: "Kept[tuple[Tensor, list[str]]]" = Kept(most_bytes=MOST_BYTES)
ALONE = -1  # the stop before layer 0: the word by itself, before any sentence is read


@dataclass(frozen=True, eq=False)
class WordOccurrences:
    """A word in some sentences, with its vectors at all layers of one model.

    `matches` are the occurrences as the analysis returns them, with vectors, spans and tokens. `alone` is the
    vector of each occurrence's word by itself. `notes` say what was left out. `key` is the cache key of
    results: equal keys mean equal vectors.
    """

    key: str
    word: str
    sentences: "list[Sentence]"
    matches: "Occurrences"
    alone: "Tensor"
    senses: list[str | None]
    separation: "Separation | None"
    notes: list[str]

    @property
    def layers(self) -> int:
        """The number of the last layer."""
        return self.matches.vectors.shape[1] - 1

    @property
    def stops(self) -> range:
        """The stops of the layer slider: the word alone (-1), the embedding (0), and every layer."""
        return range(ALONE, self.layers + 1)

    def at(self, stop: int) -> "Tensor":
        """The vectors at a stop, one per occurrence."""
        return self.alone if stop == ALONE else self.matches.vectors[:, stop]

    def at_all_stops(self) -> "Tensor":
        """The vectors at all stops [occurrence, stop, d_model]."""
        import torch

        return torch.cat([self.alone[:, None], self.matches.vectors], 1)

    def text(self, index: int) -> str:
        """The sentence of an occurrence."""
        return self.sentences[self.matches.sentence_index[index]].text

    def mark(self, index: int) -> str | None:
        """The group of minimal pairs that an occurrence's sentence belongs to."""
        return self.sentences[self.matches.sentence_index[index]].mark

    def name(self, index: int) -> str:
        """An occurrence's name in a link: where its word starts, and its sentence."""
        return f"{self.matches.span[index][0]}:{self.text(index)}"

    def index(self, name: str) -> int | None:
        """The occurrence with this name, or None if there is none (any more)."""
        return next((i for i in range(len(self.matches)) if self.name(i) == name), None)


def find_word(model: "LanguageModel", text: str, word: str) -> WordOccurrences:
    """Every occurrence of a word in a text's lines, at every layer of a model.

    Raises TextError for a word that is empty or in no sentence, or Chinese that the model cannot read,
    and AbilityError.
    """
    return _find_word(model, text, word, language())


@kept(32)
def _find_word(model: "LanguageModel", text: str, word: str, language: str) -> WordOccurrences:
    import torch

    from explorer.analysis import senses
    from explorer.analysis.senses import chinese
    from explorer.analysis.senses.separation import separation
    from explorer.corpus.embedding import embed
    from explorer.corpus.lookup import Occurrence

    word = word.strip()
    sentences, notes = _fit(model, [_with_word(one, word) for one in senses.read_sentences(text)])
    if not sentences:
        raise TextError(_("There are no sentences yet."), _("Write a few that have the word, one a line."))
    texts = [s.text for s in sentences]
    chinese.require(model, texts)
    places = [
        Occurrence(i, s.text, s.sense, span)
        for i, s in enumerate(sentences)
        for span in senses.find(s.text, word)
    ]
    matches = embed(model, places, word, _vectors)
    if not word or not len(matches):
        raise _nowhere(word, sentences)
    index = [places[i].sentence for i in matches.sentence_index]
    missing = sorted(set(range(len(sentences))).difference(index))
    matches = replace(matches, sentence_index=index, missing=missing)
    if missing:
        notes.append(
            ngettext(
                "{count} sentence does not have the word.",
                "{count} sentences do not have the word.",
                len(missing),
            )
        )
    notes += filter(None, [search_note(word)])
    labels = senses.senses_of(matches, sentences)
    alone = torch.stack([_by_itself(model, spelling) for spelling in senses.surface_forms(texts, matches)])
    key = "\0".join((str(model.checkpoint), text, word))
    return WordOccurrences(
        key, word, sentences, matches, alone, labels, separation(matches.vectors, labels), notes
    )


@kept(256)
def _by_itself(model: "LanguageModel", spelling: str) -> "Tensor":
    from explorer.analysis import senses

    return senses.isolated_vector(model, spelling)


def _with_word(sentence: "Sentence", word: str) -> "Sentence":
    """A sentence whose only place with the word is its hashtag has that in its text, and no sense."""
    from explorer.analysis.senses import find

    is_tag = sentence.sense is not None and bool(find(sentence.sense, word))
    if not is_tag or find(sentence.text, word):
        return sentence
    return replace(sentence, text=f"{sentence.text} #{sentence.sense}", sense=None)


def _fit(model: "LanguageModel", sentences: "list[Sentence]") -> "tuple[list[Sentence], list[str]]":
    """The sentences within a live view's limits, and notes on what was cut."""
    notes, fitting, cut, encodings = [], [], 0, []
    if len(sentences) > MOST_SENTENCES:
        notes.append(
            _(
                "The first {shown} of {all} sentences are shown.",
                shown=MOST_SENTENCES,
                all=format_number(len(sentences)),
            )
        )
    for sentence in sentences[:MOST_SENTENCES]:
        encoding = model.encode(sentence.text, limit=LIVE_TOKENS)
        encodings.append(encoding)
        if encoding.truncated:
            cut += encoding.truncated
            sentence = replace(sentence, text=sentence.text[: max(end for start, end in encoding.spans)])
        fitting.append(sentence)
    if cut:
        notes.append(
            _(
                "Sentences end after {most} tokens: {cut} tokens were cut.",
                most=LIVE_TOKENS,
                cut=format_number(cut),
            )
        )
    if lost := unread_characters(*encodings):
        notes.append(lost)
    return fitting, notes


def _nowhere(word: str, sentences: "list[Sentence]") -> TextError:
    """The error if no sentence has the word, with a hint of words that they have."""
    from explorer.analysis import senses

    if not word:
        return TextError(_("There is no word to look for."), _("Type one that occurs in the sentences."))
    written: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for sentence in sentences:
        words = {fold(word): in_small_letters(word) for word in regex.findall(LETTERS, sentence.text)}
        counts.update(word for word, spelling in words.items() if _is_telling(spelling))
        for folded, spelling in words.items():
            written.setdefault(folded, spelling)
    common = ", ".join(written[w] for w, n in counts.most_common(6))
    hint = _("Words that occur: {words}.", words=common) if common else _("Write a few that have it.")
    if word.lower() in senses.library_words():
        ours = _("“{word}” is under Examples, with sentences of our own.", word=word.lower())
        hint = f"{ours} {hint}"
    return TextError(_("None of the sentences has the word “{word}”.", word=word), hint)


def _is_telling(word: str) -> bool:
    """Whether a word is long enough to be a content word; scripts without capitals have shorter words."""
    least = 2 if word.lower() == word.upper() else 4
    return len(word) >= least and not has_unspaced(word)
