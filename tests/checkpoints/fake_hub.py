"""A hub of our own on the loopback address: just enough of its HTTP to fetch a model from."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

from huggingface_hub import constants

LARGE = ".safetensors"  # kept apart and named by SHA-256, as the hub does with large files


@dataclass
class Repository:
    """Files at one commit. `refuse` is (status, error code) for files; `shown` changes a file in transit."""

    files: dict[str, bytes]
    revisions: tuple[str, ...] = ("main",)
    commit: str = "c0ffee" * 6 + "c0de"
    refuse: tuple[int, str] | None = None
    refuse_listing: tuple[int, str] | None = None
    sizes: dict[str, int] = field(default_factory=dict)
    in_transit: Callable[[str, bytes], bytes] | None = None

    @classmethod
    def of(cls, folder: Path, **settings) -> "Repository":
        """All files of a folder."""
        return cls({path.name: path.read_bytes() for path in sorted(folder.iterdir())}, **settings)

    def fingerprint(self, name: str) -> str:
        content = self.files[name]
        if name.endswith(LARGE):
            return hashlib.sha256(content).hexdigest()
        return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


class FakeHub:
    """The server; `requests` lists what was asked of it, `fetched` the files whose content went out."""

    def __init__(self) -> None:
        self.repositories: dict[str, Repository] = {}
        self.requests: list[str] = []
        self.fetched: list[str] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        """Stop answering: from now on nobody listens at the address."""
        self.server.shutdown()
        self.server.server_close()

    def _handler(hub):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer(send_content=True)

            def do_HEAD(self):
                self.answer(send_content=False)

            def answer(self, send_content: bool) -> None:
                path = unquote(urlsplit(self.path).path)
                hub.requests.append(f"{self.command} {path}")
                listing = path.startswith("/api/models/")
                name, _, rest = (
                    path.removeprefix("/api/models")
                    .strip("/")
                    .partition("/revision/" if listing else "/resolve/")
                )
                repository = hub.repositories.get(name)
                revision, _, file = (rest, "", "") if listing else rest.partition("/")
                if repository is None:
                    return self.refuse(404, "RepoNotFound")
                if (revision or "main") not in (*repository.revisions, repository.commit):
                    return self.refuse(404, "RevisionNotFound")
                if refusal := repository.refuse_listing if listing else repository.refuse:
                    return self.refuse(*refusal)
                if listing:
                    return self.send(json.dumps(self.listing(name, repository)).encode(), {}, True)
                if file not in repository.files:
                    return self.refuse(404, "EntryNotFound", {"X-Repo-Commit": repository.commit})
                content = repository.files[file]
                headers = {"X-Repo-Commit": repository.commit, "ETag": f'"{repository.fingerprint(file)}"'}
                headers["X-Linked-Size"] = str(len(content))
                if repository.in_transit and send_content:
                    content = repository.in_transit(file, content)
                if send_content:
                    hub.fetched.append(file)
                return self.send(content, headers, send_content)

            def listing(self, name: str, repository: Repository) -> dict:
                siblings = [
                    {
                        "rfilename": file,
                        "size": repository.sizes.get(file, len(content)),
                        "blobId": repository.fingerprint(file),
                    }
                    for file, content in repository.files.items()
                ]
                return {"id": name, "modelId": name, "sha": repository.commit, "siblings": siblings}

            def refuse(self, status: int, code: str, headers: dict[str, str] | None = None) -> None:
                self.send(b"{}", {"X-Error-Code": code, **(headers or {})}, self.command == "GET", status)

            def send(self, content: bytes, headers: dict[str, str], body: bool, status: int = 200) -> None:
                self.send_response(status)
                for key, value in {**headers, "Content-Length": str(len(content))}.items():
                    self.send_header(key, value)
                self.end_headers()
                if body:
                    self.wfile.write(content)

            def log_message(self, *arguments) -> None:
                pass

        return Handler


def store(name: str) -> Path:
    """Where the cache keeps a repository."""
    return Path(constants.HF_HUB_CACHE) / f"models--{name.replace('/', '--')}"
