"""The backend against `transformers`: same weights, float32, one thread, alternating runs.

    python -m tests.benchmarks.backend

Prints medians of five runs and their ratio (below 1: we are faster), in processor time, which
other work on the machine disturbs less than the clock on the wall:
    one trace      64 tokens, 12 x 768 with random weights; all hidden states, patterns and logits
                   kept (and, by us, queries, keys and values)
    256 sentences  of 4 to 64 words, the bundled checkpoints; all hidden states; theirs in padded
                   batches of 32 in the order given, with their fastest attention
Tokenizing is part of both.
"""

import random
import tempfile
from pathlib import Path

import torch
import transformers

import explorer
from explorer.assets import CHECKPOINTS
from explorer.checkpoints import bundled
from explorer.trace import Capture
from tests import tiny
from tests.benchmarks.figures import compare
from tests.command import parser, size

# The library's own defaults are the published base sizes.
BERT = {"vocab_size": 30522, "num_hidden_layers": size(12, 1)}
GPT = {"vocab_size": 50257, "bos_token_id": None, "eos_token_id": None, "n_layer": size(12, 1)}
SENTENCES = size(256, 4)
WORDS = tiny.WORDS[:19]


def sentences(count: int, seed: int = 0) -> list[str]:
    """As unlike in length as real text: most are short, a few long."""
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=min(4 + int(draw.expovariate(1 / 14)), 64))) for _ in range(count)]


def one_trace(folder: Path, kind: type[transformers.PreTrainedModel]) -> None:
    """A text with everything kept, after a check that both keep the same."""
    model = explorer.load(f"folder:{folder}")
    peer = kind.from_pretrained(folder, attn_implementation="eager").eval()  # only this one gives patterns
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    text = " ".join(WORDS * 9)
    encoding = model.encode(text, limit=64)
    text = text[: max(end for _, end in encoding.spans)]

    @torch.inference_mode()
    def theirs():
        batch = tokenizer(text, return_tensors="pt")
        return peer(**batch, output_hidden_states=True, output_attentions=True)

    ours = model.trace(text)
    torch.testing.assert_close(ours.hidden_states[:-1], torch.stack(theirs().hidden_states)[:-1, 0].clone())
    compare(f"{kind.__name__}, one trace, {len(ours.tokens)} tokens", lambda: model.trace(text), theirs)


def many_sentences(name: str, kind: type[transformers.PreTrainedModel]) -> None:
    """Hidden states of many sentences."""
    model, folder, texts = explorer.load(name), CHECKPOINTS / name, sentences(SENTENCES)
    peer = kind.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token or "<|endoftext|>"

    @torch.inference_mode()
    def theirs():
        for start in range(0, len(texts), 32):
            batch = tokenizer(texts[start : start + 32], return_tensors="pt", padding=True)
            peer(**batch, output_hidden_states=True)

    def ours():
        for _ in model.trace_many(texts, Capture.HIDDEN):
            pass

    compare(f"{name}, {SENTENCES} sentences", ours, theirs)


def main() -> None:
    parser("tests.benchmarks.backend", __doc__).parse_args()
    torch.set_num_threads(1)
    transformers.logging.disable_progress_bar()
    with tempfile.TemporaryDirectory() as place:
        for kind, sizes, write_tokenizer in (
            (transformers.BertForPreTraining, BERT, tiny.write_vocab),
            (transformers.GPT2LMHeadModel, GPT, tiny.write_merges),
        ):
            folder = Path(place) / kind.__name__
            torch.manual_seed(0)
            kind(kind.config_class(**sizes)).save_pretrained(folder)
            write_tokenizer(folder)
            one_trace(folder, kind)
    kinds = {"bert": transformers.BertModel, "gpt": transformers.GPT2Model}
    for name in [c.name for c in bundled.available() if c.name in kinds]:
        many_sentences(name, kinds[name])


if __name__ == "__main__":
    main()
