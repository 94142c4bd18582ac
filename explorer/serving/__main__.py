"""`python -m explorer.serving --models bert gpt`: serve models to `explorer.load("serve:http://host:8000/bert")`."""

import argparse
import importlib.util
import os
import signal
import sys
import threading

from explorer.errors import ExplorerError, NotFoundError
from explorer.serving.protocol import TOKEN_VARIABLE


def main(arguments: list[str] | None = None) -> None:
    """Serve until Ctrl+C or SIGTERM; exits with 1 and a clear line where that is not possible."""
    parser = argparse.ArgumentParser(prog="python -m explorer.serving", description=__doc__)
    parser.add_argument(
        "--models", nargs="+", required=True, metavar="NAME", help="bert, hub:..., folder:..."
    )
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets other computers in")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--replicas", default="1-2", help="the bounds for each model, such as 1-4")
    parser.add_argument("--threads", type=int, default=1, help="of the processor, for each replica")
    parser.add_argument("--gpus", type=float, default=0, help="a replica's share of a card, such as 1 or 0.5")
    parser.add_argument("--cluster", default="", help="a Ray cluster that runs, such as auto")
    parser.add_argument("--plain", action="store_true", help="one process, without Ray")
    asked = parser.parse_args(arguments)
    token = os.environ.get(TOKEN_VARIABLE, "")
    if asked.host not in ("127.0.0.1", "localhost", "::1") and not token:
        _say(
            f"whoever reaches {asked.host}:{asked.port} can use the models; "
            f"set {TOKEN_VARIABLE} to ask for a token"
        )
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        (_plain if asked.plain else _scaled)(asked, token)
    except KeyboardInterrupt:
        _say("all replicas have ended")
    except ExplorerError as error:
        sys.exit(f"{error.message}\n{error.hint}")


def _plain(asked: argparse.Namespace, token: str) -> None:
    import torch

    from explorer.serving.plain import server
    from explorer.serving.served import Served

    torch.set_num_threads(asked.threads)
    models = [Served.load(name) for name in asked.models]
    _addresses(asked, [served.name for served in models])
    server(models, asked.host, asked.port, token).run()


def _scaled(asked: argparse.Namespace, token: str) -> None:
    if importlib.util.find_spec("ray") is None:
        raise NotFoundError(
            "Ray is not installed.",
            "Install it: pip install -r requirements-scale.txt (one process needs none: --plain).",
        )
    from explorer.serving import deployment

    fewest, most = _bounds(asked.replicas)
    plans = [
        deployment.Plan(name, fewest, most, threads=asked.threads, gpus=asked.gpus) for name in asked.models
    ]
    try:
        deployment.start(plans, asked.host, asked.port, token, asked.cluster)
        signal.signal(signal.SIGTERM, _interrupt)  # Ray has put its own in the place of ours
        _addresses(asked, [plan.name for plan in plans])
        threading.Event().wait()
    finally:
        deployment.stop()


def _bounds(text: str) -> tuple[int, int]:
    """The fewest and the most replicas.

    >>> _bounds("1-4"), _bounds("2")
    ((1, 4), (2, 2))
    """
    fewest, _, most = text.partition("-")
    try:
        return int(fewest), int(most or fewest)
    except ValueError as error:
        raise ExplorerError(f"“{text:.20}” gives no bounds.", "Write 1-4, or 2.") from error


def _addresses(asked: argparse.Namespace, names: list[str]) -> None:
    for name in names:
        _say(f'explorer.load("serve:http://{asked.host}:{asked.port}/{name}")')
    _say("Ctrl+C ends all of them")


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
