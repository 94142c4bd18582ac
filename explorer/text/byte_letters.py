"""GPT-2's alphabet of bytes: one printable character for each.

Printable bytes keep their code, the other 68 are moved up past U+0100 in order (Radford et al. 2019, the
reference encoder's bytes_to_unicode).
"""

_PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_MOVED = [byte for byte in range(256) if byte not in _PRINTABLE]
BYTE_OF = {chr(b): b for b in _PRINTABLE} | {chr(256 + i): b for i, b in enumerate(_MOVED)}
CHAR_OF = {byte: char for char, byte in BYTE_OF.items()}
BROKEN = "\ufffd"  # a part of a character, as it is decoded
SIGNS = str.maketrans({" ": "␣", "\n": "↵", "\t": "⇥"})


def readable(piece: str) -> str:
    """A piece in this alphabet as people read it; bytes that are no whole character as hexadecimal numbers.

    >>> readable("Ġbank"), readable("Ã©"), readable("Ã")
    ('␣bank', 'é', 'C3')
    """
    try:
        return to_bytes(piece).decode().translate(SIGNS)
    except UnicodeDecodeError:
        return to_bytes(piece).hex(" ").upper()


def to_bytes(piece: str) -> bytes:
    """The bytes of a piece in this alphabet.

    >>> to_bytes("Ã©").decode()
    'é'
    """
    return bytes(BYTE_OF[char] for char in piece)


def in_bytes(token: str) -> bool:
    """Whether a token is written in this alphabet; one that was added to a vocabulary may be plain text.

    >>> in_bytes("Ġbank"), in_bytes("  ")
    (True, False)
    """
    return all(char in BYTE_OF for char in token)


def is_part(piece: str) -> bool:
    """Whether a piece in this alphabet is no whole number of characters.

    >>> is_part("Ã©"), is_part("Ã")
    (False, True)
    """
    try:
        to_bytes(piece).decode()
    except UnicodeDecodeError:
        return True
    return False
