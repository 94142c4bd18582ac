"""The page's views, and the model of each."""

from collections.abc import Mapping

from explorer.errors import AbilityError
from explorer.locale import _
from explorer.views import kit
from explorer.views.finetuning import answer_in_text, classes, every_word, other_ways, which_layers
from explorer.views.finetuning.settings import BODY, HEAD, MANY, MODEL, SEED, VIEW_NAME

# `body` says what is trained, `many` on how many of the examples (0: all), `head` is one that a link brings.
SETTINGS = (VIEW_NAME, MODEL, BODY, MANY, SEED, HEAD)
VIEWS: Mapping[str, kit.View[None]] = {
    "sentence": classes.ONE_SENTENCE,
    "words": every_word.VIEW,
    "answers": answer_in_text.VIEW,
    "layers": which_layers.VIEW,
    "pairs": classes.TWO_SENTENCES,
    "other": other_ways.VIEW,
}


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[None]:
    """The row of views and the model: a view of a paper, or of stored figures, has one of its own.

    Raises AbilityError for a model without states to read, and for one that cannot read two texts.
    """
    view = kit.choose(settings, VIEWS)
    if not view.needs:
        name = other_ways.model_of(settings) if view is other_ways.VIEW else view.model
        header.badge(name)
        return kit.OpenPage(settings, view, None, kit.memory.get(name))
    model = header.model(*view.needs)
    if view in (classes.TWO_SENTENCES, answer_in_text.VIEW) and not model.reads_pairs:
        raise AbilityError(
            _(
                "{model} reads one text at a time; this task has two.",
                model=kit.memory.short_label(str(model.checkpoint)),
            ),
            _("Choose a model like BERT in the picker."),
        )
    return kit.OpenPage(settings, view, None, model)


PAGE = kit.Page(name="finetuning", settings=SETTINGS, views=VIEWS, open=open)
