"""What pyproject.toml asks for is what requirements.txt pins, and the version has one place."""

import re
import tomllib

from packaging.requirements import Requirement

from explorer.assets import CHECKOUT

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def pins(file: str) -> dict[str, str]:
    """The exact versions in a requirements file, by the names of the packages."""
    lines = (CHECKOUT / file).read_text(encoding="utf-8").splitlines()
    wanted = [Requirement(line) for line in lines if re.match(r"[A-Za-z]", line)]
    return {one.name: str(one.specifier).removeprefix("==") for one in wanted}


def test_each_pin_is_within_the_bounds_of_the_package():
    exact = pins("requirements.txt")
    bounds = {one.name: one.specifier for one in map(Requirement, PROJECT["dependencies"])}
    assert set(bounds) == set(exact)
    assert [name for name in bounds if not bounds[name].contains(exact[name])] == []


def test_the_changes_begin_with_this_version():
    import explorer

    changes = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)", changes, flags=re.M)[1] == explorer.__version__
    assert "version" in PROJECT["dynamic"]
