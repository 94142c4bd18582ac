"""All errors, as one small tree.

Each error has a message (what happened, with the bad value) and a hint (what to do
next), so that a page can show both for any error.

    ExplorerError
    ├── TextError          the text a person typed cannot be used as it is
    ├── AbilityError       the chosen model cannot do what was asked
    └── CheckpointError    a checkpoint cannot be found, fetched, read or trusted
        ├── NotFoundError      no such name, folder or file
        ├── TokenError         a server of models needs a token, and got none or a wrong one
        ├── NetworkError       the hub or a server cannot be reached, or refuses
        │   └── BusyError          a server has too many requests: try again
        ├── FormatError        the files are not a model that Riverbank reads
        └── SizeError          the weights, or a request to a server, are too large
"""


class ExplorerError(Exception):
    """An error with an explanation: `message` says what happened, `hint` what to do.

    >>> error = ExplorerError("The text is empty.", "Type a word.")
    >>> error.message, error.hint
    ('The text is empty.', 'Type a word.')
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message} {hint}".strip())
        self.message = message
        self.hint = hint


def at_least_one(**values: int | None) -> None:
    """Raises ExplorerError, with its name, for a count below 1; None means no limit.

    >>> at_least_one(beams=4, limit=None)
    >>> at_least_one(beams=0)
    Traceback (most recent call last):
    explorer.errors.ExplorerError: beams is 0. Give a whole number, 1 or more.
    """
    for name, value in values.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise ExplorerError(f"{name} is {value!r:.40}.", "Give a whole number, 1 or more.")


class TextError(ExplorerError):
    """The text cannot be used as it is (empty, no mask in it, a word that does not occur)."""


class AbilityError(ExplorerError):
    """The model lacks an ability, such as filling masks or generating."""


class CheckpointError(ExplorerError):
    """A checkpoint cannot be used."""


class NotFoundError(CheckpointError):
    """No checkpoint, folder or file of that name.

    >>> try:
    ...     explorer.load("no-such-model")
    ... except NotFoundError as error:
    ...     print(error.message)
    No checkpoint called “no-such-model” ships with Riverbank.
    """


class TokenError(CheckpointError):
    """A server of models requires a token."""


class NetworkError(CheckpointError):
    """The hub, or a server of models, cannot be reached, or denies access."""


class BusyError(NetworkError):
    """A server of models has too many requests; try again later."""


class FormatError(CheckpointError):
    """The files are damaged, or are not a model that Riverbank reads."""


class SizeError(CheckpointError):
    """The weights, or a request to a server of models, are larger than the limit or the memory allows."""
