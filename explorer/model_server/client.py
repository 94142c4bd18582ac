"""HTTP requests to one served model. Whatever goes wrong becomes an error with a cause and a next step."""

import json
import re
import time
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any
from urllib.parse import urlsplit

import httpx2
from torch import Tensor

from explorer.errors import (
    BusyError,
    CheckpointError,
    ExplorerError,
    FormatError,
    NetworkError,
    NotFoundError,
    SizeError,
)
from explorer.model_server import wire
from explorer.model_server.wire import Description, Facts, Tensors, pack, unpack

TIMEOUT = httpx2.Timeout(65, connect=5)  # seconds
PAUSES = (0.2, 1.0)  # seconds before a request that broke off is sent a second and a third time
ADDRESS = re.compile(
    r"(?P<address>https?://(?:\[[\da-fA-F:.]+\]|[^\s/?#@:\[\]]+)(?::(?P<port>[1-9]\d{0,4}))?"
    r"(?:/[\w.\-]+)*/(?P<name>[\w.\-]*\w[\w.\-]*))/?"
)
FORM = "Write serve:http://host:8000/name."

Waiting = Callable[[], AbstractContextManager[None]]


class BrokenOffError(NetworkError):
    """An answer that broke off: a restarted server may well give it."""


class Client:
    """Requests to the model at `http://host:port/name`; any thread may send them.

    `model` is the fingerprint of the weights, known once `describe` has been called. A server that has other
    weights by then refuses to answer, so that the two are never mixed. `waiting()` is entered while it waits
    for an answer: an app can let others go on meanwhile.
    """

    def __init__(self, address: str, waiting: Waiting = nullcontext) -> None:
        self.address, self.name = parse_address(address)
        self.model, self.waiting = "", waiting
        token = wire.token_for(urlsplit(self.address).netloc)
        self._http = httpx2.Client(
            headers={"authorization": f"Bearer {token}"} if token else {},
            timeout=TIMEOUT,
            transport=httpx2.HTTPTransport(
                retries=2, limits=httpx2.Limits(max_connections=64, max_keepalive_connections=8)
            ),
            follow_redirects=False,  # a token is for one host
        )

    def describe(self) -> tuple[Tensors, Description]:
        """The model's tokenizer files, as bytes, and its description.

        Raises CheckpointError if the server runs another version, or has another model there.
        """
        try:
            files, facts = unpack(self._body("GET", "model"))
            if (version := int(facts["version"])) != wire.VERSION:
                raise CheckpointError(
                    f"{self.address} speaks version {version} of the protocol, and this Riverbank "
                    f"version {wire.VERSION}.",
                    "Install the same version of Riverbank on both computers.",
                )
            description = Description.model_validate(facts)
        except (FormatError, KeyError, TypeError, ValueError) as error:
            raise FormatError(f"The server at {self.address} is not one of Riverbank's.", FORM) from error
        if description.name != self.name:
            raise NotFoundError(
                f"{self.address} answers for another model, “{description.name:.60}”.", "Check the address."
            )
        self.model = description.fingerprint
        return files, description

    def ask(self, path: str, tensors: Mapping[str, Tensor], facts: Facts) -> Tensors:
        """The tensors that the server answers with."""
        return unpack(self._body("POST", path, pack(tensors, facts)))[0]

    def stream(self, path: str, body: bytes) -> Iterator[tuple[Tensors, Facts]]:
        """The lines of an answer as they come. Raises BrokenOffError after the last: more were wanted."""
        rest = b""
        for chunk in self._chunks("POST", path, body):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield unpack(b64decode(line))
        raise self._broken_off()

    def _body(self, method: str, path: str, body: bytes = b"") -> bytes:
        """A whole answer. Nothing at a server changes by a request, so it is sent again if it breaks off."""
        with self.waiting():
            for pause in PAUSES:
                try:
                    return b"".join(self._chunks(method, path, body))
                except BrokenOffError:
                    time.sleep(pause)
            return b"".join(self._chunks(method, path, body))

    def _chunks(self, method: str, path: str, body: bytes) -> Iterator[bytes]:
        """An answer as it comes. Raises the server's error, or why there is no answer."""
        headers = {"content-type": wire.MEDIA_TYPE, "if-match": self.model}
        url, size = f"{self.address}/{path}", 0
        with self._explain_errors(), self._http.stream(method, url, content=body, headers=headers) as answer:
            if answer.status_code != 200:
                raise self._error(answer)
            for chunk in answer.iter_bytes():
                size += len(chunk)
                if size > wire.ANSWER_MB * wire.MB:
                    raise SizeError(
                        f"The answer of {self.address} is larger than {wire.ANSWER_MB:g} MB.",
                        "Send fewer texts at once.",
                    )
                yield chunk

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            raise NetworkError(
                f"Nothing answers at {self.address}.", "Check the address, and that the server is running."
            ) from error
        except httpx2.TimeoutException as error:
            raise NetworkError(
                f"{self.address} did not answer in {TIMEOUT.read:g} seconds.", "Try again later."
            ) from error
        except httpx2.TransportError as error:  # the connection broke, or the body was cut short
            raise self._broken_off() from error
        except httpx2.HTTPError as error:
            raise NetworkError(f"{self.address} could not be asked: {error!s:.200}.", FORM) from error

    def _error(self, answer: httpx2.Response) -> ExplorerError:
        """The error that an answer stands for: the server's own, or that of what runs in front of it."""
        status, content = answer.status_code, _json(answer)
        if "message" in content:
            kind = wire.STATUS.get(status, ExplorerError)
            return kind(str(content["message"])[:1000], str(content.get("hint", ""))[:1000])
        if status in (429, 503):
            return BusyError(f"{self.address} is busy.", "Try again in a moment.")
        if status in (500, 502, 504):  # a proxy speaks for a server that has died
            return self._broken_off()
        if status == 413:
            return SizeError(f"{self.address} does not take a request so large.", "Send fewer texts at once.")
        if status == 404:
            return NotFoundError(f"{self.address} does not exist.", FORM)
        return NetworkError(f"{self.address} answers with status {status}.", FORM)

    def _broken_off(self) -> BrokenOffError:
        return BrokenOffError(
            f"{self.address} broke off in the middle of an answer.",
            "One of its processes may have ended, perhaps for lack of memory: try again, or ask for less.",
        )


def _json(answer: httpx2.Response) -> dict[str, Any]:
    """The JSON object of an error's answer, {} if it is something else."""
    try:
        content = json.loads(next(answer.iter_bytes(10_000), b""))  # a message is short: no more is read
    except (httpx2.HTTPError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def parse_address(address: str) -> tuple[str, str]:
    """The address of a served model without a slash at its end, and the model's name. Raises NotFoundError.

    >>> parse_address("http://gpu.lab:8000/bert/")
    ('http://gpu.lab:8000/bert', 'bert')
    >>> parse_address("ftp://gpu.lab/bert")
    Traceback (most recent call last):
    explorer.errors.NotFoundError: “ftp://gpu.lab/bert” is no address of a served model. Write serve:...
    """
    match = ADDRESS.fullmatch(address.strip())
    if match is None or int(match["port"] or 80) > 65_535:
        raise NotFoundError(f"“{address:.120}” is no address of a served model.", FORM)
    return match["address"], match["name"]
