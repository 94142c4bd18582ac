"""A body as it travels: tensors as safetensors, and beside them some facts as JSON in its metadata.

Nothing in it can run code, and a body that was cut short does not fit its own header.
Format: https://huggingface.co/docs/safetensors (8 bytes of length, a JSON header, the numbers).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from explorer.errors import FormatError, NetworkError

Tensors = dict[str, Tensor]
Facts = dict[str, Any]

FACTS = "riverbank"  # the metadata's entry
LENGTH = 8  # bytes before a frame, and before safetensors' own header: how long what follows is
AGAIN = "Try again; if it happens once more, the two computers may run different versions of Riverbank."


def pack(tensors: Mapping[str, Tensor], facts: Mapping[str, Any] | None = None) -> bytes:
    """Tensors and facts as one body.

    >>> import torch
    >>> unpack(pack({"ids": torch.tensor([1, 2])}, {"head": "unembed"}))
    ({'ids': tensor([1, 2])}, {'head': 'unembed'})
    """
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    return save(plain, metadata={FACTS: json.dumps(facts or {})})


def unpack(body: bytes) -> tuple[Tensors, Facts]:
    """A body's tensors and facts. Raises FormatError for a body that is damaged or cut short."""
    try:
        tensors = load(body)
        end = LENGTH + int.from_bytes(body[:LENGTH], "little")
        facts = json.loads(json.loads(body[LENGTH:end])["__metadata__"][FACTS])
    except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise FormatError("What came over the network is damaged, or was cut short.", AGAIN) from error
    if not isinstance(facts, dict):
        raise FormatError("What came over the network is not what Riverbank sends.", AGAIN)
    return tensors, facts


def frame(body: bytes) -> bytes:
    """A body of a stream, with its length before it."""
    return len(body).to_bytes(LENGTH, "big") + body


def frames(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """The bodies of a stream, however the network has cut it into chunks; each of `most` bytes at most.

    Raises NetworkError for a stream that ends within a body, FormatError for a body that is too long.

    >>> list(frames([frame(b"one") + frame(b"two")[:9], frame(b"two")[9:]], most=9))
    [b'one', b'two']
    """
    kept = bytearray()
    for chunk in chunks:
        kept += chunk
        while len(kept) >= LENGTH:
            end = LENGTH + int.from_bytes(kept[:LENGTH], "big")
            if end - LENGTH > most:
                raise FormatError("A part of the stream is longer than any that Riverbank sends.", AGAIN)
            if len(kept) < end:
                break
            body = bytes(kept[LENGTH:end])
            del kept[:end]
            yield body
    if kept:
        raise NetworkError("The stream was cut short.", AGAIN)
