"""A served model's address, and requests to it: tried again where a replica fell, refused in clear words."""

import json
import re
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from typing import Any
from urllib.parse import urlsplit

import httpx2
from torch import Tensor

from explorer.errors import (
    BusyError,
    ExplorerError,
    FormatError,
    NetworkError,
    NotFoundError,
    SizeError,
    TokenError,
)
from explorer.serving.protocol import (
    BODY,
    MB,
    MODEL_HEADER,
    VERSION,
    VERSION_HEADER,
    Limits,
    token_for,
    understood,
)
from explorer.serving.wire import Facts, Tensors, frames, pack, unpack

CONNECT_S = 5.0
PAUSES = (0.2, 1.0)  # seconds before the second and the third try
FRAME_MB = 16
SMALL_MB = 64  # a description
FORM = "Write serve:http://host:8000/name."

# Entered for as long as an answer is waited for: an app sets it to let others go on meanwhile.
waiting: Callable[[], AbstractContextManager[None]] = nullcontext


class Connection:
    """One served model, by its address `http://host:port/name`; any thread may ask.

    `model` is the fingerprint of the weights that are meant, known from the first answer on: a server that
    has other weights by then says so instead of mixing the two.
    """

    def __init__(self, address: str, limits: Limits | None = None) -> None:
        self.address, self.name = checked(address)
        self.limits = limits or Limits()
        self.model = ""
        parts = urlsplit(self.address)
        headers = {VERSION_HEADER: str(VERSION)}
        if token := token_for(parts.netloc):
            headers["authorization"] = f"Bearer {token}"
        self._client = httpx2.Client(
            headers=headers,
            timeout=httpx2.Timeout(self.limits.seconds + 5, connect=CONNECT_S),
            limits=httpx2.Limits(max_connections=64, max_keepalive_connections=8),
            follow_redirects=False,  # a token goes to the host that it is for
        )

    def describe(self) -> Facts:
        """What the server says of the model. Raises CheckpointError where it is not one of our version."""
        facts = self._json(self._body("GET", "", most_mb=SMALL_MB))
        if not isinstance(facts.get("riverbank"), int):
            raise FormatError(f"What answers at {self.address} is no server of Riverbank's.", FORM)
        if facts["riverbank"] != VERSION:
            raise FormatError(
                f"{self.address} speaks version {facts['riverbank']} of the protocol, and this Riverbank "
                f"version {VERSION}.",
                "Install the same version of Riverbank on both computers.",
            )
        if facts.get("name") != self.name:
            raise NotFoundError(
                f"{self.address} answers for another model, “{facts.get('name')!s:.60}”.",
                "Check the address.",
            )
        self.model = str(facts.get("fingerprint", ""))
        return facts

    def file(self, name: str, most_mb: float) -> bytes:
        """A tokenizer file of the model."""
        return self._body("GET", f"files/{name}", most_mb=most_mb)

    def ask(self, operation: str, tensors: Mapping[str, Tensor], facts: Facts) -> tuple[Tensors, Facts]:
        """An operation's answer. All of them can be asked again: nothing at the server changes by them."""
        return unpack(self._body("POST", operation, pack(tensors, facts), self.limits.answer_mb))

    def stream(
        self, operation: str, tensors: Mapping[str, Tensor], facts: Facts
    ) -> Iterator[tuple[Tensors, Facts]]:
        """The frames of a stream, as they come. Raises NetworkError where it breaks off before its end."""
        with closing(self._chunks("POST", operation, pack(tensors, facts))) as chunks:
            for body in frames(chunks, FRAME_MB * MB):
                found, told = unpack(body)
                if error := understood(told):
                    raise error
                if told.get("end"):
                    return
                yield found, told
        raise self._broken()

    def close(self) -> None:
        """Let go of what is open."""
        self._client.close()

    def _body(self, method: str, path: str, body: bytes = b"", most_mb: float = 1) -> bytes:
        """A whole answer, asked for again where the connection broke or the replica fell."""
        with waiting():
            return self._tried(method, path, body, most_mb)

    def _tried(self, method: str, path: str, body: bytes, most_mb: float) -> bytes:
        for pause in (*PAUSES, None):
            try:
                return self._once(method, path, body, most_mb)
            except Broken:
                if pause is None:
                    raise
                time.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _once(self, method: str, path: str, body: bytes, most_mb: float) -> bytes:
        found = bytearray()
        with closing(self._chunks(method, path, body)) as chunks:
            for chunk in chunks:
                found += chunk
                if len(found) > most_mb * MB:
                    raise SizeError(
                        f"The answer of {self.address} is larger than {most_mb:g} MB.",
                        "Ask for less at once.",
                    )
        return bytes(found)

    def _chunks(self, method: str, path: str, body: bytes) -> Generator[bytes]:
        """An answer as it comes. Raises what the server says, or why it could not be asked."""
        url = f"{self.address}/{path}".rstrip("/")
        headers = {"content-type": BODY} | ({MODEL_HEADER: self.model} if self.model else {})
        try:
            with self._client.stream(method, url, content=body, headers=headers) as answer:
                if answer.status_code != 200:
                    raise self._refused(answer)
                yield from answer.iter_bytes()
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            raise NetworkError(
                f"Nothing answers at {self.address}.", "Check the address, and that the server is running."
            ) from error
        except httpx2.TimeoutException as error:
            raise NetworkError(
                f"{self.address} did not answer in {self.limits.seconds:g} seconds.", "Try again later."
            ) from error
        except httpx2.TransportError as error:  # the connection broke, or the body was cut short
            raise self._broken() from error
        except httpx2.HTTPError as error:
            raise NetworkError(f"{self.address} could not be asked: {error!s:.200}.", FORM) from error

    def _refused(self, answer: httpx2.Response) -> ExplorerError:
        """What an answer other than 200 means."""
        try:
            answer.read()
            told = answer.json()
        except (httpx2.HTTPError, ValueError, RecursionError):
            told = None
        if error := understood(told):
            return error
        code = answer.status_code
        if code in (429, 503):
            return BusyError(f"{self.address} is busy.", "Try again in a moment.")
        if code in (500, 502, 504):  # what stands before the replicas says so, not one of them
            return self._broken()
        if code in (401, 403):
            return TokenError(f"{self.address} does not let us in.", "Ask whoever runs it for a token.")
        if code == 404:
            return NotFoundError(f"{self.address} is not there.", FORM)
        return NetworkError(f"{self.address} answers with status {code}.", FORM)

    def _broken(self) -> "Broken":
        return Broken(
            f"{self.address} broke off in the middle of an answer.",
            "One of its processes may have ended, perhaps for lack of memory: try again, or ask for less.",
        )

    def _json(self, body: bytes) -> Facts:
        try:
            found: Any = json.loads(body)
        except (ValueError, RecursionError):
            found = None
        return found if isinstance(found, dict) else {}


class Broken(NetworkError):
    """An answer that broke off: the same request may well be answered by another replica."""


def checked(address: str) -> tuple[str, str]:
    """An address without what does not belong there, and the model's name. Raises NotFoundError.

    >>> checked("http://gpu.lab:8000/bert/")
    ('http://gpu.lab:8000/bert', 'bert')
    >>> checked("ftp://gpu.lab/bert")
    Traceback (most recent call last):
    explorer.errors.NotFoundError: “ftp://gpu.lab/bert” is no address of a served model. Write serve:...
    """
    wrong = NotFoundError(f"“{address:.120}” is no address of a served model.", FORM)
    try:
        parts = urlsplit(address.strip())
        port = parts.port
    except ValueError as error:
        raise wrong from error
    path = parts.path.rstrip("/")
    plain = not (parts.username or parts.password or parts.query or parts.fragment)
    name = path.rpartition("/")[2]
    if parts.scheme not in ("http", "https") or not parts.hostname or not plain or port == 0:
        raise wrong
    if not re.fullmatch(r"(/[\w.\-]+)+", path) or name.strip(".") == "":
        raise wrong
    return f"{parts.scheme}://{parts.netloc}{path}", name
