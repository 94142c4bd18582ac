"""Which of the two Chinese scripts a text is in."""

TRADITIONAL, SIMPLIFIED = "traditional", "simplified"
_CHARACTER_SETS = {"big5": TRADITIONAL, "gb2312": SIMPLIFIED}  # everyday characters, one script each


def script(text: str) -> str | None:
    """The script of a text, if only one of the two can write it; None for a text of both or of neither.

    Judged by two national character sets with one script each: Big5 and GB 2312.

    >>> script("這裡有馬"), script("这里有马"), script("小米"), script("這里有马")
    ('traditional', 'simplified', None, None)
    """
    scripts = [name for encoding, name in _CHARACTER_SETS.items() if _can_encode(encoding, text)]
    return scripts[0] if len(scripts) == 1 else None


def _can_encode(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
