"""`python -m explorer.model_server --models bert gpt`: models for `load("serve:http://host:8000/bert")`."""

import argparse
import os
import socket
import sys
from collections.abc import Callable

from explorer.errors import ExplorerError
from explorer.system.console import report
from explorer.system.serving import end_by_signals, in_network


def main(arguments: list[str] | None = None) -> None:
    """Serve until Ctrl+C, SIGTERM or the terminal's end; exits with 1 and a clear line if it cannot."""
    parser = argparse.ArgumentParser(prog="python -m explorer.model_server", description=__doc__)
    parser.add_argument(
        "--models", nargs="+", required=True, metavar="NAME", help="bert, hub:..., folder:..."
    )
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets other computers in")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args(arguments)
    raise_if_told = end_by_signals()
    try:
        _serve(options, raise_if_told)
    except KeyboardInterrupt:
        report("All models have stopped.")
    except ExplorerError as error:
        sys.exit(f"{error.message}\n{error.hint}")


def _serve(options: argparse.Namespace, raise_if_told: Callable[[], None]) -> None:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    try:
        listening = socket.create_server((options.host, options.port), family=family)
    except (OSError, OverflowError) as error:
        why = f"Port {options.port} cannot be opened at {options.host}: {error}."
        raise ExplorerError(why, "Choose another with --port.") from error
    import torch  # this takes seconds, in which Ctrl+C may come already

    from explorer.model_server.application import create_server
    from explorer.model_server.served import ServedModel, name_in_address
    from explorer.model_server.wire import TOKEN_VARIABLE
    from explorer.system.logs import keep_texts_out

    token = os.environ.get(TOKEN_VARIABLE, "")
    if options.host not in ("127.0.0.1", "localhost", "::1") and not token:
        report(
            f"Everybody who reaches {options.host}:{options.port} can use the models. "
            f"Set {TOKEN_VARIABLE} to require a token."
        )
    raise_if_told()
    keep_texts_out()
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    models = [ServedModel.load(name) for name in options.models]
    host = in_network() or options.host if options.host == "0.0.0.0" else options.host
    raise_if_told()
    for name in options.models:
        address = f"serve:http://{host}:{options.port}/{name_in_address(name)}"
        report(f'explorer.load("{address}")')
    report("Ctrl+C ends all of them")
    create_server(models, options.host, options.port, token).run([listening])


if __name__ == "__main__":
    main()
