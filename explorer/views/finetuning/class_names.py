"""The names of classes on screen: words, where a data set has codes."""

import re

from explorer.locale import N_, _

# Classes in words, where a data set has codes. Those of SNIPS stay English, as its other ones are.
WORDS = {
    "entailment": N_("follows"),
    "not_entailment": N_("does not follow"),
    "PER": N_("person"),
    "LOC": N_("place"),
    "ORG": N_("organisation"),
    "MISC": N_("other name"),
    "timeRange": "time",
    "poi": "landmark",
    "geographic_poi": "landmark",
}


def class_name(label: str) -> str:
    """A label as words: of the data sets' own ones, or with its parts separated.

    >>> class_name("not_entailment"), class_name("AddToPlaylist"), class_name("music_item")
    ('does not follow', 'add to playlist', 'music item')

    A visitor's own label stays as it is.

    >>> class_name("Good news"), class_name("B-LOC")
    ('Good news', 'place')
    """
    name = label[2:] if label[:2] in ("B-", "I-") else label
    if name in WORDS:
        return _(WORDS[name])
    if re.fullmatch(r"(?:[A-Z][a-z]+){2,}", name):
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    return name.replace("_", " ")
