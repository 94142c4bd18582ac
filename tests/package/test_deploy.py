"""The files for a server: the composition names what exists, and Caddy takes its file."""

import os
import shutil
import subprocess
import sys

import pytest
import yaml

from explorer.assets import CHECKOUT
from explorer.room.database import VARIABLE
from explorer.workers import proxy
from explorer.workers.processes import free_port
from tests.package.ray_replicas import NOT_STARTED

DEPLOY = CHECKOUT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def test_each_process_is_closed_to_the_outside_and_cannot_write():
    app = COMPOSE["services"]["app"]
    assert app["read_only"] and app["cap_drop"] == ["ALL"] and "ports" not in app
    assert COMPOSE["networks"][app["networks"][0]]["internal"]
    volume, path = app["volumes"][0].split(":")  # the rooms of classes, which all of them have
    assert volume in COMPOSE["volumes"] and app["environment"][VARIABLE].startswith(f"{path}/")
    containerfile = (CHECKOUT / app["build"]["dockerfile"]).read_text(encoding="utf-8")
    assert f"install -d -o 10001 -m 700 {path}\n" in containerfile


def test_the_proxy_sends_each_browser_to_its_process_as_our_own_does():
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert "dynamic a app 8501" in text and "app" in COMPOSE["services"]
    ours = proxy.configuration(8501, [1, 2], "SECRET", "0.0.0.0")
    for line in ("lb_policy cookie riverbank_worker", "lb_try_duration 10s"):
        assert line in text and line in ours


def test_a_cluster_gets_what_the_composition_has():
    documents = [*yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8"))]
    pod = documents[0]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    names = {variable["name"] for variable in container["env"]}
    assert names == set(COMPOSE["services"]["app"]["environment"])
    (claim,) = [each for each in documents if each["kind"] == "PersistentVolumeClaim"]
    volumes = [each.get("persistentVolumeClaim", {}).get("claimName") for each in pod["volumes"]]
    assert claim["metadata"]["name"] in volumes


@pytest.mark.slow
def test_ray_serves_the_same_texts_from_two_replicas():
    python = CHECKOUT / ".venv-ray/bin/python"  # beside ours: Ray brings packages that our servers would use
    if not python.exists():
        python = sys.executable
        pytest.importorskip("ray", reason="Ray is not installed: pip install -r deploy/requirements-ray.txt")
    command = [python, "-m", "tests.package.ray_replicas", str(free_port())]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=600)
    if done.returncode == NOT_STARTED:
        pytest.skip(f"Ray did not start: {done.stdout[-500:]}")
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("docker-compose") is None, reason="docker-compose is not installed")
def test_docker_compose_takes_the_file():
    command = ["docker-compose", "-f", DEPLOY / "compose.yaml", "config", "-q"]
    subprocess.run(command, env=os.environ | {"RIVERBANK_SECRET": "x"}, check=True, capture_output=True)
    without = subprocess.run(command, capture_output=True, text=True)
    assert without.returncode and "Set RIVERBANK_SECRET" in without.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed")
def test_caddy_takes_the_file():
    command = ["caddy", "validate", "--config", DEPLOY / "Caddyfile", "--adapter", "caddyfile"]
    environment = {**os.environ, "RIVERBANK_SITE": "http://:8501", "RIVERBANK_SECRET": "secret"}
    subprocess.run(command, env=environment, check=True, capture_output=True)
