"""A small corpus of our own, and the smallest networks that the training code can train."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import torch

from explorer import load
from explorer.checkpoints.format import write_model
from explorer.models import FAMILIES
from explorer.models.bert import Bert, BertConfig
from explorer.models.electra import ElectraConfig
from explorer.models.elmo import ElmoConfig
from explorer.models.gpt import GptConfig
from explorer.models.language_model import LanguageModel
from training.average import export
from training.loop import Schedule
from training.recipes import word2vec as recipe
from training.recipes.bert import WarmBert
from training.recipes.bert_en_zh import BilingualTask
from training.recipes.bert_mini import MiniBert
from training.recipes.bert_zh import ChineseBert
from training.recipes.electra import ElectraTask
from training.recipes.elmo import ElmoTask
from training.recipes.gpt import GptTask
from training.recipes.translator import TranslatorTask
from training.recipes.word2vec import Word2VecTask
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
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


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


@pytest.fixture(scope="session")
def encoder(tmp_path_factory) -> Path:
    """A folder with a tiny encoder without heads, such as `bert` starts from."""
    folder = tmp_path_factory.mktemp("encoder")
    words = sorted({w.strip(".").lower() for d in documents() for p in d for w in p.split()})
    (folder / "vocab.txt").write_text("\n".join([*SPECIAL, *words, "."]), encoding="utf-8")
    torch.manual_seed(1)
    config = BertConfig(len(SPECIAL) + len(words) + 1, d_model=24, layers=2, heads=3, d_mlp=40, positions=32)
    network = Bert(config, frozenset({"pooler"}))
    torch.nn.init.normal_(network.tokens.weight, std=0.1)  # a trained encoder's are small
    write_model(folder, network, FAMILIES["bert"])
    return folder


def loaded(task, half: str = "") -> LanguageModel:
    """What a task becomes, stored and loaded again."""
    with TemporaryDirectory() as folder:
        for name, network in task.networks().items():
            export(network, task.write_tokenizer, Path(folder) / f"{task.name}{name}")
        return load(f"folder:{Path(folder) / f'{task.name}{half}'}")


SCHEDULE = Schedule(lengths=((0.0, 16), (0.5, 24)), batch=(64, 128), copy_positions=True)
SIZES = {"d_model": 24, "layers": 2, "heads": 3, "d_mlp": 40, "positions": 32}


def bert_config(d_vocab: int) -> BertConfig:
    """Sizes of a tiny BERT."""
    return BertConfig(d_vocab, **SIZES)


@pytest.fixture
def bert(corpus, encoder) -> WarmBert:
    """A tiny BERT in training; rows grow from 16 to 24 tokens on the way."""
    return WarmBert(corpus, encoder, SCHEDULE)


@pytest.fixture
def mini(corpus) -> MiniBert:
    """A tiny BERT that starts from zero."""
    return MiniBert(corpus, None, SCHEDULE, bert_config(200))


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


EVERYDAY = [f"{who}喜欢{what}。" for who in "你我他她" for what in ("喝茶", "看书", "游泳", "唱歌")]


@pytest.fixture
def chinese(chinese_text) -> ChineseBert:
    """A tiny BERT that reads Chinese."""
    corpus = Corpus((chinese_text,), block_bytes=4000)
    return ChineseBert(corpus, EVERYDAY, None, SCHEDULE, bert_config(140))


SAID = ["The baker sold two lamps", "Our neighbour read the letter", "A tall sailor fed the geese"]
GESAGT = ["麵包師傅賣了兩盞燈", "我們的鄰居读了那封信", "高个子水手餵了鵝"]


@pytest.fixture
def bilingual(corpus, chinese, tmp_path) -> BilingualTask:
    """English for the tiny Chinese BERT; of its twelve pairs three are kept aside."""
    export(chinese.network, chinese.write_tokenizer, tmp_path / "base")
    lines = [f"{en} {n}.\t{zh}{n}。" for en, zh in zip(SAID, GESAGT) for n in range(4)]
    (tmp_path / "pairs.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    schedule = Schedule(lengths=((0.0, 24), (0.5, 32)), batch=(192, 192))
    return BilingualTask(corpus, tmp_path / "base", tmp_path / "pairs.txt", schedule, 3, 3)


ELECTRA = (
    ElectraConfig(200, width=17, d_model=17, layers=1, heads=1, d_mlp=31, positions=32),
    ElectraConfig(200, width=17, **SIZES),  # a token's vector is narrower than a layer
)
GPT = GptConfig(d_vocab=300, **(SIZES | {"d_mlp": 96}))
ELMO = ElmoConfig(
    d_vocab=60, d_half=11, d_hidden=17, d_char=5, filters=((1, 7), (2, 13)), highways=1, characters=14
)
TRANSLATOR = SIZES | {"decoder_layers": 1, "decoder_heads": 3, "d_decoder_mlp": 40, "positions": 40}


@pytest.fixture
def electra(corpus) -> ElectraTask:
    """A tiny generator and a tiny discriminator in training."""
    return ElectraTask(corpus, None, SCHEDULE, ELECTRA)


@pytest.fixture
def gpt(corpus) -> GptTask:
    """A tiny GPT in training."""
    return GptTask(corpus, None, SCHEDULE, GPT)


@pytest.fixture
def elmo(corpus) -> ElmoTask:
    """A tiny ELMo in training."""
    return ElmoTask(Corpus(corpus.files, 6000), None, SCHEDULE, ELMO)


@pytest.fixture
def word2vec(corpus, monkeypatch) -> Word2VecTask:
    """Small vectors of words in training, a part of 96 words a step, of which every word is read."""
    monkeypatch.setattr(recipe, "SUBSAMPLE", 0.0)
    return Word2VecTask(corpus, 0.05, 1000, 8, part=96, together=64)


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


@pytest.fixture
def translator(pairs) -> TranslatorTask:
    """A tiny translator in training."""
    return TranslatorTask(pairs, None, 101, TRANSLATOR, 128)
