"""The command on tiny checkpoints and tiny sets: every measure runs, or says why it cannot."""

import json
from dataclasses import replace

import pytest

from explorer.trace import Ability
from tests.training.metrics.test_pos import TREE
from training import splits
from training.average import export
from training.evaluate import MEASURES, evaluate, limit, main, parser
from training.metrics.figure import LIMITS, Figure, Inputs, table
from training.text import Corpus

SAID = ["we saw the bank", "the old bank was deep", "water by the bank", "a bank and light", "bank of it"]
RATED = [
    "the bank",
    "river money",
    "water light",
    "we saw",
    "on in",
    "old deep",
    "is was",
    "and by",
    "it walk",
    "bank river",
    "of the",
]


@pytest.fixture
def sets(tmp_path, monkeypatch):
    """A folder of development sets; of the sense library two words."""
    for name in ("zorro", "wic", "wordsim"):
        (tmp_path / name).mkdir()
    (tmp_path / "zorro" / "verbs.txt").write_text("we is old .\nit is old .\n" * 4, encoding="utf-8")
    rows = [
        {
            "id": str(i),
            "sentence1": a,
            "sentence2": b,
            "start1": str(a.index("bank")),
            "end1": str(a.index("bank") + 4),
            "start2": str(b.index("bank")),
            "end2": str(b.index("bank") + 4),
        }
        for i, (a, b) in enumerate(zip(SAID, SAID[1:] + SAID[:1]))
    ]
    gold = [{"id": str(i), "tag": "TF"[i % 2]} for i in range(len(rows))]
    (tmp_path / "wic" / "dev.en-en.data").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "wic" / "dev.en-en.gold").write_text(json.dumps(gold), encoding="utf-8")
    lines = [f"{pair.replace(' ', chr(9))}\t{i}" for i, pair in enumerate(RATED)]
    (tmp_path / "wordsim" / "EN-X.txt").write_text("\n".join(lines), encoding="utf-8")
    asked = ": gram1\nthe bank river money\n"
    (tmp_path / "wordsim" / "questions-words.txt").write_text(asked, encoding="utf-8")
    monkeypatch.setattr(splits, "read", lambda file: {"dev": ["bank"], "test": ["bat"]})
    return tmp_path


@pytest.fixture
def call(sets, text, capsys, tmp_path):
    """The command with all inputs on a checkpoint's folder: the table's lines, and the data."""

    def run(folder, *more):
        out = tmp_path / "out.json"
        main(
            [
                f"folder:{folder}",
                "--dev",
                str(sets),
                "--held-out",
                str(text),
                "--text",
                str(text),
                "--limit",
                "held-out=500",
                "pairs=3",
                "--json",
                str(out),
                *more,
            ]
        )
        return capsys.readouterr().out.splitlines(), json.loads(out.read_text(encoding="utf-8"))

    return run


@pytest.mark.slow
def test_a_model_is_measured_on_texts_in_its_languages(tiny_chinese, chinese_text):
    held = Inputs(held_out=Corpus.open(chinese_text), limits=LIMITS | {"held-out": 500})
    found = evaluate(tiny_chinese, held, ["masked", "cloze", "classroom", "pairs", "senses", "wic"])
    keys = [figure.key for figures in found.values() for figure in figures if figure.value is not None]
    wanted = {"masked_top1", "next_sentence", "cloze_test", "senses_zh_dev", "senses_bayes_zh_test"}
    wanted |= {"classroom_zh_first_dev", "classroom_zh_five_test"}
    assert wanted <= set(keys)
    english = ("senses_dev", "classroom_first", "classroom_repeats", "zorro", "wic")
    assert not any(key.startswith(english) or "repeats" in key for key in keys)
    assert found["wic"][0].note == "its texts are English"
    lines = found["cloze"][0].items
    assert lines == 30 and "out of reach" not in found["cloze"][0].note


def values(data):
    return {f["key"]: f["value"] for f in data["figures"]}


@pytest.mark.slow
def test_bert_has_every_figure_but_those_of_the_left_to_right(call, bert_folder):
    lines, data = call(bert_folder)
    found = values(data)
    assert found["bits"] is None and found["induction"] is None
    for key in (
        "masked_top1",
        "masked_top5",
        "next_sentence",
        "cloze_dev",
        "cloze_unigram_test",
        "classroom_first_dev",
        "classroom_five_test",
        "classroom_repeats_test",
        "zorro",
        "zorro/verbs",
        "senses_dev",
        "senses_others_test",
        "senses_bayes_dev",
        "wic_auc",
        "wic_accuracy",
    ):
        assert 0 <= found[key] <= 1, key
    assert -1 <= found["wordsim"] <= 1 and found["analogies"] in (0, 1)
    by_key = {f["key"]: f for f in data["figures"]}
    assert len(by_key["senses_dev"]["layers"]) == len(by_key["wic_auc"]["layers"]) == 4
    assert by_key["zorro"]["items"] == 3 and by_key["wic_auc"]["items"] == 5
    assert (
        "95 %: " in by_key["classroom_first_test"]["note"] and by_key["classroom_first_test"]["items"] == 150
    )
    assert data["limits"] == LIMITS | {"held-out": 500, "pairs": 3}
    assert any("lacks GENERATE" in line for line in lines)
    assert any("by layer, from 0:" in line for line in lines)


@pytest.mark.slow
def test_gpt_has_every_figure_of_the_left_to_right(call, gpt_folder):
    lines, data = call(gpt_folder)
    found = values(data)
    assert found["bits_per_byte"] > 0
    assert found["masked"] is None and found["cloze"] is None and found["classroom"] is None
    assert 0 <= found["beginnings_first_dev"] <= found["beginnings_five_dev"] <= 1
    induction = next(f for f in data["figures"] if f["key"] == "induction")
    assert induction["value"] is None and "67 tokens" in induction["note"]
    assert any("lacks FILL" in line for line in lines)


def test_only_what_was_asked_for(call, gpt_folder):
    _, data = call(gpt_folder, "--only", "pairs", "wic")
    assert {f["measure"] for f in data["figures"]} == {"pairs", "wic"}


def test_what_was_not_given_is_said(tiny_bert, tiny_gpt, tmp_path):
    found = evaluate(tiny_bert, Inputs(), ["masked", "pairs", "wic", "similarity", "analogies"])
    assert all(len(figures) == 1 and figures[0].value is None for figures in found.values())
    assert "--held-out" in found["masked"][0].note and "--dev" in found["wic"][0].note
    found = evaluate(tiny_gpt, Inputs(dev=tmp_path), ["pairs", "bits"])
    assert "zorro or babyberta" in found["pairs"][0].note and "--held-out" in found["bits"][0].note


def test_a_bare_encoder_is_measured_on_what_it_can(tiny_bert):
    encoder = replace(tiny_bert, abilities=Ability.VECTORS)
    found = evaluate(encoder, Inputs())
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


def test_elmo_is_measured_from_both_sides(call, sets, elmo, tmp_path):
    (sets / "ud_ewt").mkdir()
    for part in ("train", "dev"):
        (sets / "ud_ewt" / f"{part}.conllu").write_text(TREE, encoding="utf-8")
    export(elmo.network, elmo.write_tokenizer, tmp_path / "elmo-out")
    found = values(call(tmp_path / "elmo-out", "--only", "words", "pos", "masked", "analogies")[1])
    assert found["bits_next"] > 0 and found["bits_previous"] > 0
    assert 0 <= found["pos"] <= 1 and found["pos_by_word"] == 1
    assert found["masked"] is None and found["analogies"] is None


def test_a_discriminator_is_measured_beside_frequency_alone(call, electra, tmp_path):
    for half, network in electra.networks().items():
        export(network, electra.write_tokenizer, tmp_path / f"electra{half}")
    _, data = call(tmp_path / "electra-discriminator", "--only", "replaced", "masked")
    found = values(data)
    for key in ("replaced_f1", "replaced_f1_tuned", "replaced_f1_frequency", "replaced_share"):
        assert 0 <= found[key] <= 1, key
    both = found["replaced_recall"] + found["replaced_precision"]
    product = 2 * found["replaced_recall"] * found["replaced_precision"]
    assert found["replaced_f1"] == pytest.approx(product / both if both else 0)
    assert found["replaced_nats"] == pytest.approx(0.69, abs=0.1) and found["masked"] is None
    assert 0.05 < found["replaced_share"] < 0.2
    made = values(call(tmp_path / "electra-generator", "--only", "replaced", "masked")[1])
    assert made["replaced"] is None and made["masked_top1"] is not None
