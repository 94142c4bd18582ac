"""A discriminator's generator: the checkpoint trained with it, by its name."""

from explorer.errors import NotFoundError

DISCRIMINATOR, GENERATOR = "discriminator", "generator"


def generator_of(name: str) -> str:
    """The name of a discriminator's generator. Raises NotFoundError if the name has another form."""
    before, part, after = name.rpartition(DISCRIMINATOR)
    if not part:
        raise NotFoundError(
            f"No generator is known for {name:.120}.",
            "Their names connect the two: take a model called …-discriminator beside a …-generator.",
        )
    return before + GENERATOR + after
