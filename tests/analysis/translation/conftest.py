"""A tiny translator with random weights, and what `transformers` makes of the same files."""

import pytest

import explorer
from tests import tiny


@pytest.fixture(scope="session")
def marian_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("marian")
    tiny.write_marian(folder)
    return folder


@pytest.fixture(scope="session")
def translator(marian_folder):
    return explorer.load(f"folder:{marian_folder}")


@pytest.fixture(scope="session")
def theirs(marian_folder):
    import transformers

    return transformers.MarianMTModel.from_pretrained(marian_folder, attn_implementation="eager").eval()
