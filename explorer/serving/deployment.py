"""Models behind Ray Serve: replicas between bounds, each making several requests' passes as one.

    browser -> Riverbank -> Ray's proxy -> a replica of the model -> a batch -> one pass

Ray's proxy spreads requests over the replicas and holds a bounded queue; one more is told to try again.
A replica that dies is started anew, and what it was about is asked for again by the client: nothing at a
server changes by a request. https://docs.ray.io/en/latest/serve/

Ray is imported by the functions alone: the rest of Riverbank runs without it.
"""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from explorer.errors import ExplorerError, at_least_one
from explorer.serving.batching import Asked, run_together, together
from explorer.serving.handler import Answer, Handler
from explorer.serving.protocol import Limits
from explorer.serving.served import Served, place_of

OBJECT_STORE = 80_000_000  # bytes: bodies go by HTTP, Ray's own store holds next to nothing
LEAST_LOOK_S = 10  # how often Ray Serve's processes tell each other their load: it takes no shorter look back


@dataclass(frozen=True)
class Plan:
    """How one model is served.

    `fewest` and `most` replicas; Ray adds one where more than `target` requests a replica are under way
    for `up_s` seconds, and takes one away where fewer are for `down_s`, counted over the last `look_s`
    (more than LEAST_LOOK_S). `queued` requests wait at the proxy beside the `ongoing` of each replica.
    Passes that come within `wait_s` are made as one, of `tokens` tokens at most; 0 makes each alone.
    `gpus` is a replica's share of a card, `threads` of the processor are for one pass.
    """

    checkpoint: str
    fewest: int = 1
    most: int = 2
    target: float = 4
    up_s: float = 5
    down_s: float = 60
    look_s: float = 15
    ongoing: int = 32
    queued: int = 64
    tokens: int = 512
    wait_s: float = 0.004
    threads: int = 1
    cpus: float = 1
    gpus: float = 0
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        at_least_one(fewest=self.fewest, most=self.most, ongoing=self.ongoing, queued=self.queued)
        if self.fewest > self.most:
            raise ExplorerError(
                f"{self.fewest} replicas are more than {self.most}.", "Give the bounds in order."
            )
        if self.look_s <= LEAST_LOOK_S:
            raise ExplorerError(
                f"look_s is {self.look_s:g}.", f"Ray Serve counts over more than {LEAST_LOOK_S} s."
            )

    @property
    def name(self) -> str:
        """The model's place in the address."""
        return place_of(self.checkpoint)


class Replica:
    """One process with the model's weights. Ray makes it, and asks it for the application that answers."""

    def __init__(self, plan: Plan, token: str) -> None:
        from ray import serve

        torch.set_num_threads(plan.threads)
        served = Served.load(plan.checkpoint, replace(plan.limits, ongoing=plan.ongoing))
        if plan.gpus:
            served.model.network.to("cuda")
        make = None

        async def batched(passes: list[Asked]) -> list[Answer | Exception]:
            return await asyncio.to_thread(_made, served, passes, plan.tokens)

        if plan.tokens:
            grouped = serve.batch(max_batch_size=plan.ongoing, batch_wait_timeout_s=plan.wait_s)(batched)

            async def make(one: Asked) -> Answer:
                found: Answer | Exception = await grouped(one)
                if isinstance(found, Exception):
                    raise found
                return found

        context = serve.get_replica_context()
        self._handler = Handler(served, make, token, context.replica_id.to_full_id_str())

    def __serve_build_asgi_app__(self) -> Handler:
        """The application, as Ray Serve asks for it."""
        return self._handler


def _made(served: Served, passes: Sequence[Asked], most: int) -> list[Answer | Exception]:
    """Passes of any kind, those of one kind and of like length together; an error stays with its group."""
    found: dict[int, Answer | Exception] = {}
    for group in together(passes, most):
        try:
            answers: Sequence[Answer | Exception] = run_together(served.model, [passes[i] for i in group])
        except Exception as error:
            answers = [error] * len(group)
        found.update(zip(group, answers, strict=True))
    return [found[i] for i in range(len(passes))]


def start(
    plans: Sequence[Plan], host: str = "127.0.0.1", port: int = 8000, token: str = "", cluster: str = ""
) -> None:
    """Deploy the models, on a cluster that runs (`cluster`, such as `auto`) or on one of this machine alone.

    Returns when all of them answer. Nothing about its use is sent to Ray's makers, and there is no dashboard.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray import serve

    if cluster:
        ray.init(address=cluster, log_to_driver=False)
    elif not ray.is_initialized():
        ray.init(
            # As many as the bounds allow for: what a replica takes of the machine is up to its threads.
            num_cpus=int(sum(plan.most * plan.cpus for plan in plans)) + 1,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=OBJECT_STORE,
            _node_ip_address="127.0.0.1",
        )
    serve.start(
        proxy_location="EveryNode" if cluster else "HeadOnly", http_options={"host": host, "port": port}
    )
    serve.run_many([_target(plan, token) for plan in plans])


def _target(plan: Plan, token: str) -> Any:
    """One model's deployment, as Ray Serve takes it."""
    from ray import serve

    scaling = {
        "min_replicas": plan.fewest,
        "max_replicas": plan.most,
        "target_ongoing_requests": plan.target,
        "upscale_delay_s": plan.up_s,
        "downscale_delay_s": plan.down_s,
        "look_back_period_s": plan.look_s,
    }
    deployment: Any = serve.deployment(
        serve.ingress()(Replica),
        name=plan.name,
        autoscaling_config=scaling,
        max_ongoing_requests=plan.ongoing,
        max_queued_requests=plan.queued,
        ray_actor_options={"num_cpus": plan.cpus, "num_gpus": plan.gpus},
        logging_config={"enable_access_log": False},
    )
    return serve.RunTarget(deployment.bind(plan, token), name=plan.name, route_prefix=f"/{plan.name}")


def stop() -> None:
    """End all replicas, and the cluster where it is of this machine alone."""
    import ray
    from ray import serve

    serve.shutdown()
    ray.shutdown()
