"""How long a bundled model was trained, from its record."""

from explorer import assets
from explorer.assets import CHECKPOINTS, RECORD
from explorer.locale import _
from explorer.server.kept import kept


def training_time(name: str) -> str:
    """The time of a checkpoint's whole training in words; empty for one without a record.

    Raises ExplorerError for a damaged record.
    """
    seconds = _seconds(name)
    return "" if seconds is None else duration(seconds)


@kept(64, of="models")
def _seconds(name: str) -> float | None:
    path = CHECKPOINTS / name / RECORD
    if ":" in name or not path.is_file():
        return None
    points = assets.data(path).get("points", [])
    return float(points[-1].get("seconds", 0)) if points else None


def duration(seconds: float) -> str:
    """A time in words."""
    if seconds < 59.5:
        return _("{count} s", count=round(seconds))
    minutes = round(seconds / 60)
    hours, minutes = divmod(minutes, 60)
    words = [_("{count} h", count=hours)] * bool(hours) + [_("{count} min", count=minutes)] * bool(minutes)
    return " ".join(words)
