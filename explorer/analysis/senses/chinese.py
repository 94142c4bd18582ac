"""Whether a model can read Chinese text."""

from collections.abc import Sequence

from explorer.assets import CHECKPOINTS, CHINESE
from explorer.errors import TextError
from explorer.locale import _
from explorer.models.base import Model
from explorer.text.letters import is_letters
from explorer.tokenizers.languages import is_ideograph

READ = 200  # characters that are examined
LEAST = 0.3  # share of a text's letters: a few characters in another language's text do not count
MODEL = "hub:google-bert/bert-base-chinese"


def reads_chinese(model: Model, text: str) -> bool:
    """Whether a model knows most of a text's Chinese characters; True if there are few or none.

    BERT's English vocabulary has [UNK] for them, and GPT's splits each into two or three pieces: from neither
    can a model have learnt what they mean.
    """
    characters = "".join(filter(is_ideograph, text))
    if not characters or len(characters) < LEAST * sum(map(is_letters, text)):
        return True
    characters = characters[:READ]
    # With spaces between them, so that a model of whole words does not take them for one word.
    encoding = model.encode(" ".join(characters))
    inside = [not special for special in encoding.special.tolist()]
    pieces = sum(inside)
    unknown = sum(
        keep and token_id == model.tokenizer.unknown for keep, token_id in zip(inside, encoding.ids.tolist())
    )
    read = len({start for keep, (start, _) in zip(inside, encoding.spans) if keep})
    return read > 0 and unknown < 0.1 * read and pieces - read < 0.5 * read


def require(model: Model, texts: Sequence[str]) -> None:
    """Raises TextError if the texts are Chinese and the model has not learnt to read it."""
    if not reads_chinese(model, " ".join(texts)):
        raise TextError(
            _("These sentences need a model that knows Chinese; {model} does not.", model=model.checkpoint),
            _("Choose {model} as the model, above.", model=CHINESE)
            if (CHECKPOINTS / CHINESE / "config.json").exists()
            else _("Choose {model} as the model, above: it is fetched once, with a network.", model=MODEL),
        )
