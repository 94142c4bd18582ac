"""“Show the code” on the word senses page: find the word in the sentences, then call a view's function.

    WordExample(page, places_on_map, "model", "texts", "occurrences", "labels", layer=6).printed()

The program has two functions, as they are in their files: one finds the word, in the lines of the box or in
the visitor's own file; the other is the view's.
"""

import inspect
from collections.abc import Callable
from typing import Any

from explorer.files.lines import lines_of
from explorer.locale import N_
from explorer.views import kit
from explorer.views.frame.example import LINK
from explorer.views.senses import own_text
from explorer.views.senses.search import Search
from explorer.views.senses.settings import DRAWN, FORMS, MODEL, OWN, SEED, WORD
from explorer.views.types import Model, Occurrences

OWN_LINK = N_("The address of this page carries the word and the settings, and none of your text.")


def read_lines(
    model: "Model", lines: list[str], word: str
) -> "tuple[list[str], Occurrences, list[str | None]]":
    """The sentences, the word's occurrences in them, and the sense of each (“#river” ends a line)."""
    from explorer.analysis import senses

    sentences = senses.read_sentences("\n".join(lines))
    texts = [sentence.text for sentence in sentences]
    occurrences = senses.occurrences(model, texts, word)
    return texts, occurrences, senses.senses_of(occurrences, sentences)


def read_file(
    model: "Model",
    file: str,
    word: str,
    forms: bool,
    most: int,
    seed: int,
    encoding: str | None = None,
    columns: tuple[int, int | None] | None = None,
) -> "tuple[list[str], Occurrences, list[str | None]]":
    """A random sample of a file's sentences, the word's occurrences in them, and the sense of each."""
    from dataclasses import replace

    from explorer.corpus.embedding import embed
    from explorer.corpus.index import build
    from explorer.corpus.inspection import inspect
    from explorer.corpus.lookup import draw, lookup
    from explorer.corpus.rows import Report, read

    with open(file, "rb") as opened:
        contents = inspect(file, opened, encoding)
        if columns is not None:  # of a table: the column of the text, and that of the sense
            contents = replace(contents, text=columns[0], sense=columns[1])
        index = build(contents.name, read(contents, opened, Report()))
    sample = draw(index, lookup(index, word, forms), most, seed).occurrences
    occurrences = embed(model, sample, word)
    return (
        [sentence.text for sentence in sample],
        occurrences,
        [sample[i].sense for i in occurrences.sentence_index],
    )


class Name(str):
    """A name in the printed program, without quotation marks."""

    def __repr__(self) -> str:
        return str(self)


class Lines(list[str]):
    """Sentences, printed one per line."""

    def __repr__(self) -> str:
        lines = "".join(f"        {line!r},\n" for line in self)
        return f"[\n{lines}    ]"


class WordExample(kit.Example):
    """A view's function with the function that reads the sentences.

    `inputs` name what the reading function returns, or "model"; the view's function gets them before its
    `arguments`. Without `inputs` it calls the reading function itself: it gets it as `read`, with its
    arguments.
    """

    def __init__(
        self, page: kit.OpenPage[Search], function: Callable[..., Any], *inputs: str, **arguments: Any
    ) -> None:
        own = page.settings[OWN]
        self.read: Callable[..., Any] = read_file if own else read_lines
        self.where = _file(page) if own else _lines(page)
        self.model, self.inputs = kit.Load(page.settings[MODEL]), inputs
        if not inputs:
            arguments |= {"read": Name(self.read.__name__), **self.where}
        super().__init__(function, OWN_LINK if own else LINK, **arguments)

    def printed(self) -> str:
        """The program: the source of both functions, and the calls with their values."""
        functions = [inspect.getsource(function).rstrip() for function in (self.read, self.function)]
        calls = [f"result = {_call(self.function, self.inputs, self.arguments)}", "print(result)"]
        if self.inputs:
            read = _call(self.read, ("model",), self.where)
            calls = [f"model = {self.model!r}", f"texts, occurrences, labels = {read}", *calls]
        return "\n\n\n".join(["import explorer", *functions, "\n".join(calls)])


def _lines(page: kit.OpenPage[Search]) -> dict[str, Any]:
    from explorer.analysis import senses

    occurrences = page.data.occurrences
    lines = lines_of(senses.write_sentences(occurrences.sentences))
    return {"lines": Lines(lines), "word": occurrences.word}


def _file(page: kit.OpenPage[Search]) -> dict[str, Any]:
    settings, own = page.settings, own_text.current()
    where: dict[str, Any] = {
        "file": own.contents.name if own else own_text.PASTED,
        "word": settings[WORD].strip(),
        "forms": settings[FORMS],
        "most": settings[DRAWN],
        "seed": settings[SEED],
    }
    if own and own.contents.encoding not in ("utf-8-sig", "utf-16"):
        where["encoding"] = own.contents.encoding
    if own and own.contents.columns:
        where["columns"] = (own.contents.text, own.contents.sense)
    return where


def _call(function: Callable[..., Any], inputs: tuple[str, ...], arguments: dict[str, Any]) -> str:
    values = [*inputs, *(f"{name}={value!r}" for name, value in arguments.items())]
    line = f"{function.__name__}({', '.join(values)})"
    if len(line) <= 90 and "\n" not in line:
        return line
    return f"{function.__name__}(\n" + "".join(f"    {value},\n" for value in values) + ")"
