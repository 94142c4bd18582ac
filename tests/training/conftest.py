"""A small corpus of our own, and tiny models that know its words."""

from pathlib import Path

import pytest
import torch

from explorer import load
from explorer.models import FAMILIES
from explorer.models.bert import HEADS, Bert, BertConfig
from explorer.models.electra import Electra, ElectraConfig
from explorer.models.elmo import Elmo, ElmoConfig
from explorer.models.language_model import LanguageModel
from explorer.tokenizers.characters import MARKS, words_backend
from tests import tiny
from tests.hub_files import write_model
from training.text import Corpus

PEOPLE = ["The baker", "Our neighbour", "A tall sailor", "The old nurse", "My cousin", "The judge"]
DEEDS = ["found a key", "sold two lamps", "read the letter", "crossed the bridge", "fed the geese"]
GENS = ["Le boulanger", "Notre voisin", "Un grand marin", "La vieille nourrice", "Mon cousin", "Le juge"]
ACTES = [
    "a trouvé une clé",
    "a vendu deux lampes",
    "a lu la lettre",
    "a traversé le pont",
    "a nourri les oies",
]
LIEUX = ["près du port", "derrière le moulin", "à la banque", "sous le chêne", "près de la gare"]
PLACES = ["by the harbour", "behind the mill", "at the bank", "under the oak", "near the station"]


def documents(count: int = 60) -> list[list[str]]:
    """Stories of one to four paragraphs, every one different."""
    result = []
    for d in range(count):
        said = [
            f"{PEOPLE[(d + i) % 6]} {DEEDS[(d * 2 + i) % 5]} {PLACES[(d // 3 + i) % 5]} on day {d}."
            for i in range(3 + d % 5)
        ]
        result.append([" ".join(said[i : i + 2]) for i in range(0, len(said), 2)])
    return result


@pytest.fixture(scope="session")
def text(tmp_path_factory) -> Path:
    """The corpus as a file."""
    path = tmp_path_factory.mktemp("text") / "en-1.txt"
    path.write_text("\n\n".join("\n".join(d) for d in documents()) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def corpus(text) -> Corpus:
    """The corpus in blocks of 2,000 bytes."""
    return Corpus((text,), block_bytes=2000)


def words() -> list[str]:
    """The corpus's words, as they are written."""
    return sorted({word.strip(".") for document in documents() for text in document for word in text.split()})


SIZES = {"d_model": 24, "layers": 2, "heads": 3, "d_mlp": 40, "positions": 32}
VOCABULARY = [*tiny.SPECIAL, *dict.fromkeys(word.lower() for word in words()), "."]


def store(folder: Path, network: torch.nn.Module, family: str) -> LanguageModel:
    """A network with small random weights, stored and loaded again."""
    generator = torch.Generator().manual_seed(1)
    for name, parameter in network.named_parameters():
        if "norm" not in name:
            parameter.data.normal_(std=0.02, generator=generator)
    write_model(folder, network, FAMILIES[family])
    return load(f"folder:{folder}")


@pytest.fixture(scope="module")
def bert(tmp_path_factory) -> LanguageModel:
    """A tiny BERT with both heads."""
    folder = tmp_path_factory.mktemp("bert")
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
    return store(folder, Bert(BertConfig(len(VOCABULARY), **SIZES), HEADS), "bert")


@pytest.fixture(scope="module")
def electra(tmp_path_factory) -> tuple[LanguageModel, LanguageModel]:
    """A tiny generator and a tiny discriminator, side by side."""
    place, models = tmp_path_factory.mktemp("electra"), []
    for half, head in (("generator", "mlm_head"), ("discriminator", "discriminator_head")):
        folder = place / f"electra-{half}"
        folder.mkdir()
        (folder / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
        config = ElectraConfig(len(VOCABULARY), width=17, **SIZES)
        models.append(store(folder, Electra(config, frozenset({head})), "electra"))
    return models[0], models[1]


@pytest.fixture(scope="module")
def elmo(tmp_path_factory) -> LanguageModel:
    """A tiny ELMo that knows most of the words."""
    folder, known = tmp_path_factory.mktemp("elmo"), [*MARKS, *words()[:60]]
    config = ElmoConfig(
        len(known), d_half=11, d_hidden=17, layers=2, d_char=5, filters=((1, 7), (2, 13)), highways=1
    )
    words_backend(known).save(str(folder / "tokenizer.json"))
    return store(folder, Elmo(config), "elmo")


@pytest.fixture(scope="session")
def chinese_text(tmp_path_factory) -> Path:
    """Articles of several sentences, as a file; every one numbers its days anew."""
    who = ["麵包師傅", "我們的鄰居", "高个子水手", "老护士", "我表哥", "那位法官"]
    did = ["找到一把鑰匙", "賣了兩盞燈", "读了那封信", "过了桥", "餵了鵝"]
    where = ["在港口", "在磨坊後面", "在银行", "在橡树下", "在車站旁"]
    articles = []
    for d in range(60):
        said = [
            f"{who[(d + i) % 6]}{where[(d // 3 + i) % 5]}{did[(d * 2 + i) % 5]}，第{d}天。"
            for i in range(3 + d % 5)
        ]
        articles.append("\n".join("".join(said[i : i + 2]) for i in range(0, len(said), 2)))
    path = tmp_path_factory.mktemp("chinese") / "zh.txt"
    path.write_text("\n\n".join(articles) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def pairs(tmp_path_factory) -> Path:
    """Sentences and their French: every deed by everyone at every place, and shorter ones."""
    lines = []
    for who, qui in zip(PEOPLE, GENS):
        for did, acte in zip(DEEDS, ACTES):
            lines.append(f"{who} {did}.\t{qui} {acte}.")
            for where, lieu in zip(PLACES, LIEUX):
                lines.append(f"{who} {did} {where}.\t{qui} {acte} {lieu}.")
    path = tmp_path_factory.mktemp("pairs") / "pairs.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
