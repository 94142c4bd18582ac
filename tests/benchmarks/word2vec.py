"""Training word2vec against gensim: the same words, lines and settings, one thread each, in turn.

    python -m tests.benchmarks.word2vec --text corpus.txt [--words 2000000] [--cores 1]

Prints thousands of words a second for each and the ratio (above 1: we are faster), by processor time
and by the clock on the wall, as medians over three runs of one pass over the text each. The loss after
a pass, by one and the same formula on words that neither has read, says whether the speed is bought
with less learning. `--cores N` gives both N threads on N processors.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import torch
from gensim.models import Word2Vec as Peer

from explorer.models import word2vec
from training.run.loop import Budget, Run
from training.text.corpus import Corpus
from training.text.running_text import RunningText
from training.word2vec import task as training

RUNS = 3
HELD_OUT = 50_000  # words at the end of the text


def ours(text: RunningText, words: int, folder: Path, rate: float) -> word2vec.Word2Vec:
    """One pass of our run; its network."""
    part = RunningText(text.words, text.counts, text.ids[:words], text.ends)
    task = training.Word2VecTask(part, None, rate)
    Run(task, Budget(tokens=words), folder, torch.device("cpu"), save_every=1e9).train()
    return task.network


def theirs(text: RunningText, words: int, threads: int, rate: float) -> Callable[[], Peer]:
    """One pass of gensim's, prepared so that the call trains and does nothing else."""
    lines = spelled(text, words)
    peer = Peer(
        vector_size=128,
        window=training.WINDOW,
        sg=1,
        negative=training.NEGATIVES,
        alpha=rate,
        min_alpha=rate * 1e-4,
        sample=training.SUBSAMPLE,
        min_count=1,
        workers=threads,
        epochs=1,
        seed=1,
    )
    peer.build_vocab_from_freq(dict(zip(text.words, text.counts.tolist(), strict=True)))

    def train() -> Peer:
        peer.train(lines, total_words=words, epochs=1)
        return peer

    return train


def spelled(text: RunningText, words: int) -> list[list[str]]:
    """The text as gensim wants it: lists of words."""
    ends = [0, *(int(end) for end in text.ends if end < words), words]
    ids = text.ids[:words].tolist()
    return [[text.words[i] for i in ids[a:b]] for a, b in pairwise(ends)]


def network_of(peer: Peer, words: list[str]) -> word2vec.Word2Vec:
    """gensim's two tables in our network, in our order."""
    config = word2vec.Word2VecConfig(len(words), peer.vector_size)
    network = word2vec.Word2Vec(config, frozenset({"contexts"}))
    rows = [peer.wv.key_to_index[word] for word in words]
    network.tokens.weight.data = torch.from_numpy(peer.wv.vectors[rows])
    network.contexts.weight.data = torch.from_numpy(peer.syn1neg[rows])
    return network


def loss(network: word2vec.Word2Vec, text: RunningText) -> float:
    """Nats per pair on the text's last words."""
    generator = torch.Generator().manual_seed(0)
    words, lines = text.part(len(text) - HELD_OUT, len(text))
    reach = word2vec.draw_reach(len(words), training.WINDOW, generator)
    centre, offset = word2vec.neighbours(lines, reach, training.WINDOW).nonzero().T
    answer = words[centre + offset - training.WINDOW]
    odds = word2vec.negative_odds(text.counts)
    drawn = word2vec.draw_negatives(odds, (len(centre), training.NEGATIVES), generator)
    with torch.no_grad():
        parts = zip(words[centre].split(4096), answer.split(4096), drawn.split(4096), strict=True)
        return sum(float(network.loss(c[:, None], a, n).sum()) for c, a, n in parts) / len(centre)


def timed(call: Callable[[], object]) -> tuple[object, float, float]:
    """What a call gives, and its seconds by processor and by clock."""
    clock, processor = time.perf_counter(), time.process_time()
    result = call()
    return result, time.process_time() - processor, time.perf_counter() - clock


def main() -> None:
    p = argparse.ArgumentParser(prog="python -m tests.benchmarks.word2vec", description=__doc__)
    p.add_argument("--text", type=Path, required=True, help="a text file, some million words long")
    p.add_argument("--words", type=int, default=2_000_000, help="running words of a pass")
    p.add_argument("--rate", type=float, default=0.025, help="where the learning rate begins, for both")
    p.add_argument("--cores", type=int, default=1)
    a = p.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: a.cores])
    torch.set_num_threads(a.cores)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = RunningText.of(Corpus.open([a.text], folder), training.D_VOCAB, folder / "text")
        words = min(a.words, len(text) - HELD_OUT)
        print(f"{words:,} running words, {len(text.words):,} different ones, {a.cores} thread(s)")
        rows = []
        for i in range(RUNS):
            network, *mine = timed(lambda: ours(text, words, folder / str(i), a.rate))  # noqa: B023
            peer, *other = timed(theirs(text, words, a.cores, a.rate))
            rows.append((*mine, *other))
        for k, what in enumerate(("by processor", "by the clock")):
            mine, other = (statistics.median(row[k + n] for row in rows) for n in (0, 2))
            print(
                f"{what:14} ours {words / mine / 1e3:6.0f} K words/s   gensim {words / other / 1e3:6.0f} K"
                f"   ratio {other / mine:.2f}"
            )
        peers = network_of(peer, text.words)
        print(f"held-out loss  ours {loss(network, text):.3f}   gensim {loss(peers, text):.3f}")


if __name__ == "__main__":
    main()
