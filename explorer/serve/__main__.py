"""`python -m explorer.serve --workers 4 [--lan] [--port 8501]`: several processes behind one address."""

import argparse
import os
import signal
import sys

from explorer.errors import ExplorerError
from explorer.serve import proxy
from explorer.serve.supervisor import serving


def main(arguments: list[str] | None = None) -> None:
    """Serve until Ctrl+C or SIGTERM; exits with 1 and a clear line where that is not possible."""
    parser = argparse.ArgumentParser(prog="python -m explorer.serve", description=__doc__)
    parser.add_argument("--workers", type=int, default=min(os.cpu_count() or 1, 4), help="how many processes")
    parser.add_argument("--port", type=int, default=8501, help="where visitors come in")
    parser.add_argument("--lan", action="store_true", help="let other computers of the network in")
    parser.add_argument("--show", action="store_true", help="print the proxy's configuration and end")
    asked = parser.parse_args(arguments)
    if asked.show:
        ports = range(asked.port + 1, asked.port + 1 + asked.workers)
        print(proxy.configuration(asked.port, ports, "SECRET", asked.lan), end="")
        return
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with serving(asked.workers, asked.port, asked.lan, _say) as supervisor:
            _say(f"the proxy's configuration, {supervisor.written}:\n\n{supervisor.configuration}")
            _say(
                f"open http://localhost:{asked.port}"
                + (" (and from other computers, this one's address)" * asked.lan)
            )
            _say("Ctrl+C ends all of them")
            supervisor.watch()
    except KeyboardInterrupt:
        _say("all workers have ended")
    except ExplorerError as error:
        sys.exit(f"{error.message}\n{error.hint}")


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
