"""A text as a tokenizer cuts it: where each piece stands, and what of the text the model never reads.

Whole words: Mikolov et al. 2013. WordPiece: Schuster and Nakajima 2012, in BERT Devlin et al. 2019. Bytes:
Radford et al. 2019. Letters: Peters et al. 2018.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from explorer.text.byte_letters import in_bytes, is_part, to_bytes

if TYPE_CHECKING:
    from explorer.tokenizers import Tokenizer

State = Literal["", "unknown", "changed", "part"]


@dataclass(frozen=True)
class Piece:
    """A token at its place in a text: the characters from `start` to `end`.

    `token` is its string in the vocabulary and `id` its number there. `state` is “unknown” for a token that
    stands for anything, “changed” if it has lost capitals or accents, and “part” for one that is less than a
    character; `content` are then its bytes.
    """

    token: str
    id: int
    start: int
    end: int
    state: State = ""
    content: bytes = b""


@dataclass(frozen=True)
class Cut:
    """A text in the pieces of a vocabulary of `size` tokens.

    `lost` are the places, (start, end), of characters that no piece has, spaces between words left out.

    >>> cut(explorer.load_tokenizer("word2vec"), "A glockenspiel").lost
    ((2, 14),)
    """

    text: str
    pieces: tuple[Piece, ...]
    lost: tuple[tuple[int, int], ...]
    size: int

    @property
    def characters_per_token(self) -> float:
        """How many characters of the text a token has.

        >>> cut(explorer.load_tokenizer("gpt"), "Two riverbanks").characters_per_token
        3.5
        """
        return len(self.text) / max(len(self.pieces), 1)


def cut(tokenizer: "Tokenizer", text: str) -> Cut:
    """Cut a text; the tokens that a model puts around it are left out.

    A network that reads letters has a piece for each. Raises TextError if nothing can be read.

    >>> [piece.token for piece in cut(explorer.load_tokenizer("bert"), "Two riverbanks").pieces]
    ['two', 'river', '##bank', '##s']
    """
    encoding = tokenizer.encode(text)
    pieces = []
    for position, (start, end) in enumerate(encoding.spans):
        if encoding.special[position] and start == end:
            continue
        token, id = encoding.tokens[position], int(encoding.ids[position])
        if encoding.characters is not None:
            pieces += [Piece(text[i], ord(text[i]), i, i + 1) for i in range(start, end)]
            continue
        state, content = _state(tokenizer, token, id, text[start:end])
        pieces.append(Piece(token, id, start, end, state, content))
    return Cut(text, tuple(pieces), tuple(_gaps(text, pieces)), tokenizer.size)


def _state(tokenizer: "Tokenizer", token: str, id: int, surface: str) -> tuple[State, bytes]:
    """What has become of the characters of a token."""
    if id == tokenizer.unknown:
        return "unknown", b""
    if tokenizer.byte_level:
        return ("part", to_bytes(token)) if in_bytes(token) and is_part(token) else ("", b"")
    plain = token.removeprefix("##").strip("▁ ")
    return ("changed" if plain != surface.strip() and id not in tokenizer.special_ids else ""), b""


def _gaps(text: str, pieces: list[Piece]) -> list[tuple[int, int]]:
    """The runs of characters between spaces that no piece has."""
    read = {i for piece in pieces for i in range(piece.start, piece.end)}
    lost = [i for i, character in enumerate(text) if i not in read and not character.isspace()]
    runs: list[tuple[int, int]] = []
    for i in lost:
        if runs and runs[-1][1] == i:
            runs[-1] = (runs[-1][0], i + 1)
        else:
            runs.append((i, i + 1))
    return runs
