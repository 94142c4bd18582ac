"""The two checkpoints that one training of a pair leaves, each seen as a task of its own."""

import copy
import shutil
from pathlib import Path

from torch import nn

from explorer.checkpoints.format import read_model
from explorer.trace import Checkpoint
from training.electra.task import ElectraTask
from training.metrics.live import live
from training.metrics.masked import masked_words
from training.metrics.replaced import verdicts
from training.text.corpus import Corpus


class Half:
    """One network of a pair, as it is now, with what is written and measured of it alone.

    The networks are copies: their embeddings are apart, so that one can be set to an earlier moment
    while the other stays. Words are always put in by the generator as it is now; the discriminators of all
    moments are so asked the same questions.
    """

    def __init__(self, pair: ElectraTask, name: str, watched: str, network: nn.Module) -> None:
        self.name, self.watched = name, watched
        self.pair, self.network = pair, copy.deepcopy(network)
        self._writer = live(copy.deepcopy(pair.network.generator), pair.backend)

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Masked words for the generator, replaced ones for the discriminator."""
        held = self.pair.held_out_shards()
        if held is None:
            return {}
        shards = (held[i] for i in range(len(held)))
        model = live(self.network, self.pair.backend)
        if self.watched == "masked":
            words = masked_words(model, shards, limit)
            return {
                **words.guessed,
                "measured": float(words.tokens),
            }
        judged = verdicts(self._writer, model, shards, limit)
        return {"replaced_nats": judged.nats, "replaced_f1": judged.f1, "measured": float(judged.read)}

    def write_tokenizer(self, folder: Path) -> None:
        self.pair.write_tokenizer(folder)


def begun(corpus: Corpus, held_out: Corpus | None, folder: Path, start: Path | None) -> ElectraTask:
    """The task from zero, or with the weights and the vocabulary of an earlier pair.

    `start` is what its two folders are called before `-generator` and `-discriminator`. Their embeddings
    were one in training, and are one again: the discriminator's is taken.
    """
    if start is None:
        return ElectraTask(corpus, held_out, folder)
    places = [start.with_name(f"{start.name}-{half}") for half in ("generator", "discriminator")]
    models = [read_model(place, Checkpoint("folder", str(place))) for place in places]
    if not (folder / "tokenizer.json").exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(places[0] / "tokenizer.json", folder)
    generator, discriminator = (model.config for model in models)
    task = ElectraTask(corpus, held_out, folder, configs=(generator, discriminator), begins=False)
    task.network.generator.load_state_dict(models[0].network.state_dict())
    task.network.discriminator.load_state_dict(models[1].network.state_dict())
    return task


def halves(task: ElectraTask) -> tuple[Half, Half]:
    """The generator and the discriminator, `NAME-generator` and `NAME-discriminator`."""
    network = task.network
    return (
        Half(task, f"{task.name}-generator", "masked", network.generator),
        Half(task, f"{task.name}-discriminator", "detected", network.discriminator),
    )
