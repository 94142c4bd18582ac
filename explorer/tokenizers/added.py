"""Tokens added to a vocabulary, which are never split in a text."""

import json
from collections.abc import Sequence

from tokenizers import AddedToken
from tokenizers import Tokenizer as Backend

from explorer.errors import FormatError
from explorer.tokenizers.settings import Settings


def add_tokens(backend: Backend, settings: Settings, special: Sequence[AddedToken]) -> None:
    """Add the tokens that have an id in the files, then those of `special` that are not there yet.

    As in `transformers`, a token that the vocabulary lacks gets the next id after it. Default tokens of a
    class that no file names are left out if no other id depends on them. Raises FormatError if an id differs
    from the one in the files.
    """
    existing = {repr(token) for token in backend.get_added_tokens_decoder().values()}
    with_role = {token.content for token in special}
    for id, token in sorted(settings.added.items(), key=lambda pair: pair[0]):
        if token.content in with_role:
            token.special = True
        if repr(token) not in existing:
            backend.add_tokens([token])
        if (own := backend.token_to_id(token.content)) != id:
            raise FormatError(
                f"The tokenizer files say that “{token.content:.60}” is token {id}, and by their vocabulary "
                f"it is {own}.",
                f"Write {own} there if that is right, as `transformers` reads it, or take the token out.",
            )
    strings = {token.content for token in backend.get_added_tokens_decoder().values()}
    new = [token for token in special if token.content not in strings]
    while (
        new
        and backend.token_to_id(new[-1].content) is None
        and new[-1].content not in settings.special_strings
    ):
        new.pop()
    for token in new:
        if token.content not in strings:
            backend.add_tokens([token])
            strings.add(token.content)


def drop_rowless(backend: Backend, rows: int | None) -> tuple[Backend, tuple[str, ...]]:
    """A tokenizer without the added tokens that are beyond a model's `rows`, and the strings of those.

    Such a token would break the model; without it the same characters are read as plain text. Tokens of a
    frame stay, and so does a vocabulary that is too large: the model needs these.
    """
    if rows is None or backend.get_vocab_size(with_added_tokens=False) > rows:
        return backend, ()
    frame_ids = {*backend.encode("").ids, *backend.encode("", "").ids}
    added = backend.get_added_tokens_decoder().items()
    rowless = {id: token.content for id, token in added if id >= rows and id not in frame_ids}
    if not rowless:
        return backend, ()
    content = json.loads(backend.to_str())
    content["added_tokens"] = [token for token in content["added_tokens"] if token["id"] not in rowless]
    without = Backend.from_str(json.dumps(content))
    without.encode_special_tokens = backend.encode_special_tokens
    return without, tuple(rowless[id] for id in sorted(rowless))
