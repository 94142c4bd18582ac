"""The number of open files: raised where it can be, said where it cannot."""

import pytest

from explorer.server import open_files

resource = pytest.importorskip("resource")


@pytest.fixture
def limits(monkeypatch):
    """A computer with these limits, which refuses what is over `ceiling`."""

    def of(soft: int, hard: int, ceiling: int = 10**9) -> list[int]:
        now = [soft]

        def set_(which, wanted):
            if wanted[0] > ceiling:
                raise ValueError("current limit exceeds maximum limit")
            now.append(wanted[0])

        monkeypatch.setattr(resource, "getrlimit", lambda which: (now[-1], hard))
        monkeypatch.setattr(resource, "setrlimit", set_)
        return now

    return of


@pytest.mark.parametrize(
    ("soft", "hard", "ceiling", "reached"),
    [
        (256, resource.RLIM_INFINITY, 10**9, 4096),
        (256, 100_000, 10**9, 4096),
        (256, 1500, 10**9, 1500),
        (256, resource.RLIM_INFINITY, 2500, 2048),
        (65_536, 65_536, 0, 65_536),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 0, resource.RLIM_INFINITY),
    ],
)
def test_the_limit_is_raised_in_silence(limits, soft, hard, ceiling, reached):
    now = limits(soft, hard, ceiling)
    assert open_files.raise_limit() == "" and now[-1] == reached


@pytest.mark.parametrize(("hard", "ceiling"), [(256, 10**9), (resource.RLIM_INFINITY, 256)])
def test_where_it_cannot_be_raised_that_is_said(limits, hard, ceiling):
    limits(256, hard, ceiling)
    said = open_files.raise_limit()
    assert "256 files" in said and "85 visitors" in said and "ulimit -n" in said
