"""Which task head answers: the one just trained, one from a file or a link, or one trained in advance."""

from dataclasses import dataclass, replace

from explorer.locale import N_, _, close_up, format_number
from explorer.views import kit
from explorer.views.finetuning.head_state import HeadState
from explorer.views.finetuning.settings import HEAD
from explorer.views.frame.lecture import stage
from explorer.views.types import HeadSpec, LanguageModel, TaskHead

MOST_READY = 4  # ready heads in memory: each has a copy of the layers
READY_MODEL = "bert"  # the model of the ready heads
UNTRAINED = N_("a head that has learnt nothing yet")
OWN = N_("your own head, trained just now")
IN_ITS_FILES = N_("the classifier in the model’s own files")
FROM_FILES = kit.Session["dict[tuple[str, str], TaskHead]"]("finetuning/heads", {})
OWN_ASKED = kit.Session("finetuning/ask-own", False)
METHODS = {
    "frozen": N_("on frozen layers"),
    "whole": N_("together with the layers"),
    "low rank": N_("with small changes to the layers"),
}
READS = {"cls": "[CLS]", "mean": N_("the mean of all tokens"), "last": N_("the last token")}
MEASURES = {"classes": N_("Accuracy"), "pairs": N_("Accuracy"), "tags": "F1", "answers": "F1"}

_scores: kit.Kept[float | None] = kit.Kept(4 * MOST_READY)


@dataclass(frozen=True, eq=False)
class HeadSource:
    """A task head, where it comes from, and what it was trained on.

    `comparison` says why a head that the visitor has trained does not answer; empty if it does, or if there
    is no such head.
    """

    head: "TaskHead"
    origin: str
    data: str = N_("examples")
    comparison: str = ""


def head_source(settings: kit.Settings, state: HeadState) -> HeadSource | None:
    """The head that answers; None before there is one.

    That is the visitor's own, unless one trained in advance is better on the same held-out examples.
    Raises FormatError for a link with another model's head.
    """
    own = state.training.head if state.training is not None else None
    from_nothing = kit.presenting() or stage.asks_oneself(settings)
    if from_nothing and state.task.whole_text:  # a class, or whoever takes a course, sees the head learn
        if own is not None:
            return HeadSource(own, OWN)
        return _opened_source(settings, state) or HeadSource(untrained_head(state), UNTRAINED)
    ready = ready_source(state.model, settings[state.spec.chosen_set])
    if own is None:
        return _opened_source(settings, state) or ready
    source = HeadSource(own, OWN)
    if ready is None or own_head_asked(state).get():
        return source
    own_score, ready_score = _main_score(own), _score_of(ready.head, state.training_spec)
    if own_score is None or ready_score is None or own_score >= ready_score:
        return source
    measure, count = MEASURES[own.task.kind], own.about["aside"]
    return replace(
        ready,
        comparison=_(
            "On the same {count} held-out examples the head trained in advance is better than your own: "
            "{measure} {best} instead of {own}.",
            count=format_number(count),
            measure=_(measure),
            best=kit.whole_percent(ready_score),
            own=kit.whole_percent(own_score),
        ),
    )


def untrained_head(state: HeadState) -> "TaskHead":
    """A head that has learnt nothing: it gives every class the same probability."""
    from explorer.finetuning.frozen import untrained
    from explorer.finetuning.task_head import TaskHead

    parameters = untrained(state.task, 1, state.model.config.d_model)
    return TaskHead(state.task, state.features, state.model, parameters)


def own_head_asked(state: HeadState) -> kit.Session[bool]:
    """The choice that the visitor's own head answers, even if it is worse."""
    return OWN_ASKED.at(state.spec.name)


def describe(source: HeadSource) -> str:
    """Which head it is, how it was trained, what it reads, and how good it is on held-out examples."""
    head, about = source.head, source.head.about
    method, count = METHODS.get(str(about.get("how")), ""), about.get("examples", 0)
    text = _(
        "The answer comes from {head} {method} with {count} {examples}.",
        head=_(source.origin),
        method=_(method) if method else "",
        count=format_number(count),
        examples=_(source.data),
    )
    if source.origin in (IN_ITS_FILES, UNTRAINED):
        text = _("The answer comes from {head}.", head=_(source.origin))
    if head.task.whole_text:
        text += " " + _("It reads {what}.", what=_(READS[head.features.pool]))
    if measured := held_out_score(source):
        text += " " + _("{text}.", text=measured)
    return close_up(text)


def held_out_score(source: HeadSource) -> str:
    """The main measure of a head on held-out examples, in words; empty if there are none."""
    score = _main_score(source.head)
    if score is None:
        return ""
    return _(
        "{measure} on {count} held-out examples: {score}",
        measure=_(MEASURES[source.head.task.kind]),
        count=format_number(source.head.about["aside"]),
        score=kit.whole_percent(score),
    )


def ready_source(model: "LanguageModel", set_name: str) -> HeadSource | None:
    """The head for a ready set of examples on the bundled model: one that ships, or one trained on them."""
    from explorer.finetuning.library import COLLECTIONS, SOURCES, heads

    name = {collection.name: collection.head for collection in COLLECTIONS}.get(set_name)
    if str(model.checkpoint) != READY_MODEL or name is None:
        return None
    ships = name in heads()
    head = _ready_head(name, model) if ships else _head_of_set(set_name, model)
    return HeadSource(head, N_("a head trained in advance"), SOURCES[name] if ships else HeadSource.data)


def _opened_source(settings: kit.Settings, state: HeadState) -> HeadSource | None:
    """The head of a file, or of the link; else the one that came with a fine-tuned model."""
    from explorer.finetuning import link
    from explorer.finetuning.checkpoint_head import checkpoint_head

    heads = FROM_FILES.get()
    head = heads.get((str(state.model.checkpoint), state.spec.kind))
    if head is None and settings[HEAD]:
        head = link.decode_head(settings[HEAD], state.model)
    if head is not None and head.task.kind == state.spec.kind:
        return HeadSource(head, N_("the head that you loaded, trained"))
    head = checkpoint_head(state.model, state.spec.kind)
    return None if head is None else HeadSource(head, IN_ITS_FILES)


def _main_score(head: "TaskHead") -> float | None:
    """The main measure on the held-out examples of its training; None if there were none."""
    scores = head.about.get("scores") or {}
    return float(next(iter(scores.values()))) if scores and head.about.get("aside") else None


def _score_of(head: "TaskHead", training_spec: "HeadSpec") -> float | None:
    """The main measure of a head on the held-out examples of a training; None if there are none."""
    from explorer.finetuning.scores import MAIN, scores

    def measure() -> float | None:
        __, held_out = training_spec.parts()
        measures = scores(held_out, head.predict(held_out)) if held_out else {}
        return measures.get(MAIN[head.task.kind])

    return _scores.get((head, training_spec), measure)


@kit.kept(MOST_READY, of="models")
def _ready_head(name: str, model: "LanguageModel") -> "TaskHead":
    from explorer.finetuning import library

    return library.head(name, model)


@kit.kept(MOST_READY, of="models")
def _head_of_set(name: str, model: "LanguageModel") -> "TaskHead":
    """What Train makes of all examples of a set, on frozen layers."""
    from explorer.finetuning import library
    from explorer.finetuning.training_specs import HeadSpec

    return HeadSpec(str(model.checkpoint), library.examples(name)).run(model).finish()
