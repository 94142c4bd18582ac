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
    """The text cannot be used as it is (empty, no mask in it, a word that does not occur).

    >>> try:
    ...     explorer.load("gpt").encode("It rains.", pair="We stay in.")
    ... except TextError as error:
    ...     print(error.message)
    gpt reads one text, not a pair.
    """


class AbilityError(ExplorerError):
    """The model lacks an ability, such as filling masks or generating.

    >>> from explorer.analysis.prediction import next_tokens
    >>> try:
    ...     next_tokens(explorer.load("bert"), "A cup of")
    ... except AbilityError as error:
    ...     print(error.hint)
    Choose another model in the picker; each page lists those that can.
    """


class CheckpointError(ExplorerError):
    """A checkpoint cannot be used.

    >>> try:  # whatever is wrong with the name, or with the files behind it
    ...     explorer.load("folder:/no/such/folder")
    ... except CheckpointError as error:
    ...     print(type(error).__name__)
    NotFoundError
    """


class NotFoundError(CheckpointError):
    """No checkpoint, folder or file of that name.

    >>> try:
    ...     explorer.load("no-such-model")
    ... except NotFoundError as error:
    ...     print(error.message)
    No checkpoint called “no-such-model” ships with Riverbank.
    """


class TokenError(CheckpointError):
    """A server of models requires a token.

    >>> try:
    ...     raise TokenError("This server needs a token.", "Ask whoever runs it.")
    ... except CheckpointError as error:
    ...     print(error.hint)
    Ask whoever runs it.
    """


class NetworkError(CheckpointError):
    """The hub, or a server of models, cannot be reached, or denies access.

    >>> from explorer.model_server.remote import connect
    >>> try:
    ...     connect("serve:http://127.0.0.1:1/bert")  # what `explorer.load` does with such a name
    ... except NetworkError as error:
    ...     print(error.message)
    Nothing answers at http://127.0.0.1:1/bert.
    """


class BusyError(NetworkError):
    """A server of models has too many requests; try again later.

    >>> try:
    ...     raise BusyError("The server is busy.", "Try again in a moment.")
    ... except NetworkError as error:  # a busy server is caught here too
    ...     print(error.hint)
    Try again in a moment.
    """


class FormatError(CheckpointError):
    """The files are damaged, or are not a model that Riverbank reads.

    >>> import explorer, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "config.json").write_text('{"model_type": "unheard-of"}')
    ...     try:
    ...         explorer.load(f"folder:{folder}")
    ...     except FormatError as error:
    ...         print(error.message)
    folder:... is a “unheard-of” model, which Riverbank does not read.
    """


class SizeError(CheckpointError):
    """The weights, or a request to a server of models, are larger than the limit or the memory allows.

    >>> from explorer.checkpoints.integrity import check_size
    >>> try:
    ...     check_size(10**15, "a large model")  # bytes
    ... except SizeError as error:
    ...     print(error.message)
    The weights of a large model are 1000000.0 GB; ... GB of memory are free.
    """
