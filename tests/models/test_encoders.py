"""Encoders like BERT against `transformers` on the same random weights, from every kind of checkpoint."""

import json

import pytest
import torch

import explorer
from explorer.analysis.prediction import replacing
from explorer.analysis.transformer import walk
from explorer.errors import AbilityError, FormatError
from explorer.trace import Ability, Capture
from tests import decoders, encoders, tiny
from tests.models import reference

TEXTS = ["the bank", "we saw [MASK] light on the water, and it was deep.", "x", "", "old money! 東京 🙂 café"]
BARE = Ability.CONTEXT | Ability.ATTENTION
PAIRS = Ability.NEXT_SENTENCE
CLOSE = {"atol": 1e-5, "rtol": 1e-5}
HEADS = [
    ("roberta", "RobertaModel", Ability.NONE), ("roberta", "RobertaForMaskedLM", Ability.FILL),
    ("roberta", "RobertaForSequenceClassification", Ability.NONE),
    ("xlm-roberta", "XLMRobertaModel", Ability.NONE),
    ("xlm-roberta", "XLMRobertaForMaskedLM", Ability.FILL), ("distilbert", "DistilBertModel", Ability.NONE),
    ("distilbert", "DistilBertForMaskedLM", Ability.FILL),
    ("distilbert", "DistilBertForSequenceClassification", Ability.NONE),
    ("albert", "AlbertModel", Ability.NONE), ("albert", "AlbertForMaskedLM", Ability.FILL),
    ("albert", "AlbertForPreTraining", Ability.FILL | Ability.SENTENCE_ORDER),
    ("electra", "ElectraModel", Ability.NONE), ("electra", "ElectraForMaskedLM", Ability.FILL),
    ("electra", "ElectraForPreTraining", Ability.DETECT),
    ("electra", "ElectraForTokenClassification", Ability.NONE), ("mpnet", "MPNetModel", Ability.NONE),
    ("mpnet", "MPNetForMaskedLM", Ability.FILL), ("mpnet", "MPNetForSequenceClassification", Ability.NONE),
    ("ernie", "ErnieModel", Ability.NONE), ("ernie", "ErnieForMaskedLM", Ability.FILL),
    ("ernie", "ErnieForPreTraining", Ability.FILL | PAIRS),
]  # fmt: skip


def same_states(ours, theirs) -> None:
    """Hidden states and patterns of some texts read at once, whatever head the checkpoint has."""
    traces = list(ours.trace_many(TEXTS, Capture.ALL))
    encoder = getattr(theirs, theirs.base_model_prefix, theirs)
    length = max(len(t.tokens) for t in traces)
    ids = torch.full((len(traces), length), ours.tokenizer.padding)
    mask = torch.zeros_like(ids)
    for row, trace in enumerate(traces):
        ids[row, : len(trace.tokens)], mask[row, : len(trace.tokens)] = trace.encoding.ids, 1
    with torch.no_grad():
        out = encoder(ids, attention_mask=mask, output_hidden_states=True, output_attentions=True)
    for row, trace in enumerate(traces):
        n = len(trace.tokens)
        states = torch.stack([state[row, :n] for state in out.hidden_states])
        pattern = torch.stack([layer[row, :, :n, :n] for layer in out.attentions])
        assert len(states) == ours.config.layers + 1
        torch.testing.assert_close(trace.hidden_states, states, **CLOSE)
        torch.testing.assert_close(trace.attention.pattern, pattern, **CLOSE)


@pytest.mark.parametrize(("model_type", "head", "abilities"), HEADS)
def test_states_abilities_and_logits_of_every_kind_of_checkpoint(tmp_path, model_type, head, abilities):
    theirs = encoders.write(model_type, tmp_path, head)
    ours = explorer.load(f"folder:{tmp_path}")
    assert ours.abilities == BARE | abilities
    same_states(ours, theirs)
    if Ability.FILL not in abilities:
        assert ours.trace("the bank").logits is None
        with pytest.raises(AbilityError):
            ours.unembed(torch.zeros(35))
        return
    reference.same(ours, theirs, *TEXTS)


@pytest.mark.parametrize("model_type", sorted(encoders.ENCODERS))
def test_shards_and_half_precision(tmp_path, model_type):
    theirs = encoders.write(model_type, tmp_path).half().float()
    theirs.half().save_pretrained(tmp_path, max_shard_size="20KB")
    (tmp_path / "model.safetensors").unlink()
    assert len(list(tmp_path.glob("*.safetensors"))) > 1
    same_states(explorer.load(f"folder:{tmp_path}"), theirs.float())


@pytest.mark.parametrize("model_type", ["roberta", "distilbert", "albert", "electra", "ernie"])
def test_an_untied_decoder(tmp_path, model_type):
    head = "ElectraForMaskedLM" if model_type == "electra" else ""
    theirs = encoders.write(model_type, tmp_path, head, tie_word_embeddings=False)
    ours = explorer.load(f"folder:{tmp_path}")
    assert not ours.config.tied
    reference.same(ours, theirs, "the deep river")


@pytest.mark.parametrize("model_type", ["albert", "electra", "ernie"])
def test_a_pair_has_two_segments(tmp_path, model_type):
    theirs = encoders.write(model_type, tmp_path, "ElectraForMaskedLM" if model_type == "electra" else "")
    ours = explorer.load(f"folder:{tmp_path}")
    (trace,) = reference.same(ours, theirs, ours.encode("we walk by the river", "the water is deep"))
    assert set(trace.encoding.segments.tolist()) == {0, 1}


@pytest.mark.parametrize(
    "model_type", ["roberta", "xlm-roberta", "camembert", "distilbert", "mpnet", "modernbert"]
)
def test_a_pair_needs_no_segments(tmp_path, model_type):
    theirs = (decoders if model_type == "modernbert" else encoders).write(model_type, tmp_path)
    ours = explorer.load(f"folder:{tmp_path}")
    (trace,) = reference.same(ours, theirs, ours.encode("we walk by the river", "the water is deep"))
    marks = 3 if model_type in ("distilbert", "modernbert") else 4
    assert ours.reads_pairs and not trace.encoding.segments.any()
    assert trace.encoding.frame.sum() == marks and not ours.abilities & Ability.NEXT_SENTENCE
    steps = walk(ours, "we walk by the river", "the water is deep", layer=1)
    torch.testing.assert_close(steps.result, trace.hidden_states[2], atol=1e-5, rtol=1e-5)


def test_a_text_as_long_as_the_positions(tmp_path):
    theirs = encoders.write("roberta", tmp_path)
    ours = explorer.load(f"folder:{tmp_path}")
    (trace,) = reference.same(ours, theirs, "water " * 99)
    assert len(trace.tokens) == ours.config.positions == 61 and trace.encoding.truncated


def test_far_distances_share_what_was_learnt_for_them(tmp_path):
    theirs = encoders.write("mpnet", tmp_path, max_position_embeddings=401)
    reference.same(explorer.load(f"folder:{tmp_path}"), theirs, "water deep " * 150)


def test_electras_discriminator_says_what_was_replaced(tmp_path):
    theirs = encoders.write("electra", tmp_path)
    ours = explorer.load(f"folder:{tmp_path}")
    result = replacing.judge(ours, ours.encode("we saw deep light on the water"), [])
    with torch.no_grad():
        expected = theirs(result.encoding.ids[None]).logits[0].sigmoid()
    torch.testing.assert_close(result.probabilities, expected, **CLOSE)
    assert result.probabilities.std() > 1e-3, "a head that says the same of all tokens would pass too"


def test_alberts_order_is_its_own_task_and_not_berts(tmp_path, tiny_bert):
    theirs = encoders.write("albert", tmp_path)
    ours = explorer.load(f"folder:{tmp_path}")
    encoding = ours.encode("we walk by the river", "the water is deep")
    with torch.no_grad():
        expected = theirs(encoding.ids[None], token_type_ids=encoding.segments[None]).sop_logits.softmax(-1)
    last = ours.run(encoding.ids[None], segments=encoding.segments[None]).last
    torch.testing.assert_close(ours.sentence_order(last).softmax(-1), expected, **CLOSE)
    assert Ability.NEXT_SENTENCE not in ours.abilities
    with pytest.raises(AbilityError, match="order of two sentences"):
        tiny_bert.sentence_order(last)
    with pytest.raises(AbilityError, match="were replaced"):
        replacing.judge(ours, encoding, [])


def test_albert_keeps_one_layer_for_all(tmp_path):
    encoders.write("albert", tmp_path)
    network = explorer.load(f"folder:{tmp_path}").network
    assert len(network.blocks) == 3 and all(block is network.blocks[0] for block in network.blocks)
    with pytest.raises(IndexError):
        network.blocks[3]
    encoders.write("albert", tmp_path, num_hidden_groups=3)
    with pytest.raises(FormatError, match="num_hidden_groups"):
        explorer.load(f"folder:{tmp_path}")


@pytest.mark.parametrize("tasks", [True, False])
def test_ernies_table_of_tasks_is_used_where_there_is_one(tmp_path, tasks):
    theirs = encoders.write("ernie", tmp_path, use_task_id=tasks)
    ours = explorer.load(f"folder:{tmp_path}")
    assert (ours.network.tasks is not None) == tasks
    same_states(ours, theirs)


def test_electra_without_a_map_where_both_widths_are_equal(tmp_path):
    theirs = encoders.write("electra", tmp_path, embedding_size=35)
    ours = explorer.load(f"folder:{tmp_path}")
    assert ours.network.embedding_projection is None and ours.input_parameters().embedding_projection is None
    same_states(ours, theirs)


def test_multilingual_bert_loads_with_all_its_pieces(tmp_path):
    """Its vocabulary is as large as the published one, its layers are small; case is kept."""
    pieces = 119_547
    theirs = tiny.write_bert(tmp_path, vocab_size=pieces, hidden_size=10, num_attention_heads=2)
    more = [f"[unused{i}]" for i in range(pieces - len(tiny.VOCABULARY) - 2)]
    words = [*tiny.VOCABULARY, *more, "Paris", "река"]
    (tmp_path / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": False}), encoding="utf-8")
    ours = explorer.load(f"folder:{tmp_path}")
    (trace,) = reference.same(ours, theirs, "Paris 东京 река")
    assert trace.tokens == ["[CLS]", "Paris", "东", "京", "река", "[SEP]"]
    assert ours.config.d_vocab == ours.tokenizer.size == pieces
