"""How long a bundled model was trained, from its record."""

from explorer import assets
from explorer.assets import CHECKPOINTS, RECORD
from explorer.server.kept import kept


@kept(64, of="models")
def training_time(name: str) -> str:
    """The time of a checkpoint's whole training in words; empty for one without a record.

    Raises ExplorerError for a damaged record.
    """
    path = CHECKPOINTS / name / RECORD
    if ":" in name or not path.is_file():
        return ""
    points = assets.data(path).get("points", [])
    return duration(float(points[-1].get("seconds", 0))) if points else ""


def duration(seconds: float) -> str:
    """A time in words."""
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    hours, minutes = divmod(minutes, 60)
    return " ".join([f"{hours} h"] * bool(hours) + [f"{minutes} min"] * bool(minutes))
