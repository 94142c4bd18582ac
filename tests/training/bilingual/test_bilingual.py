"""A second language on a frozen body: nothing old moves, and what is merged is the same network."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from explorer import load
from explorer.analysis.two_languages.zero_shot import ZeroShotResult
from explorer.checkpoints import difference, format
from explorer.errors import AbilityError, FormatError
from explorer.finetuning import transfer
from explorer.models.bert import Bert
from explorer.trace import Ability
from tests.training.conftest import chinese_task
from training.average import export
from training.bilingual.extended import Extended
from training.bilingual.task import BilingualTask, PairRows
from training.metrics import two_languages
from training.metrics.figure import Inputs
from training.metrics.two_languages import retrieval
from training.run.loop import Budget, Run
from training.run.schedule import Schedule
from training.text.rows import UNKNOWN, layout

SCHEDULE = Schedule(lengths=((0.0, 24), (0.5, 32)), batch=(192, 192))
SAID = ["The baker sold two lamps", "Our neighbour read the letter", "A tall sailor fed the geese"]
GESAGT = ["麵包師傅賣了兩盞燈", "我們的鄰居读了那封信", "高个子水手餵了鵝"]


@pytest.fixture
def bilingual(corpus, chinese_text, tmp_path) -> BilingualTask:
    """A tiny task; of its twelve pairs three are kept aside."""
    export(chinese_task(chinese_text, tmp_path / "zh"), tmp_path / "base")
    lines = [f"{en} {n}.\t{zh}{n}。" for en, zh in zip(SAID, GESAGT) for n in range(4)]
    (tmp_path / "pairs.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return BilingualTask(
        corpus,
        corpus,
        tmp_path / "run",
        tmp_path / "base",
        tmp_path / "pairs.txt",
        SCHEDULE,
        3,
        held_out_pairs=3,
    )


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.slow
def test_it_begins_as_the_body_and_the_body_stays(bilingual, tmp_path):
    network = bilingual.network
    assert isinstance(network, Extended)
    for name, weight in network.weights().items():
        assert torch.equal(weight[: len(network.body.get_parameter(name))], network.body.get_parameter(name))
    before = {name: weight.clone() for name, weight in network.body.state_dict().items()}
    first = bilingual.held_out(None)
    Run(bilingual, Budget(tokens=192 * 60), tmp_path / "once", torch.device("cpu")).train()
    assert all(torch.equal(weight, before[name]) for name, weight in network.body.state_dict().items())
    assert all(up.any() for up in network.up.values()), "every matrix has its difference"
    assert bilingual.held_out(None)["masked_nats"] < first["masked_nats"]


def test_killed_and_resumed_equals_uninterrupted(bilingual, tmp_path):
    start = {name: weight.clone() for name, weight in bilingual.network.state_dict().items()}
    device = torch.device("cpu")
    Run(bilingual, Budget(tokens=192 * 8), tmp_path / "once", device).train()
    expected = {name: weight.clone() for name, weight in bilingual.network.state_dict().items()}
    bilingual.network.load_state_dict(start)
    halted = Run(bilingual, Budget(tokens=192 * 8), tmp_path / "twice", device)
    for _ in range(3):
        halted.clock.time(halted._step)
    halted.save()
    bilingual.network.load_state_dict(start)
    Run(bilingual, Budget(tokens=192 * 8), tmp_path / "twice", device).train()
    for name, weight in bilingual.network.state_dict().items():
        assert torch.equal(weight, expected[name]), name


def test_what_is_merged_is_the_same_network(bilingual):
    with torch.no_grad():
        for parameter in (*bilingual.network.up.values(), bilingual.network.bias):
            parameter.normal_(std=0.1, generator=torch.Generator().manual_seed(0))
    rows = bilingual.rows(0, 24, 0).take(torch.arange(6))
    allowed, segments, _ = layout(rows, bilingual.frame)
    weights = bilingual.network.weights()
    ours = bilingual.network(rows.ids, segments, allowed, weights)
    plain = bilingual.network.merged()
    assert isinstance(plain, Bert)
    theirs = plain(rows.ids, segments=segments, mask=allowed).last
    torch.testing.assert_close(ours[allowed], theirs[allowed], atol=1e-5, rtol=1e-4)


def test_old_tokens_keep_their_ids_and_english_has_its_words(bilingual, tmp_path):
    base = load(f"folder:{tmp_path / 'base'}").tokenizer
    assert all(bilingual.backend.token_to_id(token) == id for token, id in base.backend.get_vocab().items())
    before, now = (one.encode("the neighbour").tokens for one in (base.backend, bilingual.backend))
    assert "[UNK]" in before and now[1:-1] == ["the", "neighbour"]
    assert bilingual.network.config.d_vocab == bilingual.backend.get_vocab_size()


def test_pairs_are_rows_in_either_order_and_those_kept_aside_are_never_read(bilingual):
    rows = bilingual._pairs.rows(32, 0)
    assert len(rows) == 9 and set(rows.columns[2].tolist()) == {UNKNOWN}
    read = [bilingual.backend.decode(ids[:end].tolist()) for ids, end in zip(rows.ids, rows.columns[1])]
    first = {text[0].isascii() for text in read}
    assert first == {True, False}
    for (start, separator, _), ids, second, end in [
        (bilingual.frame, *row)
        for row in zip(rows.ids.tolist(), rows.columns[0].tolist(), rows.columns[1].tolist())
    ]:
        assert ids[0] == start and ids[second - 1] == ids[end - 1] == separator
    aside = {english for english, _ in bilingual.held_out_pairs}
    assert len(aside) == 3
    document = [f"{english} We left." for english in aside] + ["We stayed."]
    assert bilingual.split(document) == ["We left.", "We left.", "We left.", "We stayed."]


def test_long_sides_are_cut(bilingual):
    made = PairRows(bilingual.backend, [("the baker " * 9, "賣了兩盞燈" * 9)], bilingual.frame)
    rows = made.rows(16, 0)
    assert rows.ids.shape == (1, 16) and int(rows.columns[1][0]) == 16 and 6 < int(rows.columns[0][0]) < 12


def test_a_text_is_its_own_translation(tiny_chinese):
    same = [("天地人", "天地人"), ("山水火", "山水火"), ("日月星", "日月星")]
    there, back, _ = retrieval(tiny_chinese, same)
    assert there.layers == back.layers == (1, 1, 1, 1)


@pytest.mark.long
@pytest.mark.slow
def test_a_classifier_of_english_is_asked_in_chinese_layer_by_layer(tiny_bilingual, monkeypatch):
    monkeypatch.setattr(two_languages, "TASKS", ("bank",))
    found = {figure.key: figure for figure in two_languages.right_in_chinese(tiny_bilingual, Inputs())}
    assert list(found) == ["zero_shot_bank", "zero_shot_bank_centred"]
    bank = found["zero_shot_bank"]
    assert bank.items == 24 and bank.value == max(bank.layers)
    assert len(bank.layers) == tiny_bilingual.config.layers + 1
    assert "chance: 50" in bank.note and "shared" not in bank.note
    topics = two_languages.figure(
        transfer.read("topics"), two_languages.CENTRED, [ZeroShotResult(("food",), (True, False), 0.5)]
    )
    assert "chance: 25" in topics.note and "shared tokens alone" in topics.note


def test_of_one_language_no_other_is_asked(tiny_chinese):
    with pytest.raises(AbilityError):
        two_languages.right_in_chinese(tiny_chinese, Inputs())


@pytest.fixture
def shipped(bilingual, tmp_path, monkeypatch) -> Path:
    """The task's difference, beside what it is a difference to."""
    with torch.no_grad():
        for parameter in (*bilingual.network.up.values(), bilingual.network.bias):
            parameter.normal_(std=0.1, generator=torch.Generator().manual_seed(0))
    monkeypatch.setattr(format, "CHECKPOINTS", tmp_path)
    bilingual.after_export(tmp_path / "small")
    return tmp_path / "small-difference"


def test_a_difference_loads_as_the_whole(bilingual, shipped):
    model = load(f"folder:{shipped}")
    expected = bilingual.network.merged().state_dict()
    for name, weight in model.network.state_dict().items():
        torch.testing.assert_close(weight, expected[name], atol=2e-3, rtol=2e-3)
    assert model.config.d_vocab == bilingual.backend.get_vocab_size() == model.tokenizer.size
    assert model.network.mlm_head is not None and Ability.NEXT_SENTENCE in model.abilities
    trace = model.trace("The baker 賣了兩盞燈。")
    assert trace.logits.shape[-1] == model.config.d_vocab
    assert not any(parameter.requires_grad for parameter in model.network.parameters())


def test_a_difference_to_other_weights_is_refused(shipped, tmp_path):
    with (tmp_path / "base" / "model.safetensors").open("ab") as file:
        file.write(b" ")
    with pytest.raises(FormatError, match="other weights of base"):
        load(f"folder:{shipped}")


@pytest.mark.parametrize("base", ["nowhere", "../base", None])
def test_a_difference_to_what_is_not_here_is_refused(shipped, base):
    (shipped / "SHA256SUMS").unlink()
    config = json.loads((shipped / "config.json").read_text())
    (shipped / "config.json").write_text(json.dumps(config | {"difference_to": base}))
    with pytest.raises(FormatError, match="does not ship here"):
        load(f"folder:{shipped}")


@pytest.mark.parametrize("change", ["lacks", "more", "shape"])
def test_a_damaged_difference_is_refused(shipped, change):
    (shipped / "SHA256SUMS").unlink()
    tensors = load_file(shipped / difference.NAME)
    if change == "lacks":
        del tensors["blocks.0.mlp.up.weight.down"]
    elif change == "more":
        tensors["pooler.weight"] = torch.zeros(2)
    else:
        tensors["tokens.weight"] = torch.zeros(3, 5)
    save_file(tensors, shipped / difference.NAME)
    with pytest.raises(FormatError, match="difference of"):
        load(f"folder:{shipped}")
