"""A way to the server that can be cut and joined again, as a network is."""

import contextlib
import socket
import threading


class Cable:
    """Listens on a free port and passes bytes on to the server's; cut, it answers nobody."""

    def __init__(self, to: int) -> None:
        self.to, self.whole = to, threading.Event()
        self.whole.set()
        self.ends: list[socket.socket] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        """End all connections; new ones end at once."""
        self.whole.clear()
        for end in self.ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.ends.clear()

    def join(self) -> None:
        """Let new connections through again."""
        self.whole.set()

    def close(self) -> None:
        """End for good."""
        self.cut()
        self.listener.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _ = self.listener.accept()
                if not self.whole.is_set():
                    here.close()
                    continue
                there = socket.create_connection(("127.0.0.1", self.to))
                self.ends += [here, there]
                for source, sink in ((here, there), (there, here)):
                    threading.Thread(target=_pass, args=(source, sink), daemon=True).start()


def _pass(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            sink.sendall(data)
    for end in (source, sink):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
