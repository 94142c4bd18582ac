"""A small corpus of our own, and the smallest networks that the training code can train."""

from pathlib import Path

import pytest
import torch

from explorer.checkpoints.format import write_model
from explorer.models import FAMILIES
from explorer.models.bert import Bert, BertConfig
from explorer.models.electra import ElectraConfig
from explorer.models.elmo import ElmoConfig
from explorer.models.gpt import GptConfig
from training.bert.continued import WarmBert
from training.bert.mini import ChineseBert, MiniBert
from training.electra.task import ElectraTask
from training.elmo.task import ElmoTask
from training.gpt.task import GptTask
from training.run.schedule import Schedule
from training.text.corpus import Corpus
from training.text.running_text import RunningText
from training.translator.task import TranslatorTask
from training.word2vec.task import Word2VecTask

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


@pytest.fixture
def bert(corpus, encoder, tmp_path) -> WarmBert:
    """A tiny BERT in training; rows grow from 16 to 24 tokens on the way."""
    schedule = Schedule(lengths=((0.0, 16), (0.5, 24)), batch=(64, 128))
    return WarmBert(corpus, corpus, tmp_path / "bert", encoder, schedule)


@pytest.fixture
def mini(corpus, tmp_path) -> MiniBert:
    """A tiny BERT that starts from zero."""
    schedule = Schedule(lengths=((0.0, 16), (0.5, 24)), batch=(64, 128), copy_positions=True)
    config = BertConfig(d_vocab=200, d_model=24, layers=2, heads=3, d_mlp=40, positions=32)
    return MiniBert(corpus, corpus, tmp_path / "mini", schedule, config)


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


def chinese_task(chinese_text, folder) -> ChineseBert:
    """A tiny BERT that reads Chinese."""
    corpus = Corpus((chinese_text,), block_bytes=4000)
    schedule = Schedule(lengths=((0.0, 16), (0.5, 24)), batch=(64, 128), copy_positions=True)
    config = BertConfig(d_vocab=140, d_model=24, layers=2, heads=3, d_mlp=40, positions=32)
    return ChineseBert(corpus, corpus, folder, EVERYDAY, schedule, config)


@pytest.fixture
def chinese(chinese_text, tmp_path) -> ChineseBert:
    """The same, as a fixture."""
    return chinese_task(chinese_text, tmp_path / "zh")


@pytest.fixture
def electra(corpus, tmp_path) -> ElectraTask:
    """A tiny generator and a tiny discriminator in training; a token's vector is narrower than a layer."""
    schedule = Schedule(lengths=((0.0, 16), (0.5, 24)), batch=(64, 128), copy_positions=True)
    small = ElectraConfig(200, width=17, d_model=17, layers=1, heads=1, d_mlp=31, positions=32)
    large = ElectraConfig(200, width=17, d_model=24, layers=2, heads=3, d_mlp=40, positions=32)
    return ElectraTask(corpus, corpus, tmp_path / "electra", schedule, (small, large))


@pytest.fixture
def gpt(corpus, tmp_path) -> GptTask:
    """A tiny GPT in training."""
    schedule = Schedule(lengths=((0.0, 16), (0.5, 24)), batch=(64, 128))
    config = GptConfig(d_vocab=300, d_model=24, layers=2, heads=3, d_mlp=96, positions=32)
    return GptTask(corpus, corpus, tmp_path / "gpt", schedule, config)


@pytest.fixture
def elmo(corpus, tmp_path) -> ElmoTask:
    """A tiny ELMo in training, on larger blocks: no step falls on the few rows at a shard's end."""
    schedule = Schedule(lengths=((0.0, 16), (0.5, 24)), batch=(64, 128))
    config = ElmoConfig(
        d_vocab=60, d_half=11, d_hidden=17, d_char=5, filters=((1, 7), (2, 13)), highways=1, characters=14
    )
    return ElmoTask(Corpus(corpus.files, 6000), corpus, tmp_path / "elmo", schedule, config)


@pytest.fixture
def word2vec(corpus, tmp_path) -> Word2VecTask:
    """Small vectors of words in training, a part of 96 words a step."""
    return Word2VecTask(RunningText.of(corpus, 1000, tmp_path / "words"), None, d_model=8, part=96)


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
def translator(pairs, tmp_path) -> TranslatorTask:
    """A tiny translator in training."""
    sizes = dict.fromkeys(("heads", "decoder_heads"), 3) | dict.fromkeys(("d_mlp", "d_decoder_mlp"), 40)
    task = TranslatorTask(
        pairs, tmp_path / "translator", 101, d_model=24, layers=2, decoder_layers=1, positions=40, **sizes
    )
    task.schedule = Schedule(lengths=((0.0, 128), (0.5, 256)), batch=(1, 1))
    return task
