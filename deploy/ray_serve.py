"""Served models behind Ray Serve: replicas of one model, on as many machines as Ray has (docs/scale.md).

serve run deploy.ray_serve:build model=gpt replicas=2 --route-prefix /gpt
explorer.load("serve:http://127.0.0.1:8000/gpt")
"""

import os

from fastapi import FastAPI
from ray import serve


def build(args: dict[str, str]) -> serve.Application:
    """The application of `model`; `cpus` and `gpus` are what each of the `replicas` gets."""
    name, cpus = args["model"], float(args.get("cpus", "1"))
    resources = {"num_cpus": cpus, "num_gpus": float(args.get("gpus", "0"))}

    def load() -> FastAPI:  # on the replica: neither weights nor threads can be sent there
        import torch

        from explorer.model_server.application import application
        from explorer.model_server.served import ServedModel
        from explorer.model_server.wire import TOKEN_VARIABLE
        from explorer.system.logs import keep_texts_out

        if resources["num_gpus"]:
            os.environ.setdefault("RIVERBANK_DEVICE", "cuda")
        torch.set_num_threads(max(1, int(cpus)))
        keep_texts_out()
        return application(ServedModel.load(name), os.environ.get(TOKEN_VARIABLE, ""))

    # Ray's own limit of five requests a replica would let only five texts share a step.
    @serve.deployment(
        num_replicas=int(args.get("replicas", "1")), ray_actor_options=resources, max_ongoing_requests=64
    )
    @serve.ingress(load)
    class Model:
        pass

    return Model.bind()
