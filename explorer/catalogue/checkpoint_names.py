"""Parsing of a checkpoint's name: with quotation marks, as an address of the hub, or as a path.

"bert"                                                     a bundled name
https://huggingface.co/google-bert/bert-base-uncased/tree/main      a model on the hub
file:///home/me/a%20folder    ~/bert    C:\\models\\bert      a folder, or a file
"""

import re
from urllib.parse import unquote

from explorer.errors import NotFoundError
from explorer.locale import N_, _

SOURCES = ("bundled", "hub", "folder", "serve")
QUOTES = "\"'`“”„‟‘’‚‛«»‹›"
INVISIBLE = "\u00ad\u200b\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
PUNCTUATION = ".,;!?。，；！？、"  # of a sentence around a name
BRACKETS = "<>()「」『』（）【】"
ADVICE = N_("Write a bundled name such as bert, or hub:organisation/name, or folder:/a/path.")

_ADDRESS = re.compile(
    r"(?:^|[\s:(<“「（])(?:hf:/?/?|(?:(?:https?|ssh)://)?(?:[^\s/@]+@)?(?:www\.|m\.)?"
    r"(?:huggingface\.co|hf\.co|hf-mirror\.com)(?::[0-9]+/|[/:]))"
    r"(?P<path>[^\s?#<>()“”「」『』（）。，；！？、]+)",
    re.IGNORECASE,
)
_PATH = re.compile(r"[/~]|\.{1,2}(?:[/\\]|$)|\\|[A-Za-z]:[/\\]")  # the beginning of a path
_OF_A_REVISION = ("tree", "blob", "resolve", "raw", "blame", "commits", "commit")
_PARTS = (*_OF_A_REVISION, "discussions", "edit", "upload", "settings")
_OTHERS = {
    "datasets": N_("“{address}” is the address of a data set, not of a model."),
    "spaces": N_("“{address}” is the address of a Space, not of a model."),
    "collections": N_("“{address}” is the address of a collection, not of a model."),
    "papers": N_("“{address}” is the address of a paper, not of a model."),
}
_OTHERS |= dict.fromkeys(
    "docs blog learn organizations settings join login pricing tasks posts chat enterprise".split(),
    N_("“{address}” is the address of a page of the hub, not of a model."),
)
_MARKDOWN = re.compile(r"!?\[[^\]]*\]\((?P<address>[^()]+)\)")
_CACHED = re.compile(r"models--([A-Za-z0-9_.-]+?)(?:--([A-Za-z0-9_.-]+))?")  # a folder of the hub's cache
# User names and keys in an address, which no message may repeat.
_SECRET = re.compile(
    r"(?i)(?<=//)[^\s/@]+@|(?<![A-Za-z0-9])hf_[A-Za-z0-9]+|(?<=[?&])[^\s#]*(?:token|key|secret|password)[^\s#]*"
)


def parsed_name(text: str) -> tuple[str, str, str | None]:
    """Source, name and revision of a checkpoint's name. Raises NotFoundError if it is not one.

    >>> parsed_name("https://huggingface.co/openai-community/gpt2/tree/main")
    ('hub', 'openai-community/gpt2', None)
    >>> parsed_name("file:///models/a%20folder"), parsed_name(' "bert" ')
    (('folder', '/models/a folder', None), ('bundled', 'bert', None))
    """
    plain = _without_sentence(_without_quotes(text))
    source, colon, name = plain.partition(":")
    source, name = source.strip().lower(), _without_quotes(name)
    while colon and name.lower().startswith(f"{source}:") and source in SOURCES:
        name = _without_quotes(name[len(source) + 1 :])
    of_path = _PATH.match(plain) is not None
    if source not in ("serve", "folder", "file") and not of_path and (address := _ADDRESS.search(plain)):
        return _from_address(address["path"], plain)
    if source == "file" and colon:
        source, name = "folder", f"file:{name}"
    elif of_path or (not colon and (plain.count("/") > 1 or "\\" in plain)):
        source, name = "folder", plain
        if model := re.fullmatch(
            r"models?/([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)", plain
        ):  # as the hub’s own programs write it
            source, name = "hub", model[1]
    elif cached := _CACHED.fullmatch(plain):
        source, name = "hub", "/".join(filter(None, cached.groups()))
    elif not colon:
        source, name = "bundled", plain
    if source == "bundled":
        name = name.rstrip("/")
        name = name if "/" in name else name.lower()
    if source == "hub":
        name, __, revision = re.sub(r"\s*[/\\]+\s*", "/", name).strip("/").partition("@")
        if name:
            return "hub", name.rstrip("/ "), revision.strip() or None
    if source not in SOURCES or not name:
        hint = _(ADVICE)
        if source in ("http", "https"):
            hint = _(
                "Riverbank takes models from the Hugging Face hub, hub:organisation/name. From another site, "
                "download one and write folder: and its path; where Riverbank itself serves models, write "
                "serve: and the address."
            )
        raise NotFoundError(_("“{name}” does not name a checkpoint.", name=_without_secrets(text)), hint)
    if source == "folder" and name.lower().startswith("file:"):
        name = _from_file_address(name)
    return source, name, None


def _without_sentence(text: str) -> str:
    """A name without the punctuation and brackets of a message around it; a path may contain them."""
    text = re.sub(r"^([A-Za-z]+)：", r"\1:", text)
    if _PATH.match(text) or text.lower().startswith(("folder:", "file:")):
        return text
    text = text.translate(dict.fromkeys(map(ord, INVISIBLE)))
    if link := _MARKDOWN.search(text):
        text = link["address"]
    return _without_quotes(text.rstrip(PUNCTUATION).strip(BRACKETS).rstrip(PUNCTUATION))


def _without_secrets(text: str) -> str:
    return _SECRET.sub("…", text)


def _without_quotes(text: str) -> str:
    """A text without white space and quotation marks around it, or a single mark at one end."""
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
    """Name and revision in the path of an address of the hub. Raises NotFoundError if it is not a model's."""
    whole = _without_secrets(whole)
    parts = [unquote(part) for part in path.strip(QUOTES).rstrip(PUNCTUATION).split("/") if part]
    parts = parts[2:] if parts[:2] == ["api", "models"] else parts
    parts = parts[1:] if len(parts) > 2 and parts[0] == "models" else parts
    if parts and parts[0] in _OTHERS:
        raise NotFoundError(_(_OTHERS[parts[0]], address=whole), _(ADVICE))
    of_one = 1 if len(parts) > 1 and parts[1] in _PARTS else 2  # old names have no organisation
    name, rest = "/".join(parts[:of_one]).removesuffix(".git"), parts[of_one:]
    if not name or name == "models":
        raise NotFoundError(
            _("“{address}” is an address of the hub, but of no model.", address=whole), _(ADVICE)
        )
    name, __, revision = name.partition("@")
    if len(rest) > 1 and rest[0] in _OF_A_REVISION:
        length = 3 if rest[1] == "refs" else 1
        revision, inside = "/".join(rest[1 : 1 + length]), rest[1 + length :]
        if folder := "/".join(inside if rest[0] == "tree" else inside[:-1]):
            raise NotFoundError(
                _(
                    "“{address}” is the address of a folder inside a model, {folder}.",
                    address=whole,
                    folder=folder,
                ),
                _(
                    "Riverbank reads the files at the model’s top, hub:{name}; for others, download them and "
                    "write folder: and their path.",
                    name=name,
                ),
            )
    return "hub", name, revision if revision and revision != "main" else None


def _from_file_address(address: str) -> str:
    """The path of a file: address, in which spaces may be written %20."""
    path = address[len("file:") :]
    if path.startswith("//"):
        path = path[2:].removeprefix("localhost") if path[2:].startswith("localhost/") else path[2:]
    path = unquote(path)
    return path[1:] if re.match(r"/[A-Za-z]:[/\\]", path) else path
