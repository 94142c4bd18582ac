"""What Llama has and the Transformer of 2017 had not, on the page: rotation, shared keys, a gate."""

import pytest

import explorer
from explorer.analysis.transformer import walk
from explorer.views.frame.presets import presets
from explorer.views.transformer.step_data import Names, figure, why
from tests.models import designs, families
from tests.views.opening import opened, printed_result, said
from tests.views.transformer.test_steps import TEXT, sent


@pytest.fixture(scope="module")
def llama_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("llama")
    families.build("llama", folder)
    return folder


SINCE_2017 = [one for one in presets("transformer") if one.label.startswith("Since 2017")]


@pytest.mark.parametrize("preset", SINCE_2017, ids=lambda preset: preset.label)
def test_each_preset_opens_the_step_that_it_is_about(preset, llama_folder):
    at = opened("transformer", **preset.values | {"model": f"folder:{llama_folder}", "layer": 1})
    header = sent(at)
    assert not at.error and header["step"] == preset.values["step"]
    assert any(step["name"] == header["step"] for step in header["steps"])
    assert printed_result(at)


def test_the_picture_is_given_the_pairs_and_the_groups(llama_folder):
    header = sent(
        opened("transformer", view="steps", model=f"folder:{llama_folder}", text=TEXT, layer=2, head=5)
    )
    assert (header["heads"], header["kvHeads"]) == (6, 3)
    assert header["rotation"]["turned"] == [["q", "q_rot"], ["k", "k_rot"]]
    found = walk(explorer.load(f"folder:{llama_folder}"), TEXT, layer=2, head=5)
    assert header["rotation"]["frequencies"] == found.value("frequencies").tolist()
    assert header["arrays"]["W_K"]["shape"] == "42 × 10", "the key that head 5 shares"
    for step in header["steps"]:
        assert all(name in header["arrays"] for name in step["gives"]), step["name"]
    (project,) = (step for step in header["steps"] if step["name"] == "project")
    assert "shared by heads 5 and 6" in project["caption"]


@pytest.mark.parametrize("name", designs.DESIGNS)
def test_every_number_of_every_design_is_spoken_of(name, tmp_path):
    found = walk(designs.build(name, tmp_path), TEXT, layer=1, head=3)
    names = Names([str(number) for number in range(len(found.encoding))])
    for step in found.steps:
        assert figure(step)["caption"]
        for given in step.gives:
            last = found.value(given).shape[1] - 1
            assert why(found, names, [given, 2, last])["how"], given


def test_a_turned_number_says_its_angle(llama_folder):
    cells = [["q_rot", 3, 7, 1, 4]]
    link = {
        "model": f"folder:{llama_folder}", "text": TEXT, "layer": 1, "head": 4, "view": "steps",
        "step": "rotate",
    }  # fmt: skip
    (made,) = sent(opened("transformer", **link, cells=cells))["why"]
    assert made["title"].startswith("Q rotated of ") and "position 3 × frequency" in made["how"]
    assert [part["cell"][:3] for part in made["parts"]] == [["q", 3, 7], ["q", 3, 2]]


@pytest.mark.slow
def test_rotation_is_drawn_beside_sines_and_says_where_it_comes_from():
    at = opened("transformer", view="positions", positions_part="rotation")
    assert not at.error and len(at.get("plotly_chart")) == 1
    assert "mere rounding" in said(at) and any(word in said(at) for word in ("Schematic", "smollm2, head"))


@pytest.mark.slow
def test_transformer_xl_reads_a_model_that_turns(llama_folder):
    at = opened("transformer", view="segments", model=f"folder:{llama_folder}")
    assert not at.error and not at.exception
    assert "as in Transformer-XL. If" in said(at) and "Its positions are absolute" not in said(at)
