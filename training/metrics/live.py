"""Model of a network in training, as its checkpoint will be loaded."""

from tokenizers import Tokenizer as Backend
from tokenizers.models import WordLevel, WordPiece
from torch import nn

from explorer.models import FAMILIES, LanguageModel
from explorer.models.elmo import ElmoConfig
from explorer.tokenizers import Tokenizer
from explorer.tokenizers.characters import CharacterTokenizer
from explorer.tokenizers.frame import END_OF_TEXT
from explorer.tokenizers.wordpiece import WordPieceTokenizer
from explorer.trace import Checkpoint


def live(network: nn.Module, backend: Backend) -> LanguageModel:
    """Model of a network, on its device, with its tokenizer and abilities."""
    family = next(f for f in FAMILIES.values() if type(network.config) is f.config)
    names = network.state_dict().keys()
    heads = frozenset(rule.head for rule in family.rules if rule.head and rule.ours in names)
    if isinstance(backend.model, WordPiece):
        tokenizer: Tokenizer = WordPieceTokenizer(backend)
    elif isinstance(backend.model, WordLevel):
        assert isinstance(network.config, ElmoConfig), "no other network reads words by their characters"
        tokenizer = CharacterTokenizer(backend, network.config.characters)
    else:
        tokenizer = Tokenizer(backend, {"start": END_OF_TEXT}, byte_level=True)
    name = Checkpoint("training", family.model_type)
    return LanguageModel(name, network.config, network, tokenizer, family.abilities(heads))
