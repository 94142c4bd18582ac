"""What each head does: a word under its thumbnail, and a sentence for its tooltip."""

from explorer import analysis
from explorer.server.kept import kept
from explorer.views.types import Trace
from explorer.views.widgets.head_kinds import kind_name

Head = tuple[int, int]
NAMED = 2  # kinds in the sentence about a head


def descriptions(checkpoint: str, trace: "Trace") -> dict[Head, tuple[str, str]]:
    """A word (empty if there is none) and a sentence for every head.

    The heads of a bundled checkpoint were measured on our own sentences; those of another are measured
    on this text alone.
    """
    from explorer.analysis import heads

    stored = _stored(checkpoint)
    return stored if stored is not None else _describe(heads.kinds(heads.behaviours(trace)), "on this text")


def is_stored(checkpoint: str) -> bool:
    """Whether a checkpoint's heads were measured on our sentences."""
    return _stored(checkpoint) is not None


@kept(16, of="models")
def _stored(checkpoint: str) -> dict[Head, tuple[str, str]] | None:
    report = None if ":" in checkpoint else analysis.heads.stored(checkpoint)
    return None if report is None else _describe(report.kinds(), "on our 200 sentences")


def _describe(kinds: "dict[Head, list[analysis.heads.Kind]]", where: str) -> dict[Head, tuple[str, str]]:
    return {
        head: (kind_name(head_kinds[0]), f"{'; '.join(map(sentence, head_kinds[:NAMED]))} ({where})")
        if head_kinds
        else ("", f"nothing above our thresholds ({where})")
        for head, head_kinds in kinds.items()
    }


def sentence(kind: "analysis.heads.Kind") -> str:
    """A kind in words, with its score and, for a relation, the lead over the best fixed offset."""
    from explorer.analysis.heads.relations import RELATIONS

    if kind.direction:
        what = RELATIONS.get(kind.name, kind.name)
        to_head = kind.direction == "to_head"
        direction = f"from {what} to the word it depends on" if to_head else f"from a word to its {what}"
        return f"{direction}, {kind.score:.0%} right, {100 * kind.over:.0f} points over the best fixed offset"
    if kind.name == "broad":
        return f"attends broadly, {kind.score:.0%} of the greatest entropy there can be"
    if kind.name == "induction":
        return f"on repeated random tokens, {kind.score:.2f} to what followed the first time"
    if kind.name == "duplicate":
        return f"on repeated random tokens, {kind.score:.2f} to the token’s earlier copies"
    return f"{kind.score:.2f} {analysis.heads.BEHAVIOURS[kind.name]}"
