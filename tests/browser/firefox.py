"""Look at every page in Firefox: `python -m tests.browser.firefox FOLDER [PAGE ...]` writes pictures there.

PAGE is an address as it follows the slash (`masked?view=sets`); without one, each page is drawn as it
opens and in presenter mode. Needs Firefox (Debian: `apt install firefox-esr`), and talks to it by
Marionette, the protocol that Firefox brings along.
"""

import base64
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from explorer.views.frame.navigation import pages
from explorer.workers.processes import free_port
from tests.browser.conftest import start_server
from tests.command import parser, size

SIZE = {"width": 1366, "height": 768 + 86}  # the window; Firefox keeps 86 px of it, headless too
PATIENCE = 60  # seconds
DRAWN = """
  const app = document.querySelector(".stApp");
  return app?.dataset.testScriptState === "notRunning" && document.querySelector(".st-key-picture") !== null;
"""


class Firefox:
    """A headless Firefox that is told what to do, one command after another."""

    def __init__(self, home: Path, dark: bool = False) -> None:
        port = free_port()
        preferences = {"marionette.port": port, "ui.systemUsesDarkTheme": int(dark)}
        lines = [f'user_pref("{name}", {json.dumps(value)});' for name, value in preferences.items()]
        (home / "user.js").write_text("\n".join(lines))
        program = shutil.which("firefox-esr") or shutil.which("firefox") or sys.exit("no Firefox found")
        command = [program, "--headless", "--marionette", "--profile", str(home)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = self._connect(port)
        self.number = 0
        self._receive()  # its greeting
        self("WebDriver:NewSession")
        self("WebDriver:SetWindowRect", **SIZE)

    def __call__(self, command: str, **parameters: Any) -> Any:
        """Send a command; its answer. Raises RuntimeError with Firefox's own words."""
        self.number += 1
        message = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, answer = self._receive()
        if error:
            raise RuntimeError(error["message"])
        return answer.get("value") if isinstance(answer, dict) else answer

    def picture(self, url: str, path: Path) -> None:
        """Draw a page, and save what is seen of it once it has settled."""
        self("WebDriver:Navigate", url=url)
        until = time.monotonic() + PATIENCE
        while not self("WebDriver:ExecuteScript", script=DRAWN, args=[]) and time.monotonic() < until:
            time.sleep(0.3)
        time.sleep(2.5)  # components draw a moment later
        path.write_bytes(base64.b64decode(self("WebDriver:TakeScreenshot", full=False)))

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(60)

    def _connect(self, port: int) -> socket.socket:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)

    def _receive(self) -> Any:
        size = b""
        while (one := self.socket.recv(1)) != b":":
            size += one
        text = b""
        while len(text) < int(size):
            text += self.socket.recv(int(size) - len(text))
        return json.loads(text)


def main() -> None:
    """The pictures of the addresses that are named, or of all pages."""
    p = parser("tests.browser.firefox", __doc__)
    p.add_argument("folder", type=Path, metavar="FOLDER", help="where the pictures go")
    p.add_argument("addresses", nargs="*", metavar="PAGE")
    options = p.parse_args()
    folder = options.folder
    names = ["" if page.name == "home" else page.name for page in pages()]
    addresses = options.addresses or [f"{name}{more}" for name in names for more in ("", "?present=1")]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        (profile := Path(home) / "profile").mkdir()
        server, url = start_server(Path(home))
        firefox = Firefox(profile)
        try:
            for address in addresses[: size(None, 1)]:
                name = "".join(c if c.isalnum() else "-" for c in address) or "home"
                firefox.picture(f"{url}/{address}", folder / f"{name}.png")
        finally:
            firefox.close()
            server.terminate()
            server.wait(10)


if __name__ == "__main__":
    main()
