"""`python -m explorer.workers --workers 4 [--lan] [--port 8501]`: several processes behind one address."""

import argparse
import os
import sys

from explorer.errors import ExplorerError
from explorer.system.console import report
from explorer.system.serving import end_by_signals, in_network
from explorer.workers import proxy
from explorer.workers.supervisor import serving


def main(arguments: list[str] | None = None) -> None:
    """Serve until Ctrl+C, SIGTERM or the terminal's end; if that fails, exits with 1 and a clear line."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workers", description=__doc__)
    parser.add_argument("--workers", type=int, default=min(os.cpu_count() or 1, 4), help="how many processes")
    parser.add_argument("--port", type=int, default=8501, help="where visitors come in")
    parser.add_argument("--lan", action="store_true", help="let other computers of the network in")
    parser.add_argument("--show", action="store_true", help="print the proxy's configuration and end")
    options = parser.parse_args(arguments)
    if options.show:
        ports = range(options.port + 1, options.port + 1 + options.workers)
        print(proxy.configuration(options.port, ports, "SECRET", proxy.addresses(options.lan)), end="")
        return
    end_by_signals()
    try:
        with serving(options.workers, options.port, options.lan, report) as supervisor:
            report(f"Open http://localhost:{options.port}. Ctrl+C ends all processes.")
            if options.lan and (address := in_network()):
                report(f"On this network: http://{address}:{options.port}")
            supervisor.watch()
    except KeyboardInterrupt:
        report("All processes have ended.")
    except ExplorerError as error:
        sys.exit(f"{error.message}\n{error.hint}")


if __name__ == "__main__":
    main()
