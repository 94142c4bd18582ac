"""The documentation's pictures that move: views and lectures as web pages, recorded from Riverbank itself.

    python docs/site/gallery.py [NAME ...]

writes them into .cache/gallery, without a name all of them. A build does, where they are older than the code.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".cache" / "gallery"
FEWER = "RIVERBANK_GALLERY"  # how many of them a build has, for a quick one
PLACE = "<!-- gallery -->"
HEIGHT = 620  # px, until the picture says how high it is

# Each with its title, the address of its view, and what to do with it.
PICTURES = {
    "head": ("Who was tired?", "/attention?view=head", "Press another head, or choose another layer."),
    "senses": ("Senses part", "/senses?view=map", "Play the layers, and watch the dots part."),
    "four-models": (
        "Five banks, four models",
        "/senses?view=four",
        "Point at a dot: where is it in the others?",
    ),
    "inside": ("Query, key, value", "/attention?view=inside", "Press the words, and follow one number."),
    "layers": ("A guess, layer by layer", "/why?view=lens", "Point at a word: how sure was the layer of it?"),
    "writes": ("BERT fills in a text", "/masked?view=write", "Play it, word by word."),
    "translator": ("A translator", "/transformer?view=translator", "Press **Token by token**."),
    "tree": ("A tree in a model", "/probing?view=tree", "Move through the layers."),
    "learning": ("What BERT learnt, and when", "/models?model=bert&view=predicted", "Play the training."),
    "words": ("A map of words", "/vectors?view=map", "Point at a word: which are near it?"),
}
LECTURES = {"five-pictures": 20, "45-minutes": 45, "90-minutes": 90}
MISSING = (
    "The pictures are recorded when this documentation is built where Riverbank itself is installed, as the "
    "README says. Here it was built without."
)


def pages() -> list[Path]:
    """The pages, recorded anew where they are older than the code; none where Riverbank cannot run."""
    if any(importlib.util.find_spec(name) is None for name in ("streamlit", "torch")):
        return []
    names = [*PICTURES, *LECTURES]
    paths = [FOLDER / f"{name}.html" for name in names[: int(os.environ.get(FEWER, len(names)))]]
    newest = max(
        path.stat().st_mtime
        for folder in ("explorer", "assets/lectures", "docs/site")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".js", ".css", ".md")
    )
    old = [path.stem for path in paths if not path.exists() or path.stat().st_mtime < newest]
    if old:
        subprocess.run([sys.executable, __file__, *old], check=True, stdout=subprocess.DEVNULL)
    return paths


def markdown(paths: list[Path]) -> str:
    """The pages that there are: each picture in a frame, each lecture as a link."""
    there = {path.stem for path in paths}
    if not there:
        return MISSING
    parts = [
        f"## {title}\n\n{do} [On a page of its own](gallery/{name}.html)\n\n"
        f'<iframe class="rb-try" title="{title}" src="../gallery/{name}.html" height="{HEIGHT}" '
        'loading="lazy"></iframe>\n'
        for name, (title, _, do) in PICTURES.items()
        if name in there
    ]
    links = [
        f"* [{minutes} minutes](gallery/{name}.html)" for name, minutes in LECTURES.items() if name in there
    ]
    return "\n".join([*links, "", *parts])


def main(names: list[str]) -> None:
    """Record the pages of these names."""
    sys.path.append(str(ROOT))
    from explorer.files.writing import write_text
    from explorer.views.frame import navigation
    from explorer.views.frame.lecture import handout, lecture

    FOLDER.mkdir(parents=True, exist_ok=True)
    titles = {page.name: page.title for page in navigation.pages()}
    for name in names:
        if name in PICTURES:
            title, address, _ = PICTURES[name]
            items = lecture.read(f"[{title}]({address})", titles)
            html = handout.record(items[0], items, 0).view.html()
        else:
            written = handout.handout(handout.text_of(name))
            if written.problems:
                sys.exit("\n".join(written.problems))
            html = written.html
        write_text(FOLDER / f"{name}.html", html)
        print(name, flush=True)
    os._exit(0)  # what still reads in the background is not waited for


if __name__ == "__main__":
    main(sys.argv[1:] or [*PICTURES, *LECTURES])
