"""Models behind Ray Serve (https://docs.ray.io/en/latest/serve): replicas, each with batches of its own.

    client -> Ray's proxy -> a replica's application -> a batch -> one forward pass

Ray's proxy spreads requests over the replicas, and its queue has an end. Ray starts replicas as the load
demands, and replaces one that dies; the client sends a request that was lost with it again. Functions import
Ray themselves: the rest of Riverbank runs without it.
"""

import asyncio
import os
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI

from explorer.model_server.application import application
from explorer.model_server.batching import PassRequest, run_together
from explorer.model_server.served import ServedModel, name_in_address
from explorer.model_server.wire import Tensors

ONGOING = 32  # requests that a replica works on at once
QUEUED = 64  # requests that wait for a replica; one more is told to try again
BATCH_WAIT_S = 0.004
STREAM_S = 600
OBJECT_STORE = 80_000_000  # bytes; requests and answers do not go through Ray's object store


def start(
    models: Mapping[str, Mapping[str, Any]],
    replicas: int = 2,
    host: str = "127.0.0.1",
    port: int = 8000,
    token: str = "",
    cluster: str = "",
    gpus: float = 0,
) -> None:
    """Deploy the models; returns when all of them answer.

    Args:
        models: checkpoints, such as `bert` or `hub:...`, each with options of `serve.deployment` of its own.
        replicas: the most replicas of a model; Ray Serve begins with one and follows the load.
        host, port: where clients come in.
        token: what every request must show, "" for nothing.
        cluster: the address of a running Ray cluster, such as `auto`; "" starts one on this machine alone.
        gpus: a replica's share of a GPU, 0 to compute on the processor.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray import serve

    if cluster:
        ray.init(address=cluster, log_to_driver=False)
    elif not ray.is_initialized():
        ray.init(
            num_cpus=replicas * len(models) + 1,  # what Ray counts with, not what is used
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=OBJECT_STORE,
            _node_ip_address="127.0.0.1",
        )
    serve.start(
        proxy_location="EveryNode" if cluster else "HeadOnly",
        http_options={"host": host, "port": port, "request_timeout_s": STREAM_S},
    )
    settings: dict[str, Any] = {
        "autoscaling_config": {"min_replicas": 1, "max_replicas": replicas, "target_ongoing_requests": 4},
        "max_ongoing_requests": ONGOING,
        "max_queued_requests": QUEUED,
        "ray_actor_options": {"num_cpus": 1, "num_gpus": gpus},
        "logging_config": {"enable_access_log": False},
    }
    targets = []
    for checkpoint, options in models.items():
        name = name_in_address(checkpoint)
        replica = serve.deployment(_replica(), name=name, **settings | dict(options))
        targets.append(
            serve.RunTarget(replica.bind(checkpoint, token, gpus), name=name, route_prefix=f"/{name}")
        )
    serve.run_many(targets)


def _replica() -> type:
    """The class of a replica: one process with the model's weights."""
    from ray import serve

    @serve.ingress()  # Ray asks for the application once the model is loaded
    class Replica:
        def __init__(self, checkpoint: str, token: str, gpus: float) -> None:
            self.served, self.token = ServedModel.load(checkpoint), token
            if gpus:
                self.served.model.network.to("cuda")

        @serve.batch(max_batch_size=ONGOING, batch_wait_timeout_s=BATCH_WAIT_S)  # type: ignore[untyped-decorator]
        async def run(self, requests: list[PassRequest]) -> list[Tensors | Exception]:
            return await asyncio.to_thread(run_together, self.served.model, requests)

        def __serve_build_asgi_app__(self) -> FastAPI:
            return application(self.served, self.token, self.run)

    return Replica


def stop() -> None:
    """End all replicas, and the cluster if it is of this machine alone."""
    import ray
    from ray import serve

    serve.shutdown()
    ray.shutdown()
