"""What the documentation takes from elsewhere in the repository: pages, pictures, colours and lectures.

CONTRIBUTING, SECURITY and the like stay where people look for them, and are pages of the site as well, as the
bundled lectures are; a link to one of them leads to its page.
"""

import posixpath
import re
import sys
from pathlib import Path
from urllib.parse import quote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT), str(Path(__file__).parent)]

import gallery  # noqa: E402

from explorer.views.look.theme import DARK, LIGHT, css_variables  # noqa: E402, needs neither torch nor Streamlit

PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changes.md",
    "THIRD_PARTY.md": "third-party.md",
    **{
        f"assets/lectures/{path.name}": path.name
        for path in sorted((ROOT / "assets" / "lectures").glob("*.md"))
        if path.stem != "course"
    },
}
PICTURES = "assets/screenshots"
APP = "http://localhost:8501"  # where a lecture's links open
ADDRESS = "/?&=%#,:+;'!*@$"  # what stays as it is in an address

LINK = re.compile(r"\]\(((?:\.\./|docs/|[A-Z])[^)\s#]*)(#[^)\s]*)?\)")
FENCED = re.compile(r"(^ *```.*?^ *```$)", re.M | re.S)
NAME = re.compile(r"(?<!\[)`(explorer(?:\.\w+)+)`")  # leads to where the Python pages document it, if they do
REFERENCE = r'<autoref optional identifier="\1"><code>\1</code></autoref>'
CHAPTER = re.compile(r"## (.+) \((\d+) min\)")
STOP = re.compile(r"\* \[(.+?)\]\((/.*)\)")  # an address may hold parentheses: up to the last of its line
NOTE = re.compile(r"  \* (Say|Ask|Poll|Answer|See): (.+)")
INTRODUCTION = f"""
The number says at which minute a stop should begin. Its link opens it where Riverbank usually answers, on
your own computer ({APP}). To go through all of them with **Next**, choose this lecture on the first page
of Riverbank. [Giving a lecture](lecture.md) says how to prepare it, what to skip, and what goes wrong.
"""


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages, the pictures, those that move, and the style sheet that are not in docs/."""
    for name, address in PAGES.items():
        files.append(File.generated(config, address, abs_src_path=str(ROOT / name)))
    for path in sorted((ROOT / PICTURES).glob("*.png")):
        files.append(File.generated(config, f"pictures/{path.name}", abs_src_path=str(path)))
    for path in gallery.pages():
        files.append(File.generated(config, f"gallery/{path.name}", abs_src_path=str(path)))
    files.append(File.generated(config, "stylesheets/palette.css", content=palette()))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links and Python names to the pages of the site; a lecture gets its minutes."""
    here = page.file.src_uri
    origin = next((name for name, address in PAGES.items() if address == here), f"docs/{here}")
    if origin.startswith("assets/lectures/"):
        return lecture(markdown)
    if gallery.PLACE in markdown:
        recorded = [
            gallery.FOLDER / Path(file.src_uri).name for file in files if file.src_uri.startswith("gallery/")
        ]
        return markdown.replace(gallery.PLACE, gallery.markdown(recorded))

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(origin), match[1]))
        address = PAGES.get(target, target.removeprefix("docs/")).replace(PICTURES, "pictures")
        return f"]({posixpath.relpath(address, posixpath.dirname(here) or '.')}{match[2] or ''})"

    parts = FENCED.split(LINK.sub(link, markdown))  # blocks of code at the odd places
    return "".join(part if place % 2 else NAME.sub(REFERENCE, part) for place, part in enumerate(parts))


def palette() -> str:
    """The colours of the app as CSS variables, for Material's two schemes."""
    schemes = (("default", LIGHT), ("slate", DARK))
    return "\n".join(f'[data-md-color-scheme="{name}"] {{ {css_variables(p)} }}' for name, p in schemes)


def lecture(text: str) -> str:
    """A lecture with the minute at which each stop should begin; a chapter's are shared out evenly."""
    chapters: list[tuple[str, int, list[list[str]]]] = []
    for line in text.splitlines():
        if match := CHAPTER.fullmatch(line):
            chapters.append((match[1], int(match[2]), []))
        elif match := STOP.fullmatch(line):
            chapters[-1][2].append([f"[{match[1]}]({APP}{quote(match[2], safe=ADDRESS)})"])
        elif match := NOTE.fullmatch(line):
            chapters[-1][2][-1].append(f"*{match[1]}:* {match[2]}")
    lines, begins = [text.splitlines()[0], INTRODUCTION], 0
    for title, minutes, stops in chapters:
        lines += [f"## {title}, {minutes} minutes", ""]
        for place, (stop, *notes) in enumerate(stops):
            notes = "  \n    ".join(notes)  # one line each
            lines += [f"{begins + minutes * place / len(stops):.0f}: {stop}", f":   {notes}", ""]
        begins += minutes
    return "\n".join(lines)
