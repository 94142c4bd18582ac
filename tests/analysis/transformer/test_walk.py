"""The walk through a layer is the layer: what each step gives is what the model computed there."""

from dataclasses import dataclass
from itertools import product

import pytest
import torch
import torch.nn.functional as F

import explorer
from explorer.analysis import translation
from explorer.analysis.transformer import walk, walk_decoder
from explorer.analysis.transformer.operation import MODULES
from explorer.errors import AbilityError, ExplorerError
from explorer.models import LanguageModel
from explorer.trace import Ability, Capture
from tests import tiny
from tests.models import designs, families

TEXT = "the bank by the old river"
# Where an edit sees what a step gives; of the heads' sites, one head's part.
SITES = {
    "v": "values", "scores": "scores", "weights": "pattern", "out": "head_output",
    "attended": "attention_output", "fed": "mlp_output",
}  # fmt: skip
ACROSS = {f"cross_{name}": f"cross_{SITES[name]}" for name in ("v", "scores", "weights", "out")}
ACROSS |= {"cross_q": "cross_queries", "cross_k": "cross_keys", "crossed": "cross_attention_output"}


@dataclass
class Side:
    """What is walked through: a model, or the decoder of one that has an encoder as well."""

    model: LanguageModel
    decoder: bool

    def walk(self, layer: int = 0, head: int = 0):
        return (walk_decoder if self.decoder else walk)(self.model, TEXT, layer=layer, head=head)

    @property
    def layers(self) -> int:
        config = self.model.config
        return config.decoder_layers if self.decoder else config.layers

    @property
    def heads(self) -> int:
        config = self.model.config
        return config.decoder_heads if self.decoder else config.heads

    def states(self, edit):
        """All hidden states as the model computes them; `edit` sees every site."""
        if not self.decoder:
            return self.model.trace(TEXT, capture=Capture.HIDDEN, edit=edit).hidden_states
        ids = translation.translate(self.model, TEXT).ids
        return translation.trace(self.model, TEXT, ids, edit_decoder=edit).target.hidden_states

    @property
    def sites(self) -> dict[str, str]:
        return SITES | (ACROSS | {"x3": "hidden"} if self.decoder else {"x2": "hidden"})


@pytest.fixture(scope="module", params=[*families.NETWORKS, "marian, its decoder", *designs.DESIGNS])
def side(request, tmp_path_factory):
    if request.param in designs.DESIGNS:
        return Side(designs.build(request.param, tmp_path_factory.mktemp("design")), False)
    family, _, decoder = request.param.partition(", its ")
    built = families.build(family, tmp_path_factory.mktemp(family))
    if not built.abilities & Ability.ATTENTION:
        with pytest.raises(AbilityError, match="no Transformer layer"):
            walk(built, "river")
        pytest.skip(f"{family} has no layer to walk through")
    return Side(built, bool(decoder))


def close(found, wanted):
    torch.testing.assert_close(found, wanted, atol=3e-5, rtol=1e-5)


def of_head(seen, head, heads):
    """One head's part; several heads may share a key and a value."""
    return seen[head // (heads // len(seen))] if seen.ndim == 3 else seen


def test_every_step_gives_what_its_site_sees_and_the_last_one_the_layers_result(side):
    seen = {}

    def look(site, layer, tensor):
        seen[site, layer] = tensor[0]
        return tensor

    states = side.states(look)
    for layer, head in product(range(side.layers), (0, side.heads - 1)):
        found = side.walk(layer, head)
        close(found.result, states[layer + 1])
        close(found.value("embedded" if layer else "x"), seen["embedding", 0])
        close(found.value("x"), states[layer])
        for name, site in side.sites.items():
            close(found.value(name), of_head(seen[site, layer], head, side.heads))
        query, key, *_ = found.step_giving("scores").takes
        factor = 1 if side.decoder else side.model.layer_parameters(layer).query_factor
        close(found.value(query) * factor, seen["queries", layer][head])
        close(found.value(key), of_head(seen["keys", layer], head, side.heads))
        for name in ("", "cross_") if side.decoder else ("",):
            every = seen[f"{name}head_output", layer].transpose(0, 1).flatten(1)
            close(found.value(f"{name}z"), every)


def test_the_printed_lines_give_the_drawn_numbers(side):
    for layer in range(side.layers):
        found = side.walk(layer, head=1)
        given = {n: v for n, v in found.values.items() if not any(n in s.gives for s in found.steps)}
        names = given | MODULES
        for step in found.steps:
            assert 1 <= len(step.code.splitlines()) <= 7
            assert "activation" not in step.code
            exec(step.code, names)
            for name in step.gives:
                close(names[name], found.value(name))


def test_each_step_takes_only_what_stands_before_it(side):
    found = side.walk(layer=1)
    made = {name for step in found.steps for name in step.gives}
    known = set(found.values) - made
    for step in found.steps:
        assert set(step.takes) <= known, step.name
        assert not known.intersection(step.gives), "no step writes over another's numbers"
        known |= set(step.gives)


def test_a_decoder_reads_no_later_token_and_all_of_the_source(tiny_marian):
    model = tiny_marian
    found = walk_decoder(model, TEXT, layer=1, head=6)
    assert found.source.text == TEXT and found.encoding.tokens[0] == "<pad>"
    assert found.value("cross_weights").shape == (len(found.encoding), len(found.source))
    assert (found.value("cross_weights") > 0).all() and (found.value("weights").triu(1) == 0).all()
    assert found.step_giving("cross_q").takes[0] == "x1", "it asks with what self-attention left"
    close(found.value("m"), model.trace(TEXT, capture=Capture.HIDDEN).hidden_states[-1])
    cut = walk_decoder(model, TEXT * 20, tuple(range(3, 12)), limit=5)
    assert (
        len(cut.source) == len(cut.encoding) == 5
        and cut.source.truncated > 20
        and cut.encoding.truncated == 4
    )
    own = walk_decoder(model, TEXT, target=(3, 4, 5))
    assert own.values["ids"].tolist() == [156, 3, 4], "the last token is written and not read"


def test_a_decoders_layer_or_head_that_is_not_there_is_named(tiny_bert, tiny_marian):
    with pytest.raises(ExplorerError, match=r"The decoder of .* has no layer 2"):
        walk_decoder(tiny_marian, TEXT, layer=2)
    with pytest.raises(AbilityError, match="cannot translate"):
        walk_decoder(tiny_bert, TEXT)


def test_the_norm_stands_where_the_paper_has_it(tiny_bert, tiny_gpt):
    bert, gpt = ([step.name for step in walk(m, TEXT, layer=1).steps] for m in (tiny_bert, tiny_gpt))
    assert bert[-4:] == ["add-1", "up-projection", "down-projection", "add-2"]
    assert gpt[-5:] == ["add-1", "mlp-norm", "up-projection", "down-projection", "add-2"]
    assert gpt.index("norm") < gpt.index("project")
    assert "mask" in gpt and "mask" not in bert


def test_titles_have_the_layers_numbers(tiny_bert):
    titles = [step.title for step in walk(tiny_bert, TEXT, layer=1).steps]
    assert titles[2] == "From layer 1" and titles[-3:-1] == ["Feed-forward: 53 units", "Back to 35"]


@pytest.fixture(scope="module")
def mistral(tmp_path_factory):
    return families.build("mistral", tmp_path_factory.mktemp("mistral"))


def test_what_came_after_2017_has_steps_of_its_own(mistral):
    found = walk(mistral, TEXT, layer=1, head=3)
    names = [step.name for step in found.steps]
    assert names.index("project") < names.index("rotate") < names.index("scores")
    assert found.step_giving("y").title == "Normalise (RMSNorm)" and "position_rows" not in found.values
    assert "b_Q" not in found.steps[3].code and "kv_part" in found.steps[3].code
    assert found.values["kv_part"] == slice(10, 20), "heads 3 to 5 share the second key"
    torch.testing.assert_close(found.value("hidden"), found.value("gate") * found.value("wide"))


def test_heads_of_a_group_have_one_key_and_queries_of_their_own(mistral):
    one, other, next_group = (walk(mistral, TEXT, layer=1, head=head) for head in (1, 2, 3))
    assert (one.value("k_rot") == other.value("k_rot")).all() and (one.value("v") == other.value("v")).all()
    assert (one.value("q") != other.value("q")).any()
    assert (other.value("k") != next_group.value("k")).any()


def test_outside_the_window_nothing_is_read(mistral):
    found = walk(mistral, "the bank by the old river " * 2, head=1)
    rows = torch.arange(len(found.encoding))
    back = rows[:, None] - rows
    assert ((found.value("weights") > 0) == ((back >= 0) & (back < mistral.config.window))).all()


def test_a_rotation_keeps_lengths_and_leaves_the_first_position(mistral):
    found = walk(mistral, TEXT, layer=2, head=5)
    for name in "qk":
        before, after = found.value(name), found.value(f"{name}_rot")
        assert (before[0] == after[0]).all() and (before[1:] != after[1:]).any()
        close(after.norm(dim=1), before.norm(dim=1))


@pytest.mark.parametrize("activation", ["gelu", "gelu_new", "relu", "silu", "tanh"])
def test_each_activation_is_written_as_it_is_computed(activation, tmp_path):
    tiny.write_bert(tmp_path, hidden_act=activation)
    model = explorer.load(f"folder:{tmp_path}")
    found = walk(model, TEXT)
    close(found.result, model.trace(TEXT).hidden_states[1])
    names = {"torch": torch, "F": F} | {name: found.values[name] for name in ("x1", "W_1", "b_1")}
    exec(found.step_giving("hidden").code, names)
    close(names["hidden"], found.value("hidden"))


def test_a_pair_has_two_segments_and_padding_is_read_by_no_word(tiny_bert):
    plain = walk(tiny_bert, "the river", "the bank", layer=2, head=3)
    assert plain.values["segment_ids"].tolist() == [0, 0, 0, 0, 1, 1, 1]
    padded = walk(tiny_bert, "the river", "the bank", layer=2, head=3, pad_to=10)
    assert padded.padding == 3 and padded.encoding.tokens[-3:] == ["[PAD]"] * 3
    assert (padded.value("weights")[:, 7:] == 0).all()
    assert (padded.value("masked")[:, 7:] == -torch.inf).all()
    close(padded.result[:7], plain.result)


def test_a_long_text_is_cut_and_a_full_one_not_padded(tiny_bert, tiny_gpt):
    found = walk(tiny_bert, "river " * 100, limit=12, pad_to=12)
    assert len(found.encoding) == 12 and found.encoding.truncated == 90 and found.padding == 0
    assert walk(tiny_gpt, "river", pad_to=12).padding == 0, "the causal mask hides what follows"


@pytest.mark.parametrize("place", [{"layer": 3}, {"layer": -1}, {"head": 5}])
def test_a_layer_or_head_that_is_not_there_is_named(tiny_bert, place):
    with pytest.raises(ExplorerError, match=r"has no (layer|head)"):
        walk(tiny_bert, TEXT, **place)


@pytest.mark.weights
@pytest.mark.parametrize("name", ["bert", "bert-mini", "gpt"])
def test_the_shipped_models_can_be_walked_through(name):
    model = explorer.load(name)
    states = model.trace("The boat drifted to the bank.", capture=Capture.HIDDEN).hidden_states
    for layer in range(model.config.layers):
        found = walk(model, "The boat drifted to the bank.", layer=layer, head=1)
        largest = states[layer + 1].abs().max()  # some of GPT's numbers are in the hundreds
        close(found.result / largest, states[layer + 1] / largest)
