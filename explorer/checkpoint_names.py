"""A checkpoint's name as people write it: with quotation marks, as an address of the hub, as a path.

"bert"                                                     a bundled name
https://huggingface.co/google-bert/bert-base-uncased/tree/main      a model on the hub
file:///home/me/a%20folder    ~/bert    C:\\models\\bert      a folder, or a file
"""

import re
from urllib.parse import unquote

from explorer.errors import NotFoundError

SOURCES = ("bundled", "hub", "folder", "serve")
QUOTES = "\"'`“”„‟‘’‚‛«»‹›"
INVISIBLE = "\u200b\u200e\u200f\u2060\ufeff"
ADVICE = "Write a bundled name such as bert, or hub:organisation/name, or folder:/a/path."

_ADDRESS = re.compile(
    r"(?:^|[\s:])(?:hf:/?/?|git@hf\.co:|(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co|hf-mirror\.com)/)"
    r"(?P<path>[^\s?#]+)",
    re.IGNORECASE,
)
_PATH = re.compile(r"[/~]|\.{1,2}(?:[/\\]|$)|\\|[A-Za-z]:[/\\]")  # how a path begins, and no other name
_OF_A_REVISION = ("tree", "blob", "resolve", "raw", "blame", "commits", "commit")
_PARTS = (*_OF_A_REVISION, "discussions", "edit", "upload", "settings")
_OTHERS = {"datasets": "a data set", "spaces": "a Space", "collections": "a collection", "papers": "a paper"}


def parsed_name(text: str) -> tuple[str, str, str | None]:
    """Source, name and revision of a checkpoint's name. Raises NotFoundError for one that means none.

    >>> parsed_name("https://huggingface.co/openai-community/gpt2/tree/main")
    ('hub', 'openai-community/gpt2', None)
    >>> parsed_name("file:///models/a%20folder"), parsed_name(' "bert" ')
    (('folder', '/models/a folder', None), ('bundled', 'bert', None))
    """
    plain = _without_quotes(text)
    source, colon, name = plain.partition(":")
    source, name = source.strip().lower(), _without_quotes(name)
    while colon and name.lower().startswith(f"{source}:") and source in SOURCES:
        name = _without_quotes(name[len(source) + 1 :])
    if source != "serve" and (address := _ADDRESS.search(plain)):
        return _from_address(address["path"], plain)
    if source == "file" and colon:
        source, name = "folder", f"file:{name}"
    elif _PATH.match(plain) or (not colon and (plain.count("/") > 1 or "\\" in plain)):
        source, name = "folder", plain
        if model := re.fullmatch(
            r"models?/([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)", plain
        ):  # as the hub’s own programs write it
            source, name = "hub", model[1]
    elif not colon:
        source, name = "bundled", plain
    if source == "hub":
        name, _, revision = re.sub(r"\s*[/\\]+\s*", "/", name).strip("/").partition("@")
        if name:
            return "hub", name.rstrip("/ "), revision.strip() or None
    if source not in SOURCES or not name:
        hint = ADVICE
        if source in ("http", "https"):
            hint = f"For a server of models, write serve:{plain}; for one on the hub, hub:organisation/name."
        raise NotFoundError(f"“{text}” does not name a checkpoint.", hint)
    if source == "folder" and name.lower().startswith("file:"):
        name = _from_file_address(name)
    return source, name, None


def _without_quotes(text: str) -> str:
    """A text without white space and quotation marks around it, or one that is left over at an end."""
    while True:
        text = text.strip().strip(INVISIBLE)
        first, last = text[:1], text[-1:]
        if len(text) > 1 and first in QUOTES and last in QUOTES:
            text = text[1:-1]
        elif first and first in QUOTES:
            text = text[1:]
        elif last and last in QUOTES and ":" not in text and "/" not in text:  # a path may end in one
            text = text[:-1]
        else:
            return text


def _from_address(path: str, whole: str) -> tuple[str, str, str | None]:
    """Name and revision in the path of an address of the hub. Raises NotFoundError for no model's."""
    parts = [unquote(part) for part in path.strip(QUOTES).split("/") if part]
    parts = parts[2:] if parts[:2] == ["api", "models"] else parts
    if parts and parts[0] in _OTHERS:
        raise NotFoundError(f"“{whole}” is the address of {_OTHERS[parts[0]]}, not of a model.", ADVICE)
    of_one = 1 if len(parts) > 1 and parts[1] in _PARTS else 2  # old names have no organisation
    name, rest = "/".join(parts[:of_one]).removesuffix(".git"), parts[of_one:]
    if not name or name == "models":
        raise NotFoundError(f"“{whole}” is an address of the hub, but of no model.", ADVICE)
    name, _, revision = name.partition("@")
    if len(rest) > 1 and rest[0] in _OF_A_REVISION:
        length = 3 if rest[1] == "refs" else 1
        revision, inside = "/".join(rest[1 : 1 + length]), rest[1 + length :]
        if folder := "/".join(inside if rest[0] == "tree" else inside[:-1]):
            raise NotFoundError(
                f"“{whole}” is the address of a folder inside a model, {folder}.",
                f"Riverbank reads the files at the model’s top, hub:{name}; for others, download them and "
                "write folder: and their path.",
            )
    return "hub", name, revision if revision and revision != "main" else None


def _from_file_address(address: str) -> str:
    """The path of a file: address, whose spaces may be written %20."""
    path = address[len("file:") :]
    if path.startswith("//"):
        path = path[2:].removeprefix("localhost") if path[2:].startswith("localhost/") else path[2:]
    path = unquote(path)
    return path[1:] if re.match(r"/[A-Za-z]:[/\\]", path) else path
