"""Beam search over a decoder's tokens: a good translation, found by extending a few hypotheses at a time.

    score(translation) = log P(tokens | source) / tokens ^ length_penalty

Every step extends each hypothesis by every token. Of the best 2 x beams extensions, those among the first
`beams` that end with `</s>` are finished, and the best `beams` others are extended further. The search for a
source is complete when no open hypothesis scores better than the worst of `beams` finished ones. With one
beam this is greedy decoding. The rules and the results are those of `transformers`' `generate` with its
defaults.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch

from explorer.errors import ExplorerError, TextError, at_least_one
from explorer.locale import _
from explorer.models.language_model import LanguageModel
from explorer.models.marian import Marian
from explorer.short_text import WithShortText
from explorer.tokenizers.marian import MarianTokenizer
from explorer.trace import Ability, Capture, Encoding, captured

BATCH_TOKENS = 1024  # source tokens of a batch, times the beams


@dataclass(frozen=True)
class Hypothesis:
    """A translation that may still grow, or has `ended` with `</s>` (or at the limit).

    `log_probability` is that of all its tokens, in nats; the search ranks by `score`.

    >>> best, second = translate(explorer.load("translator"), "The dog sleeps.", beams=2).hypotheses
    >>> best.ended, best.score > second.score
    (True, True)
    """

    ids: tuple[int, ...]
    log_probability: float
    score: float
    ended: bool = False


@dataclass(frozen=True, eq=False)
class Step:
    """The hypotheses of a source after a step of its search: those still open, and those ended, best first.

    >>> translator = explorer.load("translator")
    >>> step = Search(translator, [read(translator, "The dog sleeps.")], beams=2).step()[0]
    >>> len(step.alive), len(step.finished)
    (2, 0)
    """

    alive: list[Hypothesis]
    finished: list[Hypothesis]


@dataclass(frozen=True, eq=False, repr=False)
class Translation(WithShortText):
    """The best translation of a source; `hypotheses` are all finished ones, best first.

    `score` is the mean log P of a token, in nats, if the length penalty is 1. `source.truncated` counts
    the source tokens beyond the model's context. `model` is the translator.

    >>> it = translate(explorer.load("translator"), "It rains.")
    >>> it.tokens[-1], abs(it.score - it.log_probability / len(it.ids)) < 1e-6
    ('</s>', True)
    """

    text: str
    source: Encoding
    ids: tuple[int, ...]
    tokens: list[str]
    log_probability: float
    score: float
    hypotheses: list[Hypothesis]
    model: LanguageModel | None = field(default=None, repr=False)


class Search:
    """A search for the translations of several sources at once; call `step` until `complete`.

    Raises AbilityError for a model that does not translate, TextError for a source without a word.

    >>> translator = explorer.load("translator")
    >>> search = Search(translator, [read(translator, text) for text in ("It rains.", "The dog sleeps.")])
    >>> while not search.complete:
    ...     _ = search.step()
    >>> [search.result(i).source.text for i in range(2)]
    ['It rains.', 'The dog sleeps.']
    """

    def __init__(
        self,
        model: LanguageModel,
        sources: Sequence[Encoding],
        beams: int = 4,
        limit: int | None = None,
        length_penalty: float = 1.0,
    ) -> None:
        self.model = model
        self.network, self.tokenizer = network_and_tokenizer(model)
        at_least_one(beams=beams, limit=limit)
        if not 0 <= length_penalty < float("inf"):
            raise ExplorerError(f"The length penalty cannot be {length_penalty}.", "Choose 0 or more.")
        self.sources, self.beams, self.penalty = list(sources), beams, length_penalty
        longest = max(len(source) for source in self.sources)
        self.limit = min(limit or 3 * longest + 10, model.config.positions)
        self.open = list(range(len(self.sources)))  # the sources whose search is not complete
        start = Hypothesis((), 0.0, 0.0)
        self.alive: list[list[Hypothesis]] = [[start] for _ in self.sources]
        self.finished: list[list[Hypothesis]] = [[] for _ in self.sources]
        ids = torch.full((len(self.sources), longest), self.network.config.padding)
        for row, source in zip(ids, self.sources, strict=True):
            row[: len(source)] = source.ids
        mask = torch.arange(longest) < torch.tensor([len(source) for source in self.sources])[:, None]
        with torch.no_grad():
            states = self.network(ids, mask=None if mask.all() else mask).last
            self._cache = self.network.new_cache(states, None if mask.all() else mask, self.limit)
        self._unread = torch.full((len(self.sources), 1), self.network.config.start)

    @property
    def complete(self) -> bool:
        """Whether every source has its translations."""
        return not self.open

    def step(self) -> dict[int, Step]:
        """Extend the hypotheses of every open source by a token; returns the step of each by its index."""
        with torch.no_grad():
            result = self.network.decode(self._unread, capture=Capture.LOGITS, cache=self._cache)
        log_probabilities = captured(result.logits)[:, -1].float().log_softmax(-1)
        log_probabilities[:, self.network.config.padding] = -torch.inf
        before = torch.tensor([h.log_probability for i in self.open for h in self.alive[i]])
        totals = (log_probabilities + before[:, None]).view(len(self.open), -1)
        top = totals.topk(min(2 * self.beams, totals.shape[1]))
        width = len(self.alive[self.open[0]])
        steps, rows, still_open = {}, [], []
        for n, i in enumerate(self.open):
            parents = self._extend(i, top.values[n].tolist(), top.indices[n].tolist())
            steps[i] = Step(self.alive[i], list(self.finished[i]))
            if not self._is_complete(i):
                still_open.append(i)
                rows += [n * width + parent for parent in parents]
        self.open = still_open
        if self.open:
            self._cache.keep(torch.tensor(rows))
            self._unread = torch.tensor([[h.ids[-1]] for i in self.open for h in self.alive[i]])
        return steps

    def result(self, i: int) -> Translation:
        """The translation of source i, once its search is complete."""
        best = self.finished[i][0]
        return Translation(
            text=self.tokenizer.decode(list(best.ids)),
            source=self.sources[i],
            ids=best.ids,
            tokens=[self.tokenizer.token(id) for id in best.ids],
            log_probability=best.log_probability,
            score=best.score,
            hypotheses=list(self.finished[i]),
            model=self.model,
        )

    def _extend(self, i: int, values: list[float], places: list[int]) -> list[int]:
        """Move the extensions that end to `finished`, keep the best others; returns the latter's parents."""
        d_vocab = self.network.config.d_vocab
        before = self.alive[i]
        alive: list[Hypothesis] = []
        parents: list[int] = []
        for rank, (log_probability, place) in enumerate(zip(values, places, strict=True)):
            parent, id = divmod(place, d_vocab)
            ids = (*before[parent].ids, id)
            ended = id == self.tokenizer.end or len(ids) == self.limit
            score = log_probability / len(ids) ** self.penalty
            hypothesis = Hypothesis(ids, log_probability, score, ended)
            if ended and rank < self.beams:
                self.finished[i].append(hypothesis)
            elif not ended and len(alive) < self.beams:
                alive.append(hypothesis)
                parents.append(parent)
        self.finished[i].sort(key=lambda h: -h.score)
        del self.finished[i][self.beams :]
        self.alive[i] = alive
        return parents

    def _is_complete(self, i: int) -> bool:
        alive, finished = self.alive[i], self.finished[i]
        if len(alive) < self.beams:  # at the limit every hypothesis ends
            return True
        return len(finished) == self.beams and alive[0].score <= finished[-1].score


def network_and_tokenizer(model: LanguageModel) -> tuple[Marian, MarianTokenizer]:
    """The network and the tokenizer of a translator. Raises AbilityError for another model."""
    model.require(Ability.TRANSLATE, "translate")
    assert isinstance(model.network, Marian) and isinstance(model.tokenizer, MarianTokenizer)
    return model.network, model.tokenizer


def translate(
    model: LanguageModel, text: str, beams: int = 4, limit: int | None = None, length_penalty: float = 1.0
) -> Translation:
    """The best translation of a text; one beam is greedy decoding.

    `limit` is the maximal number of tokens of the translation, by default three times the source's plus ten.
    Raises AbilityError for a model that does not translate, TextError for a text without a word.

    >>> translate(explorer.load("translator"), "The dog sleeps.").text
    'Le chien dort.'
    """
    return translate_encoded(model, read(model, text), beams, limit, length_penalty)


def translate_encoded(
    model: LanguageModel,
    source: Encoding,
    beams: int = 4,
    limit: int | None = None,
    length_penalty: float = 1.0,
) -> Translation:
    """Like `translate`, for a source that is encoded already. Raises AbilityError."""
    search = Search(model, [source], beams, limit, length_penalty)
    while not search.complete:
        search.step()
    return search.result(0)


def translate_many(
    model: LanguageModel, texts: Sequence[str], beams: int = 4, limit: int | None = None
) -> list[Translation]:
    """The translations of many texts, in order, run in batches of similar length. Raises the errors of
    `translate`.

    >>> translator = explorer.load("translator")
    >>> [each.source.text for each in translate_many(translator, ["The dog sleeps.", "It rains."])]
    ['The dog sleeps.', 'It rains.']
    """
    sources = [read(model, text) for text in texts]
    order = sorted(range(len(texts)), key=lambda i: len(sources[i]))
    translations: dict[int, Translation] = {}
    while order:
        longest = len(sources[order[-1]])
        batch = order[-max(1, BATCH_TOKENS // (beams * longest)) :]
        del order[-len(batch) :]
        search = Search(model, [sources[i] for i in batch], beams, limit)
        while not search.complete:
            search.step()
        translations |= {i: search.result(row) for row, i in enumerate(batch)}
    return [translations[i] for i in range(len(texts))]


def read(model: LanguageModel, text: str, limit: int | None = None) -> Encoding:
    """A source as the encoder reads it, truncated to `limit` tokens.

    Raises AbilityError for another model, and TextError if there is nothing to read.
    """
    model.require(Ability.TRANSLATE, "translate")
    encoding = model.encode(text, limit=limit)
    if len(encoding) == 1:
        raise TextError(_("There is no text to translate."), _("Type a sentence."))
    return encoding
