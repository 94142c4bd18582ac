"""`python -m training.evaluate NAME`: every development metric of a checkpoint, in one table.

Each metric runs where the model's abilities and the files given allow it; where not, the table says why.
"""

import argparse
import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import torch

import explorer
from explorer.errors import ExplorerError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.metrics.figure import Figure, table
from training.metrics.inputs import LIMITS, Inputs
from training.metrics.measures import MEASURES
from training.text.corpus import Corpus

log = logging.getLogger("training")

LACKS = {
    Ability.GENERATE: "does not predict the next token",
    Ability.FILL: "does not fill blanks",
    Ability.DETECT: "does not judge which tokens were replaced",
    Ability.NEXT_WORD: "does not predict whole words",
    Ability.TRANSLATE: "does not translate",
    Ability.CONTEXT: "has no hidden states",
    Ability.FILL | Ability.GENERATE: "gives no probability to a text",
}
NAMES = {"en": "English", "zh": "Chinese"}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(prog="python -m training.evaluate", description=__doc__)
    p.add_argument("name", help="a bundled name, hub:organisation/name, or folder:/a/path")
    p.add_argument(
        "--dev",
        type=Path,
        metavar="FOLDER",
        help="development sets: zorro (or babyberta), wic, wordsim, ud_ewt",
    )
    p.add_argument("--held-out", type=Path, metavar="FILE", help="text that the model was not trained on")
    p.add_argument(
        "--text", type=Path, nargs="+", metavar="FILE", help="training text, for the counting baselines"
    )
    p.add_argument(
        "--pairs", type=Path, metavar="FILE", help="the sentence pairs that a translator learnt from"
    )
    p.add_argument("--ngram", action="store_true", help="count 5-grams in --text, beside bits per byte")
    p.add_argument(
        "--only", nargs="+", choices=list(MEASURES), metavar="METRIC", help=f"some of: {', '.join(MEASURES)}"
    )
    p.add_argument(
        "--limit",
        nargs="+",
        default=[],
        type=limit,
        metavar="METRIC=N",
        help="held-out=N tokens, pairs=N of each file, wic=N pairs, ngram=N tokens, pos=N words; "
        "translations=N sentences; 0: all. "
        "Default: " + ", ".join(f"{name}={n or 0}" for name, n in LIMITS.items()),
    )
    p.add_argument("--json", type=Path, metavar="OUT", help="the figures as data, into a file")
    p.add_argument("--device", default="cpu", help="cpu or cuda")
    p.add_argument("--threads", type=int, default=0, help="CPU threads; 0: as many as torch likes")
    return p


def limit(text: str) -> tuple[str, int | None]:
    """`wic=400` as a name and a number; 0 means all.

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
    """The figures of each measure; where one cannot run, a single figure without a value says why."""
    found = {}
    for name in names:
        measure, start = MEASURES[name], perf_counter()
        if measure.needs and not model.abilities & measure.needs:
            found[name] = [skipped(name, f"{model.checkpoint} {LACKS[measure.needs]}")]
            continue
        if not measure.languages & model.languages:
            only = " and ".join(NAMES[language] for language in sorted(measure.languages))
            found[name] = [skipped(name, f"its texts are {only}")]
            continue
        try:
            found[name] = list(measure.run(model, inputs))
            log.info("%s: %.0f s", name, perf_counter() - start)
        except ExplorerError as error:
            found[name] = [skipped(name, error.message)]
    return found


def skipped(name: str, reason: str) -> Figure:
    """In place of a measure's figures, why there are none."""
    return Figure(name, "skipped", None, note=reason)


def main(arguments: list[str] | None = None) -> None:
    """Measure, print the table, and write the figures where they were asked for."""
    a = parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s  %(message)s", datefmt="%H:%M:%S")
    if a.threads:
        torch.set_num_threads(a.threads)
    names = a.only or [name for name in MEASURES if name != "ngram" or a.ngram]
    try:
        with TemporaryDirectory() as cache:  # unpacked .xz files
            model = explorer.load(a.name)
            model.network.to(a.device)
            inputs = Inputs(
                dev=a.dev,
                held_out=Corpus.open([a.held_out], Path(cache)) if a.held_out else None,
                text=Corpus.open(a.text, Path(cache)) if a.text else None,
                pairs=a.pairs,
                limits=LIMITS | dict(a.limit),
            )
            found = evaluate(model, inputs, names)
    except ExplorerError as error:
        raise SystemExit(f"{error.message} {error.hint}") from error
    title = f"{a.name}: {model.parameters / 1e6:.1f} M parameters"
    sys.stdout.write(table(title, [(MEASURES[name].heading, figures) for name, figures in found.items()]))
    if a.json:
        figures = [{"measure": name} | asdict(f) for name, some in found.items() for f in some]
        about = {"checkpoint": a.name, "parameters": model.parameters, "limits": inputs.limits}
        data = about | {"figures": figures}
        a.json.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
