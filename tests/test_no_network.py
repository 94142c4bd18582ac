"""The guard in conftest holds: a test that asks for another computer is refused."""

import socket
from urllib.request import urlopen

import pytest


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("example.org", 443), ("2001:db8::1", 80, 0, 0)])
def test_other_computers_are_refused(address):
    kind = socket.AF_INET6 if len(address) == 4 else socket.AF_INET
    with socket.socket(kind) as client, pytest.raises(OSError, match="do not use the network"):
        client.connect(address)


def test_names_are_not_even_looked_up():
    with pytest.raises(OSError, match=r"example\.org"):
        urlopen("http://example.org/", timeout=5)


def test_this_computer_is_not_refused():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=5).close()
        left, right = socket.socketpair()
        left.close(), right.close()
