"""The card beside a checkpoint: what it is, what made it, how well it does, what it is bad at."""

from datetime import timedelta
from pathlib import Path

import torch

from explorer.training.loop import Run

WHAT = {
    "bert": """\
A BERT encoder (uncased WordPiece, {d_vocab:,} tokens) with a masked-word head and a next-sentence
head: {layers} layers x {d_model}, {heads} heads, {positions} positions, {parameters:.1f} M parameters.

It is a *continued* model. The encoder started from
[all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2) (Apache-2.0): every
second layer of a model distilled from a larger one (MiniLM, Wang et al. 2020), tuned by its authors
on 1.17 billion sentence pairs (Reddit comments, S2ORC citations, WikiAnswers, PAQ, Stack Exchange,
MS MARCO, GOOAQ, Yahoo Answers, code search, COCO captions, and smaller sets). It has no prediction
heads; both heads were trained here, together with the encoder, on masked words (15 %, shown as
[MASK] / random / unchanged in 80 / 10 / 10 %) and on sentence pairs.
A small term holds the states of unmasked words near the first encoder's, which tells senses
apart well. Unlike in the original BERT, half of the rows are single texts.""",
    "gpt": """\
A GPT-2 decoder (byte-level BPE, cased, {d_vocab:,} tokens, trained on the same text):
{layers} layers x {d_model}, {heads} heads, {positions} positions, {parameters:.1f} M parameters,
trained from zero to predict the next token. Easily read documents (a mean word under 4.75
letters: dialogue, stories, plain books) are all used; of the others one in four.""",
}

WEAK = {
    "bert": """\
- The heads have seen a few million tokens where the original BERT's saw over a hundred billion.
  Where the sentence leaves little choice the right word is often among the first guesses; as
  often it repeats a word of the sentence, or names its topic instead of filling the gap. Names,
  dates, numbers and rare words seldom come out.
- A word of several WordPieces is guessed piece by piece, each without the other.
- The next-sentence verdict is weak: it mostly judges whether two texts share a topic.
- Rows were 128 tokens long, and 256 in the last tenth: later positions are as the first encoder
  had them.""",
    "gpt": """\
- A few million tokens are very little. It has learned word order, common phrases and the look of
  a dialogue; it has no facts, and a sentence seldom makes sense as a whole.
- It repeats itself, forgets its subject within a sentence or two, and mixes up who is who.
- It does not count, reason or answer questions.""",
}

BOTH = """\
- English only. The text holds many books from about 1900, whose views on people, peoples and
  sexes come through in predictions; nothing was done against that beyond dropping vulgar paragraphs.
- For teaching and looking inside. Not for any decision about anything."""

LABELS = {
    "masked_nats": "cross-entropy at masked positions, nats",
    "masked_top1": "masked WordPiece is the first guess",
    "masked_top5": "masked WordPiece is among the first five",
    "next_sentence": "next-sentence verdict is right (chance 0.5)",
    "nats_per_token": "cross-entropy per token, nats",
    "bits_per_byte": "bits per byte of text",
    "measured": "measured on this many tokens",
}

HOW = {
    "bert": "15 % of the words, seed 0, all shown as [MASK]; rows of 128 tokens; ties count as wrong.",
    "gpt": "Windows of {positions} tokens that do not overlap; the end of a document does not count.",
}


def card(run: Run, figures: dict[str, float], texts: list[Path], sources: str, command: str) -> str:
    """The card of a run as Markdown. `figures` are the held-out ones, empty where none were measured."""
    name = run.task.name
    config = vars(run.task.network.config) | {
        "parameters": sum(p.numel() for p in run.task.network.parameters()) / 1e6
    }
    spent = timedelta(seconds=round(run.clock.spent))
    rows = "\n".join(
        f"| {LABELS[k]} | {f'{v:,.0f}' if k == 'measured' else f'{v:.3f}'} |" for k, v in figures.items()
    )
    measured = f"{HOW[name].format(**config)}\n\n| held-out text | |\n|---|---|\n{rows}"
    return "\n\n".join(
        [
            f"# {name}",
            WHAT[name].format(**config),
            "Weights in float16, in the hub's format; they load in `transformers` unchanged.",
            f"## Training\n\n{run.tokens / 1e6:.2f} million tokens in {run.step:,} steps; {spent} (h:mm:ss) "
            f"of training on {hardware(run)}; finished {min(1.0, run.progress):.0%} of its schedule.",
            f"## Text\n\nFiles: {', '.join(path.name for path in texts)}.\n\n{sources.strip()}",
            f"## Scores\n\n{measured if figures else 'Not measured.'}",
            f"## What it is bad at\n\n{WEAK[name]}\n{BOTH}",
            f"## How to make it again\n\n```\n{command}\n```\n",
        ]
    )


def hardware(run: Run) -> str:
    """The machine in words."""
    if run.device.type == "cuda":
        return torch.cuda.get_device_name(run.device)
    threads = torch.get_num_threads()
    return f"{threads} CPU thread{'s' if threads > 1 else ''}, float32"
