"""Twenty samples: the same ones again, kept with their readings for as long as the text stays the same."""

from dataclasses import replace

import pytest

from explorer.errors import FormatError
from training import samples
from training.samples import Sample, generate_samples, read, section, with_readings, write


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(samples, "TOKENS", 5)


def test_twenty_prompts_of_one_line_each_and_all_different():
    prompts = samples.PROMPTS.read_text(encoding="utf-8").splitlines()
    assert len(prompts) == len(set(prompts)) == 20 and all(prompts)


def test_the_same_samples_come_again_with_seeds_from_0(tiny_gpt, short):
    first = generate_samples(tiny_gpt)
    assert [one.seed for one in first] == list(range(20)) and first == generate_samples(tiny_gpt)
    assert len({one.text for one in first}) > 1


def test_what_is_written_is_read_again_with_line_breaks_and_quotes(tmp_path):
    made = [Sample(0, "“A", '"\n\tb|', ("yes", "no")), Sample(1, "C", "", ("", "yes"))]
    write(made, tmp_path / "kept.tsv")
    assert read(tmp_path / "kept.tsv") == made


def test_a_reading_belongs_to_its_text(tmp_path):
    old, new = Sample(0, "A", "b", ("yes", "yes")), Sample(0, "A", "c")
    write([old], tmp_path / "kept.tsv")
    assert with_readings([replace(old, readings=("", ""))], tmp_path / "kept.tsv") == [old]
    assert with_readings([new], tmp_path / "kept.tsv") == [new]
    assert with_readings([new], tmp_path / "none.tsv") == [new]


@pytest.mark.parametrize("row", ["x\tA\tb\tyes\tno", "0\tA\tb\tperhaps\tno", "0\tA\tb\tyes", "0\tA"])
def test_a_line_that_is_no_sample_is_named(tmp_path, row):
    (tmp_path / "kept.tsv").write_text("\t".join(samples.COLUMNS) + f"\n{row}\n", encoding="utf-8")
    with pytest.raises(FormatError, match="Line 2 of kept") as caught:
        read(tmp_path / "kept.tsv")
    assert "yes, no or nothing" in caught.value.hint


def test_the_card_counts_what_both_readings_accept():
    two = [Sample(0, "A", "b|<i>\nc", ("yes", "yes")), Sample(1, "D", "e", ("yes", "no"))]
    said = section(two)
    assert "both say yes of 1 of 2" in said and "| 0 | **A**b\\|\\<i> / c | yes | yes |" in said
    assert "not all have been read yet" in section([*two, Sample(2, "F", "g", ("yes", ""))])


def test_the_command_fills_the_file_and_keeps_readings(gpt_folder, tmp_path, short):
    path = tmp_path / "kept.tsv"
    samples.main([f"folder:{gpt_folder}", "--out", str(path)])
    first, *rest = read(path)
    assert len(rest) == 19 and first.seed == 0
    write([replace(first, readings=("yes", "no")), *rest], path)
    samples.main([f"folder:{gpt_folder}", "--out", str(path)])
    assert read(path)[0].readings == ("yes", "no")


def test_a_card_has_them_with_their_readings(tiny_gpt, tmp_path, short, monkeypatch):
    monkeypatch.setattr(samples, "CARDS", tmp_path)
    one, *rest = generate_samples(tiny_gpt)
    write([replace(one, readings=("yes", "yes")), *rest], tmp_path / "gpt-samples.tsv")
    said = samples.samples("gpt", tiny_gpt)
    assert said.startswith("## Twenty samples") and said.count("| yes | yes |") == 1
    assert said.count("\n| ") == 20 + 1
