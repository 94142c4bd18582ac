"""What the key/value cache saves: a text is written twice, with the cache and without, a token each in turn.

To choose the next token a layer needs keys and values of all tokens so far. A *cell* is those of one token,
in all layers: it is computed, or looked up in the cache. Without a cache every step computes all cells.
Pope et al., "Efficiently Scaling Transformer Inference" (MLSys 2023), section 2.1.
"""

from collections.abc import Iterator
from time import perf_counter
from typing import NamedTuple, cast

from explorer.analysis.generation.steps import Generation, Sampling, Step, generate
from explorer.generation.engine import CachedText, Engine, StepRequest, engine_of
from explorer.generation.sampling import SamplingRequest
from explorer.models.language_model import LanguageModel
from explorer.models.transformer import TransformerConfig
from explorer.trace import captured

NUMBER_BYTES = 4  # keys and values are float32


class WeightBytes(NamedTuple):
    """The bytes of all weights, which each new token reads: as numbers of so many `bits`, and `stored`."""

    bits: list[int]
    read: int
    stored: int


class CacheComparison(Iterator[Step]):
    """A text with the cache (`generation`), and its ids without; `seconds` of each step with and without.

    `weights` is None for a model on another machine.
    """

    def __init__(self, generation: Generation) -> None:
        self.generation = generation
        self.ids: list[int] = []
        self.seconds: list[tuple[float, float]] = []
        self.weights: WeightBytes | None = None
        self._engine = engine_of(generation.model)
        if isinstance(self._engine, Engine):
            self._engine.wait_for_grids()
            whole = self._engine.step.weight_bytes
            self.weights = WeightBytes(*(self._engine.step.packing or ([], whole, whole)))

    def __next__(self) -> Step:
        start = perf_counter()
        step = next(self.generation)
        with_cache, start = perf_counter() - start, perf_counter()
        text = [*self.generation.prompt_ids, *self.ids]
        whole_text = CachedText(self._engine.new_cache(len(text)), text)  # an empty cache: all is computed
        sampling, tokenizer = self.generation.sampling, self.generation.model.tokenizer
        draw = SamplingRequest(sampling, step.draw, 1, None, text, len(self.ids), tokenizer)
        request = StepRequest([whole_text], draw)
        self._engine.scheduler.run(request)
        self.ids.append(captured(request.sampled).id)
        self.seconds.append((with_cache, perf_counter() - start))
        return step

    @property
    def same(self) -> bool:
        """Whether both texts are the same; a sum in another order may round to the other side of a draw."""
        return self.ids == self.generation.ids

    @property
    def cells(self) -> list[tuple[int, int, int]]:
        """Of each step: cells computed with the cache, looked up in it, and computed without it."""
        prompt = len(self.generation.prompt_ids)
        counts = range(prompt, prompt + len(self.seconds))
        return [(1, count - 1, count) if at else (count, 0, count) for at, count in enumerate(counts)]

    @property
    def cell_bytes(self) -> int:
        """The memory that a token takes: a key and a value in each layer, for each head that has its own."""
        config = cast(TransformerConfig, self.generation.model.config)
        assert config.kv_heads and config.d_head, "settled by the configuration"
        return 2 * config.layers * config.kv_heads * config.d_head * NUMBER_BYTES


def compare_caching(model: LanguageModel, prompt: str, sampling: Sampling) -> CacheComparison:
    """Continue a prompt with the cache and without it, by the same random numbers: an iterator of steps.

    Both read the weights in the same way: a grid of them (`models.stepping`) is looked for first. Raises
    AbilityError for a model that does not read from left to right.

    >>> comparison = compare_caching(explorer.load("gpt"), "the old river", Sampling(max_new_tokens=3))
    >>> len(list(comparison)), comparison.cells, comparison.same
    (3, [(3, 0, 3), (1, 3, 4), (1, 4, 5)], True)
    """
    return CacheComparison(generate(model, prompt, sampling, candidates=1))
