"""Numbers of a place in words."""

from explorer.locale import N_, _

WORDS = (
    N_("first"),
    N_("second"),
    N_("third"),
    N_("fourth"),
    N_("fifth"),
    N_("sixth"),
    N_("seventh"),
    N_("eighth"),
    N_("ninth"),
    N_("tenth"),
)


def ordinal(number: int) -> str:
    """A place in line, in words.

    >>> ordinal(1), ordinal(10), ordinal(11)
    ('first', 'tenth', 'number 11')
    """
    return _(WORDS[number - 1]) if number <= len(WORDS) else _("number {number}", number=number)
