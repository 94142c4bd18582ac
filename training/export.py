"""A network in training to a bundled checkpoint's folder; each file is replaced in one step."""

import hashlib
import tempfile
from pathlib import Path

from explorer.analysis.translation.doubts import KNOWN_WORDS
from explorer.checkpoints.difference import NAME as DIFFERENCE
from explorer.checkpoints.format import write_model
from explorer.models import FAMILIES
from explorer.tokenizers import TOKENIZER_FILES
from training.run.task import Written

FAMILY = {
    "bert": "bert",
    "bert-mini": "bert",
    "bert-zh": "bert",
    "bert-en-zh": "bert",
    "electra-generator": "electra",
    "electra-discriminator": "electra",
    "gpt": "gpt2",
    "elmo": "elmo",
    "translator": "marian",
}
LISTED = ("config.json", "model.safetensors", DIFFERENCE, *TOKENIZER_FILES, KNOWN_WORDS)


def export(task: Written, folder: Path) -> None:
    """Write weights (float16), configuration, tokenizer and SHA256SUMS into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-") as name:
        fresh = Path(name)
        write_model(fresh, task.network, FAMILIES[FAMILY[task.name]])
        task.write_tokenizer(fresh)
        sign(fresh)
        for path in sorted(fresh.iterdir()):
            path.replace(folder / path.name)


def sign(folder: Path) -> None:
    """Write SHA256SUMS of the checkpoint's files in a folder."""
    sums = [
        f"{hashlib.sha256((folder / n).read_bytes()).hexdigest()}  {n}\n"
        for n in LISTED
        if (folder / n).exists()
    ]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    for path in folder.iterdir():
        path.chmod(0o644)
