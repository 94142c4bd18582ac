"""The map of patched states: what it draws, what it shows in a sentence, and its table."""

from typing import Any

from explorer.locale import _
from explorer.views import kit
from explorer.views.types import Contrast, PatchedStates
from explorer.views.why.patch_run import PatchRun, progress_data
from explorer.views.why.prompts import answer_word, surface


def picture(
    patched: "PatchedStates", run: PatchRun | None = None, cell: tuple[int, int] | None = None
) -> dict[str, Any]:
    """What the map draws."""
    pair = patched.contrast
    word = pair.differing[-1]
    lines = [word, pair.position] if word != pair.position else [word]
    first, second = (
        [surface(encoding, i) for i in range(len(pair.second))] for encoding in (pair.first, pair.second)
    )
    return {
        "label": _("What each state brings back of the first answer: layers down, tokens across"),
        "tokens": [
            {"first": a, "second": b, "differs": i in pair.differing}
            for i, (a, b) in enumerate(zip(first, second))
        ],
        "columns": [_("“{word}”", word=token.strip()) for token in first],
        "answers": [answer(pair, which) for which in (0, 1)],
        "share": [[round(value, 4) for value in row] for row in patched.share.tolist()],
        "chosen": None if cell is None else list(cell),
        "lines": [{"token": at, "name": first[at].strip()} for at in lines],
        "noise": pair.noise is not None,
        "plain": kit.for_class(),
    } | progress_data(run, patched.share.shape[0])


def answer(pair: "Contrast", which: int) -> dict[str, str]:
    """The answer of a prompt, and how probable it is there."""
    id = pair.instead if which and pair.noise is None else pair.answer
    probability = float(pair.logits[which].softmax(-1)[id])
    return {"word": answer_word(pair, which), "probability": kit.short(probability)}


def moved(patched: "PatchedStates", causal: bool) -> str:
    """Between which layers the answer leaves the word that differs, as HTML."""
    pair, layers = patched.contrast, patched.handover()
    word = kit.quoted(_("“{word}”", word=surface(pair.first, pair.differing[-1])))
    end = _("at the last token") if causal else _("at the blank")
    if layers is None:
        return _(
            "At {word} and {end} the answer is not handed over as a whole: it comes in several steps.",
            word=word,
            end=end,
        )
    numbers = {"before": layers[0] + 1, "after": layers[1] + 1}
    if layers[1] <= layers[0]:  # for a while both bring back half
        return _(
            "From layer {after} on it is {end}, and up to layer {before} at {word} too.",
            word=word,
            end=end,
            **numbers,
        )
    end = _("to the last token") if causal else _("to the blank")
    return _(
        "Between layers {before} and {after} the answer moves from {word} {end}.",
        word=word,
        end=end,
        **numbers,
    )


def shares_csv(patched: "PatchedStates") -> str:
    """The map as a table: a row for each layer."""
    pair = patched.contrast
    columns = [f"{i + 1}: {surface(pair.second, i)}" for i in range(len(pair.second))]
    return kit.table(
        ["layer", *columns], [[f"layer {n}", *row] for n, row in enumerate(patched.share.tolist(), 1)]
    )
