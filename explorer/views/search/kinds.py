"""The choice among the kinds of vectors, and the vectors of some texts by the chosen one.

The vectors are kept by text, for all visitors: a changed line is read alone, and who comes back to ten
thousand passages, or presses a button while they are read, finds what was read so far.
"""

from collections.abc import Sequence
from typing import Any

from explorer import analysis
from explorer.catalogue.manifest import missing
from explorer.locale import _, format_number, translate
from explorer.views import kit
from explorer.views.search.settings import COUNTS, ENCODER, KIND, KINDS, MODEL
from explorer.views.types import LanguageModel, SentenceVectors, Tensor

AT_ONCE = 64  # texts between two looks at whether the visitor is still there
SLOW = 200  # texts: more of them have a progress bar
MOST_KEPT = 50_000  # vectors, of 1.5 kB each with MiniLM

_rows: "kit.Kept[Tensor]" = kit.Kept(MOST_KEPT)


def choices(settings: kit.Settings) -> dict[str, str]:
    """The kinds by name, of models that are installed; the page's own model is the last."""
    own = {ENCODER: kit.memory.short_label(settings[MODEL])}
    absent = {settings[MODEL], *(model.name for model in missing())}
    return {kind: label for kind, label in translate(KINDS).items() if kind not in absent} | own


def control(settings: kit.Settings) -> None:
    """The choice among the kinds."""
    settings.restrict(KIND, choices(settings))
    kit.segments(settings, KIND, _("Vectors"), choices(settings))


def model_name(settings: kit.Settings, kind: str | None = None) -> str:
    """The model of a kind, by default of the chosen one; empty for the counts of words."""
    kind = kind or settings[KIND]
    return {ENCODER: settings[MODEL], COUNTS: ""}.get(kind, kind)


def read(page: kit.OpenPage[Any], texts: Sequence[str], kind: str | None = None) -> "SentenceVectors":
    """The vectors of some texts, of the chosen kind or another, with a bar if many have to be read.

    If the visitor leaves or changes something meanwhile, Streamlit ends the run, and the reading with it.
    """
    name = model_name(page.settings, kind)
    return _by_model(kit.memory.get(name), texts) if name else _word_counts(tuple(texts))


@kit.kept(16)
def _word_counts(texts: tuple[str, ...]) -> "SentenceVectors":
    return analysis.sentences.read(None, texts)


def _by_model(model: "LanguageModel", texts: Sequence[str]) -> "SentenceVectors":
    import torch

    from explorer.analysis.sentences import vectors

    name = str(model.checkpoint)
    rows = {text: row for text in texts if (row := _rows.look_up((name, text))) is not None}
    new = sorted(dict.fromkeys(text for text in texts if text not in rows), key=len)
    with kit.progress_bar() as show:
        for start in range(0, len(new), AT_ONCE):
            some = new[start : start + AT_ONCE]
            if len(new) >= SLOW:
                done, every = format_number(start), format_number(len(new))
                show(start / len(new), _("{done} of {count} texts are read", done=done, count=every))
            read = dict(zip(some, vectors.unit_vectors(model, some), strict=True))
            rows |= read
            for text, row in read.items():
                _rows.put((name, text), row)
    return vectors.with_rows(model, texts, torch.stack([rows[text] for text in texts]))
