"""The command on tiny checkpoints and tiny sets: every measure runs, or says why it cannot."""

import json
from dataclasses import replace

import pytest

from explorer.trace import Ability
from tests.training.metrics.test_pos import TREE
from training import splits
from training.evaluate import MEASURES, evaluate, limit, main, parser
from training.metrics.figure import LIMITS, Figure, Inputs, table, values
from training.text import Corpus

SAID = ["we saw the bank", "the old bank was deep", "water by the bank", "a bank and light", "bank of it"]
RATED = "the bank,river money,water light,we saw,on in,old deep,is was,and by,it walk,bank river,of the"


def wic_row(number: int, first: str, second: str) -> dict[str, str]:
    """A pair of sentences as MCL-WiC has it."""
    places = [
        str(place) for text in (first, second) for place in (text.index("bank"), text.index("bank") + 4)
    ]
    names = ("start1", "end1", "start2", "end2")
    return {"id": str(number), "sentence1": first, "sentence2": second} | dict(zip(names, places))


@pytest.fixture
def sets(tmp_path, monkeypatch):
    """A folder of development sets; of the sense library two words."""
    for name in ("zorro", "wic", "wordsim", "ud_ewt"):
        (tmp_path / name).mkdir()
    rows = [wic_row(i, a, b) for i, (a, b) in enumerate(zip(SAID, SAID[1:] + SAID[:1]))]
    gold = [{"id": row["id"], "tag": "TF"[i % 2]} for i, row in enumerate(rows)]
    pairs = [pair.replace(" ", "\t") + f"\t{i}" for i, pair in enumerate(RATED.split(","))]
    for name, text in {
        "zorro/verbs.txt": "we is old .\nit is old .\n" * 4,
        "wic/dev.en-en.data": json.dumps(rows),
        "wic/dev.en-en.gold": json.dumps(gold),
        "wordsim/EN-X.txt": "\n".join(pairs),
        "wordsim/questions-words.txt": ": gram1\nthe bank river money\n",
        "ud_ewt/train.conllu": TREE,
        "ud_ewt/dev.conllu": TREE,
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(splits, "read", lambda file: {"dev": ["bank"], "test": ["bat"]})
    return tmp_path


@pytest.fixture
def call(sets, text, capsys, tmp_path):
    """The command with all inputs on a checkpoint's folder: the table's lines, and figures by key."""

    def run(folder, *more):
        out = tmp_path / "out.json"
        files = ["--dev", str(sets), "--held-out", str(text), "--text", str(text), "--json", str(out)]
        main([f"folder:{folder}", *files, "--limit", "held-out=500", "pairs=3", *more])
        data = json.loads(out.read_text(encoding="utf-8"))
        assert data["limits"] == LIMITS | {"held-out": 500, "pairs": 3}
        return capsys.readouterr().out.splitlines(), {figure["key"]: figure for figure in data["figures"]}

    return run


@pytest.mark.slow
def test_a_model_is_measured_on_texts_in_its_languages(tiny_chinese, chinese_text):
    inputs = Inputs(held_out=Corpus.open(chinese_text), limits=LIMITS | {"held-out": 500})
    found = evaluate(tiny_chinese, inputs, ["masked", "cloze", "classroom", "pairs", "senses", "wic"])
    keys = values([figure for figures in found.values() for figure in figures]).keys()
    wanted = {"masked_top1", "next_sentence", "cloze_test", "senses_zh_dev", "senses_bayes_zh_test"}
    assert wanted | {"classroom_zh_first_dev", "classroom_zh_five_test"} <= keys
    english = ("senses_dev", "classroom_first", "classroom_repeats", "zorro", "wic")
    assert not any(key.startswith(english) or "repeats" in key for key in keys)
    assert found["wic"][0].note == "its texts are English"
    assert found["cloze"][0].items == 30 and "out of reach" not in found["cloze"][0].note


SHARES = """masked_top1 masked_top5 next_sentence cloze_dev cloze_unigram_test classroom_first_dev
    classroom_five_test classroom_repeats_test zorro zorro/verbs senses_dev senses_others_test
    senses_bayes_dev wic_auc wic_accuracy pos analogies"""


@pytest.mark.slow
def test_bert_has_every_figure_but_those_of_the_left_to_right(call, bert_folder):
    lines, found = call(bert_folder)
    assert found["bits"]["value"] is None and found["induction"]["value"] is None
    assert all(0 <= found[key]["value"] <= 1 for key in SHARES.split())
    assert -1 <= found["wordsim"]["value"] <= 1
    assert len(found["senses_dev"]["layers"]) == len(found["wic_auc"]["layers"]) == 4
    assert found["zorro"]["items"] == 3 and found["wic_auc"]["items"] == 5
    assert "95 %: " in found["classroom_first_test"]["note"] and found["classroom_first_test"]["items"] == 150
    assert any("lacks GENERATE" in line for line in lines)
    assert any("by layer, from 0:" in line for line in lines)


@pytest.mark.slow
def test_gpt_has_every_figure_of_the_left_to_right(call, gpt_folder):
    lines, found = call(gpt_folder)
    assert found["bits_per_byte"]["value"] > 0
    assert all(found[key]["value"] is None for key in ("masked", "cloze", "classroom"))
    assert 0 <= found["beginnings_first_dev"]["value"] <= found["beginnings_five_dev"]["value"] <= 1
    assert found["induction"]["value"] is None and "67 tokens" in found["induction"]["note"]
    assert any("lacks FILL" in line for line in lines)


def test_elmo_is_measured_from_both_sides(call, elmo):
    found = call(elmo.checkpoint.name, "--only", "words", "pos", "masked", "analogies")[1]
    assert found["bits_next"]["value"] > 0 and found["bits_previous"]["value"] > 0
    assert 0 <= found["pos"]["value"] <= 1 and found["pos_by_word"]["value"] == 1
    assert found["masked"]["value"] is None and found["analogies"]["value"] is None


def test_a_discriminator_is_measured_beside_frequency_alone(call, electra):
    generator, discriminator = (model.checkpoint.name for model in electra)
    figures = call(discriminator, "--only", "replaced", "masked")[1]
    found = {key: figure["value"] for key, figure in figures.items()}
    for key in ("replaced_f1", "replaced_f1_tuned", "replaced_f1_frequency", "replaced_share"):
        assert 0 <= found[key] <= 1, key
    both = found["replaced_recall"] + found["replaced_precision"]
    product = 2 * found["replaced_recall"] * found["replaced_precision"]
    assert found["replaced_f1"] == pytest.approx(product / both if both else 0)
    assert found["replaced_nats"] == pytest.approx(0.69, abs=0.1) and found["masked"] is None
    assert 0.05 < found["replaced_share"] < 0.2
    found = call(generator, "--only", "replaced", "masked")[1]
    assert found["replaced"]["value"] is None and found["masked_top1"]["value"] is not None


def test_what_was_not_given_is_said(tiny_bert, tiny_gpt, tmp_path):
    found = evaluate(tiny_bert, Inputs(), ["masked", "pairs", "wic", "similarity", "analogies"])
    assert all(len(figures) == 1 and figures[0].value is None for figures in found.values())
    assert "--held-out" in found["masked"][0].note and "--dev" in found["wic"][0].note
    found = evaluate(tiny_gpt, Inputs(dev=tmp_path), ["pairs", "bits"])
    assert "zorro or babyberta" in found["pairs"][0].note and "--held-out" in found["bits"][0].note
    found = evaluate(replace(tiny_bert, abilities=Ability.VECTORS), Inputs())
    assert all(figures[0].value is None and figures[0].note for figures in found.values())
    assert list(found) == list(MEASURES)


def test_limits_are_read():
    assert [limit("wic=400"), limit("pairs=0")] == [("wic", 400), ("pairs", None)]
    for bad in ("wic", "wic=many", "cloze=3"):
        with pytest.raises(SystemExit):
            parser().parse_args(["bert", "--limit", bad])


def test_an_unknown_checkpoint_ends_with_its_message():
    with pytest.raises(SystemExit, match="bertt"):
        main(["bertt"])


def test_the_table():
    figures = [
        Figure("a", "share", 0.25, 1200, "pairs", layers=(0.5, 0.251), note="noted"),
        Figure("b", "number", -1.5, share=False),
        Figure("c", "skipped", None, note="no reason"),
    ]
    first, blank, heading, a, layers, b, c = table("title", [("Heading", figures)]).splitlines()[:7]
    assert (first, blank, heading) == ("title", "", "Heading")
    assert a.split() == ["share", "25.0", "%", "1,200", "pairs;", "noted"]
    assert layers.split()[-2:] == ["50.0", "25.1"]
    assert b.split() == ["number", "-1.500"]
    assert c.split() == ["skipped", "–", "no", "reason"]
