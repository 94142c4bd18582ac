"""Models behind Ray Serve, on the one small cluster of all tests with Ray."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

import explorer
from explorer.analysis.generation import Sampling, generate
from explorer.errors import BusyError, NotFoundError
from explorer.trace import Capture
from tests.model_server.test_remote import same
from tests.model_server.test_writing import same_steps

ray = pytest.importorskip("ray")
pytestmark = [pytest.mark.scale, pytest.mark.xdist_group("ray"), pytest.mark.timeout(120)]

LONG = Sampling(seed=4, max_new_tokens=200)
PATIENCE = 60  # seconds for a process of Ray's to start, on a busy machine


@pytest.fixture
def far_bert(cluster):
    return explorer.load("serve:" + "/".join(cluster))


@pytest.fixture
def far_gpt(cluster):
    return explorer.load(f"serve:{cluster[0]}/gpt")


@pytest.fixture(scope="module")
def near_gpt():
    return explorer.load("gpt")


def replicas(name="gpt"):
    """How many answer."""
    from ray import serve

    states = serve.status().applications[name].deployments[name].replica_states
    return states.get("RUNNING", 0)


def wait_for(condition, seconds=PATIENCE):
    """Wait until something holds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.1)


def kill():
    """End all replicas of the GPT, as machines that fail would."""
    for actor in ray.util.list_named_actors(all_namespaces=True):
        if actor["name"].startswith("SERVE_REPLICA::gpt#"):
            ray.kill(ray.get_actor(actor["name"], namespace=actor["namespace"]))


def test_traces_in_one_batch_with_those_of_others(far_bert, tiny_bert):
    texts = ["the bank", "the bank by the river", "we saw light on the water", "old", "it is deep"] * 3
    with ThreadPoolExecutor(len(texts)) as visitors:
        far = list(visitors.map(lambda text: far_bert.trace(text, capture=Capture.ALL), texts))
    for trace, text in zip(far, texts, strict=True):
        same(trace, tiny_bert.trace(text))
    same(far_bert.trace("the bank", "was old"), tiny_bert.trace("the bank", "was old"))


def test_the_same_text_for_a_seed(far_gpt, near_gpt):
    far, near = (generate(model, "The old river", LONG) for model in (far_gpt, near_gpt))
    same_steps(list(far), list(near))


def test_an_address_of_no_model(cluster):
    with pytest.raises(NotFoundError):
        explorer.load(f"serve:{cluster[0]}/roberta")


def test_a_replica_killed_in_the_middle_of_a_text(far_gpt, near_gpt):
    """The text goes on at another replica, and is the one that it would have been."""
    far, near = (generate(model, "The old river", LONG) for model in (far_gpt, near_gpt))
    steps = [next(far) for _ in range(5)]
    kill()
    same_steps([*steps, *far], list(near))


def test_a_replica_killed_in_the_middle_of_a_pass(far_gpt, near_gpt):
    ids = near_gpt.encode("The river and the old bank. " * 60).ids[None]
    rows = ids.repeat(24, 1)  # seconds of work
    with ThreadPoolExecutor(1) as visitor:
        far = visitor.submit(far_gpt.run, rows)
        time.sleep(0.5)
        assert not far.done()
        kill()
        last = far.result().last
    near = near_gpt.run(ids).last
    assert (last - near).abs().max() <= 1e-5 * near.abs().max()
    assert torch.equal(last[0], last[-1])


def test_replicas_come_and_go_with_the_work(far_gpt):
    """One, then two while many ask, then one again."""
    wait_for(lambda: replicas() == 1)
    enough = threading.Event()

    def ask():
        while not enough.is_set():
            for _ in generate(far_gpt, "The old river", LONG):
                if enough.is_set():
                    break

    with ThreadPoolExecutor(6) as visitors:
        for _ in range(6):
            visitors.submit(ask)
        try:
            wait_for(lambda: replicas() == 2)
        finally:
            enough.set()
    wait_for(lambda: replicas() == 1)


def test_more_than_the_line_holds_are_told_to_try_again(far_bert, tiny_bert):
    encodings = [tiny_bert.encode("the old bank by the river and the deep water " * 4)] * 60

    def ask(_):
        try:
            return far_bert.trace_encodings(encodings, Capture.HIDDEN)
        except BusyError as error:
            return error

    with ThreadPoolExecutor(40) as visitors:
        answers = list(visitors.map(ask, range(40)))
    refusals = [answer for answer in answers if isinstance(answer, BusyError)]
    assert refusals and "Try again" in refusals[0].hint
    assert len(refusals) < len(answers), "those in the line are served"
    far_bert.trace("the bank")


def test_who_leaves_gives_the_place_back(far_bert, far_gpt):
    """Streams that nobody reads would block a replica of 32 places for minutes."""
    for _ in range(40):
        generation = generate(far_gpt, "The old river", LONG, candidates=4000)
        next(generation)
        generation.close()
    assert next(generate(far_gpt, "The old river", LONG)).rank
