"""The kept pictures as one HTML page that opens anywhere, without network and without scripts."""

import base64
from collections.abc import Sequence
from html import escape

from explorer.views.frame.lecture.lecture import Item, link_to
from explorer.views.frame.lecture.lecture import write as write_items
from explorer.views.frame.saving.notebook_entries import NotebookEntry

STYLE = """
body { margin: 0 auto; padding: 32px 20px 64px; max-width: 900px; background: #FBFAF7; color: #1B1F2A;
  font: 18px/1.5 "Source Sans 3", "Source Sans Pro", system-ui, sans-serif; }
h1 { font: 600 30px/1.2 Georgia, serif; margin: 0 0 4px; }
h2 { font: 600 22px/1.2 Georgia, serif; margin: 40px 0 8px; }
img { display: block; width: 100%; border: 1px solid #E5E2DA; border-radius: 6px; }
p { margin: 8px 0; } .sentence { white-space: pre-wrap; } .quiet { color: #596071; font-size: 16px; }
a { color: #3B5B7A; overflow-wrap: anywhere; }
@media print { section { break-inside: avoid; } section + section { break-before: page; } }
"""


def html(pictures: Sequence[NotebookEntry], author: str, server: str) -> str:
    """The page; `author` is a name or empty, `server` the address under which Riverbank was open.

    All texts are escaped: what a visitor typed is shown, never executed.
    """
    title = f"{author.strip()}: Riverbank" if author.strip() else "A Riverbank notebook"
    sections = "\n".join(_section(number, one, server) for number, one in enumerate(pictures, 1))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n"
        f"{sections}\n</body></html>\n"
    )


def markdown(pictures: Sequence[NotebookEntry]) -> str:
    """The kept views as a lecture, with each sentence as what to say."""
    return write_items(
        [
            Item(
                one.title,
                page=one.page,
                link=one.link,
                notes=(f"Say: {' '.join(one.sentence.split())}",) if one.sentence.strip() else (),
            )
            for one in pictures
        ]
    )


def _section(number: int, one: NotebookEntry, server: str) -> str:
    image = base64.b64encode(one.picture).decode()
    address = escape(f"{server.rstrip('/')}{link_to(one.page, one.link)}", quote=True)
    sentence = f'<p class="sentence">{escape(one.sentence)}</p>' if one.sentence.strip() else ""
    caption = " · ".join(one.caption)
    return (
        f"<section><h2>{number}. {escape(one.title)}</h2>{sentence}"
        f'<img alt="{escape(caption or one.title, quote=True)}" src="data:image/png;base64,{image}">'
        f'<p class="quiet">{escape(caption)} <a href="{address}">Open this view</a></p></section>'
    )
