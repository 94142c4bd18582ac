"""`python -m explorer.fetch`: models are fetched before the lecture, from a hub of our own."""

import pytest

from explorer import fetch
from explorer.checkpoints.listed import LISTED
from explorer.errors import NotFoundError
from tests.checkpoints.fake_hub import Repository


def test_it_fetches_each_model_once_and_says_how_far_it_is(hub, bert_folder, gpt_folder, capsys):
    hub.repositories["google-bert/bert-base-uncased"] = Repository.of(bert_folder)
    hub.repositories["someone/small"] = Repository.of(gpt_folder)
    assert not fetch.is_here("bert-base-uncased")
    fetch.main(["bert-base-uncased", "someone/small"])
    said = capsys.readouterr().out
    assert "bert-base-uncased: 100 % of" in said and "someone/small is here now." in said
    assert fetch.is_here("bert-base-uncased") and fetch.is_here("hub:someone/small")
    requests = len(hub.requests)
    fetch.main(["bert-base-uncased"])
    assert "is here already" in capsys.readouterr().out and len(hub.requests) == requests


def test_what_fails_is_told_and_the_others_are_fetched(hub, bert_folder, capsys):
    hub.repositories["someone/small"] = Repository.of(bert_folder)
    with pytest.raises(SystemExit, match="1"):
        fetch.main(["nobody/nothing", "bert", "someone/small"])
    told = capsys.readouterr()
    assert "There is no model “nobody/nothing” on the hub" in told.err
    assert "“bert” is not a model on the hub" in told.err and "someone/small is here now." in told.out


def test_without_a_network_it_says_what_to_do(hub, capsys):
    hub.close()
    with pytest.raises(SystemExit):
        fetch.main(["gpt2"])
    assert "cannot be reached. Connect to the internet" in capsys.readouterr().err


def test_without_a_name_it_lists_what_the_picker_offers(hub, bert_folder, capsys):
    hub.repositories["albert/albert-base-v2"] = Repository.of(bert_folder)
    fetch.fetch("albert/albert-base-v2")
    fetch.main([])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(LISTED)
    assert [line.split()[-1] for line in lines if " here " in line] == ["albert/albert-base-v2"]


@pytest.mark.parametrize("name", ["bert", "folder:/a", "serve:http://host:8000/bert"])
def test_other_models_are_not_fetched(name):
    with pytest.raises(NotFoundError, match="is not a model on the hub"):
        fetch.checkpoint_of(name)
