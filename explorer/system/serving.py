"""What our servers have in common: the address at which others reach them, and how they are told to end."""

import signal
import socket
from contextlib import suppress


def in_network() -> str:
    """This computer's address in the local network; "" where it is in none. Nothing is sent for that."""
    addresses = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # asks no more than by which way it would go
        addresses.append(probe.getsockname()[0])
    with suppress(OSError):  # the hotspot of a laptop that is not online itself
        addresses += socket.gethostbyname_ex(socket.gethostname())[2]
    return next((each for each in addresses if not each.startswith("127.")), "")


def end_by_signals() -> None:
    """From now on SIGTERM, and SIGHUP where the terminal is closed, end the program as Ctrl+C does."""
    for name in ("SIGTERM", "SIGHUP"):
        if number := getattr(signal, name, None):  # Windows lacks the latter
            signal.signal(number, signal.default_int_handler)
