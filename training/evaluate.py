"""`python -m training.evaluate NAME`: all measures of a checkpoint in one table.

A measure that the model's abilities or the given files do not allow has the reason in the table.
"""

import argparse
import json
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

import torch

import explorer
from explorer.analysis.heads import induction
from explorer.errors import ExplorerError
from explorer.models.language_model import LanguageModel
from explorer.tokenizers.languages import Language
from explorer.trace import Ability
from training.metrics import (
    blanks,
    both_ways,
    masked,
    minimal_pairs,
    pos,
    replaced,
    senses,
    translations,
    two_languages,
    wic,
    word_vectors,
)
from training.metrics.figure import LIMITS, Figure, Inputs, number, table
from training.text import Corpus

log = logging.getLogger("training")

ENGLISH: frozenset[Language] = frozenset({"en"})
CHINESE: frozenset[Language] = frozenset({"zh"})
ANY = ENGLISH | CHINESE


@dataclass(frozen=True)
class Measure:
    """A measure: its heading, the ability that it needs, and its function.

    `languages` are those of its texts; held-out text may be in any.
    """

    heading: str
    needs: Ability
    run: Callable[[LanguageModel, Inputs], Sequence[Figure]]
    languages: frozenset[Language] = ANY


def induction_head(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Induction score of the best head."""
    result = induction.induction(model)
    layer, head = result.best
    best = f"best head: L{layer + 1}H{head + 1}"  # counted from 1, as on screen
    return [number("induction", best, result.score, result.texts, "random texts")]


MEASURES = {
    "bits": Measure("Held-out text", Ability.GENERATE, both_ways.held_out_bits),
    "words": Measure("Held-out text, word by word from both sides", Ability.NEXT_WORD, both_ways.both_sides),
    "masked": Measure("Held-out text: masked words and next sentences", Ability.FILL, masked.held_out_blanks),
    "replaced": Measure("Held-out text: replaced words", Ability.DETECT, replaced.replaced_words),
    "cloze": Measure("Cloze", Ability.FILL, blanks.cloze),
    "classroom": Measure("Everyday sentences with a blank", Ability.FILL, blanks.classroom),
    "beginnings": Measure("Everyday beginnings: the next word", Ability.GENERATE, blanks.beginnings, ENGLISH),
    "pairs": Measure("Minimal pairs", Ability.FILL | Ability.GENERATE, minimal_pairs.preferences, ENGLISH),
    "senses": Measure("Senses, from three sentences each", Ability.CONTEXT, senses.sense_words),
    "pos": Measure("Part of speech, by a classifier on each layer", Ability.CONTEXT, pos.tags, ENGLISH),
    "wic": Measure("Words in context: the same meaning in two?", Ability.CONTEXT, wic.same_meaning, ENGLISH),
    "similarity": Measure("Word similarity", Ability.NONE, word_vectors.word_similarity, ENGLISH),
    "analogies": Measure("Analogies", Ability.NONE, word_vectors.word_analogies, ENGLISH),
    "translations": Measure("BLEU on held-out sentences", Ability.TRANSLATE, translations.bleu),
    "retrieval": Measure("Translations found", Ability.CONTEXT, two_languages.nearest_translations, CHINESE),
    "zero-shot": Measure(
        "Learnt in English, asked in Chinese", Ability.CONTEXT, two_languages.right_in_chinese, CHINESE
    ),
    "induction": Measure("Induction: attention to earlier copies", Ability.GENERATE, induction_head),
}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(prog="python -m training.evaluate", description=__doc__)
    p.add_argument("name", help="a bundled name, hub:organisation/name, or folder:/a/path")
    for option, note in (
        ("--dev", "folder of development sets: zorro (or babyberta), wic, wordsim, ud_ewt"),
        ("--held-out", "text that the model was not trained on"),
        ("--pairs", "the sentence pairs that a translator learnt from"),
        ("--json", "the figures as data, into a file"),
    ):
        p.add_argument(option, type=Path, metavar="PATH", help=note)
    p.add_argument("--text", type=Path, nargs="+", metavar="PATH", help="training text, for baselines")
    p.add_argument("--only", nargs="+", choices=list(MEASURES), metavar="METRIC", help="some of the measures")
    p.add_argument(
        "--limit",
        nargs="+",
        default=[],
        type=limit,
        metavar="METRIC=N",
        help="held-out=N tokens, pairs=N of each file, wic=N pairs, pos=N words; "
        "translations=N sentences; 0: all. "
        "Default: " + ", ".join(f"{name}={n or 0}" for name, n in LIMITS.items()),
    )
    p.add_argument("--threads", type=int, default=0, help="CPU threads; 0: as many as torch likes")
    return p


def limit(text: str) -> tuple[str, int | None]:
    """Name and number of `wic=400`; 0 means all.

    >>> limit("wic=400"), limit("pairs=0")
    (('wic', 400), ('pairs', None))
    """
    name, _, number = text.partition("=")
    if name not in LIMITS or not number.isdecimal():
        raise argparse.ArgumentTypeError(f"“{text}” is not one of {', '.join(f'{n}=N' for n in LIMITS)}")
    return name, int(number) or None


def evaluate(
    model: LanguageModel, inputs: Inputs, names: Sequence[str] = tuple(MEASURES)
) -> dict[str, list[Figure]]:
    """Figures of each measure; one that cannot run has a single figure with the reason."""
    figures = {}
    for name in names:
        measure, start = MEASURES[name], perf_counter()
        if measure.needs and not model.abilities & measure.needs:
            figures[name] = [skipped(name, f"{model.checkpoint} lacks {measure.needs.name}")]
            continue
        if not measure.languages & model.languages:
            only = "English" if measure.languages == ENGLISH else "Chinese"
            figures[name] = [skipped(name, f"its texts are {only}")]
            continue
        try:
            figures[name] = list(measure.run(model, inputs))
            log.info("%s: %.0f s", name, perf_counter() - start)
        except ExplorerError as error:
            figures[name] = [skipped(name, error.message)]
    return figures


def skipped(name: str, reason: str) -> Figure:
    """Figure without a value, with the reason."""
    return Figure(name, "skipped", None, note=reason)


def main(arguments: list[str] | None = None) -> None:
    """Measure a checkpoint, print the table, and write the figures if --json is given."""
    a = parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s  %(message)s", datefmt="%H:%M:%S")
    if a.threads:
        torch.set_num_threads(a.threads)
    try:
        model = explorer.load(a.name)
        inputs = Inputs(
            dev=a.dev,
            held_out=Corpus.open(a.held_out) if a.held_out else None,
            text=Corpus.open(*a.text) if a.text else None,
            pairs=a.pairs,
            limits=LIMITS | dict(a.limit),
        )
        figures = evaluate(model, inputs, a.only or list(MEASURES))
    except ExplorerError as error:
        raise SystemExit(f"{error.message} {error.hint}") from error
    title = f"{a.name}: {model.parameters / 1e6:.1f} M parameters"
    sys.stdout.write(table(title, [(MEASURES[name].heading, some) for name, some in figures.items()]))
    if a.json:
        rows = [{"measure": name} | asdict(figure) for name, some in figures.items() for figure in some]
        about = {"checkpoint": a.name, "parameters": model.parameters, "limits": inputs.limits}
        data = about | {"figures": rows}
        a.json.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
