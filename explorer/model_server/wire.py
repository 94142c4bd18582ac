"""What client and server send each other: tensors as safetensors, and errors as JSON.

A body is a safetensors file (https://huggingface.co/docs/safetensors): eight bytes of length, a JSON header,
the numbers. Other facts go into the header's metadata. Reading a body runs no code, unlike reading a pickle.
"""

import json
import os
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from explorer import errors
from explorer.errors import ExplorerError, FormatError
from explorer.trace import Ability

Tensors = dict[str, Tensor]
Facts = dict[str, Any]

VERSION = 4  # raised whenever an older client or server would misread a body
FACTS = "riverbank"  # the entry in the header's metadata
MEDIA_TYPE = "application/octet-stream"
REQUEST_MB, ANSWER_MB = 256, 1024
HEADER_MB = 8  # of the facts in a body
TEXT_MB = 16  # of a text to continue, with what is added to its states
MB = 1_000_000

TOKEN_VARIABLE = "RIVERBANK_SERVING_TOKEN"  # at the server: the token that a client must show
TOKENS_VARIABLE = "RIVERBANK_SERVING_TOKENS"  # at the client: host:port=token, separated by spaces

# Head -> the abilities that have it.
HEADS = {
    "unembed": Ability.FILL | Ability.GENERATE,
    "final_norm": Ability.GENERATE,
    "next_word": Ability.NEXT_WORD,
    "previous_word": Ability.PREVIOUS_WORD,
    "next_sentence": Ability.NEXT_SENTENCE,
    "detect": Ability.DETECT,
    "sentence_order": Ability.SENTENCE_ORDER,
    "scores": Ability.GENERATE,  # of states that are normalised already, as a stream sends them
}

# HTTP status -> the kind of error; subclasses come before their base classes.
STATUS: dict[int, type[ExplorerError]] = {
    400: FormatError,
    401: errors.TokenError,
    404: errors.NotFoundError,
    413: errors.SizeError,
    503: errors.BusyError,
    422: errors.AbilityError,
    412: errors.CheckpointError,
    409: ExplorerError,  # any other
}


class Description(BaseModel):
    """What a client needs in order to stand in for a model, apart from the files of its tokenizer."""

    version: int = VERSION
    name: str
    fingerprint: str
    config: dict[str, Any]
    abilities: list[str]
    heads: list[str]
    causal: bool
    ends: list[int]
    card: str


def pack(tensors: Mapping[str, Tensor], facts: Mapping[str, Any] | None = None) -> bytes:
    """Tensors and facts as one body."""
    plain: Tensors = {}
    places: set[int] = set()
    for name, tensor in tensors.items():
        plain[name] = tensor.detach().cpu().contiguous()
        place = plain[name].untyped_storage().data_ptr()
        if place in places:  # safetensors takes no two parts of one tensor
            plain[name] = plain[name].clone()
        places.add(place)
    return save(plain, metadata={FACTS: json.dumps(facts or {})})


def unpack(body: bytes) -> tuple[Tensors, Facts]:
    """The tensors and facts of a body. Raises FormatError if it is damaged or was cut short."""
    try:
        if (length := int.from_bytes(body[:8], "little")) > HEADER_MB * MB:
            raise ValueError("no pass has so many facts")
        tensors, header = load(body), json.loads(body[8 : 8 + length])
        facts = json.loads(header["__metadata__"][FACTS])
        if not isinstance(facts, dict):
            raise TypeError("the facts are not an object")
    except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise FormatError(
            "What came over the network is damaged, or was not sent by Riverbank.",
            "Try again. If it fails again, the two computers may run different versions of Riverbank.",
        ) from error
    return tensors, facts


def token_for(server: str) -> str:
    """The token for a server, given as host:port, or "". No other server is ever shown it."""
    entries = (entry.partition("=") for entry in os.environ.get(TOKENS_VARIABLE, "").split())
    return next((token for name, _, token in entries if name == server), "")
