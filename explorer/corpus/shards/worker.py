"""One part: its sentences, the occurrences of the words in them, their vectors, its shards.

The result depends on the part alone, whoever computes it and in which order: its sentences run in the same
batches on the same number of threads.
"""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from explorer.analysis.senses import chinese
from explorer.corpus.embedding import embed
from explorer.corpus.lookup import Occurrence
from explorer.corpus.shards import shard, texts
from explorer.corpus.shards.manifest import Manifest
from explorer.models.base import Model
from explorer.text.search import search_for

BATCH = 2048  # occurrences of a word that are run together, and written as a row group


@dataclass(frozen=True)
class PartResult:
    """A computed part: for each word its occurrences, and how many lie past the end of the model's
    context."""

    part: int
    rows: list[int]
    missing: list[int]


def compute(model: Model, manifest: Manifest, folder: Path, number: int) -> PartResult:
    """Compute a part and write its shards.

    Raises TextError for a text that the model cannot read, ExplorerError if the disk is full.
    """
    part = manifest.parts[number]
    file = manifest.files[part.file]
    words = range(len(manifest.words))
    searches = [search_for(*manifest.search_terms(word)) for word in words]
    waiting: list[list[Occurrence]] = [[] for _ in words]
    result = PartResult(number, [0 for _ in words], [0 for _ in words])
    with ExitStack() as stack:
        writers = [stack.enter_context(shard.writer(folder, manifest, number, word)) for word in words]

        def flush(word: int) -> None:
            if occurrences := waiting[word]:
                chinese.require(model, [one.text for one in occurrences])
                computed = embed(model, occurrences, manifest.words[word])
                readable = [occurrences[i] for i in computed.sentence_index]
                if readable:
                    writers[word](readable, computed.vectors[:, manifest.layers])
                result.rows[word] += len(readable)
                result.missing[word] += len(occurrences) - len(readable)
                waiting[word] = []

        for i, sentence in enumerate(texts.sentences(manifest.path(file), file, part)):
            for word, search in enumerate(searches):
                for span in search.spans(sentence.text):
                    waiting[word].append(Occurrence(i, sentence.text, sentence.sense, span))
                if len(waiting[word]) >= BATCH:
                    flush(word)
        for word in words:
            flush(word)
    return result
