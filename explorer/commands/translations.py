"""What a language of the interface lacks: `python -m explorer.commands.translations fr` prints the entries.

The key of a translation is the English text itself: whoever changes that has made a text without one, and
left one without a text.
"""

import argparse
import ast
from pathlib import Path
from typing import Any

from explorer.assets import read_once
from explorer.locale import languages, read_catalogue

Key = str | tuple[str, str]  # a text, or one for one thing and one for several
SOURCES = Path(__file__).parents[1]


@read_once
def keys() -> dict[Key, str]:
    """The texts that are shown in the language of whoever sees them, each with a place where it stands.

    Read from the syntax tree, as readers of tokens do not look into f-strings before Python 3.12.
    """
    places: dict[Key, str] = {}
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                texts = [str(part.value) for part in node.args if isinstance(part, ast.Constant)]
                place = f"{path.relative_to(SOURCES.parent)}:{node.lineno}"
                if node.func.id == "_":
                    places.setdefault(texts[0], place)
                elif node.func.id == "ngettext":
                    places.setdefault((texts[0], texts[1]), place)
    return places


def missing(language: str) -> list[Key]:
    """The texts that a language lacks: they are shown in English."""
    entries = {entry.id: entry for entry in read_catalogue(language)}
    return [
        key
        for key in keys()
        if key not in entries or entries[key].fuzzy or not all(_forms(entries[key].string))
    ]


def stale(language: str) -> list[Key]:
    """The translations of texts that are no longer shown."""
    entries: list[Any] = [entry.id for entry in read_catalogue(language) if entry.id]
    return [key for key in entries if key not in keys()]


def _forms(text: Any) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def main(language: str) -> None:
    """Print what is to be translated, as entries to be filled in, and what is to be deleted."""
    for key in missing(language):
        print(f"#: {keys()[key]}")
        for name, text in zip(("msgid", "msgid_plural"), _forms(key), strict=False):
            print(f'{name} "{text}"')
        several = not isinstance(key, str)
        count = read_catalogue(language).num_plurals if several else 1
        print("\n".join(f'msgstr{f"[{form}]" if several else ""} ""' for form in range(count)), "\n")
    for key in stale(language):
        print(f'# delete: msgid "{_forms(key)[0]}"')
    print(f"# {language}: {len(missing(language))} missing, {len(stale(language))} stale, of {len(keys())}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m explorer.commands.translations", description=__doc__)
    parser.add_argument("language", choices=languages()[1:], help="a folder of assets/locale")
    main(parser.parse_args().language)
