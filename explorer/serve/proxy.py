"""The proxy before the workers: Caddy, its configuration, and what to install where it is missing.

A visitor's texts and settings live in the memory of one worker, so each browser must go on with the worker
that it met first. Caddy's policy `cookie` (https://caddyserver.com/docs/caddyfile/directives/reverse_proxy)
gives each browser a cookie that names its worker, and another worker when that one is down.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from explorer.errors import NotFoundError

COOKIE = "riverbank_worker"
INSTALL = {
    "apt-get": "sudo apt-get install caddy",
    "dnf": "sudo dnf install caddy",
    "pacman": "sudo pacman -S caddy",
    "brew": "brew install caddy",
    "winget": "winget install CaddyServer.Caddy",
}


def find() -> str:
    """Where Caddy is. Raises NotFoundError with the command that installs it on this system."""
    if found := shutil.which("caddy"):
        return found
    here = next((command for tool, command in INSTALL.items() if shutil.which(tool)), None)
    way = f"Install it: {here}" if here else "See https://caddyserver.com/docs/install"
    raise NotFoundError(
        "Several workers need the proxy Caddy, which is not installed.",
        f"{way} (one process needs none: streamlit run app.py).",
    )


def configuration(port: int, ports: Sequence[int], secret: str, lan: bool) -> str:
    """The Caddyfile: who may come in at `port`, and the workers at `ports` that they are sent to.

    Args:
        port: where visitors come in.
        ports: where the workers listen, on this computer only.
        secret: from which the cookie is made, so that nobody chooses a worker by guessing.
        lan: whether other computers may come in.

    >>> print(configuration(8501, [9001, 9002], "s3cret", lan=False))
    {
        admin off
        auto_https off
        grace_period 5s
    }
    http://:8501 {
        bind 127.0.0.1 ::1
        reverse_proxy 127.0.0.1:9001 127.0.0.1:9002 {
            lb_policy cookie riverbank_worker s3cret
            lb_try_duration 10s
            health_uri /_stcore/health
            health_interval 2s
            health_timeout 10s
        }
    }
    <BLANKLINE>
    """
    bind = "bind 0.0.0.0" if lan else "bind 127.0.0.1 ::1"
    workers = " ".join(f"127.0.0.1:{each}" for each in ports)
    return f"""\
{{
    admin off
    auto_https off
    grace_period 5s
}}
http://:{port} {{
    {bind}
    reverse_proxy {workers} {{
        lb_policy cookie {COOKIE} {secret}
        lb_try_duration 10s
        health_uri /_stcore/health
        health_interval 2s
        health_timeout 10s
    }}
}}
"""


def start(caddy: str, written: Path) -> subprocess.Popen[bytes]:
    """Start Caddy with the Caddyfile at `written`; what it keeps and says goes into the same folder."""
    own = {name: str(written.parent) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    with (written.parent / "proxy.log").open("ab") as log:
        return subprocess.Popen(
            [caddy, "run", "--config", str(written), "--adapter", "caddyfile"],
            env={**os.environ, **own},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=sys.platform != "win32",  # Ctrl+C is ours: we stop it when the time has come
        )
