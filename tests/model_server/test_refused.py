"""What can go wrong between two machines is said in one clear line, and nothing is lost by it."""

import json
import re
import socket
import threading
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import takewhile

import pytest
import torch

import explorer
from explorer.analysis.generation import Sampling, generate
from explorer.errors import (
    AbilityError,
    BusyError,
    CheckpointError,
    ExplorerError,
    FormatError,
    NetworkError,
    NotFoundError,
    SizeError,
    TokenError,
)
from explorer.model_server import application, client, served, wire
from explorer.model_server.passes import PassRequest, run
from explorer.model_server.served import ServedModel
from explorer.model_server.wire import Description, pack, unpack
from explorer.trace import Capture
from explorer.workers.processes import free_port
from tests.model_server.conftest import running
from tests.waiting import until

DESCRIPTION = Description(
    name="gpt", fingerprint="", config={}, abilities=[], heads=[], causal=True, ends=[], card=""
)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(client, "PAUSES", (0.0, 0.0))


@contextmanager
def saying(*answers):
    """A server that gives these bytes for the first, the second, ... request, then the last again."""
    requests = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve():
            while True:
                try:
                    client, _ = listening.accept()
                except OSError:
                    return
                with client, client.makefile("rb") as request:  # read whole: head and body come in parts
                    head = b"".join(takewhile(lambda line: line != b"\r\n", request))
                    length = re.search(rb"(?i)content-length: (\d+)", head)
                    requests.append(head + request.read(int(length[1]) if length else 0))
                    client.sendall(answers[min(len(requests), len(answers)) - 1])

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", requests
        listening.shutdown(socket.SHUT_RDWR)


def answer(content, status="200 OK", length=None):
    content = content if isinstance(content, bytes) else json.dumps(content).encode()
    head = f"HTTP/1.1 {status}\r\ncontent-length: {length or len(content)}\r\nconnection: close\r\n\r\n"
    return head.encode() + content


def refused(name, kind=CheckpointError):
    with pytest.raises(kind) as error:
        explorer.load(name)
    assert error.value.hint, "and what to do"
    return error.value


def test_a_dead_address():
    at = f"serve:http://127.0.0.1:{free_port()}/bert"
    assert "Nothing answers at" in refused(at, NetworkError).message


@pytest.mark.parametrize(
    "place",
    [
        "host/bert",
        "http://host",
        "http://host/",
        "ftp://h/b",
        "http://u:p@h/b",
        "http://h/b?q",
        "http://h:x/b",
    ],
)
def test_what_is_no_address(place):
    assert "is no address" in refused(f"serve:{place}", NotFoundError).message


def test_a_server_of_another_version():
    with saying(answer(pack({}, {"version": 99, "name": "bert"}))) as (at, _):
        assert "speaks version 99" in refused(f"serve:{at}/bert").message


@pytest.mark.parametrize(
    "content", [b"<html>hello", b"[]", pack({}, {"name": "bert"}), pack({}, {"version": [1]})]
)
def test_something_else_that_answers(content):
    with saying(answer(content)) as (at, _):
        assert "is not one of Riverbank's" in refused(f"serve:{at}/bert", FormatError).message


def test_another_model_than_named(address):
    error = refused(f"serve:{address}/roberta", NotFoundError)
    assert "no model “roberta”" in error.message and "bert, gpt" in error.hint
    with saying(answer(pack({}, dict(DESCRIPTION)))) as (at, _):
        assert "answers for another model, “gpt”" in refused(f"serve:{at}/bert", NotFoundError).message


def test_other_weights_than_at_connect(address, tiny_bert):
    far = explorer.load(f"serve:{address}/bert")
    far.network.client.model = "0" * 32
    with pytest.raises(CheckpointError, match="has changed since it was loaded"):
        far.trace("the bank")


def test_a_body_cut_short_is_asked_for_again(far_bert, tiny_bert, monkeypatch):
    """Twice cut short and once whole is an answer; cut short every time is a clear line."""
    remote = far_bert.network.client
    ids = tiny_bert.encode("the bank").ids[None]
    whole = pack({"last": torch.ones(1, 4, 35)})
    cut = answer(whole[:-50], length=len(whole))
    with saying(cut, cut, answer(whole)) as (at, requests):
        monkeypatch.setattr(remote, "address", at)
        assert far_bert.run(ids).last.shape == (1, 4, 35) and len(requests) == 3
    with saying(cut) as (at, requests):
        monkeypatch.setattr(remote, "address", at)
        with pytest.raises(NetworkError, match="broke off in the middle"):
            far_bert.run(ids)
        assert len(requests) == 3


def test_a_body_that_was_changed_on_its_way(far_bert, tiny_bert, monkeypatch):
    whole = pack({"last": torch.ones(1, 4, 35)})
    for bad in (whole[:-7], b"", b"\xff" * 64, whole.replace(b"F32", b"F99"), pack({"other": torch.ones(2)})):
        with saying(answer(bad)) as (at, _):
            monkeypatch.setattr(far_bert.network.client, "address", at)
            with pytest.raises(FormatError):
                far_bert.run(tiny_bert.encode("the bank").ids[None])


def test_a_stream_without_its_end(far_gpt, monkeypatch):
    with saying(answer(b"")) as (at, requests):
        monkeypatch.setattr(far_gpt.network.client, "address", at)
        with pytest.raises(NetworkError, match="broke off"):
            next(generate(far_gpt, "the bank", Sampling()))
        assert len(requests) == 3


@pytest.mark.parametrize("line", [b"a", b"abc=", b64encode(pack({})), b64encode(pack({}, {"best": [1]}))])
def test_a_stream_of_something_else(far_gpt, monkeypatch, line):
    with saying(answer(line + b"\n")) as (at, _):
        monkeypatch.setattr(far_gpt.network.client, "address", at)
        with pytest.raises(FormatError) as error:
            next(generate(far_gpt, "the bank", Sampling()))
    assert "Try again" in error.value.hint


def test_too_much_at_once(served_bert, monkeypatch):
    monkeypatch.setattr(served, "MAX_TOKENS", 20)
    monkeypatch.setattr(application, "REQUEST_MB", 0.01)
    with running(served_bert) as address:
        far = explorer.load(f"serve:{address}/bert")
        assert far.trace("the bank").logits is not None
        with pytest.raises(SizeError, match="reads 20 tokens at once"):
            list(far.trace_many(["the bank by the river"] * 9))
        with pytest.raises(SizeError, match="so large"):
            far.unembed(torch.ones(90, 35))
        monkeypatch.setattr(wire, "ANSWER_MB", 0.001)
        with pytest.raises(SizeError, match="answer of"):
            far.trace("the bank")


@pytest.mark.parametrize("capture", Capture)
def test_an_answer_too_large_is_not_computed(served_bert, far_bert, tiny_bert, monkeypatch, capture):
    ids = tiny_bert.encode("the bank by the river").ids[None]
    request = PassRequest.parse({"ids": ids}, {"capture": capture.value})
    sent = sum(tensor.nbytes for tensor in run(tiny_bert, request).values())
    scores = tiny_bert.unembed(hidden := torch.ones(9, 35, dtype=torch.float64).float())
    torch.testing.assert_close(far_bert.unembed(hidden.double()), scores)
    monkeypatch.setattr(served, "ANSWER_MB", sent / wire.MB)
    served_bert.check_pass(request)
    monkeypatch.setattr(served, "ANSWER_MB", (sent - 4) / wire.MB)
    with pytest.raises(SizeError, match="at most"):
        served_bert.check_pass(request)
    monkeypatch.setattr(served, "ANSWER_MB", scores.nbytes / wire.MB)
    far_bert.unembed(hidden)
    with pytest.raises(SizeError, match="at most"):
        far_bert.unembed(torch.ones(10, 35))


def test_a_busy_server_says_try_again(served_bert, monkeypatch):
    monkeypatch.setattr(application, "CONNECTIONS", 8)
    with running(served_bert) as at:
        connections = [connection_to(at) for _ in range(8)]
        assert "Try again" in refused(f"serve:{at}/bert", BusyError).hint
        for connection in connections:
            connection.close()
        until(lambda: not is_busy(f"serve:{at}/bert"))  # it has yet to hear that they are closed


def test_a_connection_that_falls_silent_gives_its_place_back_and_a_long_pass_does_not(
    tiny_bert, bert_folder, monkeypatch
):
    begun, go_on, forward = threading.Event(), threading.Event(), tiny_bert.network.forward

    def slow(*args, **options):
        begun.set()
        assert go_on.wait(60)
        return forward(*args, **options)

    monkeypatch.setattr(tiny_bert.network, "forward", slow)
    monkeypatch.setattr(application, "SILENCE_S", 2.0)
    with running(ServedModel("bert", tiny_bert, bert_folder)) as at, ThreadPoolExecutor(1) as pool:
        trace = pool.submit(explorer.load(f"serve:{at}/bert").trace, "the bank")
        assert begun.wait(60)
        head = b"POST /bert/run HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"
        silent = [connection_to(at) for _ in range(7)]
        for connection, sent in zip(silent, [b"", head[:9], head + b"four"] * 3):
            connection.sendall(sent)
        for connection in silent:
            assert connection.recv(9) == b""  # closed by the server
            connection.close()
        go_on.set()
        assert trace.result(60).tokens == ["[CLS]", "the", "bank", "[SEP]"]


def is_busy(name: str) -> bool:
    try:
        explorer.load(name).trace("the bank")
    except BusyError:
        return True
    return False


def connection_to(address: str) -> socket.socket:
    return socket.create_connection(address.removeprefix("http://").split(":"), timeout=20)


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory")])
def test_a_server_out_of_memory(tiny_bert, bert_folder, monkeypatch, error):
    served = ServedModel("bert", tiny_bert, bert_folder)

    def full(*_, **__):
        raise error

    monkeypatch.setattr(tiny_bert.network, "forward", full)
    with running(served) as at:
        far = explorer.load(f"serve:{at}/bert")
        with pytest.raises(SizeError, match="too little memory"):
            far.trace("the bank")


def test_a_failure_of_the_server_tells_nothing_of_its_inside(tiny_bert, bert_folder, monkeypatch, caplog):
    def broken(*_, **__):
        raise ValueError("secret inside")

    monkeypatch.setattr(tiny_bert.network, "forward", broken)
    with running(ServedModel("bert", tiny_bert, bert_folder)) as at, pytest.raises(ExplorerError) as error:
        explorer.load(f"serve:{at}/bert").trace("the bank")
    assert "failed on this request" in error.value.message and "secret" not in str(error.value)


def test_a_token_where_one_is_set(tiny_bert, bert_folder, monkeypatch):
    monkeypatch.delenv(wire.TOKENS_VARIABLE, raising=False)
    with running(ServedModel("bert", tiny_bert, bert_folder), token="s3cret") as at:
        error = refused(f"serve:{at}/bert")
        assert "needs a token" in error.message and wire.TOKENS_VARIABLE in error.hint
        assert isinstance(error, TokenError)
        place = at.removeprefix("http://")
        monkeypatch.setenv(wire.TOKENS_VARIABLE, f"{place}=wrong")
        refused(f"serve:{at}/bert")
        monkeypatch.setenv(wire.TOKENS_VARIABLE, f"other:1=x {place}=s3cret")
        explorer.load(f"serve:{at}/bert").trace("the bank")


def test_without_the_token_no_body_is_waited_for_and_no_model_is_named(tiny_bert, bert_folder):
    with running(ServedModel("bert", tiny_bert, bert_folder), token="s3cret") as at:
        host, port = at.removeprefix("http://").split(":")
        for path, length in (("bert/run", 200_000_000), ("no-such-model/run", 0)):
            with socket.create_connection((host, int(port)), timeout=20) as stranger:
                head = f"POST /{path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n"
                stranger.sendall(head.encode())
                answer = stranger.makefile(encoding="utf-8").read()
            assert answer.startswith("HTTP/1.1 401") and "needs a token" in answer and "It has" not in answer


def test_a_token_goes_to_its_own_server_only(monkeypatch):
    monkeypatch.setenv(wire.TOKENS_VARIABLE, "gpu.lab:8000=s3cret")
    with saying(answer({}, "302 Found")) as (at, requests):
        refused(f"serve:{at}/bert")
        assert b"s3cret" not in b"".join(requests)
    monkeypatch.setenv(wire.TOKENS_VARIABLE, "gpu.lab:80=s3cret")
    assert wire.token_for("gpu.lab:8000") == "" and wire.token_for("gpu.lab:80") == "s3cret"


def test_a_server_does_not_send_us_to_another():
    with (
        saying(answer({})) as (elsewhere, requests),
        saying(answer({}, f"302 Found\r\nlocation: {elsewhere}/bert")) as (at, _),
    ):
        refused(f"serve:{at}/bert")
        assert not requests


def test_free_addresses_are_off_on_a_shared_server(address, monkeypatch):
    monkeypatch.setenv("RIVERBANK_OPEN_SOURCES", "0")
    with saying(answer({})) as (at, requests):
        assert "are off here" in refused(f"serve:{at}/bert").message and not requests
    monkeypatch.setenv("RIVERBANK_OPEN_SOURCES", "1")
    explorer.load(f"serve:{address}/bert")


BAD = [
    ("run", {}, {"capture": 0}),
    ("run", {"ids": torch.tensor([[1, 97]])}, {"capture": 0}),
    ("run", {"ids": torch.tensor([[1, -1]])}, {"capture": 0}),
    ("run", {"ids": torch.ones(1, 2)}, {"capture": 0}),
    ("run", {"ids": torch.ones(1, 2, 3).long()}, {"capture": 0}),
    ("run", {"ids": torch.ones(1, 62).long()}, {"capture": 0}),
    ("run", {"ids": torch.ones(1, 2).long(), "segments": torch.full((1, 2), 2)}, {"capture": 0}),
    ("run", {"ids": torch.ones(1, 2).long(), "mask": torch.ones(1, 2)}, {"capture": 0}),
    ("run", {"ids": torch.ones(1, 2).long(), "at": torch.full((1, 2), 2)}, {"capture": 0}),
    ("run", {"ids": torch.ones(1, 2).long()}, {"capture": 99}),
    ("run", {"ids": torch.ones(1, 2).long()}, {}),
    ("head", {"hidden": torch.ones(1, 35)}, {"head": "__class__"}),
    ("head", {"hidden": torch.ones(1, 35)}, {"head": []}),
    ("head", {"hidden": torch.ones(1, 34)}, {"head": "unembed"}),
    ("head", {"hidden": torch.ones(1, 35)}, {"head": "detect"}),
    ("head", {"hidden": torch.ones(35)}, {"head": "next_sentence"}),
    ("head", {"hidden": torch.ones(1, 0, 35)}, {"head": "next_sentence"}),
    ("head", {"hidden": torch.ones(1, 35)}, {"head": "\ud800\n\x1b[2J"}),
    ("__init__", {}, {}),
]


@pytest.mark.parametrize(("operation", "tensors", "facts"), BAD)
def test_requests_that_no_client_of_ours_sends(address, operation, tensors, facts):
    far = client.Client(f"{address}/bert")
    with pytest.raises(ExplorerError) as error:
        far.ask(operation, tensors, facts)
    assert "failed on this request" not in error.value.message and error.value.hint
    assert str(error.value).isprintable()


def test_no_body_and_a_body_of_json_are_refused_in_a_line(address):
    for headers, body in (("", ""), ("Content-Type: application/json\r\n", "{}")):
        with connection_to(address) as stranger:
            head = f"POST /bert/run HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}"
            stranger.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
            said = stranger.makefile(encoding="utf-8").read()
        assert said.startswith("HTTP/1.1 400") and "not what Riverbank sends" in said and "hint" in said


def test_what_is_no_http_after_an_answer_ends_the_connection_without_a_traceback(address, caplog):
    with connection_to(address) as stranger:
        head = b"POST /nothing/run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        stranger.sendall(head + b"4\r\nfour\r\n")
        assert stranger.recv(9999).startswith(b"HTTP/1.1 404")
        stranger.sendall(b"no length\r\n")
        with suppress(ConnectionResetError):
            while stranger.recv(9999):
                pass
    assert not [record for record in caplog.records if record.exc_info or record.exc_text]


@pytest.mark.parametrize(
    "changes",
    [
        {"ids": []},
        {"ids": [1, 293]},
        {"ids": [1, -1]},
        {"ids": [1] * 67},
        {"ids": "1"},
        {"ids": [2**63]},
        {"draws": [1.0]},
        {"draws": [float("nan")]},
        {"draws": None},
        {"draws": []},
        {"sampling": {"x": 1}},
        {"sampling": {"temperature": None}},
        {"sampling": {"top_k": -3}},
        {"sampling": {"top_k": 2.5}},
        {"sampling": {"greedy": 1}},
        {"candidates": 10**9},
        {"candidates": 10**30},
        {"candidates": "2"},
        {"more": 1},
    ],
)
def test_texts_that_no_client_of_ours_sends(address, changes):
    request = {"ids": [1], "draws": [0.5, 0.5], "sampling": {}, "candidates": 1}
    steps = client.Client(f"{address}/gpt").stream("write", json.dumps(request).encode())
    assert next(steps)[1]["best"]
    steps = client.Client(f"{address}/gpt").stream("write", json.dumps(request | changes).encode())
    with pytest.raises(ExplorerError) as error:
        next(steps)
    assert "failed on this request" not in error.value.message and error.value.hint


def test_a_model_that_does_not_write(address):
    request = {"ids": [1], "draws": [0.5], "sampling": {}, "candidates": 1}
    with pytest.raises(AbilityError, match="cannot continue a text"):
        next(client.Client(f"{address}/bert").stream("write", json.dumps(request).encode()))


def test_a_body_survives_the_way():
    tensors = {"a": torch.randn(2, 3).T, "b": torch.tensor([True, False]), "c": torch.zeros(0, 3)}
    copies, facts = unpack(pack(tensors, {"x": [1, "two", None]}))
    assert facts == {"x": [1, "two", None]} and all(torch.equal(copies[n], t) for n, t in tensors.items())


def test_pickles_are_not_opened(tmp_path):
    torch.save({"a": torch.ones(2)}, tmp_path / "body")
    with pytest.raises(FormatError):
        unpack((tmp_path / "body").read_bytes())


def test_a_table_of_vectors_is_not_served():
    with pytest.raises(ExplorerError, match="table of vectors"):
        ServedModel.load("word2vec")


def test_a_translator_is_served_without_its_decoder(tiny_marian, marian_folder):
    from explorer.trace import Ability

    with running(ServedModel("translator", tiny_marian, marian_folder)) as at:
        far = explorer.load(f"serve:{at}/translator")
    assert far.abilities == replace(tiny_marian).abilities & ~Ability.TRANSLATE
