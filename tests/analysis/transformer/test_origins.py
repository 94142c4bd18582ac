"""A number's origin is true: what is said to have made it gives it again."""

import math

import pytest
import torch

from explorer.analysis.transformer import origin, walk, walk_decoder
from explorer.errors import ExplorerError
from tests.models import designs, families

TEXT = "the bank by the old river"


@pytest.fixture(params=["bert", "bert, padded", "gpt", "marian, its decoder", "mistral", *designs.DESIGNS])
def found(request, tiny_bert, tiny_gpt, tiny_marian, tmp_path):
    if request.param in designs.DESIGNS or request.param == "mistral":
        build = designs.build if request.param in designs.DESIGNS else families.build
        return walk(build(request.param, tmp_path), TEXT, layer=1, head=2)
    if request.param.startswith("marian"):
        return walk_decoder(tiny_marian, TEXT, layer=1, head=2)
    if request.param == "gpt":
        return walk(tiny_gpt, TEXT, layer=1, head=2)
    return walk(tiny_bert, TEXT, layer=1, head=2, pad_to=12 if "padded" in request.param else 0)


def again(made) -> float:
    """The number, by the arithmetic that its origin tells."""
    shares, details = sum(cause.share for cause in made.causes) + made.omitted_sum, made.details
    match made.kind:
        case "dot":
            return shares + details.get("bias", 0)
        case "norm":
            (cause,) = made.causes
            return (cause.number - details["mean"]) / details["deviation"] * details.get(
                "gain", 1
            ) + details.get("shift", 0)
        case "cap":
            return details["cap"] * math.tanh(made.causes[0].number / details["cap"])
        case "rms":
            (cause,) = made.causes
            return cause.number / details["root"] * details["gain"]
        case "rotation":
            angle = details["position"] * details["frequency"]
            (own, cos), (other, sin) = ((cause.number, cause.factor) for cause in made.causes)
            stretch = details.get("stretch", 1.0)
            assert cos == pytest.approx(math.cos(angle) * stretch, abs=1e-5)
            assert abs(sin) == pytest.approx(abs(math.sin(angle)) * stretch, abs=1e-5)
            return own * cos + other * sin
        case "angle":
            return details["position"] * details["frequency"]
        case "softmax":
            assert shares == pytest.approx(1), "of the whole row"
            return math.exp(made.causes[0].number) / details["total"]
        case _:
            return shares


def test_every_number_is_made_of_what_is_said(found):
    for step in found.steps:
        for name in step.gives:
            rows, columns = found.value(name).shape
            for row, column in [(0, 0), (rows - 1, columns - 1), (rows // 2, columns // 3)]:
                made = origin(found, name, row, column)
                assert made.value == float(found.value(name)[row, column])
                if made.kind not in ("learnt", "mask", "activation"):
                    assert again(made) == pytest.approx(made.value, abs=1e-4), (name, row, column)


def test_each_number_that_is_followed_is_the_one_that_is_told(found):
    for step in found.steps:
        for name in step.gives:
            for cause in origin(found, name, 1, 1).causes:
                for cell, number in ((cause.cell, cause.number), (cause.factor_cell, cause.factor)):
                    if cell is not None and cell.layer is None and cell.head is None:
                        assert float(found.value(cell.name)[cell.row, cell.column]) == number


def test_following_back_ends_at_the_tables(tiny_bert):
    layer, head, cell = 2, 0, ("x2", 1, 4)
    for _ in range(60):
        made = origin(walk(tiny_bert, TEXT, layer=layer, head=head), *cell)
        if made.kind == "learnt":
            break
        followed = made.causes[0].cell
        layer = layer if followed.layer is None else followed.layer
        head = head if followed.head is None else followed.head
        cell = (followed.name, followed.row, followed.column)
    assert made.kind == "learnt" and layer == 0
    assert made.value == float(tiny_bert.network.tokens.weight[int(made.details["row"]), cell[2]])


def test_the_encoders_vectors_lead_to_the_encoder(tiny_marian):
    across = walk_decoder(tiny_marian, TEXT, layer=0, head=3)
    (score, *_) = origin(across, "cross_scores", 2, 1).causes
    assert (score.cell.name, score.factor_cell.name) == ("cross_q", "cross_k")
    (of_key, *_) = origin(across, "cross_k", 1, 4).causes
    assert of_key.cell.name == "m" and of_key.cell.row == 1
    followed = origin(across, "m", 1, of_key.cell.column).causes[0].cell
    assert followed.encoder and (followed.name, followed.layer) == ("x2", 2)
    encoder = walk(tiny_marian, TEXT, layer=followed.layer, head=followed.head)
    assert float(encoder.result[followed.row, followed.column]) == pytest.approx(of_key.number, abs=1e-5)


def test_below_a_decoders_layer_is_the_decoders_layer_before(tiny_marian):
    followed = origin(walk_decoder(tiny_marian, TEXT, layer=1), "x", 1, 4).causes[0].cell
    assert (followed.name, followed.layer, followed.encoder) == ("x3", 0, False)
    cell = origin(walk_decoder(tiny_marian, TEXT, layer=1), "cross_z", 1, 8).causes[0].cell
    assert (cell.name, cell.head, cell.column) == ("cross_out", 1, 3), "5 numbers a head"


def test_a_heads_part_of_all_heads_leads_to_that_head(tiny_bert):
    found = walk(tiny_bert, TEXT, layer=1, head=0)
    followed = origin(found, "z", 2, 17).causes[0].cell
    assert (followed.head, followed.column) == (2, 3), "7 numbers a head"
    other = walk(tiny_bert, TEXT, layer=1, head=2)
    assert float(other.value("out")[2, 3]) == pytest.approx(float(found.value("z")[2, 17]), abs=1e-5)


def test_a_turned_number_is_made_of_two_and_an_angle(tmp_path):
    found = walk(families.build("llama", tmp_path), TEXT, layer=1, head=4)
    made = origin(found, "k_rot", 3, 7)  # of ten numbers, the third pair is 2 and 7
    assert [(cause.cell.name, cause.cell.row, cause.cell.column) for cause in made.causes] == [
        ("k", 3, 7),
        ("k", 3, 2),
    ]
    assert (
        made.details["angle"] == pytest.approx(3 * 10_000 ** (-2 * 2 / 10)) and made.details["position"] == 3
    )
    (followed, _) = origin(found, "k", 3, 2).causes[:2]
    assert followed.cell.name == "y"
    (gate,) = origin(found, "hidden", 2, 11).causes
    assert (gate.cell.name, gate.factor_cell.name) == ("gate", "wide")
    assert origin(found, "gate", 2, 11).causes[0].cell.name == "gate_input"


def test_a_number_outside_of_the_turned_part_is_kept(tmp_path):
    (name, *_) = designs.DESIGNS
    found = walk(designs.build(name, tmp_path), TEXT, layer=1, head=4)
    made = origin(found, "q_rot", 3, 4)
    assert made.kind == "unrotated" and made.value == made.causes[0].number
    assert origin(found, "q_rot", 3, 3).kind == "rotation"


def test_a_later_word_is_masked_and_its_score_told(tiny_gpt):
    made = origin(walk(tiny_gpt, TEXT), "masked", 0, 2)
    assert made.kind == "mask" and made.value == -torch.inf and math.isfinite(made.causes[0].number)


@pytest.mark.parametrize("cell", [("W_Q", 0, 0), ("q", 99, 0), ("q", 0, -1), ("nothing", 0, 0)])
def test_a_number_that_is_not_there_is_a_message(tiny_bert, cell):
    with pytest.raises(ExplorerError, match="no number"):
        origin(walk(tiny_bert, TEXT), *cell)
