"""The lines of a typed or saved text, ended by a line feed, a carriage return, or both.

`str.splitlines` also ends a line at U+2028, U+2029, U+0085, a form feed and others, which occur in the
middle of sentences: text areas, spreadsheets and JSON keep them.
"""

import re

_END = re.compile(r"\r\n|\r|\n")


def lines_of(text: str) -> list[str]:
    """The lines, without their ends; a line end at the very end begins no further line.

    >>> lines_of("We sat on\\u2028the bank.\\r\\nIt rained.\\n")
    ['We sat on\\u2028the bank.', 'It rained.']
    """
    lines = _END.split(text)
    return lines if lines[-1] else lines[:-1]


def filled_lines(text: str) -> list[str]:
    """The lines that are not empty, without white space at their ends.

    >>> filled_lines(" We sat. \\n\\n")
    ['We sat.']
    """
    return [line.strip() for line in lines_of(text) if line.strip()]
