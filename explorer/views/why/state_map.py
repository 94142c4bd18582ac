"""The map of patched states: what it draws, what it shows in a sentence, and its table."""

from typing import Any

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
        "label": "What each state brings back of the first answer: layers down, tokens across",
        "tokens": [
            {"first": a, "second": b, "differs": i in pair.differing}
            for i, (a, b) in enumerate(zip(first, second))
        ],
        "columns": [f"“{token.strip()}”" for token in first],
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
    word = kit.quoted(f"“{surface(pair.first, pair.differing[-1])}”")
    end = "the last token" if causal else "the blank"
    if layers is None:
        return f"At {word} and at {end} the answer is not handed over as a whole: it comes in several steps."
    before, after = layers
    if after <= before:  # for a while both bring back half
        return f"From layer {after + 1} on it is at {end}, and up to layer {before + 1} at {word} too."
    return f"Between layers {before + 1} and {after + 1} the answer moves from {word} to {end}."


def shares_csv(patched: "PatchedStates") -> str:
    """The map as a table: a row for each layer."""
    pair = patched.contrast
    columns = [f"{i + 1}: {surface(pair.second, i)}" for i in range(len(pair.second))]
    return kit.table(
        ["layer", *columns], [[f"layer {n}", *row] for n, row in enumerate(patched.share.tolist(), 1)]
    )
