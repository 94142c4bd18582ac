"""Everything that can go wrong, as one small tree.

Each error carries a message (what happened, with the bad value) and a hint (what to do
next), so that a page can show both without knowing which error it caught.

    ExplorerError
    ├── TextError          the text a person typed cannot be used as it is
    ├── AbilityError       the chosen model cannot do what was asked
    └── CheckpointError    a checkpoint cannot be found, fetched, read or trusted
        ├── NotFoundError      no such name, folder or file
        ├── TokenError         a server of models needs a token, and was shown none or another
        ├── NetworkError       the hub or a server cannot be reached, or refuses
        │   └── BusyError          a server has too much to do: try again
        ├── FormatError        the files are not a model that Riverbank reads
        └── SizeError          the weights, or what is asked of a server, are too large
"""


class ExplorerError(Exception):
    """A failure that can explain itself: `message` says what happened, `hint` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message} {hint}".strip())
        self.message = message
        self.hint = hint


def at_least_one(**values: int | None) -> None:
    """Raises ExplorerError, by its name, for a number of things that is below 1; None is no limit."""
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
    """No checkpoint, folder or file of that name."""


class TokenError(CheckpointError):
    """A server of models lets in only those who show its token."""


class NetworkError(CheckpointError):
    """The hub, or a server of models, cannot be reached, or does not let us in."""


class BusyError(NetworkError):
    """A server of models has as many requests as it takes on: the same one may be answered later."""


class FormatError(CheckpointError):
    """The files are damaged, or are not a model that Riverbank reads."""


class SizeError(CheckpointError):
    """The weights, or what is asked of a server of models, are larger than the limit or the memory allows."""
