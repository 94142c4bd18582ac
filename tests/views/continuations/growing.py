"""What tests do with one session's continuations."""

from explorer.views.continuations.session import Continuations, extend


def write(run: Continuations) -> Continuations:
    while run.going:
        extend(run)
    return run


def rival(run: Continuations, at: int) -> int:
    return next(c.id for c in run.generation.steps[at].candidates if c.id != run.generation.steps[at].id)
