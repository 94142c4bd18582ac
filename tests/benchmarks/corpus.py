"""Texts past 50 MB, and a million vectors: `python -m tests.benchmarks.corpus [count]`, one thread.

reading     16 MB of our own sentences, cut and searched, by the processor's time
computing   1,500 occurrences of a word in sentences that all differ, by the bundled models
opening     a folder of `count` made-up vectors of 256 numbers in float16 (a million: half a gigabyte),
            written to a temporary folder first: the draw, the axes, the places of all, their density
"""

import itertools
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import torch

import explorer
from explorer.analysis import senses
from explorer.analysis.projection import contours, many
from explorer.corpus.vectors import occurrences
from explorer.corpus.vectors.computing import Request, create
from explorer.corpus.vectors.manifest import Manifest, column
from explorer.corpus.vectors.reader import Corpus
from tests.command import parser, size

WORD = "bank"
MB = size(16, 0.2)
COMPUTED = size(1500, 10)
DRAWN = size(20_000, 200)
D_MODEL = 256


def sentences() -> Iterator[str]:
    """All our sentences, whatever their word, with the same word in its place; then again, numbered."""
    for lap in itertools.count():
        for word in senses.library_words():
            for sentence in senses.library(word):
                start, end = senses.find(sentence.text, word)[0]
                text = sentence.text[:start] + WORD + sentence.text[end:]
                if len(senses.find(text, WORD)) == 1:
                    yield text if not lap else f"{lap}. {text}"


@contextmanager
def told(what: str) -> Iterator[None]:
    """Print what was done, in which time, and the most memory so far."""
    clock, processor = time.perf_counter(), time.process_time()
    yield
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what:32}{clock:8.2f} s  processor {processor:6.2f} s  most memory {most:6.0f} MB", flush=True)


def reading(folder: Path) -> None:
    """Cut a large text into sentences, and look for the word in them."""
    path = folder / "large.txt"
    lines = list(itertools.islice(sentences(), 4000))
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < MB * 1_000_000:
            file.writelines(f"{line}\n" for line in lines)
    (place := folder / "occurrences").mkdir()
    with told(f"{MB} MB, searched"):
        occurrences.write(place, path, [WORD])


def computing(folder: Path, name: str) -> None:
    """Vectors of all layers, of which the last is written."""
    path = folder / "different.txt"
    path.write_text("\n".join(dict.fromkeys(itertools.islice(sentences(), COMPUTED))), encoding="utf-8")
    model = explorer.load(name)
    with told(f"{COMPUTED:,} occurrences by {name}"):
        create(model, Request(str(path), [WORD]), folder / name)


def made_up(folder: Path, count: int) -> Corpus:
    """Three clouds of vectors."""
    drawn = torch.Generator().manual_seed(0)
    centres, base = torch.randn(3, D_MODEL, generator=drawn) * 0.35, torch.randn(D_MODEL, generator=drawn)
    made = Manifest("bert", "", D_MODEL, [6], [WORD], False, "made up", [count])
    (folder / "word=0").mkdir()
    for start in range(0, count, occurrences.ROWS):
        some = min(occurrences.ROWS, count - start)
        cloud = torch.multinomial(torch.tensor([0.6, 0.3, 0.1]), some, True, generator=drawn)
        vectors = base + centres[cloud] + 0.5 * torch.randn(some, D_MODEL, generator=drawn)
        texts = [f"Sentence {start + i} says {WORD}." for i in range(some)]
        table = pa.table(
            {
                "text": texts,
                "start": [len(text) - 1 - len(WORD) for text in texts],
                "end": [len(text) - 1 for text in texts],
                "sense": pa.nulls(some, pa.string()),
                column(6): pa.array(list(map(bytes, vectors.half().numpy())), pa.binary(2 * D_MODEL)),
            }
        )
        pq.write_table(table, folder / "word=0" / f"{start:09}.parquet")
    made.write(folder)
    return Corpus.open(folder)


def opening(folder: Path, count: int) -> None:
    """What the map of such a folder takes, without the browser."""
    corpus = made_up(folder, count)
    with told(f"{count:,} vectors, the map"):
        with told(f"  {DRAWN:,} of them drawn"):
            sample = corpus.some(WORD, 6, corpus.draw(WORD, DRAWN))
        with told("  axes"):
            plane = many.fit_plane(sample, axes=3)
        with told("  places of all"):
            places = many.place_all(plane, corpus.vectors(WORD, 6)).coordinates
        with told("  density"):
            flat = places[:, :2]
            width, height = flat.abs().amax(0).tolist()
            contours.outlines(many.smooth(flat, (width, height)), 0.5)
        with told("  sentences of 1,000 dots"):
            corpus.occurrences(WORD, corpus.draw(WORD, 1000))


def main() -> None:
    """Print the three figures."""
    torch.set_num_threads(1)
    p = parser("tests.benchmarks.corpus", __doc__)
    p.add_argument("count", nargs="?", type=int, default=size(1_000_000, 1000))
    count = p.parse_args().count
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        reading(folder)
        computing(folder, "bert")
        computing(folder, "gpt")
        (folder / "made-up").mkdir()
        opening(folder / "made-up", count)


if __name__ == "__main__":
    main()
