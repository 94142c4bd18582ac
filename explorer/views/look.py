"""One look at a word: its occurrences through all layers, computed once and kept for all visitors."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import TextError
from explorer.views import models
from explorer.views.limits import LIVE_TOKENS

if TYPE_CHECKING:
    from explorer.analysis.projection import Projection
    from explorer.analysis.senses import Occurrences, Sentence, Separation
    from explorer.models import LanguageModel

MOST_SENTENCES = 200
SMALLEST_REACH = 1e-3  # below it a picture shows rounding errors


@dataclass(frozen=True, eq=False)
class Look:
    """A word in some sentences, seen by one model at all its layers.

    `maps` are the PCA pictures, one per layer, on one scale and turned to lie on each other;
    `reach` is how far their dots go along each axis. `notes` say what was left out.
    """

    word: str
    sentences: "list[Sentence]"
    found: "Occurrences"
    senses: list[str | None]
    separation: "Separation | None"
    maps: "list[Projection]"
    reach: tuple[float, float]
    notes: list[str]

    @property
    def layers(self) -> int:
        """The number of the last layer."""
        return len(self.maps) - 1

    def text(self, index: int) -> str:
        """The sentence that an occurrence stands in."""
        return self.sentences[self.found.sentence_index[index]].text

    def name(self, index: int) -> str:
        """What an occurrence is called in a link: where its word starts, and its sentence."""
        return f"{self.found.span[index][0]}:{self.text(index)}"

    def index(self, name: str) -> int | None:
        """The occurrence of that name, or None where there is none (any more)."""
        return next((i for i in range(len(self.found)) if self.name(i) == name), None)


@st.cache_resource(max_entries=32, show_spinner=False)
def look(name: str, text: str, word: str) -> Look:
    """Every occurrence of a word in a text's lines, at every layer of a model.

    Raises TextError for a word that is empty or in no sentence, and AbilityError.
    """
    from explorer.analysis import projection, senses

    word = word.strip()
    sentences, notes = _fit(models.get(name), senses.read_sentences(text))
    if not sentences:
        raise TextError("There are no sentences yet.", "Write a few that have the word, one a line.")
    found = _join(word, [_occurrences(name, s.text, word) for s in sentences])
    if not len(found):
        raise _nowhere(word, sentences)
    if found.missing:
        has = "sentence does" if len(found.missing) == 1 else "sentences do"
        notes.append(f"{len(found.missing)} {has} not have the word.")
    known = senses.senses_of(found, sentences)
    maps, reach = _level(projection.project_layers(found.vectors))
    return Look(word, sentences, found, known, senses.separation(found, known), maps, reach, notes)


@st.cache_resource(max_entries=64, show_spinner=False)
def bent(name: str, text: str, word: str, layer: int, method: str) -> "Projection":
    """A t-SNE or UMAP picture of one layer, turned onto the PCA picture and as large as it."""
    from explorer.analysis import projection

    seen = look(name, text, word)
    made = projection.project(seen.found.vectors[:, layer], method)
    if made.method == "pca":
        return replace(seen.maps[layer], note=made.note)
    turned = projection.align(seen.maps[layer], made)
    # Its scale means nothing: fill the same frame at every layer.
    far = turned.coordinates.abs().amax(0).clamp(min=1e-9)
    size = min(reach / float(most) for reach, most in zip(seen.reach, far))
    return replace(turned, coordinates=turned.coordinates * size)


@st.cache_resource(max_entries=1024, show_spinner=False)
def _occurrences(name: str, sentence: str, word: str) -> "Occurrences":
    """One sentence's share, so that whoever edits one sentence waits for that one alone."""
    from explorer.analysis import senses

    return senses.occurrences(models.get(name), [sentence], word)


def _join(word: str, shares: "list[Occurrences]") -> "Occurrences":
    import torch

    from explorer.analysis.senses import Occurrences

    return Occurrences(
        word=word,
        vectors=torch.cat([share.vectors for share in shares]),
        sentence_index=[i for i, share in enumerate(shares) for _ in share.span],
        span=[span for share in shares for span in share.span],
        tokens=[tokens for share in shares for tokens in share.tokens],
        missing=[i for i, share in enumerate(shares) if not len(share)],
    )


def _fit(model: "LanguageModel", sentences: "list[Sentence]") -> "tuple[list[Sentence], list[str]]":
    """The sentences that a live view takes, and what had to be cut."""
    notes, fitting, cut = [], [], 0
    if len(sentences) > MOST_SENTENCES:
        notes.append(f"The first {MOST_SENTENCES} of {len(sentences):,} sentences are shown.")
    for sentence in sentences[:MOST_SENTENCES]:
        encoding = model.encode(sentence.text, limit=LIVE_TOKENS)
        if encoding.cut:
            cut += encoding.cut
            sentence = replace(sentence, text=sentence.text[: max(end for _, end in encoding.spans)])
        fitting.append(sentence)
    if cut:
        notes.append(f"Sentences end after {LIVE_TOKENS} tokens: {cut:,} tokens were cut.")
    return fitting, notes


def _level(maps: "list[Projection]") -> "tuple[list[Projection], tuple[float, float]]":
    """All layers turned alike, so that their widest direction lies across the picture."""
    import torch

    points = torch.cat([plane.coordinates for plane in maps])
    _, _, turn = torch.linalg.svd(points, full_matrices=True)
    # A singular vector's sign is arbitrary: its larger part is made positive.
    turn = turn * torch.where(turn.gather(1, turn.abs().argmax(1, keepdim=True)) < 0, -1.0, 1.0)
    across, up = (points @ turn.T).abs().amax(0).clamp(min=SMALLEST_REACH).tolist()
    return [replace(plane, coordinates=plane.coordinates @ turn.T) for plane in maps], (across, up)


def _nowhere(word: str, sentences: "list[Sentence]") -> TextError:
    """No sentence has the word: say which words they do have."""
    from explorer.analysis import senses

    counts = Counter(w for s in sentences for w in set(re.findall(r"\w{4,}", s.text.lower())))
    common = ", ".join(w for w, _ in counts.most_common(6))
    hint = f"Words that they have: {common}." if common else "Write a few that do."
    if word.lower() in senses.library_words():
        hint = f"“{word.lower()}” is under Examples, with sentences of our own. {hint}"
    return TextError(f"None of the sentences has the word “{word}”.", hint)
