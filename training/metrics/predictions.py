"""Figures on what a model predicts: held-out text, blanks, beginnings, minimal pairs."""

import tempfile
from dataclasses import replace
from pathlib import Path

import torch

from explorer import load
from explorer.checkpoints.partner import generator_of
from explorer.errors import NotFoundError, TextError
from explorer.models.language_model import LanguageModel
from training.bert.segmented import WordParts
from training.metrics import by_frequency, classroom, cloze, minimal_pairs, ngram
from training.metrics.bits import bits_per_byte
from training.metrics.both_ways import both_ways
from training.metrics.figure import Figure
from training.metrics.inputs import Inputs
from training.metrics.masked import LENGTH, masked_words
from training.metrics.replaced import verdicts
from training.text.shards import Shards, sentences

COUNTED_BLOCKS = 8  # of the training text, spread over it


def bits(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Bits per byte and nats per token of held-out text."""
    found = bits_per_byte(model, inputs.held(), inputs.limits["held-out"])
    return [
        Figure("bits_per_byte", "bits per byte", found.per_byte, found.tokens, "tokens", share=False),
        Figure("nats_per_token", "nats per token", found.nats_per_token, found.tokens, "tokens", share=False),
    ]


def by_counting(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """The same bits by counting 5-grams, to compare with."""
    held = inputs.held()
    counts = ngram.counted(inputs.counted(), model.tokenizer, inputs.limits["ngram"])
    found = ngram.ngram_bits(counts, held, model.tokenizer, inputs.limits["held-out"])
    note = f"counted in {counts.tokens:,} tokens"
    return [
        Figure(
            "ngram_bits_per_byte",
            "5-grams, modified Kneser-Ney: bits per byte",
            found.per_byte,
            found.tokens,
            "tokens",
            share=False,
            note=note,
        )
    ]


def both_sides(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Bits per word, read from the left and from the right."""
    found = both_ways(model, inputs.held(), inputs.limits["held-out"])
    note = f"{100 * found.unknown:.1f} % of them outside the vocabulary, counted as one"
    return [
        Figure(
            "bits_next",
            "bits per word, from the left",
            found.next_word,
            found.words,
            "words",
            share=False,
            note=note,
        ),
        Figure(
            "bits_previous",
            "bits per word, from the right",
            found.previous_word,
            found.words,
            "words",
            share=False,
        ),
    ]


def masked(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Masked words and next sentences of held-out text."""
    with tempfile.TemporaryDirectory() as cache:
        shards = Shards(inputs.held(), model.tokenizer.backend, sentences, Path(cache))
        parts = (shards[i] for i in range(len(shards)))
        found = masked_words(model, parts, inputs.limits["held-out"])
        far = _far(model, shards, inputs.limits["held-out"])
    of, said = "masked positions", "" if found.judged else "it has no next-sentence head"
    return [
        Figure("masked_top1", "the hidden token is the first guess", found.top1, found.masked, of),
        Figure("masked_top5", "the hidden token is among the first five", found.top5, found.masked, of),
        Figure("masked_nats", "cross-entropy, nats", found.nats, found.masked, of, share=False),
        Figure(
            "next_sentence",
            "next-sentence verdict is right (chance 50)",
            found.next_sentence,
            found.judged,
            "pairs of texts",
            note=said,
        ),
        *far,
    ]


def _far(model: LanguageModel, shards: Shards, limit: int | None) -> list[Figure]:
    """Whether the second half of longer rows is read too: it may have been trained less."""
    if model.config.positions < 2 * LENGTH:
        return []
    parts = (shards[i] for i in range(len(shards)))
    try:
        found = masked_words(model, parts, limit, length=2 * LENGTH, first=LENGTH)
    except TextError:  # no text is that long
        return []
    label = f"the hidden token is the first guess, from the {LENGTH + 1}th token of a text on"
    return [Figure("masked_far_top1", label, found.top1, found.masked, "masked positions")]


def masked_whole_words(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """The same where all tokens of a word are hidden together. Raises NotFoundError without jieba."""
    with tempfile.TemporaryDirectory() as cache:
        read = (inputs.held(), model.tokenizer.backend, sentences)
        shards, parts = Shards(*read, Path(cache) / "text"), WordParts(*read, Path(cache) / "words")
        both = [[kind[i] for i in range(len(kind))] for kind in (shards, parts)]
        found = masked_words(model, both[0], inputs.limits["held-out"], both[1])
    of = "masked positions"
    return [
        Figure("whole_words_top1", "the hidden token is the first guess", found.top1, found.masked, of),
        Figure("whole_words_nats", "cross-entropy, nats", found.nats, found.masked, of, share=False),
    ]


def replaced_words(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Replaced words of held-out text, found by a discriminator and by frequency alone."""
    generator = load(generator_of(str(model.checkpoint)))
    with tempfile.TemporaryDirectory() as cache:
        shards = Shards(inputs.held(), model.tokenizer.backend, sentences, Path(cache) / "held-out")
        parts = (shards[i] for i in range(len(shards)))
        found = verdicts(generator, model, parts, inputs.limits["held-out"])
        chosen_by, asked = by_frequency.halves(found)
        words, of = len(asked.tokens), "words, the second half of those judged"
        share = float(asked.replaced.float().mean())
        said = asked.scores > 0
        hits = int((said & asked.replaced).sum())
        recall, precision = hits / max(1, int(asked.replaced.sum())), hits / max(1, int(said.sum()))
        tuned = "the threshold was chosen on the other half"
        figures = [
            Figure("replaced_f1", "F1 of “replaced”, from one half on", asked.f1, words, of),
            Figure(
                "replaced_f1_tuned",
                "the same",
                by_frequency.tuned_f1(chosen_by, asked),
                words,
                of,
                note=tuned,
            ),
            Figure("replaced_recall", "replaced words that are found, from one half on", recall, words, of),
            Figure("replaced_precision", "words called replaced that are", precision, words, of),
            Figure("replaced_share", "replaced words", share, words, of),
            Figure("replaced_nats", "cross-entropy, nats", asked.nats, words, of, share=False),
        ]
        label = "F1 of a detector that knows only how frequent a token is"
        if inputs.text is None:
            return [
                *figures,
                Figure("replaced_f1_frequency", label, None, note="no text to count in (--text)"),
            ]
        counted = Shards(inputs.text, model.tokenizer.backend, sentences, Path(cache) / "text")
        blocks = range(0, len(counted), max(1, len(counted) // COUNTED_BLOCKS))
        ids = torch.cat([torch.from_numpy(counted[i].ids.astype("int64")) for i in blocks])
        counts = torch.bincount(ids, minlength=model.config.d_vocab)
    value = by_frequency.frequency_f1(counts, chosen_by, asked)
    note = f"{tuned}; counted in {len(ids):,} tokens"
    return [*figures, Figure("replaced_f1_frequency", label, value, words, of, note=note)]


def accepted_words(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """How often an accepted word is among the guesses of a blank."""
    lists = cloze.blanks_for(model)
    if not lists.exists():
        raise NotFoundError(f"training/sets has no {lists.name}")
    pattern = cloze.WORD if lists == cloze.LINES else cloze.CHARACTER
    frequent = cloze.frequent_words(inputs.text, pattern=pattern) if inputs.text else []
    figures = []
    for split, lines in cloze.read_lines(lists.read_text(encoding="utf-8")).items():
        found = cloze.cloze(model, lines)
        said = f"out of reach in {found.out_of_reach}" if found.out_of_reach else ""
        figures += [
            Figure(
                f"cloze_{split}",
                f"{split}: an accepted word in the first ten",
                found.top10,
                found.lines,
                "lines",
                note=said,
            ),
            Figure(
                f"cloze_top1_{split}", f"{split}: an accepted word is first", found.top1, found.lines, "lines"
            ),
        ]
        label = f"{split}: in the ten most frequent words"
        if frequent:
            always = cloze.unigram(frequent, lines)
            figures.append(
                Figure(
                    f"cloze_unigram_{split}",
                    label,
                    always.top10,
                    always.lines,
                    "lines",
                    note=" ".join(frequent),
                )
            )
        else:
            figures.append(Figure(f"cloze_unigram_{split}", label, None, note="no text to count in (--text)"))
    return figures


def classroom_blanks(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """The same on everyday sentences in the model's languages, half by half."""
    figures = []
    for language, path in (("en", classroom.BLANKS), ("zh", classroom.BLANKS_ZH)):
        if language not in model.languages:
            continue
        for half, lines in classroom.read_halves(path.read_text(encoding="utf-8")).items():
            found = classroom.classroom(model, lines)
            if language == "en":
                figures += _counted("classroom", half, found)
            else:  # a character that stands twice is no word that is said twice
                figures += _counted("classroom_zh", half, replace(found, repeats=None), frozen="")
    return figures


def classroom_beginnings(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """How often an accepted word comes next in everyday beginnings."""
    halves = classroom.read_halves(classroom.BEGINNINGS.read_text(encoding="utf-8"))
    return [
        figure
        for half, lines in halves.items()
        for figure in _counted("beginnings", half, classroom.beginnings(model, lines))
    ]


def _counted(
    list_: str, half: str, found: classroom.Classroom, frozen: str = f"; frozen at {classroom.FROZEN}"
) -> list[Figure]:
    """The shares of one half of a list, each with its interval."""
    counted = {
        "first": ("an accepted word is first", found.first),
        "five": ("an accepted word is among five", found.among),
        "repeats": ("the first guess repeats a content word", found.repeats),
    }
    language = "Chinese, " if list_.endswith("_zh") else ""
    beyond = f"; out of reach in {found.out_of_reach}" if found.out_of_reach else ""
    figures = []
    for key, (label, hits) in counted.items():
        if hits is not None:
            low, high = classroom.wilson(hits, found.lines)
            note = f"95 %: {100 * low:.0f} to {100 * high:.0f}{frozen}{beyond}"
            figures.append(
                Figure(
                    f"{list_}_{key}_{half}",
                    f"{language}{half}: {label}",
                    hits / found.lines,
                    found.lines,
                    "lines",
                    note=note,
                )
            )
    return figures


def pairs(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """How often the grammatical sentence of two is the likelier."""
    folder = inputs.folder("zorro", "babyberta")
    found = minimal_pairs.minimal_pairs(model, folder, inputs.limits["pairs"])
    label = "the grammatical one is likelier, mean over files (chance 50)"
    return [
        Figure("zorro", label, found.macro, found.pairs, "pairs"),
        *(
            Figure(f"zorro/{name}", name, share, found.counts[name], "pairs")
            for name, share in found.accuracy.items()
        ),
    ]
