"""A discriminator's generator: the checkpoint that was trained with it, found by its name."""

from explorer.errors import NotFoundError

DISCRIMINATOR, GENERATOR = "discriminator", "generator"


def generator_of(name: str) -> str:
    """What the generator of a discriminator is called. Raises NotFoundError where the name does not say.

    >>> generator_of("electra-discriminator"), generator_of("hub:google/electra-small-discriminator")
    ('electra-generator', 'hub:google/electra-small-generator')
    """
    before, found, after = name.rpartition(DISCRIMINATOR)
    if not found:
        raise NotFoundError(
            f"No generator is known for {name:.120}.",
            "The two are found by their names: take a model called …-discriminator beside a …-generator.",
        )
    return before + GENERATOR + after
