"""What pyproject.toml asks for is what requirements.txt pins, and the version has one place."""

import re
import tomllib

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import explorer
from explorer.assets import CHECKOUT
from explorer.commands import doctor

CONFIGURATION, MODELS = (
    tomllib.loads((CHECKOUT / folder / "pyproject.toml").read_text(encoding="utf-8"))
    for folder in (".", "deploy/models")
)
PROJECT = CONFIGURATION["project"]


def pins(file: str) -> dict[str, str]:
    """The exact versions in a requirements file, by the names of the packages."""
    lines = (CHECKOUT / file).read_text(encoding="utf-8").splitlines()
    wanted = [Requirement(line) for line in lines if re.match(r"[A-Za-z]", line)]
    return {one.name: str(one.specifier).removeprefix("==") for one in wanted}


def test_each_pin_is_within_the_bounds_of_the_package():
    exact = pins("requirements.txt")
    bounds = {one.name: one.specifier for one in map(Requirement, PROJECT["dependencies"])}
    assert set(bounds) == {*exact, MODELS["project"]["name"]}
    assert bounds.pop(MODELS["project"]["name"]) == SpecifierSet(f"=={explorer.__version__}")
    assert [name for name in bounds if not bounds[name].contains(exact[name])] == []


def test_the_changes_begin_with_this_version():
    changes = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)", changes, flags=re.M)[1] == explorer.__version__
    assert "version" in PROJECT["dynamic"]


def test_the_doctor_knows_the_pythons_of_the_package():
    wanted = SpecifierSet(PROJECT["requires-python"])
    for minor in range(8, 20):
        first, end = doctor.PYTHONS
        assert (first <= (3, minor) < end) == (f"3.{minor}" in wanted)


def test_what_one_wheel_leaves_out_the_other_brings():
    wheel, models = (each["tool"]["hatch"]["build"]["targets"]["wheel"] for each in (CONFIGURATION, MODELS))
    brought = models["force-include"]
    assert [f"../..{path}" for path in wheel["exclude"]] == list(brought)
    for path, place in brought.items():
        assert (CHECKOUT / "deploy" / "models" / path).is_file()
        assert place == path.replace("../../assets", wheel["sources"]["assets"])
    assert MODELS["project"]["requires-python"] == PROJECT["requires-python"]


def test_no_text_installs_a_package_of_ours_from_an_index_that_has_another_under_its_name():
    """`riverbank` on PyPI is a stranger's, and anybody can take the names of our two packages there."""
    names = ("*.md", "*.toml", "*.py", "*.sh", "*.cmd", "*.ipynb", "*.yml", "Containerfile", ".ci/run")
    folders = ("explorer", "docs", "assets", "deploy", ".github", ".ci")
    paths = [path for name in names for folder in folders for path in (CHECKOUT / folder).rglob(name)]
    paths += [path for path in CHECKOUT.iterdir() if path.is_file()]
    call = re.compile(
        r"\b(?:pip|pipx|uvx?)\b[^\n`]*\s(?:[\"']?riverbank(?:-explorer)?(?:-models)?)(?![\w/.:-])[^\n`]*"
    )
    wrong = {
        str(path.relative_to(CHECKOUT)): line
        for path in paths
        for line in call.findall(path.read_text(encoding="utf-8"))
        if "--find-links" not in line and "&& riverbank" not in line
    }
    assert wrong == {}
    assert call.search("run pip install -U riverbank-explorer") and call.search("uvx riverbank --share")
