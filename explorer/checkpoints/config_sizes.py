"""The sizes in a configuration, checked before a network of them is built."""

from dataclasses import asdict, fields, is_dataclass
from types import UnionType
from typing import Any, get_args, get_origin

from explorer.checkpoints.model_folder import CONFIG
from explorer.checkpoints.weights import FETCH_AGAIN
from explorer.errors import FormatError
from explorer.models import Family
from explorer.models.layers import ACTIVATIONS

MOST_LAYERS = 1000


def sizes(raw: dict[str, Any], family: Family, name: str, source: str = "") -> Any:
    """The family's configuration from a file's values. Raises FormatError, naming `source`."""
    source = source or f"config.json of {name}"
    try:
        config = family.read_config(raw)
    except FormatError as error:  # an unsupported choice
        hint = error.hint if source.startswith(CONFIG) else error.hint.replace(CONFIG, source)
        raise FormatError(f"{source}: {error.message}", hint) from error
    except KeyError as error:
        raise FormatError(f"{source} lacks {error}.", FETCH_AGAIN) from error
    except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
        written = ", ".join(key for key, value in raw.items() if isinstance(value, str) and _is_number(value))
        raise FormatError(
            f"{source} holds a size that is not a number" + (f": {written}, a text." if written else "."),
            "Write numbers without quotation marks." if written else FETCH_AGAIN,
        ) from error
    for field in fields(config):
        value = getattr(config, field.name)
        most = MOST_LAYERS if field.name in ("layers", "decoder_layers", "highways") else 10**8
        if not _is_valid(value, field.type, most):
            theirs = family.keys.get(field.name, field.name)
            text = isinstance(value, str) and _is_number(value)
            hint = f"Write it without quotation marks: {value:.40}." if text else FETCH_AGAIN
            raise FormatError(f"{source} gives {theirs} as {value!r:.60}.", hint)
    values = asdict(config)
    for heads in {values.get("heads", 1), values.get("decoder_heads", 1)}:
        own_width = values.get("d_head") not in (None, config.d_model // heads)  # of a head, given explicitly
        if config.d_model % heads and not own_width:
            raise FormatError(
                f"{source} splits {config.d_model} dimensions over {heads} heads, which leaves a remainder.",
                FETCH_AGAIN,
            )
    if values.get("heads", 1) % (values.get("kv_heads") or 1):
        raise FormatError(
            f"{source} has {values['heads']} heads share {values['kv_heads']} keys, "
            "which leaves a remainder.",
            FETCH_AGAIN,
        )
    if values.get("activation", "relu") not in ACTIVATIONS:
        raise FormatError(
            f"{name} uses the activation “{config.activation}”, which Riverbank does not know.",
            f"It knows: {', '.join(ACTIVATIONS)}.",
        )
    return config


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_valid(value: Any, kind: Any, most: int) -> bool:
    """Whether a value of a configuration has its field's type, and is a possible size or number."""
    choices = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    if isinstance(value, tuple):  # ELMo's filters (width, count), or which layers read a window
        kinds = [get_args(choice)[0] for choice in choices if get_origin(choice) is tuple]
        return (
            bool(kinds)
            and 0 < len(value) < MOST_LAYERS
            and all(_is_valid(item, kinds[0], most) for item in value)
        )
    if is_dataclass(value):  # how positions are scaled
        return type(value) in choices and all(
            _is_valid(getattr(value, field.name), field.type, most) for field in fields(value)
        )
    if value is None or isinstance(value, bool | str):
        return type(value) in choices
    if int in choices:
        return isinstance(value, int) and 0 < value < most
    return float in choices and isinstance(value, int | float) and 0 <= value < most
