"""A small head as a text for a link: configuration and float16 numbers, base64url.

Of two classes only the difference counts (softmax of two scores), so that half the numbers are enough.
"""

import base64
import json
import zlib

import numpy as np
import torch
from torch import Tensor

from explorer.errors import FormatError
from explorer.finetuning.heads import TrainedHead
from explorer.finetuning.store import AGAIN, built, config
from explorer.models.base import Model

MOST = 4_000  # characters
MOST_CONFIG = 20_000  # bytes, unpacked


def payload(head: TrainedHead, most: int = MOST) -> str | None:
    """The head in at most so many characters; None where it does not fit, or where the body was trained."""
    if head.difference:
        return None
    raw = config(head) | {"about": {}}
    shapes, numbers = [], b""
    for name in sorted(head.parameters):
        tensor = _shortened(head.parameters[name], name)
        shapes.append([name, list(tensor.shape)])
        numbers += tensor.half().numpy().astype("<f2").tobytes()
    front = zlib.compress(json.dumps({"config": raw, "shapes": shapes}).encode(), 9)
    text = base64.urlsafe_b64encode(len(front).to_bytes(2, "big") + front + numbers).decode().rstrip("=")
    return text if len(text) <= most else None


def opened(text: str, model: Model) -> TrainedHead:
    """The head of such a text. Raises FormatError for what is none, or another body's."""
    try:
        data = base64.urlsafe_b64decode(text[:MOST] + "=" * (-len(text[:MOST]) % 4))
        length = int.from_bytes(data[:2], "big")
        plain = zlib.decompressobj().decompress(data[2 : 2 + length], MOST_CONFIG)
        front = json.loads(plain)
        at, tensors = 2 + length, {}
        for name, shape in front["shapes"]:
            count = int(np.prod(shape, dtype=int))
            numbers = np.frombuffer(data, "<f2", count, at).astype(np.float32)
            tensors[str(name)] = _restored(torch.from_numpy(numbers).reshape(shape), str(name))
            at += 2 * count
        raw = front["config"]
    except (
        ValueError,
        TypeError,
        KeyError,
        zlib.error,
        RecursionError,
        RuntimeError,
    ) as error:
        raise FormatError("The link holds no head that can be read.", "Copy the whole link again.") from error
    if at != len(data):
        raise FormatError("The link holds more, or less, than a head.", AGAIN)
    return built(raw, tensors, model)


def _shortened(tensor: Tensor, name: str) -> Tensor:
    return tensor[1:] - tensor[:1] if name in ("weight", "bias") and len(tensor) == 2 else tensor


def _restored(tensor: Tensor, name: str) -> Tensor:
    alone = name in ("weight", "bias") and len(tensor) == 1
    return torch.cat([torch.zeros_like(tensor), tensor]) if alone else tensor
