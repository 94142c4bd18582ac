"""What a model costs, as its card tells it."""

import explorer
from explorer.server import memory
from explorer.views.frame import cost, page
from tests import encoders, tiny


def test_a_shared_layer_is_counted_once(tmp_path):
    theirs = encoders.write("albert", tmp_path)
    count = sum(p.numel() for p in theirs.parameters())
    sentence = cost.measure(explorer.load(f"folder:{tmp_path}"))
    assert sentence.startswith(f"{count:,} parameters in 3 layers take {4 * count / 1e6:.4g} MB")


def test_the_card_of_a_folder_says_it_once_the_model_is_there(tmp_path):
    encoders.write("distilbert", tmp_path)
    name = f"folder:{tmp_path}"
    assert "take" not in page.card(name)
    memory.fetch(name)
    text = page.card(name)
    assert "parameters in 3 layers take 0.1" in text and "A sentence of 12 words takes 0." in text


def test_the_card_names_tokens_without_a_row(tmp_path):
    tiny.write_gpt(tmp_path)
    (tmp_path / "added_tokens.json").write_text('{"[PAD]": 293}', encoding="utf-8")
    name = f"folder:{tmp_path}"
    assert "`[PAD]`" not in page.card(name)
    memory.fetch(name)
    assert "no row for these tokens" in page.card(name) and "`[PAD]`" in page.card(name)


def test_word_vectors_of_another_language_have_no_time(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("берег 1 0\nрека 0 1\n", encoding="utf-8")
    assert cost.measure(explorer.load(path)) == "4 parameters take 1.6e-05 MB of memory."


def test_the_cost_of_files_that_were_written_again_is_measured_again(tmp_path):
    encoders.write("distilbert", tmp_path)
    name = f"folder:{tmp_path}"
    memory.fetch(name)
    first = cost.cost(name)
    encoders.write("albert", tmp_path)
    memory.fetch(name)
    assert cost.cost(name).partition(" take ")[0] != first.partition(" take ")[0]
