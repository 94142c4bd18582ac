"""The proxy in front of the workers: Caddy, its configuration, and how to install it.

A visitor's texts and settings are in the memory of one worker, so a browser must stay with the worker that it
met first. Caddy's policy `cookie` (https://caddyserver.com/docs/caddyfile/directives/reverse_proxy)
gives each browser a cookie that names its worker, and another worker when that one is down.
"""

import os
import secrets
import shutil
import socket
from collections.abc import Sequence
from pathlib import Path

from explorer.errors import NotFoundError
from explorer.system.invocation import COMMAND
from explorer.workers.processes import Process

COOKIE = "riverbank_worker"


def find() -> str:
    """The path of Caddy. Raises NotFoundError with what installs it."""
    if path := shutil.which("caddy"):
        return path
    raise NotFoundError(
        "Several workers need the proxy Caddy, which is not installed.",
        "Install it (apt install caddy, brew install caddy, or https://caddyserver.com/docs/install); "
        f"one process needs none: {os.environ.get(COMMAND, 'streamlit run app.py')}.",
    )


def addresses(lan: bool) -> str:
    """The addresses at which visitors come in: with `lan`, those of other computers too."""
    if lan:
        return "0.0.0.0"
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:  # no IPv6 on this computer; Caddy would not start
        return "127.0.0.1"
    return "127.0.0.1 ::1"  # browsers try either for “localhost”


def configuration(port: int, ports: Sequence[int], secret: str, addresses: str) -> str:
    """The Caddyfile: visitors come in at `port` and are sent to the workers at `ports` of this computer.

    The cookie is derived from the `secret`, so that nobody can choose a worker.
    """
    workers = " ".join(f"127.0.0.1:{each}" for each in ports)
    return f"""\
{{
    admin off
    auto_https off
    grace_period 5s
}}
http://:{port} {{
    bind {addresses}
    reverse_proxy {workers} {{
        lb_policy cookie {COOKIE} {secret}
        lb_try_duration 10s
        health_uri /_stcore/health
        health_interval 2s
        health_timeout 10s
    }}
    header {{
        Set-Cookie ^{COOKIE}=.*$ "$0; HttpOnly; SameSite=Lax"
        defer
    }}
}}
"""


def process(caddy: str, folder: Path, port: int, ports: Sequence[int], lan: bool) -> Process:
    """The proxy, not yet started. Its configuration, its log and its own files go into the folder."""
    file = folder / "Caddyfile"
    file.write_text(configuration(port, ports, secrets.token_hex(16), addresses(lan)), encoding="utf-8")
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    command = [caddy, "run", "--config", str(file), "--adapter", "caddyfile"]
    return Process("proxy", command, folder / "proxy.log", environment, port)
