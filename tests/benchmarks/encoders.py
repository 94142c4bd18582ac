"""How long encoders like BERT take to load and to read, in published shapes with random weights; one thread.

    python -m tests.benchmarks.encoders

For each shape: seconds until it is loaded (from a file that was just written), the memory that it takes,
and the median processor time of a trace of 14 tokens (a sentence of 12 words), everything kept. The weights
lie in a temporary folder, for as long as they are measured.
"""

import statistics
import tempfile
import time
from pathlib import Path

import torch

import explorer
from tests import encoders, tiny
from training.command import parser, size

RUNS, TOKENS = size(15, 1), 14
LAYERS = size({}, {"num_hidden_layers": 1, "n_layers": 1})  # DistilBERT calls them otherwise
ROBERTA = {"vocab_size": 50265, "layer_norm_eps": 1e-5, **encoders.ROBERTA, "max_position_embeddings": 514}
SHAPES = {
    "bert-base": ("bert", "BertForPreTraining", {}),
    "roberta-base": ("roberta", "RobertaForMaskedLM", ROBERTA),
    "distilbert-base": ("distilbert", "DistilBertForMaskedLM", {}),
    "albert-base": (
        "albert",
        "AlbertForPreTraining",
        {"hidden_size": 768, "num_attention_heads": 12, "intermediate_size": 3072},
    ),
}


def resident() -> float:
    """The memory of this process, in MB (Linux)."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1000


def measure(name: str, folder: Path) -> None:
    """Write a shape, load it, read with it, and print what that took."""
    import transformers

    model_type, head, sizes = SHAPES[name]
    config = transformers.AutoConfig.for_model(model_type, **sizes | LAYERS)
    getattr(transformers, head)(config).save_pretrained(folder)
    encoders.TOKENIZERS.get(model_type, tiny.write_vocab)(folder)
    before, start = resident(), time.perf_counter()
    model = explorer.load(f"folder:{folder}")
    loaded, memory = time.perf_counter() - start, resident() - before
    encoding = model.encode("we saw old money in the bank by the deep water of light", limit=TOKENS)
    seconds = []
    for _ in range(RUNS):
        start = time.process_time()
        model.trace_encodings([encoding])
        seconds.append(time.process_time() - start)
    trace = statistics.median(seconds) * 1e3
    print(
        f"{name:16} loaded in {loaded:4.1f} s   memory {memory:5.0f} MB   a trace {trace:4.0f} ms", flush=True
    )


if __name__ == "__main__":
    parser("tests.benchmarks.encoders", __doc__).parse_args()
    torch.set_num_threads(1)
    for name in SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            measure(name, Path(folder))
