"""`python -m explorer.model_server --models bert gpt`: models for `load("serve:http://host:8000/bert")`."""

import argparse
import importlib.util
import os
import signal
import sys
import threading

import torch

from explorer.errors import ExplorerError, NotFoundError, at_least_one
from explorer.model_server import deployment
from explorer.model_server.application import plain_server
from explorer.model_server.served import ServedModel, name_in_address
from explorer.model_server.wire import TOKEN_VARIABLE
from explorer.system.console import report
from explorer.system.logs import keep_texts_out


def main(arguments: list[str] | None = None) -> None:
    """Serve until Ctrl+C or SIGTERM; exits with 1 and a clear line if that is not possible."""
    parser = argparse.ArgumentParser(prog="python -m explorer.model_server", description=__doc__)
    parser.add_argument(
        "--models", nargs="+", required=True, metavar="NAME", help="bert, hub:..., folder:..."
    )
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets other computers in")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--replicas", type=int, default=2, help="at most so many processes for each model")
    parser.add_argument("--gpus", type=float, default=0, help="a replica's share of a GPU, such as 1 or 0.5")
    parser.add_argument("--cluster", default="", help="a Ray cluster that runs, such as auto")
    parser.add_argument("--plain", action="store_true", help="one process, without Ray")
    options = parser.parse_args(arguments)
    token = os.environ.get(TOKEN_VARIABLE, "")
    if options.host not in ("127.0.0.1", "localhost", "::1") and not token:
        report(
            f"Everybody who reaches {options.host}:{options.port} can use the models. "
            f"Set {TOKEN_VARIABLE} to require a token."
        )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    keep_texts_out()
    try:
        at_least_one(replicas=options.replicas)
        (_serve_plainly if options.plain else _serve_with_ray)(options, token)
    except KeyboardInterrupt:
        report("All models have stopped.")
    except ExplorerError as error:
        sys.exit(f"{error.message}\n{error.hint}")


def _serve_plainly(options: argparse.Namespace, token: str) -> None:
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))  # as Ray does
    models = [ServedModel.load(name) for name in options.models]
    _print_addresses(options)
    plain_server(models, options.host, options.port, token).run()


def _serve_with_ray(options: argparse.Namespace, token: str) -> None:
    if importlib.util.find_spec("ray") is None:
        raise NotFoundError(
            "Ray is not installed.",
            'Install it: pip install "ray[serve,data]<3" (one process works without it: --plain).',
        )
    try:
        deployment.start(
            {name: {} for name in options.models},
            options.replicas,
            options.host,
            options.port,
            token,
            options.cluster,
            options.gpus,
        )
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # Ray has replaced ours
        _print_addresses(options)
        threading.Event().wait()
    finally:
        deployment.stop()


def _print_addresses(options: argparse.Namespace) -> None:
    for name in options.models:
        address = f"serve:http://{options.host}:{options.port}/{name_in_address(name)}"
        report(f'explorer.load("{address}")')
    report("Ctrl+C ends all of them")


if __name__ == "__main__":
    main()
