"""What the word senses page saves: rows of occurrences, numbers that are the model's."""

import io

import numpy as np
import pytest
import torch

from explorer.analysis.senses.occurrences import cosine_matrix
from explorer.server import kept, memory
from explorer.views.senses.files import coordinates, cosines, vectors
from explorer.views.senses.layer_maps import layer_maps
from explorer.views.senses.word_occurrences import find_word
from tests.views.opening import rows as read
from tests.views.senses.without_model import HOSTILE

TEXT = f'{HOSTILE}\nThe bank, a "bank" of note. #money\nA bank.'


@pytest.fixture(scope="module")
def occurrences(bert_folder):
    return find_word(memory.fetch(f"folder:{bert_folder}"), TEXT, "bank")


@pytest.mark.parametrize("axes", [2, 3])
def test_coordinates_are_those_of_the_map(occurrences, axes):
    made = layer_maps(occurrences, "pca", axes, 0)
    rows = read(coordinates(occurrences, made))
    assert len(rows) == 4 * len(occurrences.stops)
    assert [row["layer"] for row in rows[::4]] == ["word", "0", "1", "2", "3"]
    for row in rows:
        plane = made.planes[0 if row["layer"] == "word" else int(row["layer"]) + 1]
        here = [float(row[axis]) for axis in "xyz"[:axes]]
        assert here == pytest.approx(plane[int(row["number"])].tolist(), abs=1e-6)
        assert row["sentence"][int(row["start"]) : int(row["end"])] == "bank"
    assert [row["sense"] for row in rows[:4]] == ["river", "money", "money", ""]
    assert rows[0]["sentence"] == HOSTILE.removesuffix(" #river")


def test_a_layer_without_a_picture_has_no_rows(occurrences):
    made = layer_maps(occurrences, "pca", 2, 0)
    made.planes[2] = None
    try:
        assert {row["layer"] for row in read(coordinates(occurrences, made))} == {"word", "0", "2", "3"}
    finally:
        kept.forget_results()


def test_cosines_are_the_models_own(occurrences):
    rows = read(cosines(occurrences, occurrences.at(2)))
    found = [[float(row[str(i)]) for i in range(4)] for row in rows]
    assert torch.allclose(torch.tensor(found), cosine_matrix(occurrences.matches, 2), atol=1e-6)


def test_vectors_load_without_pickle(occurrences):
    file = np.load(io.BytesIO(vectors(occurrences)), allow_pickle=False)
    assert torch.equal(torch.from_numpy(file["vectors"]), occurrences.matches.vectors)
    assert torch.equal(torch.from_numpy(file["alone"]), occurrences.alone)
    assert file["senses"].tolist() == ["river", "money", "money", ""]
    assert [s[a:b] for s, (a, b) in zip(file["sentences"], file["spans"])] == ["bank"] * 4
