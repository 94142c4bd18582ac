"""The generator that was trained together with the page's discriminator."""

from explorer.views.frame import picker
from explorer.views.types import LanguageModel


def generator_of(discriminator: "LanguageModel") -> "LanguageModel":
    """The discriminator's generator, loaded; a visitor who chose to load one of them has chosen both.

    Raises CheckpointError if it cannot be loaded, or cuts text into other tokens.
    """
    from explorer.analysis.prediction import replacing
    from explorer.checkpoints import partner

    name = str(discriminator.checkpoint)
    other = partner.generator_of(name)
    if picker.was_chosen(name):
        picker.choose(other)
    generator = picker.load(other)
    replacing.check_pair(generator, discriminator)
    return generator
