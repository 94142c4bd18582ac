"""What the bench's steps write under a grammar or with a watermark, and how the mark is found in a text."""

from typing import Any, NamedTuple

from explorer.locale import N_, _, close_up, language, localised
from explorer.views import kit
from explorer.views.types import LanguageModel, Sampling

MARKED = 4.0  # the z above which Kirchenbauer et al. call a text marked


class Continued(NamedTuple):
    """A text that the steps have written: the id before it, its ids, and what each token adds.

    `left` is how much of the probability the grammar left at each token; `problem` says why the text ends
    where no token was left.
    """

    before: int
    ids: list[int]
    pieces: list[str]
    left: list[float]
    problem: str


@kit.kept(64, N_("Writing"))
def continued(model: "LanguageModel", prompt: str, way: "Sampling", language: str) -> Continued:
    """What the steps write after a prompt, with a problem in a language."""
    from explorer.analysis.generation.steps import generate
    from explorer.errors import ExplorerError
    from explorer.generation.grammar import allowed

    generation, problem, left = generate(model, prompt, way, candidates=1), "", list[float]()
    try:
        list(generation)
    except ExplorerError as error:
        problem = _("Here the text stops. {problem}", problem=f"{error.message} {error.hint}")
    for at in range(len(generation.steps) if way.grammar else 0):
        shares = generation.logits(at).softmax(0)
        mask = allowed(model.tokenizer, way.grammar or "", generation.ids[:at], len(shares))
        left.append(float(shares[mask].sum()))
    pieces = [step.text for step in generation.steps]
    return Continued(generation.prompt_ids[-1], generation.ids, pieces, left, problem)


class Marked(NamedTuple):
    """The ids of a text, which of them after the first are green, and the z of all of them."""

    ids: list[int]
    green: list[bool]
    z: float


@kit.kept(64)
def marked(model: "LanguageModel", prompt: str, way: "Sampling", tested: str) -> Marked:
    """The watermark in a text that is typed, or else in the one that the steps have written."""
    from explorer.generation.watermark import greens, z_score

    assert way.watermark, "the step is on"
    if tested:
        ids = model.tokenizer.encode(tested).ids.tolist()
    else:
        text = continued(model, prompt, way, language())
        ids = [text.before, *text.ids]
    green = greens(ids, model.config.d_vocab, way.watermark)
    return Marked(ids, green, z_score(green, way.watermark.green))


def written(
    model: "LanguageModel", prompt: str, way: "Sampling", tested: str, blocked: kit.Blocklist
) -> dict[str, Any] | None:
    """The text as it is drawn: the gauge of each token under a grammar, and which are green; else None."""
    if way.grammar is None and way.watermark is None:
        return None
    text, says, green = continued(model, prompt, way, language()), list[str](), list[bool]()
    pieces, left = text.pieces, text.left
    if way.watermark:
        mark = marked(model, prompt, way, tested)
        green = mark.green
        if tested:
            pieces, left, prompt = [model.tokenizer.readable(id) for id in mark.ids], [], ""
            green = [False, *green]
        if mark.green:
            threshold = f"{MARKED:g}"
            above = mark.z > MARKED
            counts = _(
                "{green} of {count} tokens are green, by chance it would be half: z = {z}. {verdict}",
                green=sum(mark.green),
                count=len(mark.green),
                z=localised(f"{mark.z:.1f}"),
                verdict=_("The text is marked.")
                if above
                else _("It is called marked above {threshold}.", threshold=threshold),
            )
            says.append(counts)
    if left:
        at = min(range(len(left)), key=left.__getitem__)
        mean, least = (kit.whole_percent(share) for share in (sum(left) / len(left), left[at]))
        token = shown_token(pieces[at])
        says.append(
            _(
                "On average the grammar left {mean} of the probability, at “{token}” {least}.",
                mean=mean,
                token=token,
                least=least,
            )
            if token
            else _(
                "On average the grammar left {mean} of the probability, at its end {least}.",
                mean=mean,
                least=least,
            )
        )
    if text.problem and not tested:
        says.append(text.problem)
    shown = [shown_token(piece) for piece in kit.blocklist.written(blocked, pieces, prompt)]
    return {"tokens": shown, "green": green, "left": left, "says": close_up(" ".join(says))}


def shown_token(piece: str) -> str:
    """What a token adds, on one line."""
    return piece.replace("\n", "↵ ")
