"""Figures on what a model predicts: held-out text, blanks, beginnings, minimal pairs."""

import tempfile
from dataclasses import replace
from pathlib import Path

import torch

from explorer import load
from explorer.checkpoints.partner import generator_of
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from training.metrics import by_frequency, classroom, cloze, minimal_pairs
from training.metrics.bits import bits_per_byte
from training.metrics.both_ways import both_ways
from training.metrics.figure import Figure, number
from training.metrics.inputs import Inputs
from training.metrics.masked import LENGTH, masked_words
from training.metrics.replaced import verdicts
from training.text.shards import Shards, sentences

COUNTED_BLOCKS = 8  # of the training text, spread over it
NO_TEXT = "no text to count in (--text)"


def held_out_bits(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Bits per byte and nats per token of held-out text."""
    bits = bits_per_byte(model, inputs.held_out_text(), inputs.limits["held-out"])
    basis = (bits.tokens, "tokens")
    return [
        number("bits_per_byte", "bits per byte", bits.per_byte, *basis),
        number("nats_per_token", "nats per token", bits.nats_per_token, *basis),
    ]


def both_sides(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Bits per word, read from the left and from the right."""
    bits = both_ways(model, inputs.held_out_text(), inputs.limits["held-out"])
    basis = (bits.words, "words")
    note = f"{100 * bits.unknown:.1f} % of them outside the vocabulary, notes as one"
    return [
        number("bits_next", "bits per word, from the left", bits.next_word, *basis, note=note),
        number("bits_previous", "bits per word, from the right", bits.previous_word, *basis),
    ]


def masked(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Masked words and next sentences of held-out text."""
    limit = inputs.limits["held-out"]
    with tempfile.TemporaryDirectory() as cache:
        shards = Shards(inputs.held_out_text(), model.tokenizer.backend, sentences, Path(cache))
        words = masked_words(model, shards, limit)
        far = far_words(model, shards, limit)
    basis, note = (words.masked, "masked positions"), "" if words.judged else "it has no next-sentence head"
    verdict = "next-sentence verdict is right (chance 50)"
    return [
        Figure("masked_top1", "the hidden token is the first guess", words.top1, *basis),
        Figure("masked_top5", "the hidden token is among the first five", words.top5, *basis),
        number("masked_nats", "cross-entropy, nats", words.nats, *basis),
        Figure("next_sentence", verdict, words.next_sentence, words.judged, "pairs of texts", note=note),
        *far,
    ]


def far_words(model: LanguageModel, shards: Shards, limit: int | None) -> list[Figure]:
    """Masked words in the second half of longer rows, which may have been trained less."""
    if model.config.positions < 2 * LENGTH:
        return []
    try:
        words = masked_words(model, shards, limit, length=2 * LENGTH, first=LENGTH)
    except TextError:  # no text has this length
        return []
    label = f"the hidden token is the first guess, from the {LENGTH + 1}th token of a text on"
    return [Figure("masked_far_top1", label, words.top1, words.masked, "masked positions")]


def replaced_words(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Replaced words of held-out text, found by a discriminator and by frequency alone."""
    generator = load(generator_of(str(model.checkpoint)))
    with tempfile.TemporaryDirectory() as cache:
        shards = Shards(inputs.held_out_text(), model.tokenizer.backend, sentences, Path(cache) / "held-out")
        judged = verdicts(generator, model, shards, inputs.limits["held-out"])
        counts = token_counts(model, inputs, Path(cache) / "text") if inputs.text else None
    first, second = by_frequency.halves(judged)
    positive, basis = second.scores > 0, (len(second.tokens), "words, the second half of those judged")
    hits = int((positive & second.replaced).sum())
    recall, precision = hits / max(1, int(second.replaced.sum())), hits / max(1, int(positive.sum()))
    note = "the threshold was chosen on the other half"
    tuned = by_frequency.tuned_f1(first, second)
    share = float(second.replaced.float().mean())
    label = "F1 of a detector that knows only how frequent a token is"
    if counts is None:
        frequency = Figure("replaced_f1_frequency", label, None, note=NO_TEXT)
    else:
        value, total = by_frequency.frequency_f1(counts, first, second), int(counts.sum())
        notes = f"{note}; notes in {total:,} tokens"
        frequency = Figure("replaced_f1_frequency", label, value, *basis, note=notes)
    return [
        Figure("replaced_f1", "F1 of “replaced”, from one half on", second.f1, *basis),
        Figure("replaced_f1_tuned", "the same", tuned, *basis, note=note),
        Figure("replaced_recall", "replaced words that are found, from one half on", recall, *basis),
        Figure("replaced_precision", "words called replaced that are", precision, *basis),
        Figure("replaced_share", "replaced words", share, *basis),
        number("replaced_nats", "cross-entropy, nats", second.nats, *basis),
        frequency,
    ]


def token_counts(model: LanguageModel, inputs: Inputs, cache: Path) -> torch.Tensor:
    """Counts of the model's tokens in a sample of the training text."""
    shards = Shards(inputs.training_text(), model.tokenizer.backend, sentences, cache)
    blocks = range(0, len(shards), max(1, len(shards) // COUNTED_BLOCKS))
    ids = torch.cat([torch.from_numpy(shards[block].ids.astype("int64")) for block in blocks])
    return torch.bincount(ids, minlength=model.config.d_vocab)


def accepted_words(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Share of blanks with an accepted word among the guesses."""
    path = cloze.blanks_for(model)
    pattern = cloze.WORD if path == cloze.LINES else cloze.CHARACTER
    frequent = cloze.frequent_words(inputs.text, pattern=pattern) if inputs.text else []
    figures = []
    for split, lines in cloze.read_lines(path.read_text(encoding="utf-8")).items():
        result, basis = cloze.cloze(model, lines), (len(lines), "lines")
        note = f"out of reach in {result.out_of_reach}" if result.out_of_reach else ""
        first_ten, first = "an accepted word in the first ten", "an accepted word is first"
        always = cloze.unigram(frequent, lines).top10 if frequent else None
        figures += [
            Figure(f"cloze_{split}", f"{split}: {first_ten}", result.top10, *basis, note=note),
            Figure(f"cloze_top1_{split}", f"{split}: {first}", result.top1, *basis),
            Figure(
                f"cloze_unigram_{split}",
                f"{split}: in the ten most frequent words",
                always,
                *(basis if frequent else (0, "")),
                note=" ".join(frequent) or NO_TEXT,
            ),
        ]
    return figures


def classroom_blanks(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Share of everyday sentences with an accepted word among the guesses, by half and language."""
    figures = []
    for language, path in (("en", classroom.BLANKS), ("zh", classroom.BLANKS_ZH)):
        if language not in model.languages:
            continue
        for half, lines in classroom.read_halves(path.read_text(encoding="utf-8")).items():
            counts = classroom.classroom(model, lines)
            if language == "en":
                figures += shares("classroom", half, counts)
            else:  # a repeated character is not a repeated word
                figures += shares("classroom_zh", half, replace(counts, repeats=None), frozen="")
    return figures


def classroom_beginnings(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Share of everyday beginnings that are followed by an accepted word."""
    halves = classroom.read_halves(classroom.BEGINNINGS.read_text(encoding="utf-8"))
    return [
        figure
        for half, lines in halves.items()
        for figure in shares("beginnings", half, classroom.beginnings(model, lines))
    ]


def shares(
    name: str, half: str, counts: classroom.Classroom, frozen: str = f"; frozen at {classroom.FROZEN}"
) -> list[Figure]:
    """Shares of one half of a list, each with its interval."""
    labels = {
        "first": ("an accepted word is first", counts.first),
        "five": ("an accepted word is among five", counts.among),
        "repeats": ("the first guess repeats a content word", counts.repeats),
    }
    language = "Chinese, " if name.endswith("_zh") else ""
    beyond = f"; out of reach in {counts.out_of_reach}" if counts.out_of_reach else ""
    figures = []
    for key, (label, hits) in labels.items():
        if hits is not None:
            low, high = classroom.wilson(hits, counts.lines)
            note = f"95 %: {100 * low:.0f} to {100 * high:.0f}{frozen}{beyond}"
            label, basis = f"{language}{half}: {label}", (counts.lines, "lines")
            figures.append(Figure(f"{name}_{key}_{half}", label, hits / counts.lines, *basis, note=note))
    return figures


def pairs(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Share of minimal pairs whose grammatical sentence is more probable."""
    folder = inputs.folder("zorro", "babyberta")
    result = minimal_pairs.minimal_pairs(model, folder, inputs.limits["pairs"])
    label = "the grammatical one is likelier, mean over files (chance 50)"
    return [
        Figure("zorro", label, result.macro, result.pairs, "pairs"),
        *(
            Figure(f"zorro/{name}", name, share, result.counts[name], "pairs")
            for name, share in result.accuracy.items()
        ),
    ]
