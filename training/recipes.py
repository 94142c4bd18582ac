"""One recipe for each bundled model: how the command's options become a task in training.

A new model needs a task (see `run.task.Task`), an entry in `RECIPES`, and its words in `cards/NAME.md`.
"""

import shutil
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from explorer.checkpoints.format import read_model
from explorer.models import LanguageModel
from explorer.tokenizers.characters import MARKS
from explorer.tokenizers.marian import FILES
from explorer.trace import Checkpoint
from training.bert.continued import WarmBert
from training.bert.mini import ChineseBert, MiniBert
from training.bilingual.task import BilingualTask
from training.electra.task import ElectraTask
from training.elmo.task import ElmoTask
from training.gpt.task import GptTask
from training.run.task import Task
from training.text.corpus import Corpus
from training.text.pairs import split_chinese
from training.text.running_text import RunningText
from training.translator.task import TranslatorTask
from training.word2vec.task import D_VOCAB, RATE, Word2VecTask


def bert(options: Namespace) -> Task:
    """BERT that continues from an encoder."""
    return started(WarmBert(*texts(options), options.run), options)


def bert_mini(options: Namespace) -> Task:
    """Small BERT from random weights."""
    copy_files(options.start, options.run, "tokenizer.json")
    return started(MiniBert(*texts(options), options.run), options)


def bert_zh(options: Namespace) -> Task:
    """Chinese BERT, with the Chinese side of the pairs as everyday sentences."""
    pairs = split_chinese(options.pairs).train if options.pairs else []
    copy_files(options.start, options.run, "tokenizer.json")
    everyday = list(dict.fromkeys(chinese for _, chinese in pairs))
    return started(ChineseBert(*texts(options), options.run, everyday), options)


def bert_en_zh(options: Namespace) -> Task:
    """English beside a Chinese BERT, which --start names."""
    if not (options.start and options.pairs):
        raise SystemExit("bert-en-zh learns from pairs, on top of bert-zh: give --start and --pairs.")
    return BilingualTask(*texts(options), options.run, options.start, options.pairs)


def electra(options: Namespace) -> Task:
    """Generator and discriminator, from random weights or from an earlier pair.

    The pair shared its embeddings in training, and shares them again: the discriminator's are used.
    """
    corpus, held_out = texts(options)
    if not options.start:
        return ElectraTask(corpus, held_out, options.run)
    start: Path = options.start
    folders = [start.with_name(f"{start.name}-{half}") for half in ("generator", "discriminator")]
    generator, discriminator = map(read, folders)
    copy_files(folders[0], options.run, "tokenizer.json")
    configs = (generator.config, discriminator.config)
    task = ElectraTask(corpus, held_out, options.run, configs=configs, from_zero=False)
    task.network.generator.load_state_dict(generator.network.state_dict())
    task.network.discriminator.load_state_dict(discriminator.network.state_dict())
    return task


def gpt(options: Namespace) -> Task:
    """GPT with its own BPE."""
    copy_files(options.start, options.run, "tokenizer.json")
    return started(GptTask(*texts(options), options.run), options)


def elmo(options: Namespace) -> Task:
    """ELMo, with the words of --start first."""
    words: Sequence[str] = MARKS
    if options.start:
        tokenizer = read(options.start).tokenizer
        words = [tokenizer.token(id) for id in range(tokenizer.size)]
    return started(ElmoTask(*texts(options), options.run, first=words), options)


def translator(options: Namespace) -> Task:
    """Translator from one file of pairs."""
    if len(options.text) != 1:
        raise SystemExit("The translator learns from one file of pairs: --text pairs.txt")
    copy_files(options.start, options.run, *FILES)
    return started(TranslatorTask(options.text[0], options.run), options)


def word2vec(options: Namespace) -> Task:
    """Vectors of words, in steps too small for an optimiser, which has the factor of --rate."""
    corpus, held_out = texts(options)
    text = RunningText.of(corpus, D_VOCAB, options.run / "text")
    unseen = RunningText.of(held_out, 1 << 16, options.run / "held-out") if held_out else None
    return Word2VecTask(text, unseen, options.rate * RATE)


RECIPES = {
    "bert": bert,
    "bert-mini": bert_mini,
    "bert-zh": bert_zh,
    "bert-en-zh": bert_en_zh,
    "electra": electra,
    "gpt": gpt,
    "elmo": elmo,
    "translator": translator,
    "word2vec": word2vec,
}


def begin(options: Namespace) -> Task:
    """Task of a model, with the changes to its schedule that the options ask for."""
    task = RECIPES[options.model](options)
    schedule = task.schedule
    if options.length:
        schedule = replace(schedule, lengths=((0.0, options.length),))
    if options.start and schedule.copy_positions:
        longest = max(length for _, length in schedule.lengths)
        schedule = replace(schedule, trained=options.trained or longest)
    if options.short is not None:
        schedule = replace(schedule, short=options.short)
    if options.masked:
        schedule = replace(schedule, masked=(options.masked, options.masked))
    task.schedule = schedule
    return task


def texts(options: Namespace) -> tuple[Corpus, Corpus | None]:
    """Training text, and held-out text if there is any."""
    held_out = Corpus.open([options.held_out], options.run) if options.held_out else None
    return Corpus.open(options.text, options.run), held_out


def started(task: Task, options: Namespace) -> Task:
    """The task with the weights of --start."""
    if options.start:
        task.network.load_state_dict(read(options.start).network.state_dict())
    return task


def read(folder: Path) -> LanguageModel:
    """Model of a checkpoint's folder."""
    return read_model(folder, Checkpoint("folder", str(folder)))


def copy_files(start: Path | None, folder: Path, *names: str) -> None:
    """Copy the tokenizer's files of a checkpoint into the run's folder, unless they are there."""
    if start and not all((folder / name).exists() for name in names):
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copy(start / name, folder)
