"""What a name, a path or a text that cannot be used is answered with."""

from pathlib import Path

import pytest

import explorer
from explorer.errors import FormatError, NotFoundError, TextError
from explorer.trace import Ability
from tests.checkpoints.refusal import refused

ROWS = "the 0 1\nof 1 0\n"
LICENCE = "MIT License\n\nCopyright (c) 2014\n\nPermission is granted\n"


@pytest.mark.parametrize(
    "name",
    ["/models/bert", "~/bert", "./bert", "../bert", "a/b/c", "C:\\models\\bert", "C:/models", "models\\bert"],
)
def test_a_path_is_not_taken_for_a_name_on_the_hub(name):
    assert f"folder:{name}" in refused(name, NotFoundError).hint


def test_a_name_with_one_slash_still_is():
    assert "hub:google/bert" in refused("google/bert", NotFoundError).hint


@pytest.mark.parametrize("name", ["models/bert", "gpt2", "openai-community/gpt2", "bert-mine/", "models/a/b"])
def test_a_name_that_is_also_a_folder_is_asked_back(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).mkdir(parents=True)
    assert f"Write folder:{name}" in refused(name, NotFoundError).hint


def test_a_bundled_model_has_no_other_name():
    assert "models/bert" in refused("models/bert", NotFoundError).message


def test_a_path_object_is_a_folder_or_a_file(bert, tmp_path):
    assert Ability.FILL in explorer.load(bert).abilities
    (tmp_path / "v.txt").write_text(ROWS)
    assert explorer.load(tmp_path / "v.txt").abilities == Ability.VECTORS


@pytest.mark.parametrize("note", ["LICENSE.txt", "README.txt", "A.vec"])
def test_a_licence_beside_the_vectors_is_none(tmp_path, note):
    (tmp_path / "v.txt").write_text(ROWS)
    (tmp_path / note).write_text(LICENCE)
    assert explorer.load(tmp_path).trace("of the").tokens == ["of", "the"]
    (tmp_path / "w.vec").write_text(ROWS)
    hint = refused(tmp_path, NotFoundError).hint
    assert str(tmp_path / "v.txt") in hint and note not in hint


def test_fasttext_beside_a_licence_is_named(tmp_path):
    (tmp_path / "v.bin").write_bytes((793712314).to_bytes(4, "little") + bytes(100))
    (tmp_path / "LICENSE.txt").write_text(LICENCE)
    assert "fastText" in refused(tmp_path, FormatError).message


@pytest.mark.parametrize("name", ["V.TXT", "v.Vec", "GLOVE.TXT"])
def test_capitals_in_an_ending(tmp_path, name):
    (tmp_path / name).write_text(ROWS)
    assert explorer.load(tmp_path / name).trace("of the").tokens == ["of", "the"]


@pytest.mark.parametrize("name", ["v.csv", "v", "v.npy"])
def test_a_file_of_another_kind_is_said_to_be_there(tmp_path, name):
    (tmp_path / name).write_text(ROWS)
    error = refused(tmp_path / name, FormatError)
    assert "no folder" not in error.message and ".vec" in error.hint


def test_one_file_of_a_model_leads_to_its_folder(bert):
    assert f"folder:{bert}." in refused(bert / "config.json", FormatError).hint
    assert "folder or file" in refused(Path(bert / "absent"), NotFoundError).message


def test_what_a_tokenizer_cannot_spell_is_counted_and_said(spelling):
    result = spelling.encode("we Saw it, \u6771\u4eac")
    assert result.dropped_characters == 4 and result.tokens[:3] == ["w", "e", "\u0120"]
    assert spelling.encode("we saw").dropped_characters == 0
    for text in ("\u6771\u4eac", "123", "?!"):
        with pytest.raises(TextError, match="no token for any character"):
            spelling.trace(text)
    for text in ("", "\u200b"):
        with pytest.raises(TextError, match="There is no text"):
            spelling.trace(text)


@pytest.mark.parametrize(
    "text",
    [
        "caf\u00e9 na\u0308ive \ufb01t\u00a0\u2028x",
        "\U0001f469\u200d\U0001f680 \u6771\u4eac \ud55c\uad6d",
        "a\x00b",
    ],
)
def test_bert_and_gpt_pass_over_nothing_that_can_be_seen(tiny_bert, tiny_gpt, text):
    assert tiny_bert.encode(text).dropped_characters == tiny_gpt.encode(text).dropped_characters == 0
    assert tiny_bert.encode(text, limit=3).dropped_characters == 0, "what is cut is not what is passed over"
    assert tiny_bert.encode("we", pair=text).dropped_characters == 0


def test_pages_say_how_many(spelling):
    from explorer.analysis.prediction import surprisal
    from explorer.views.continuations import shades
    from explorer.views.widgets.unread_characters import unread

    assert "3 characters were skipped" in shades.notes(surprisal.read(spelling, "We Saw I"))
    assert "1 character was skipped" in unread(spelling.trace("We saw").encoding)
    assert unread(spelling.trace("we saw").encoding) == ""
