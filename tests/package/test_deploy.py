"""The files for a server: the composition names what exists, and Caddy takes its file."""

import os
import shutil
import subprocess

import pytest
import yaml

from explorer.assets import CHECKOUT
from explorer.room.database import VARIABLE
from explorer.workers import proxy

DEPLOY = CHECKOUT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def test_each_worker_is_closed_to_the_outside_and_cannot_write():
    workers = [name for name in COMPOSE["services"] if name.startswith("worker")]
    assert len(workers) == 2
    for name in workers:
        worker = COMPOSE["services"][name]
        assert worker["read_only"] and worker["cap_drop"] == ["ALL"] and "ports" not in worker
        assert COMPOSE["networks"][worker["networks"][0]]["internal"]
        volume, path = worker["volumes"][0].split(":")  # the rooms of classes, which all of them have
        assert volume in COMPOSE["volumes"] and worker["environment"][VARIABLE].startswith(f"{path}/")
        assert f"install -d -o 10001 -m 700 {path}\n" in (CHECKOUT / "Containerfile").read_text(
            encoding="utf-8"
        )
    assert (CHECKOUT / COMPOSE["x-worker"]["build"]["dockerfile"]).is_file()


def test_the_proxy_sends_each_browser_to_its_worker_as_our_own_does():
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    for name in ("worker-1", "worker-2"):
        assert f"{name}:8501" in text and name in COMPOSE["services"]
    ours = proxy.configuration(8501, [1, 2], "SECRET", "0.0.0.0")
    for line in ("lb_policy cookie riverbank_worker", "lb_try_duration 10s", "health_uri /_stcore/health"):
        assert line in text and line in ours


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed")
def test_caddy_takes_the_file():
    command = ["caddy", "validate", "--config", DEPLOY / "Caddyfile", "--adapter", "caddyfile"]
    environment = {**os.environ, "RIVERBANK_SITE": "http://:8501", "RIVERBANK_SECRET": "secret"}
    subprocess.run(command, env=environment, check=True, capture_output=True)
