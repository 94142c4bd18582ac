"""Numbers of a place in words."""


def ordinal(number: int) -> str:
    """A place in line, in words.

    >>> ordinal(1), ordinal(10), ordinal(11)
    ('first', 'tenth', 'number 11')
    """
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
    return words[number - 1] if number <= len(words) else f"number {number}"
