"""Under which names the server answers, and to whose pages."""

import pytest
from streamlit import config

from explorer.server import hosts


@pytest.fixture
def option(monkeypatch):
    """Set options of the server for one test."""
    real, options = config.get_option, {"server.allowedHosts": [], "server.enableCORS": True}
    monkeypatch.setattr(config, "get_option", lambda name: options.get(name, real(name)))
    hosts._own_names.cache_clear()
    yield options.update
    hosts._own_names.cache_clear()


@pytest.mark.parametrize(
    ("host", "local", "on_the_network"),
    [
        ("localhost:8501", True, True), ("127.0.0.1:8501", True, True), ("[::1]:8501", True, True),
        ("LOCALHOST", True, True), ("192.168.1.5:8501", False, True), ("[fe80::1]:8501", False, True),
        ("desk:8501", False, True), ("desk.local", False, True), ("evil.example:8501", False, False),
        ("localhost.evil.example", False, False), ("127.0.0.1.evil.example", False, False),
        ("localhost@evil.example", False, False), ("", False, False), ("[", False, False),
    ],
)  # fmt: skip
def test_a_name_that_was_made_to_lead_here_gets_no_answer(option, monkeypatch, host, local, on_the_network):
    monkeypatch.setattr(hosts.socket, "gethostname", lambda: "desk")
    option({"server.address": "localhost"})
    assert hosts.is_known(host) == local
    option({"server.address": "0.0.0.0"})
    hosts._own_names.cache_clear()
    assert hosts.is_known(host) == on_the_network
    option({"server.address": "127.0.0.1"})  # a worker behind `explorer.workers`
    hosts._own_names.cache_clear()
    monkeypatch.setenv(hosts.PROXY_VARIABLE, "lan")
    assert hosts.is_known(host) == on_the_network
    monkeypatch.setenv(hosts.PROXY_VARIABLE, "local")
    assert hosts.is_known(host) == local
    option({"server.allowedHosts": ["evil.example"]})
    assert hosts.is_known("evil.example:8501") and not hosts.is_known("desk:8501")


def test_only_our_own_pages_connect(option):
    assert hosts.same_site(None, "localhost:8501")
    assert hosts.same_site("http://localhost:8501", "localhost:8501")
    assert not hosts.same_site("https://evil.example", "localhost:8501")
    assert not hosts.same_site("http://localhost:3000", "localhost:8501")
    option({"server.corsAllowedOrigins": ["https://riverbank.example.org"]})
    assert hosts.same_site("https://riverbank.example.org", "localhost:8501")
