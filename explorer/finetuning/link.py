"""A small task head as a text for a link: configuration and float16 numbers, base64url.

With two classes only the difference of the scores counts (softmax), so half the numbers are enough.
"""

import base64
import json
import zlib

import numpy as np
import torch
from torch import Tensor

from explorer.errors import FormatError
from explorer.finetuning.store import AGAIN, config, head_from
from explorer.finetuning.task_head import TaskHead
from explorer.locale import _
from explorer.models.base import Model

MAX_CHARACTERS = 4_000  # characters
MAX_CONFIG = 20_000  # bytes, unpacked


def encode_head(head: TaskHead, limit: int = MAX_CHARACTERS) -> str | None:
    """The head as text; None if it is longer than `limit`, or if the model was trained too."""
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
    return text if len(text) <= limit else None


def decode_head(text: str, model: Model) -> TaskHead:
    """The head of such a text. Raises FormatError if it is malformed or for another model."""
    try:
        data = base64.urlsafe_b64decode(text[:MAX_CHARACTERS] + "=" * (-len(text[:MAX_CHARACTERS]) % 4))
        length = int.from_bytes(data[:2], "big")
        plain = zlib.decompressobj().decompress(data[2 : 2 + length], MAX_CONFIG)
        front = json.loads(plain)
        at, tensors = 2 + length, {}
        for name, shape in front["shapes"]:
            count = int(np.prod(shape, dtype=int))
            numbers = np.frombuffer(data, "<f2", count, at).astype(np.float32)
            tensors[str(name)] = _restored(torch.from_numpy(numbers).reshape(shape), str(name))
            at += 2 * count
        raw = front["config"]
    except (ValueError, TypeError, KeyError, zlib.error, RecursionError, RuntimeError) as error:
        raise FormatError(
            _("The link holds no head that can be read."), _("Copy the whole link again.")
        ) from error
    if at != len(data):
        raise FormatError(_("The link holds more, or less, than a head."), _(AGAIN))
    return head_from(raw, tensors, model)


def _shortened(tensor: Tensor, name: str) -> Tensor:
    return tensor[1:] - tensor[:1] if name in ("weight", "bias") and len(tensor) == 2 else tensor


def _restored(tensor: Tensor, name: str) -> Tensor:
    halved = name in ("weight", "bias") and len(tensor) == 1
    return torch.cat([torch.zeros_like(tensor), tensor]) if halved else tensor
