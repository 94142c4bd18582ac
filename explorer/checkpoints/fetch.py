"""Fetching a checkpoint from the Hugging Face hub, safetensors only, with progress reports."""

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.checkpoints.format import read_config
from explorer.checkpoints.integrity import check_size
from explorer.checkpoints.listed import LISTED, did_you_mean
from explorer.checkpoints.model_folder import ADAPTER, CONFIG, adapter_error
from explorer.checkpoints.model_types import family_of
from explorer.checkpoints.other_weights import other_weights, own_form
from explorer.checkpoints.pooling import FILES as POOLING_FILES
from explorer.checkpoints.pooling import FILES_OF_STEPS
from explorer.checkpoints.weights import INDEX, WEIGHTS, names_of
from explorer.errors import CheckpointError, FormatError, NetworkError, NotFoundError
from explorer.tokenizers import TOKENIZER_FILES, complete
from explorer.trace import Checkpoint

if TYPE_CHECKING:
    from huggingface_hub.utils.tqdm import tqdm

# Called while files are fetched: progress(done_bytes, total_bytes, file_name).
Progress = Callable[[int, int, str], None]

TIMEOUT = 10  # seconds to wait for the hub's answer


def fetch(checkpoint: Checkpoint, progress: Progress | None = None) -> None:
    """Fetch a model's files into the hub's own cache.

    The configuration comes first and decides whether the rest is worth fetching; the weights
    come last, so that a copy without them is recognised as unfinished. Sizes are checked before.
    Raises NetworkError, NotFoundError, FormatError or SizeError.
    """
    from huggingface_hub import HfApi, hf_hub_download

    name, revision = checkpoint.name, checkpoint.revision
    with _explain_errors(checkpoint):
        info = HfApi().model_info(name, revision=revision, files_metadata=True, timeout=TIMEOUT)
        files = {file.rfilename: file.size or 0 for file in info.siblings or []}
        if CONFIG not in files:
            raise _no_config(files, checkpoint)
        config = Path(hf_hub_download(name, CONFIG, revision=revision, tqdm_class=_meter(None, 0, 0, "")))
        raw = read_config(config.parent)
        family_of(raw, str(checkpoint))
        chosen = choose(files, str(checkpoint), *names_of(raw, str(checkpoint)))
        total, fetched = sum(files[file] for file in chosen), 0
        for file in chosen:
            meter = _meter(progress, fetched, total, file)
            hf_hub_download(name, file, revision=revision, tqdm_class=meter)
            fetched += files[file]
            if progress is not None:
                progress(fetched, total, file)


def _no_config(files: Collection[str], checkpoint: Checkpoint) -> FormatError:
    """The error for files without a config.json, by what they are instead."""
    if ADAPTER in files:
        return adapter_error(str(checkpoint))
    if ggufs := [file for file in sorted(files) if file.endswith(".gguf")]:
        return FormatError(
            f"{checkpoint} holds GGUF files, which are not fetched by themselves.",
            f"Download one, such as {ggufs[0]}, and write folder: and its path.",
        )
    if (error := own_form(files, str(checkpoint))) is not None:
        return error
    return FormatError(f"{checkpoint} has no config.json.", "It is not a model that Riverbank can read.")


def choose(files: dict[str, int], name: str, whole: str = WEIGHTS, index: str = INDEX) -> list[str]:
    """The files to fetch, of those on the hub (name to bytes), weights last: `whole`, or shards with `index`.

    Raises FormatError if tokenizer or safetensors are missing, SizeError over the limit.
    """
    texts = [file for file in (*TOKENIZER_FILES, *POOLING_FILES) if file in files]
    texts += sorted(filter(FILES_OF_STEPS.fullmatch, files))
    shard = re.compile(rf"{re.escape(whole.removesuffix('.safetensors'))}-\d+-of-\d+\.safetensors")
    weights = [whole] if whole in files else sorted(filter(shard.fullmatch, files))
    if not weights:
        if (error := other_weights(files, name)) is not None:
            raise error
        raise FormatError(f"{name} has no weights.", "Choose a checkpoint with model.safetensors.")
    if not complete(texts):
        raise FormatError(f"{name} has no tokenizer files.", "Choose a checkpoint that has them.")
    check_size(sum(files[file] for file in weights), name)
    return [*texts, *([index] if index in files and whole not in files else []), *weights]


def _meter(progress: Progress | None, before: int, total: int, file: str) -> "type[tqdm]":
    """A progress bar for the hub library that draws nothing and calls `progress`."""
    from huggingface_hub.utils.tqdm import tqdm

    class Meter(tqdm):
        def __init__(self, *args: Any, **settings: Any) -> None:
            super().__init__(*args, **{**settings, "disable": True})  # type: ignore[no-untyped-call]  # tqdm
            self.fetched = 0

        def update(self, n: float | None = 1) -> None:
            self.fetched += int(n or 0)
            if progress is not None:
                progress(min(before + self.fetched, total), total, file)

        # Bytes on the wire, which the library reports in addition to bytes of the file (with Xet storage).
        def update_transfer(self, n: float) -> None:
            pass

        def set_transfer_postfix_str(self, text: str = "", refresh: bool = True) -> None:
            pass

    return Meter


@contextmanager
def _explain_errors(checkpoint: Checkpoint) -> Iterator[None]:
    """Turn the hub library's errors into ours, with hints."""
    from huggingface_hub import errors

    name = checkpoint.name
    page = f"https://huggingface.co/{name}"
    try:
        yield
    except CheckpointError:
        raise
    except errors.GatedRepoError as error:
        raise NetworkError(
            f"{name} is gated: its owner lets in only those who asked.",
            f"Ask at {page} and sign in with “hf auth login”, or choose another model.",
        ) from error
    except errors.RepositoryNotFoundError as error:
        raise NotFoundError(
            f"There is no model “{name}” on the hub, or it is private.", did_you_mean(name, list(LISTED))
        ) from error
    except errors.RevisionNotFoundError as error:
        raise NotFoundError(
            f"{name} has no revision “{checkpoint.revision}”.",
            f"Leave it out for the newest, or choose one at {page}/commits.",
        ) from error
    except errors.OfflineModeIsEnabled as error:
        raise NetworkError(
            f"{name} is not complete in the local cache, and HF_HUB_OFFLINE forbids fetching it.",
            "Unset HF_HUB_OFFLINE once, or choose a bundled model.",
        ) from error
    except errors.HfHubHTTPError as error:
        status = error.response.status_code
        if status in (401, 403):
            raise NetworkError(
                f"The hub does not let us read {name} (status {status}).",
                f"Ask for access at {page} and sign in with “hf auth login”, or choose another model.",
            ) from error
        raise NetworkError(
            f"The hub could not serve {name} (status {status}).", "Try again later."
        ) from error
    except errors.LocalEntryNotFoundError as error:
        raise _unreachable(name) from error
    except OSError as error:
        if error.errno is not None:  # an error of the disk, not the network
            raise CheckpointError(
                f"{name} cannot be stored: {error}.", "Free some space, or set HF_HOME."
            ) from error
        raise NetworkError(f"Fetching {name} broke off: {error}.", "Load it again.") from error
    except Exception as error:  # the library's HTTP client raises its own classes
        raise _unreachable(name) from error


def _unreachable(name: str) -> NetworkError:
    return NetworkError(
        f"{name} is not complete in the local cache, and the Hugging Face hub cannot be reached.",
        "Connect to the internet once to fetch it, or choose a bundled model.",
    )
