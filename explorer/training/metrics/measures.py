"""Every measure under its name, from what the caller has to figures for the table."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from explorer.analysis.heads import induction
from explorer.errors import NotFoundError
from explorer.models.base import LanguageModel
from explorer.trace import Ability
from explorer.training import splits
from explorer.training.metrics import analogies, classroom, cloze, minimal_pairs, ngram, similarity, wic
from explorer.training.metrics.bits import bits_per_byte
from explorer.training.metrics.both_ways import both_ways
from explorer.training.metrics.figure import Figure
from explorer.training.metrics.masked import masked_words
from explorer.training.metrics.pos import part_of_speech
from explorer.training.metrics.senses import Senses, senses
from explorer.training.metrics.static import vectors_of
from explorer.training.text.corpus import Corpus
from explorer.training.text.shards import Shards, sentences

# What a measure reads at most, where the caller does not say: enough that the first digit shown stands.
LIMITS = {"held-out": 100_000, "pairs": 200, "wic": None, "ngram": None, "pos": 50_000}


@dataclass(frozen=True)
class Inputs:
    """What the caller has: a folder of development sets, held-out text, training text, and limits."""

    dev: Path | None = None
    held_out: Corpus | None = None
    text: Corpus | None = None
    limits: Mapping[str, int | None] = field(default_factory=lambda: LIMITS)

    def folder(self, *names: str) -> Path:
        """The development set that is there under one of its names. Raises NotFoundError."""
        if self.dev is None:
            raise NotFoundError("no development sets were given (--dev)")
        for name in names:
            if (self.dev / name).is_dir():
                return self.dev / name
        raise NotFoundError(f"--dev has no folder {' or '.join(names)}")

    def held(self) -> Corpus:
        """The held-out text. Raises NotFoundError."""
        if self.held_out is None:
            raise NotFoundError("no held-out text was given (--held-out)")
        return self.held_out

    def counted(self) -> Corpus:
        """The text to count words in. Raises NotFoundError."""
        if self.text is None:
            raise NotFoundError("no training text was given to count (--text)")
        return self.text


@dataclass(frozen=True)
class Measure:
    """One measure: its heading, the ability without which it says nothing, and how to run it."""

    heading: str
    needs: Ability
    run: Callable[[LanguageModel, Inputs], Sequence[Figure]]


def _bits(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    found = bits_per_byte(model, inputs.held(), inputs.limits["held-out"])
    return [
        Figure("bits_per_byte", "bits per byte", found.per_byte, found.tokens, "tokens", share=False),
        Figure("nats_per_token", "nats per token", found.nats_per_token, found.tokens, "tokens", share=False),
    ]


def _ngram(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    held = inputs.held()
    counts = ngram.counted(inputs.counted(), model.tokenizer, inputs.limits["ngram"])
    found = ngram.ngram_bits(counts, held, model.tokenizer, inputs.limits["held-out"])
    note = f"counted in {counts.tokens:,} tokens"
    return [Figure("ngram_bits_per_byte", "5-grams, modified Kneser-Ney: bits per byte", found.per_byte,
                   found.tokens, "tokens", share=False, note=note)]  # fmt: skip


def _words(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    found = both_ways(model, inputs.held(), inputs.limits["held-out"])
    note = f"{100 * found.unknown:.1f} % of them outside the vocabulary, counted as one"
    return [
        Figure("bits_next", "bits per word, from the left", found.next_word, found.words, "words",
               share=False, note=note),
        Figure("bits_previous", "bits per word, from the right", found.previous_word, found.words, "words",
               share=False),
    ]  # fmt: skip


def _masked(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    with tempfile.TemporaryDirectory() as cache:
        shards = Shards(inputs.held(), model.tokenizer.backend, sentences, Path(cache))
        parts = (shards[i] for i in range(len(shards)))
        found = masked_words(model, parts, inputs.limits["held-out"])
    of, said = "masked positions", "" if found.judged else "it has no next-sentence head"
    return [
        Figure("masked_top1", "the hidden token is the first guess", found.top1, found.masked, of),
        Figure("masked_top5", "the hidden token is among the first five", found.top5, found.masked, of),
        Figure("masked_nats", "cross-entropy, nats", found.nats, found.masked, of, share=False),
        Figure("next_sentence", "next-sentence verdict is right (chance 50)", found.next_sentence,
               found.judged, "pairs of texts", note=said),
    ]  # fmt: skip


def _cloze(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    if not cloze.LINES.exists():
        raise NotFoundError("explorer/training/sets has no cloze.txt")
    frequent = cloze.frequent_words(inputs.text) if inputs.text else []
    figures = []
    for split, lines in cloze.read_lines(cloze.LINES.read_text(encoding="utf-8")).items():
        found = cloze.cloze(model, lines)
        said = f"out of reach in {found.out_of_reach}" if found.out_of_reach else ""
        figures += [
            Figure(f"cloze_{split}", f"{split}: an accepted word in the first ten", found.top10, found.lines,
                   "lines", note=said),
            Figure(f"cloze_top1_{split}", f"{split}: an accepted word is first", found.top1, found.lines,
                   "lines"),
        ]  # fmt: skip
        label = f"{split}: in the ten most frequent words"
        if frequent:
            always = cloze.unigram(frequent, lines)
            figures.append(Figure(f"cloze_unigram_{split}", label, always.top10, always.lines, "lines",
                                  note=" ".join(frequent)))  # fmt: skip
        else:
            figures.append(Figure(f"cloze_unigram_{split}", label, None, note="no text to count in (--text)"))
    return figures


def _classroom(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    halves = classroom.read_halves(classroom.BLANKS.read_text(encoding="utf-8"))
    return [
        figure
        for half, lines in halves.items()
        for figure in _counted("classroom", half, classroom.classroom(model, lines))
    ]


def _beginnings(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    halves = classroom.read_halves(classroom.BEGINNINGS.read_text(encoding="utf-8"))
    return [
        figure
        for half, lines in halves.items()
        for figure in _counted("beginnings", half, classroom.beginnings(model, lines))
    ]


def _counted(list_: str, half: str, found: classroom.Classroom) -> list[Figure]:
    """The shares of one half of a list, each with its interval."""
    counted = {
        "first": ("an accepted word is first", found.first),
        "five": ("an accepted word is among five", found.among),
        "repeats": ("the first guess repeats a content word", found.repeats),
    }
    beyond = f"; out of reach in {found.out_of_reach}" if found.out_of_reach else ""
    figures = []
    for key, (label, hits) in counted.items():
        if hits is not None:
            low, high = classroom.wilson(hits, found.lines)
            note = f"95 %: {100 * low:.0f} to {100 * high:.0f}; frozen at {classroom.FROZEN}{beyond}"
            figures.append(Figure(f"{list_}_{key}_{half}", f"{half}: {label}", hits / found.lines,
                                  found.lines, "lines", note=note))  # fmt: skip
    return figures


def _pairs(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    folder = inputs.folder("zorro", "babyberta")
    found = minimal_pairs.minimal_pairs(model, folder, inputs.limits["pairs"])
    label = "the grammatical one is likelier, mean over files (chance 50)"
    return [
        Figure("zorro", label, found.macro, found.pairs, "pairs"),
        *(Figure(f"zorro/{name}", name, share, found.counts[name], "pairs")
          for name, share in found.accuracy.items()),
    ]  # fmt: skip


def _senses(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    frozen = splits.read()
    return [
        figure
        for split, words in frozen.words.items()
        if words
        for figure in _sense_figures(split, senses(model, words), frozen)
    ]


def _sense_figures(split: str, found: Senses, frozen: splits.Frozen) -> list[Figure]:
    layers, others = found.layers.tolist(), found.others.tolist()
    best = layers.index(max(layers))
    changed = f"; {len(frozen.changed)} words not as frozen" if frozen.changed else ""
    said = f"best: layer {best}{changed}"
    of = f"words, {found.sentences:,} sentences"
    return [
        Figure(f"senses_{split}", f"{split}: macro-F1, last layer", layers[-1], found.words, of,
               layers=tuple(layers), note=said),
        Figure(f"senses_others_{split}", f"{split}: the other words' mean, last layer", others[-1],
               layers=tuple(others)),
        Figure(f"senses_bayes_{split}", f"{split}: naive Bayes on the other words", found.naive_bayes,
               note=f"guessing: {100 * found.chance:.1f}"),
    ]  # fmt: skip


def _pos(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    found = part_of_speech(model, inputs.folder("ud_ewt"), inputs.limits["pos"])
    layers = found.layers.tolist()
    best = layers.index(max(layers))
    weights = " ".join(f"{weight:.2f}" for weight in found.weights.tolist())
    return [
        Figure("pos", f"Penn tags ({found.tags}), last layer", layers[-1], found.words, "words",
               layers=tuple(layers), note=f"best: layer {best}"),
        Figure("pos_mix", "a learned mix of the layers", found.mix, note=f"weights from layer 0: {weights}"),
        Figure("pos_by_word", "each word's most frequent tag", found.by_word),
    ]  # fmt: skip


def _wic(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    pairs = wic.read_pairs(inputs.folder("wic"))[: inputs.limits["wic"]]
    found = wic.words_in_context(model, pairs)
    auc, accuracy = found.auc.tolist(), found.accuracy.tolist()
    cut = f"{found.cut} past the context" if found.cut else ""
    halves = "threshold from the other half"
    return [
        Figure("wic_auc", "area under the curve, last layer", auc[-1], found.pairs, "pairs",
               layers=tuple(auc), note=cut),
        Figure("wic_accuracy", "accuracy, last layer (chance 50)", accuracy[-1], found.pairs, "pairs",
               layers=tuple(accuracy), note=halves),
    ]  # fmt: skip


def _similarity(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    lists = similarity.similarity(vectors_of(model), inputs.folder("wordsim"))
    mean, covered = similarity.mean_correlation(lists), sum(r.covered for r in lists.values())
    return [
        Figure("wordsim", "Spearman, mean over lists", mean, covered, "pairs", share=False),
        *(Figure(f"wordsim/{name}", name, r.correlation, r.covered, f"of {r.pairs:,} pairs", share=False)
          for name, r in lists.items()),
    ]  # fmt: skip


def _analogies(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    path = inputs.folder("wordsim") / "questions-words.txt"
    if not path.exists():
        raise NotFoundError("--dev has no wordsim/questions-words.txt")
    sections = analogies.analogies(vectors_of(model), path)
    return [
        Figure("analogies" if name == "all" else f"analogies/{name}", name, s.accuracy, s.covered,
               f"of {s.questions:,} questions")
        for name, s in sections.items()
    ]  # fmt: skip


def _induction(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    found = induction.induction(model)
    layer, head = found.best
    return [Figure("induction", f"best head: L{layer}H{head}", found.score, found.texts, "random texts",
                   share=False)]  # fmt: skip


MEASURES = {
    "bits": Measure("Held-out text", Ability.GENERATE, _bits),
    "ngram": Measure("Held-out text, by counting", Ability.GENERATE, _ngram),
    "words": Measure("Held-out text, word by word from both sides", Ability.NEXT_WORD, _words),
    "masked": Measure("Held-out text: masked words and next sentences", Ability.FILL, _masked),
    "cloze": Measure("Cloze", Ability.FILL, _cloze),
    "classroom": Measure("Everyday sentences with a blank", Ability.FILL, _classroom),
    "beginnings": Measure("Everyday beginnings: the next word", Ability.GENERATE, _beginnings),
    "pairs": Measure("Minimal pairs", Ability.FILL | Ability.GENERATE, _pairs),
    "senses": Measure("Senses, from three sentences each", Ability.CONTEXT, _senses),
    "pos": Measure("Part of speech, by a linear classifier on each layer", Ability.CONTEXT, _pos),
    "wic": Measure("Words in context: the same meaning in two sentences?", Ability.CONTEXT, _wic),
    "similarity": Measure(
        "Word similarity, by the embeddings of whole-word tokens", Ability.NONE, _similarity
    ),
    "analogies": Measure("Analogies, by the same", Ability.NONE, _analogies),
    "induction": Measure(
        "Induction: attention to what followed earlier copies", Ability.GENERATE, _induction
    ),
}
