"""What a language of the interface lacks: `python -m explorer.commands.translations fr` prints the entries.

The key of a translation is the English text itself: whoever changes that has made a text without one, and
left one without a text.
"""

import argparse
import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import regex

from explorer import assets
from explorer.assets import read_once
from explorer.catalogue.manifest import manifests
from explorer.locale import APP, DOMAINS, PHONE, languages, read_catalogue, texts_in_script

Key = str | tuple[str, str]  # a text, or one for one thing and one for several
SOURCES = Path(__file__).parents[1]
LOOKED_UP = ("_", "N_", "ngettext")  # the functions of explorer/locale.py
# Keys of tables whose values are names, examples or for the tests.
NOT_SHOWN = set(
    "clark formulas latex settings check rows writer siblings opening sentences set view "
    "link page kind role columns base block output units".split()
)
A_TEXT = regex.compile(r"\p{L}{2}.")  # no code such as “zh”


@read_once
def keys(domain: str) -> dict[Key, str]:
    """The texts that are shown in the language of whoever sees them, each with a place where it stands."""
    sources: dict[str, Callable[[], Iterator[tuple[Key, Path, object]]]] = {
        PHONE: lambda: _of_code(SOURCES / "room"),
        APP: lambda: _of_code(SOURCES),
        "views": _of_tables,
        "glossary": lambda: (each for each in _of_lines(assets.GLOSSARY) if str(each[0]).startswith("**")),
        "lectures": lambda: (
            each for path in sorted(assets.LECTURES.glob("*.md")) for each in _of_lines(path)
        ),
    }
    places: dict[Key, str] = {}
    for key, path, place in sources[domain]():
        places.setdefault(key, f"{path.relative_to(SOURCES.parent)}:{place}")
    return places


def _of_code(folder: Path) -> Iterator[tuple[Key, Path, object]]:
    """The texts in programs and scripts; those of the phones' page are a domain of their own.

    Read from the syntax tree, as readers of tokens do not look into f-strings before Python 3.12.
    """
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".py", ".js")]
    for path in files:
        if folder == SOURCES and (SOURCES / "room") in path.parents:
            continue
        if path.suffix == ".js":
            for text, start in texts_in_script(script := path.read_text(encoding="utf-8")):
                yield text, path, script.count("\n", 0, start) + 1
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in LOOKED_UP:
                texts = [str(part.value) for part in node.args if isinstance(part, ast.Constant)]
                if texts:
                    yield (texts[0], texts[1]) if node.func.id == "ngettext" else texts[0], path, node.lineno


def _of_tables() -> Iterator[tuple[Key, Path, object]]:
    """The texts of views, presets, formulas, labels and heads; captions of models and pages, and titles."""
    folders = (path for folder in (assets.VIEWS, assets.PRESETS) for path in sorted(folder.glob("*.toml")))
    texts = [assets.TEXTS / name for name in ("overview.toml", "tensors.toml")]
    for path in (*folders, assets.FORMULAS, assets.LABELS, assets.MEASURES, assets.SAFE, *texts):
        for text, place in _texts(assets.table(path), ""):
            yield text, path, place
    yield from _of_lines(assets.HEAD_NAMES)
    for model in manifests().values():
        if model.comparison:
            yield model.comparison, assets.CHECKPOINTS / model.name, "comparison"
    path = assets.FINETUNING / "collections.toml"
    for one in assets.table(path)["collection"]:
        yield one["title"], path, one["name"]
    for name, text in assets.table(path)["sources"].items():
        yield text, path, name
    for path in sorted((assets.ROOT / "pages").glob("*.py")):
        title, _, caption = (ast.get_docstring(ast.parse(path.read_bytes())) or "").partition("\n")
        yield title, path, "title"
        yield " ".join(caption.split()), path, "caption"


def _texts(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str) and A_TEXT.search(value):
        yield value, place
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        if name not in NOT_SHOWN or (isinstance(part, dict) and "label" in part):  # a view of that name
            yield from _texts(part, f"{place}.{name}".strip("."))


def _of_lines(path: Path) -> Iterator[tuple[Key, Path, object]]:
    for number, line in enumerate(assets.text(path).split("\n"), start=1):
        if A_TEXT.search(line):
            yield line, path, number


def missing(language: str, domain: str) -> list[Key]:
    """The texts that a language lacks: they are shown in English."""
    entries = {entry.id: entry for entry in read_catalogue(language, domain)}
    return [
        key
        for key in keys(domain)
        if key not in entries or entries[key].fuzzy or not all(_forms(entries[key].string))
    ]


def stale(language: str, domain: str) -> list[Key]:
    """The translations of texts that are no longer shown."""
    entries: list[Any] = [entry.id for entry in read_catalogue(language, domain) if entry.id]
    return [key for key in entries if key not in keys(domain)]


def _forms(text: Any) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def main(language: str) -> None:
    """Print what is to be translated, as entries to be filled in, and what is to be deleted."""
    from babel.messages.pofile import escape

    for domain in DOMAINS:
        lacking, late = missing(language, domain), stale(language, domain)
        for key in lacking:
            print(f"#: {keys(domain)[key]}")
            for name, text in zip(("msgid", "msgid_plural"), _forms(key), strict=False):
                print(f"{name} {escape(text)}")
            several = not isinstance(key, str)
            count = read_catalogue(language, domain).num_plurals if several else 1
            print("\n".join(f'msgstr{f"[{form}]" if several else ""} ""' for form in range(count)), "\n")
        for key in late:
            print(f"# delete: msgid {escape(_forms(key)[0])}")
        print(
            f"# {language}/{domain}.po: {len(lacking)} missing, {len(late)} stale, of {len(keys(domain))}\n"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m explorer.commands.translations", description=__doc__)
    parser.add_argument("language", choices=languages()[1:], help="a folder of assets/locale")
    main(parser.parse_args().language)
