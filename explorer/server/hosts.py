"""Which host names the server answers to, and whether a request comes from this computer.

A page of another website can make a browser ask any server that the browser reaches. It cannot choose
the `Host` and `Origin` that the browser sends along, unless its own name is made to lead here (DNS
rebinding). So only known host names are answered, and only our own pages may open a connection.
"""

import ipaddress
import os
import socket
from collections.abc import Mapping
from functools import cache
from urllib.parse import urlsplit

import streamlit as st
from streamlit import config
from streamlit.web.server.server_util import allowlisted_origins
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

LOOPBACK = ("localhost", "127.0.0.1", "::1")
# What proxies and tunnels add to a request that they pass on.
FORWARDING = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-server",
    "x-real-ip",
    "x-original-host",
    "true-client-ip",
    "cf-connecting-ip",
    "cf-ray",
    "fly-client-ip",
)


PROXY_VARIABLE = "RIVERBANK_PROXY"  # set by `explorer.workers`: "lan" where its proxy lets other computers in


def shared() -> bool:
    """Whether the server answers other computers, directly or through `explorer.workers`."""
    return config.get_option("server.address") not in LOOPBACK or os.environ.get(PROXY_VARIABLE) == "lan"


def base() -> str:
    """What all addresses begin with, as `server.baseUrlPath` has it: "/riverbank", or ""."""
    path = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def base_of(url: str) -> str:
    """What all addresses begin with for whoever visits a page at `url`: `base`, or what a proxy takes off.

    >>> base_of("https://school.example.org/course/demo/masked"), base_of("http://localhost:8501/")
    ('/course/demo', '')
    """
    path = urlsplit(url).path
    return base() if path.rstrip("/") == base() else path.rpartition("/")[0]


def visited_base() -> str:
    """`base_of` the page that is open."""
    return base_of(st.context.url or "")


def name(host: str) -> str:
    """The name in a `Host` header, without its port; "" if it has none.

    >>> name("localhost:8501"), name("[::1]:8501"), name("a b@c")
    ('localhost', '::1', '')
    """
    try:
        parts = urlsplit(f"//{host}")
        plain = not (parts.path or parts.query or parts.fragment or "@" in host or " " in host)
        return (parts.hostname or "").rstrip(".") if plain else ""
    except ValueError:
        return ""


def is_known(host: str) -> bool:
    """Whether the server answers to the name in a `Host` header.

    It answers to those in `server.allowedHosts`, if any are set. Otherwise it answers to this computer's
    own names and, if it is shared, to any IP address: DNS cannot make an IP address lead elsewhere.
    """
    hostname = name(host)
    if hostname in LOOPBACK:
        return True
    if config.get_option("server.allowedHosts"):
        return is_host_allowed(host)
    return shared() and (_is_number(hostname) or hostname in _own_names())


def same_site(origin: str | None, host: str) -> bool:
    """Whether a connection comes from a page of this server, or from one in `server.corsAllowedOrigins`.

    Programs other than browsers send no origin.
    """
    if origin is None or urlsplit(origin).netloc == host or not config.get_option("server.enableCORS"):
        return True
    return origin in allowlisted_origins()


def at_this_computer(headers: Mapping[str, str]) -> bool:
    """Whether a request comes from a browser on this computer, and through no proxy."""
    hosts = [headers.get("host", "localhost"), urlsplit(headers.get("origin", "//localhost")).netloc]
    return not any(header in headers for header in FORWARDING) and all(
        name(host) in LOOPBACK for host in hosts
    )


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@cache
def _own_names() -> frozenset[str]:
    """The names of this computer, as far as it knows them without asking the network."""
    own = socket.gethostname().lower()
    short = own.partition(".")[0]
    return frozenset({own, short, f"{short}.local", str(config.get_option("server.address")).lower()} - {""})
