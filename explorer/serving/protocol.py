"""What both sides agree on: the version, the headers, the limits, and how an error travels."""

import os
from dataclasses import dataclass
from typing import Any

from explorer import errors
from explorer.errors import ExplorerError

VERSION = 1  # raised whenever an older client or server would misread what is sent
VERSION_HEADER = "riverbank-protocol"
MODEL_HEADER = "riverbank-model"  # the fingerprint of the weights that are meant
REPLICA_HEADER = "riverbank-replica"  # which of several processes answered
BODY = "application/octet-stream"

TOKEN_VARIABLE = "RIVERBANK_SERVING_TOKEN"  # at the server: what a client must show
TOKENS_VARIABLE = "RIVERBANK_SERVING_TOKENS"  # at the client: host:port=token, with spaces between

MB = 1_000_000


@dataclass(frozen=True)
class Limits:
    """What a server takes on; a client of its own version never asks for more by itself.

    `request_mb` is of a request's body, `tokens` of one pass (padding included), `answer_mb` of what one
    answer may hold. `ongoing` requests are worked on or wait; one more is told to try again. `seconds` is
    how long one may take, `stream_seconds` a stream of tokens.
    """

    request_mb: float = 256
    answer_mb: float = 1024
    tokens: int = 65_536
    ongoing: int = 64
    seconds: float = 60
    stream_seconds: float = 600


# The kinds of error that travel under their own name, with the status that they travel by.
STATUS: dict[type[ExplorerError], int] = {
    errors.BusyError: 503,
    errors.NotFoundError: 404,
    errors.SizeError: 413,
    errors.FormatError: 400,
    errors.NetworkError: 502,
    errors.TokenError: 401,
    errors.CheckpointError: 409,
    errors.AbilityError: 422,
    errors.TextError: 422,
}
KINDS = {kind.__name__: kind for kind in STATUS}


def status(error: ExplorerError) -> int:
    """The HTTP status of an error."""
    return next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)


def told(error: ExplorerError) -> dict[str, Any]:
    """An error as JSON.

    >>> told(errors.TextError("There is no text.", "Type a word."))
    {'error': {'kind': 'TextError', 'message': 'There is no text.', 'hint': 'Type a word.'}}
    """
    return {"error": {"kind": type(error).__name__, "message": error.message, "hint": error.hint}}


def understood(answer: Any) -> ExplorerError | None:
    """The error that an answer tells of, if it does; what is unknown becomes a plain ExplorerError."""
    found = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(found, dict):
        return None
    kind = KINDS.get(str(found.get("kind")), ExplorerError)
    return kind(str(found.get("message", ""))[:1000], str(found.get("hint", ""))[:1000])


def token_for(place: str) -> str:
    """The token that is kept for a server, by its host and port: no other server is ever shown it.

    >>> import os
    >>> os.environ[TOKENS_VARIABLE] = "gpu.lab:8000=s3cret other:80=t"
    >>> token_for("gpu.lab:8000"), token_for("gpu.lab:8001")
    ('s3cret', '')
    >>> del os.environ[TOKENS_VARIABLE]
    """
    kept = (entry.partition("=") for entry in os.environ.get(TOKENS_VARIABLE, "").split())
    return next((token for name, _, token in kept if name == place), "")
