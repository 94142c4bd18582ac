"""Labelled texts as other programs write them: fastText's lines, CoNLL's columns, cells from a spreadsheet.

__label__spam You have won a prize        fastText: a class, or several, anywhere in a line
EU NNP B-NP B-ORG                         CoNLL-2003: a word a line, its tag last; empty lines part sentences
“She said ““no”””⇥spam                    a spreadsheet: tabs between cells, some in straight quotation marks
| You have won | spam |                   Markdown: bars around as well, and a line of hyphens below the names
"""

import re
from collections.abc import Iterable, Iterator, Sequence

FASTTEXT = "__label__"
# BIO, and the schemes that mark a last word (E, L) and a single one (S, U) as well.
_BIO = {"B": "B", "I": "I", "E": "I", "L": "I", "M": "I", "S": "B", "U": "B"}
_TAG = re.compile(rf"O|[{''.join(_BIO)}]-\S+")
_SKIPPED = re.compile(r"-DOCSTART-|# ")
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"(?=[\t\r\n]|$)')
_PLAIN = re.compile(r"[^\t\r\n]*+")
_HYPHENS = re.compile(r"^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?::?-+:?[ \t]*)?$", re.MULTILINE)
_FRAME = re.compile(r"^[ \t]*\||\|[ \t]*$", re.MULTILINE)
_LINE_END = re.compile(r"\r\n|\r|\n")
SAMPLE_LINES = 200


def fasttext_line(line: str) -> tuple[str, list[str]]:
    """The text of a line in fastText's form, and its classes.

    >>> fasttext_line("__label__spam You have won.")
    ('You have won.', ['spam'])
    """
    words = line.split()
    labels = [word.removeprefix(FASTTEXT) for word in words if word.startswith(FASTTEXT)]
    return " ".join(word for word in words if not word.startswith(FASTTEXT)), labels


def is_conll(lines: Sequence[str], strict: bool = True) -> bool:
    """Whether lines are a word each, with the same number of columns and, if `strict`, a BIO tag as the last.

    >>> is_conll(["EU NNP B-ORG", "rejects VBZ O", "", "It PRP O"]), is_conll(["to York/I-city", "of O"])
    (True, False)
    """
    rows = [line.split() for line in lines[:SAMPLE_LINES] if line.strip() and not _SKIPPED.match(line)]
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) == 1:
        return False
    return not strict or all(_TAG.fullmatch(row[-1]) for row in rows)


def conll_sentences(lines: Iterable[str]) -> Iterator[tuple[int, list[str], list[str]]]:
    """The sentences of CoNLL's columns: the number of the last line, the words, and their BIO tags.

    >>> list(conll_sentences(["EU NNP S-ORG", "rejects VBZ O", "", "It PRP O"]))
    [(2, ['EU', 'rejects'], ['B-ORG', 'O']), (4, ['It'], ['O'])]
    """
    words: list[str] = []
    tags: list[str] = []
    number = 0
    for number, line in enumerate(lines, 1):
        if line.strip() and not _SKIPPED.match(line):
            row = line.split()
            words.append(row[0])
            tags.append(_BIO.get(row[-1][0], row[-1][0]) + row[-1][1:] if len(row) > 1 else "")
        elif words:
            yield number - 1, words, tags
            words, tags = [], []
    if words:
        yield number, words, tags


def without_markdown(text: str) -> str:
    """A Markdown table without the bars around its lines, its line of hyphens empty; any other text as it is.

    >>> without_markdown("| text | label |\\n|---|:-:|\\n| Good | yes |")
    ' text | label \\n\\n Good | yes '
    """
    if not _HYPHENS.search(text):
        return text
    return _FRAME.sub("", _HYPHENS.sub("", text))


def pasted_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each row of cells with tabs between, as a spreadsheet copies them, with the number of its last line.

    Quotation marks around a cell are the spreadsheet's if the cell holds a line end, a tab or doubled
    quotation marks, or if all cells of the row have them; others belong to the text.

    >>> list(pasted_rows('"Good," she said.\\tyes\\n"Two\\nlines"\\tno'))
    [(1, ['"Good," she said.', 'yes']), (3, ['Two\\nlines', 'no'])]
    """
    number, at = 1, 0
    while at < len(text):
        start, cells = at, []
        while True:
            match = _QUOTED.match(text, at) or _PLAIN.match(text, at)
            assert match is not None  # a plain cell may be empty
            cells.append(match)
            at = match.end()
            if text[at : at + 1] != "\t":
                break
            at += 1
        number += len(_LINE_END.findall(text, start, at))
        end = _LINE_END.match(text, at)
        at = end.end() if end else len(text)
        all_quoted = len(cells) > 1 and all(cell.re is _QUOTED for cell in cells)
        yield number, [_cell(cell, all_quoted) for cell in cells]
        number += 1


def _cell(match: re.Match[str], unquoted: bool) -> str:
    if match.re is _QUOTED and (unquoted or '""' in match[1] or re.search(r"[\t\r\n]", match[1])):
        return match[1].replace('""', '"')
    return match[0]
