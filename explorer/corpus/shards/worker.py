"""One part: its sentences, the occurrences of the words in them, their vectors, its shards.

What a part gives depends on nothing but the part: whoever computes it, and whatever was computed before, its
sentences are run in the same batches on as many threads, and its shards are the same.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import torch

from explorer.analysis.senses import chinese
from explorer.corpus.embedding import embed
from explorer.corpus.lookup import Drawn
from explorer.corpus.shards import texts
from explorer.corpus.shards.manifest import Manifest
from explorer.corpus.shards.shard import ShardWriter
from explorer.models.base import Model
from explorer.text.search import search_for

AT_A_TIME = 512  # occurrences of a word that are run together


@dataclass(frozen=True)
class Done:
    """One part, computed: for each word its occurrences, and those past the end of what the model reads."""

    part: int
    rows: list[int]
    missing: list[int]


def compute(model: Model, manifest: Manifest, folder: Path, number: int) -> Done:
    """Compute a part and write its shards. Raises TextError for a text that the model cannot read, or that
    is another by now, ExplorerError where the disk has no room."""
    part = manifest.parts[number]
    file = manifest.files[part.file]
    path = manifest.path(file)
    searches = [search_for(*manifest.searched(word)) for word in range(len(manifest.words))]
    with ExitStack() as stack:
        writers = [
            stack.enter_context(ShardWriter(folder, manifest, number, word)) for word in range(len(searches))
        ]
        waiting: list[list[Drawn]] = [[] for _ in searches]
        missing = [0] * len(searches)

        def run(word: int) -> None:
            missing[word] += _run(model, manifest, word, waiting[word], writers[word])
            waiting[word] = []

        for i, sentence in enumerate(texts.sentences(path, file, part)):
            for word, search in enumerate(searches):
                for span in search.spans(sentence.text):
                    waiting[word].append(Drawn(i, sentence.text, sentence.sense, span))
                if len(waiting[word]) >= AT_A_TIME:
                    run(word)
        for word in range(len(searches)):
            run(word)
            writers[word].close()
        for writer in writers:  # all are written by now: between two of these no time is lost
            writer.finish()
        return Done(number, [writer.rows for writer in writers], missing)


def _run(model: Model, manifest: Manifest, word: int, found: Sequence[Drawn], writer: ShardWriter) -> int:
    """Add the occurrences with their vectors; a sentence that is there twice is run once.

    Returns how many lie past the end of what the model reads.
    """
    if not found:
        return 0
    first = {(one.text, one.span): one for one in reversed(found)}
    unique = sorted(first.values(), key=lambda one: (one.sentence, one.span))
    chinese.require(model, [one.text for one in unique])
    made = embed(model, unique, manifest.words[word])
    at = {(unique[i].text, unique[i].span): row for row, i in enumerate(made.sentence_index)}
    read = [one for one in found if (one.text, one.span) in at]
    rows = torch.tensor([at[one.text, one.span] for one in read], dtype=torch.long)
    writer.add(read, made.vectors[rows][:, manifest.layers])
    return len(found) - len(read)
