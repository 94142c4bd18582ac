"""The generator that belongs to the page's discriminator, loaded."""

from typing import TYPE_CHECKING

from explorer.views.frame import picker

if TYPE_CHECKING:
    from explorer.models import LanguageModel


def generator_of(discriminator: "LanguageModel") -> "LanguageModel":
    """The other half of a pair; who has asked for one half by hand has asked for both.

    Raises CheckpointError where it cannot be loaded, or cuts text into other tokens.
    """
    from explorer.analysis.prediction import replacing
    from explorer.checkpoints import partner

    name = str(discriminator.checkpoint)
    other = partner.generator_of(name)
    if picker.was_chosen(name):
        picker.choose(other)
    found = picker.load(other)
    replacing.check_pair(found, discriminator)
    return found
