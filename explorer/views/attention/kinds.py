"""What each head does: a word under its thumbnail, and a sentence for its tooltip."""

from explorer import analysis
from explorer.locale import N_, _, language, localised, translate
from explorer.server.kept import kept
from explorer.views.types import Trace
from explorer.views.widgets.head_kinds import kind_name
from explorer.views.widgets.numbers import whole_percent

Head = tuple[int, int]
NAMED = 2  # kinds in the sentence about a head


def descriptions(checkpoint: str, trace: "Trace") -> dict[Head, tuple[str, str]]:
    """A word (empty if there is none) and a sentence for every head.

    The heads of a bundled checkpoint were measured on our own sentences; those of another are measured
    on this text alone.
    """
    from explorer.analysis import heads

    stored = _stored(checkpoint, language())
    if stored is not None:
        return stored
    return _describe(heads.kinds(heads.behaviours(trace)), N_("{does} (on this text)"))


def is_stored(checkpoint: str) -> bool:
    """Whether a checkpoint's heads were measured on our sentences."""
    return _stored(checkpoint, language()) is not None


@kept(16, of="models")
def _stored(checkpoint: str, language: str) -> dict[Head, tuple[str, str]] | None:
    report = None if ":" in checkpoint else analysis.heads.stored(checkpoint)
    return None if report is None else _describe(report.kinds(), N_("{does} (on our 200 sentences)"))


def _describe(kinds: "dict[Head, list[analysis.heads.Kind]]", where: str) -> dict[Head, tuple[str, str]]:
    return {
        head: (kind_name(head_kinds[0]), _(where, does=_("; ").join(map(sentence, head_kinds[:NAMED]))))
        if head_kinds
        else ("", _(where, does=_("nothing above our thresholds")))
        for head, head_kinds in kinds.items()
    }


def sentence(kind: "analysis.heads.Kind") -> str:
    """A kind in words, with its score and, for a relation, the lead over the best fixed offset."""
    from explorer.analysis.heads.relations import RELATIONS

    if kind.direction:
        what = translate(RELATIONS.get(kind.name, kind.name))
        fields = {"what": what, "share": whole_percent(kind.score), "points": f"{100 * kind.over:.0f}"}
        if kind.direction == "to_head":
            return _(
                "from {what} to the word it depends on, {share} right, "
                "{points} points over the best fixed offset",
                **fields,
            )
        return _(
            "from a word to its {what}, {share} right, {points} points over the best fixed offset", **fields
        )
    share = whole_percent(kind.score) if kind.name == "broad" else localised(f"{kind.score:.2f}")
    if kind.name == "broad":
        return _("attends broadly, {share} of the greatest entropy there can be", share=share)
    if kind.name == "induction":
        return _("on repeated random tokens, {share} to what followed the first time", share=share)
    if kind.name == "duplicate":
        return _("on repeated random tokens, {share} to the token’s earlier copies", share=share)
    return f"{share} {_(analysis.heads.BEHAVIOURS[kind.name])}"
