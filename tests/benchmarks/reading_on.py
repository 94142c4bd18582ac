"""A blank filled by reading on, beside a plain loop that reads the whole sentence with each word.

    python -m tests.benchmarks.reading_on                the model that pages write with
    python -m tests.benchmarks.reading_on gpt            another one
    python -m tests.benchmarks.reading_on smollm2 --lines measuring/sets/cloze.tsv

Milliseconds of a core for a sentence and their ratio (below 1: less than the loop), alternating, after one
run that warms up; the loop reads only the best twenty words, as many as are read to the end. With `--lines`,
how often an accepted word comes first, and among the first five, in the test half of a cloze list.
"""

from pathlib import Path
from time import process_time

import explorer
from explorer.analysis import prediction
from explorer.analysis.prediction.likelihood import log_likelihoods
from explorer.analysis.prediction.masking import MASK
from explorer.models import LanguageModel
from explorer.views.frame.default_models import WRITER
from tests.benchmarks.figures import figure, medians, seconds_of
from tests.command import parser, size
from tests.sentence_lists import read_halves

TEXTS = (
    "The man went to the [MASK] to buy a gallon of milk.",
    "The patient was taken to the [MASK] by helicopter.",
    "She put her money in the [MASK] and went home.",
)[: size(None, 1)]


def compare(model: LanguageModel, text: str) -> tuple[float, float]:
    """Milliseconds of a core for filling one blank, and for the loop."""
    words = [word for word, _ in prediction.fill_mask(model, text, top=20)[0]]

    def loop() -> None:
        for word in words:
            log_likelihoods(model, [text.replace(MASK, word)])

    acts = {"ours": lambda: prediction.fill_mask(model, text), "loop": loop}
    times = medians({name: seconds_of(act, process_time) for name, act in acts.items()})
    return 1e3 * times["ours"], 1e3 * times["loop"]


def main() -> None:
    """Measure one model."""
    p = parser("tests.benchmarks.reading_on", __doc__)
    p.add_argument("model", nargs="?", default=size(WRITER, "gpt"))
    p.add_argument("--lines", type=Path)
    options = p.parse_args()
    model = explorer.load(options.model)
    for text in TEXTS:
        ours, loop = compare(model, text)
        figure(text, f"{ours:.0f} ms, {ours / loop:.2f} of the loop", f"loop {loop:.0f} ms")
    if options.lines:
        lines = read_halves(options.lines)["test"]
        ranks = []
        for line in lines:
            guesses = [word.lower() for word, _ in prediction.fill_mask(model, line.text, top=5)[0]]
            ranks.append(next((i for i, word in enumerate(guesses) if word in line.accepted), 5))
        first, five = (sum(rank < most for rank in ranks) / len(ranks) for most in (1, 5))
        print(f"{len(lines)} lines: an accepted word first {first:.2f}, among five {five:.2f}")


if __name__ == "__main__":
    main()
