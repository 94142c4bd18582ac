"""The lens of a text, layer by layer: what is finished is kept for all visitors."""

from typing import NamedTuple

from explorer.server import growing
from explorer.server.growing import Growing
from explorer.views import kit
from explorer.views.types import Encoding, LanguageModel, TextLens
from explorer.views.why.patch_run import MOST_KEPT, SLICE_S
from explorer.views.why.prompts import MOST_TOKENS

RUN = kit.Session["LensRun | None"]("why/lens-run", None)

_finished: "kit.Kept[TextLens]" = kit.Kept(MOST_KEPT)


class Put(NamedTuple):
    """A state that is put into another text: that of `source` after a layer at `place` comes to `at`."""

    source: "Encoding"
    layer: int
    place: int
    at: int


class LensRun(Growing["TextLens"]):
    """The slices of a lens so far."""

    @property
    def finished(self) -> bool:
        """Whether the embedding has been read."""
        return bool(self.done) and self.done[-1].first == 0

    def extend(self, seconds: float | None = None) -> None:
        """Read more layers, for a while."""
        super().extend(seconds)
        if self.finished:
            _finished.put(self.request, self.lens())

    def lens(self) -> "TextLens":
        """All layers so far."""
        from explorer.analysis.prediction import text_lens

        return text_lens.joined(self.done)


@kit.kept(32)
def read(model: "LanguageModel", text: str) -> "Encoding":
    """The text as the model reads it."""
    from explorer.analysis.prediction import masking, text_lens

    return text_lens.read_text(model, text if model.causal else masking.standard(text), MOST_TOKENS)


def current(
    model: "LanguageModel", encoding: "Encoding", id: int | None, put: Put | None = None
) -> "tuple[TextLens, LensRun | None]":
    """The lens of a text, maybe with a state put in, and the run that still reads it, if one does."""
    place = None if put is None else (put.source.text, put.layer, put.place, put.at)
    request = (str(model.checkpoint), encoding.text, id, place)
    lens = _finished.look_up(request)
    if lens is not None:
        return lens, None

    def begin() -> LensRun:
        from explorer.analysis.patching import states_with
        from explorer.analysis.prediction import text_lens

        states = None if put is None else states_with(model, encoding, *put)
        return LensRun(request, text_lens.slices(model, encoding, id, states), SLICE_S)

    run = growing.current(RUN, request, begin)
    if not run.count:
        run.extend()
    return run.lens(), None if run.finished else run
