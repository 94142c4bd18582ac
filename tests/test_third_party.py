"""THIRD_PARTY.md says what the requirements say."""

import platform

import pytest

from tests.third_party import FILE, LISTS, ROOT, requirements, written


@pytest.mark.skipif(
    (platform.system(), platform.machine()) != ("Linux", "x86_64"), reason="some packages are for Linux alone"
)
def test_the_list_is_up_to_date():
    assert FILE.read_text(encoding="utf-8") == written(), "run: python -m tests.third_party"


def test_no_requirement_is_passed_over():
    for name in LISTS.values():
        lines = [line.strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
        named = [line for line in lines if line and not line.startswith(("#", "-r"))]
        assert [line.split("=")[0].split(">")[0] for line in named] == [
            package for package, _ in requirements(ROOT / name)
        ]
