"""What our servers have in common: the address at which others reach them, and how they are told to end."""

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from types import FrameType


def in_network() -> str:
    """This computer's address in the local network; "" where it is in none. Nothing is sent for that."""
    addresses = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # asks no more than by which way it would go
        addresses.append(probe.getsockname()[0])
    with suppress(OSError):  # the hotspot of a laptop that is not online itself
        addresses += socket.gethostbyname_ex(socket.gethostname())[2]
    return next((each for each in addresses if not each.startswith("127.")), "")


def end_by_signals() -> Callable[[], None]:
    """From now on SIGTERM, and SIGHUP where the terminal is closed, end the program as Ctrl+C does.

    A server takes SIGTERM over and finishes its answers. So SIGHUP is sent on as SIGTERM: what it raised
    in the middle of an answer would be taken for that answer's own error, and the server would stay.

    Gives a function that raises KeyboardInterrupt if a signal has come and what it raised was lost: PyTorch
    goes on when its import of numpy was interrupted.
    """
    came: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        came.append(number)
        raise KeyboardInterrupt

    def check() -> None:
        if came:
            raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where a shell has it ignored
        signal.signal(signal.SIGINT, end)
    if hangup := getattr(signal, "SIGHUP", None):  # Windows lacks it
        signal.signal(hangup, lambda *_: signal.raise_signal(signal.SIGTERM))
    return check
