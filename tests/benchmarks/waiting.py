"""The time that an LSTM and attention take for a text, stored for the view “In parallel”.

   python -m tests.benchmarks.waiting

Two networks of ten million random weights: two layers of an LSTM in both directions, as in ELMo, and six of
attention, as in BERT. One text, one thread, processor time; the shortest of many rounds counts.
"""

import json
from time import process_time

import torch
from torch import nn

from explorer.assets import WAITING
from tests.benchmarks.figures import machine
from tests.command import parser, size, store

LENGTHS = size((8, 16, 32, 64, 128, 256, 512), (8,))  # words
WIDTH, ROUNDS = 384, size(40, 1)


def main() -> None:
    """Measure both, and write the file."""
    parser("tests.benchmarks.waiting", __doc__).parse_args()
    torch.set_num_threads(1)
    layer = nn.TransformerEncoderLayer(WIDTH, 12, 4 * WIDTH, activation="gelu", batch_first=True)
    networks = {
        "LSTM": nn.LSTM(WIDTH, 528, num_layers=2, bidirectional=True, batch_first=True).eval(),
        "attention": nn.TransformerEncoder(layer, 6).eval(),
    }
    shortest = {name: [float("inf")] * len(LENGTHS) for name in networks}
    with torch.inference_mode():
        for _ in range(ROUNDS):
            for at, words in enumerate(LENGTHS):
                text = torch.randn(1, words, WIDTH)
                for name, network in networks.items():
                    start = process_time()
                    network(text)
                    shortest[name][at] = min(shortest[name][at], process_time() - start)
    milliseconds = {name: [round(1e3 * one, 2) for one in times] for name, times in shortest.items()}
    stored = {"machine": f"one core of an {machine()}", "words": LENGTHS}
    store(WAITING, json.dumps(stored | {"milliseconds": milliseconds}, indent=1) + "\n")


if __name__ == "__main__":
    main()
