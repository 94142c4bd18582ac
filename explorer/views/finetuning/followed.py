"""A training that a visitor looks at again and again, and the few that a session keeps."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

Asked = TypeVar("Asked")
Kind = TypeVar("Kind", bound="Followed")
_numbers = count()


@dataclass(eq=False)
class Followed(ABC):
    """One training: `taken` of what its job has told have been looked at, `looks` says how often."""

    job: Any
    taken: int = 0
    looks: int = 0
    number: int = field(default_factory=lambda: next(_numbers), init=False)

    @property
    @abstractmethod
    def told(self) -> Sequence[Any]:
        """All that the job has told so far."""

    @property
    def going(self) -> bool:
        """Whether more is to come."""
        return not self.job.over or self.taken < len(self.told)

    def fresh(self) -> list[Any]:
        """What has come since the last look; this is one."""
        self.looks += 1
        new = list(self.told[self.taken :])
        self.taken += len(new)
        return new


def keep(kept: dict[Asked, Kind], asked: Asked, one: Kind, most: int) -> None:
    """Put a training where those of its kind are kept; of more than `most` the oldest goes."""
    kept.pop(asked, None)
    kept[asked] = one
    for oldest in list(kept)[:-most]:
        del kept[oldest]
