"""Fine-tuning: BERT's four cases, each with a head that is trained while one looks on; and what it brings."""

from collections.abc import Mapping

from explorer.errors import AbilityError
from explorer.views.finetuning import (
    another_language,
    answer_in_text,
    bilingual_models,
    elmo_way,
    every_word,
    gained,
    gpt_way,
    one_sentence,
    scores,
    two_sentences,
    ulmfit_way,
    which_layers,
)
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.case import Case
from explorer.views.finetuning.settings import BODY, HEAD, MANY, MODEL, SEED, VIEW_NAME
from explorer.views.frame import memory
from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Room, View, choose

CASES: Mapping[str, Case] = {
    case.name: case
    for case in (
        one_sentence.ONE_SENTENCE,
        every_word.EVERY_WORD,
        two_sentences.TWO_SENTENCES,
        answer_in_text.ANSWER_IN_TEXT,
    )
}
OTHERS = {
    "gpt": gpt_way.VIEW,
    "ulmfit": ulmfit_way.VIEW,
    "elmo": elmo_way.VIEW,
    "layers": which_layers.VIEW,
    "language": another_language.VIEW,
}
VIEWS: Mapping[str, View[Bench]] = {
    "sentence": one_sentence.VIEW,
    "words": every_word.VIEW,
    "pairs": two_sentences.VIEW,
    "answers": answer_in_text.VIEW,
    "gained": gained.VIEW,
    "scores": scores.VIEW,
    **OTHERS,
}
MORE = ("scores", *OTHERS)  # one row has room for the others


def open(settings: Settings, header: Header) -> Page[Bench]:
    """The row of views and the model: a view of a paper, or of stored figures, has one of its own.

    Raises AbilityError for a model without states to read, and for one that cannot read two texts.
    """
    view = choose(settings, VIEWS, MORE)
    if not view.needs:
        header.badge(view.model)
        model = memory.get(view.model)
    else:
        if view is another_language.VIEW:
            bilingual_models.prefer(settings)
        model = header.model(*view.needs)
        if view in (two_sentences.VIEW, answer_in_text.VIEW) and not model.reads_pairs:
            raise AbilityError(
                f"{memory.short_label(str(model.checkpoint))} reads one text at a time; this task has two.",
                "Choose BERT in the picker.",
            )
    return Page(
        settings,
        view,
        Bench(settings, model, CASES.get(settings[VIEW_NAME], one_sentence.ONE_SENTENCE)),
        model,
    )


# `body` says what is trained, `many` on how many of the examples (0: all), `head` is one that a link brings.
PAGE = Room(name="finetuning", settings=(VIEW_NAME, MODEL, BODY, MANY, SEED, HEAD), views=VIEWS, open=open)
