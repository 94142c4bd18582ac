"""Names of checkpoints as people write them: understood where they are certain, else corrected."""

import pytest

from explorer.errors import NotFoundError
from explorer.trace import Checkpoint

BERT = "google-bert/bert-base-uncased"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (' "bert" ', "bert"), ("bert'", "bert"), ("“bert”", "bert"), ("\u200bbert\ufeff", "bert"),
        (f"https://huggingface.co/{BERT}", f"hub:{BERT}"), (f"huggingface.co/{BERT}/", f"hub:{BERT}"),
        (f"http://www.huggingface.co/{BERT}?library=transformers#files", f"hub:{BERT}"),
        (f"hf.co/{BERT}", f"hub:{BERT}"), (f"hf://{BERT}", f"hub:{BERT}"),
        (f"hub:https://huggingface.co/{BERT}/tree/main", f"hub:{BERT}"), (f'hub:"{BERT}"', f"hub:{BERT}"),
        (f"HUB: {BERT}/", f"hub:{BERT}"), (f"hub:hub:{BERT}@v1", f"hub:{BERT}@v1"),
        ("hub:google-bert / bert-base-uncased", f"hub:{BERT}"),
        ("https://huggingface.co/gpt2/blob/main/config.json", "hub:gpt2"),
        (f"https://huggingface.co/{BERT}/tree/v1.0", f"hub:{BERT}@v1.0"),
        (f"https://huggingface.co/{BERT}/tree/refs%2Fpr%2F3", f"hub:{BERT}@refs/pr/3"),
        (f"https://huggingface.co/{BERT}/resolve/main/model.safetensors?download=true", f"hub:{BERT}"),
        (f"git clone https://huggingface.co/{BERT}.git", f"hub:{BERT}"),
        (f"git@hf.co:{BERT}", f"hub:{BERT}"), (f"models/{BERT}", f"hub:{BERT}"),
        *((f"{name}{mark}", "hub:a/b") for name in ("https://hf.co/a/b", "hub:a/b") for mark in ".,)!。，"),
        ("<https://huggingface.co/a/b>", "hub:a/b"), ("(https://huggingface.co/a/b).", "hub:a/b"),
        ("[bert](https://huggingface.co/a/b)", "hub:a/b"), ("“https://huggingface.co/a/b”。", "hub:a/b"),
        ("https://huggingface.co/a/b，请看", "hub:a/b"),
        ("https://me:hf_secret@huggingface.co/a/b", "hub:a/b"), ("ssh://git@hf.co:a/b.git", "hub:a/b"),
        ("hf://models/a/b", "hub:a/b"), ("hub：a/b", "hub:a/b"),
        ("\u202ahub:a/\u200bb\u00ad\u202c", "hub:a/b"), ("\u202aC:\\models", "folder:C:\\models"),
        ("models--a--b-c", "hub:a/b-c"), ("BERT", "bert"), ("bert/", "bert"), ("bert.", "bert"),
        ("/data/ hf.co/a/b", "folder:/data/ hf.co/a/b"), ('folder:"a folder bert"', "folder:a folder bert"),
        ("folder: 'a folder'", "folder:a folder"), ("'/models/bert", "folder:/models/bert"),
        ("folder:file:///models/a%20folder", "folder:/models/a folder"),
        ("file://localhost/models/bert", "folder:/models/bert"), ("file://a folder", "folder:a folder"),
        ("file:///C:/models/bert", "folder:C:/models/bert"),
        (r'"C:\models\bert"', r"folder:C:\models\bert"), (r"C:\models\bert", r"folder:C:\models\bert"),
        (r"\\server\models", r"folder:\\server\models"), ("~/bert", "folder:~/bert"),
        ("./bert", "folder:./bert"), ("a/b/c", "folder:a/b/c"), ("/data/a:b", "folder:/data/a:b"),
        ("folder:folder:/models", "folder:/models"),
        ("serve:http://127.0.0.1:8000/bert", "serve:http://127.0.0.1:8000/bert"),
    ],
)  # fmt: skip
def test_other_spellings_are_understood(text, name):
    assert str(Checkpoint.parse(text)) == name
    assert str(Checkpoint.parse(name)) == name


@pytest.mark.parametrize(
    ("text", "says"),
    [
        *((text, "does not name a checkpoint") for text in ("", "  ", '""', "hub:", "hub:/", "folder:")),
        ("https://example.org/bert", "folder: and its path; .* serve: and the address"),
        ("https://huggingface.co/docs/transformers/index", "a page of the hub"),
        ("https://huggingface.co/settings/tokens", "a page of the hub"),
        ("https://huggingface.co/datasets/squad", "address of a data set"),
        ("https://huggingface.co/models", "but of no model"),
        (f"https://huggingface.co/{BERT}/tree/main/onnx", f"folder inside a model, onnx. .*hub:{BERT}"),
        ("ftp:bert", "hub:organisation/name"),
    ],
)
def test_what_names_none_says_what_to_write(text, says):
    with pytest.raises(NotFoundError, match=says) as caught:
        Checkpoint.parse(text)
    assert caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "https://me:hf_secret@example.org/bert",
        "https://example.org/bert?token=hf_secret",
        "https://me:hf_secret@huggingface.co/datasets/squad",
    ],
)
def test_a_key_in_an_address_is_not_repeated(text):
    with pytest.raises(NotFoundError) as caught:
        Checkpoint.parse(text)
    assert "secret" not in str(caught.value)
