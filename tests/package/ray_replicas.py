"""Two replicas of `gpt` behind a real Ray write as the model here does.

python -m tests.package.ray_replicas PORT     of this computer, on which nobody listens
"""

import os
import sys

import explorer
from explorer.analysis.generation import Sampling, generate
from explorer.assets import CHECKOUT
from tests.command import parser

NOT_STARTED = 77  # the exit status if Ray itself did not start


def main(port: int) -> None:
    """Start Ray with both replicas, compare four texts, and end it."""
    import ray
    from ray import serve

    from deploy.ray_serve import build

    os.environ |= {"PYTHONPATH": str(CHECKOUT), "RAY_USAGE_STATS_ENABLED": "0"}
    try:
        ray.init(num_cpus=3, include_dashboard=False)
        serve.start(http_options={"host": "127.0.0.1", "port": port})
    except Exception as error:  # it waits 15 and 30 seconds for its own parts, whatever the machine does
        print(error)
        sys.exit(NOT_STARTED)
    serve.run(build({"model": "gpt", "replicas": "2"}), route_prefix="/gpt")
    far, near = explorer.load(f"serve:http://127.0.0.1:{port}/gpt"), explorer.load("gpt")
    for seed in range(4):
        sampling = Sampling(seed=seed, max_new_tokens=8)
        texts = [[step.id for step in generate(model, "Once", sampling)] for model in (far, near)]
        assert texts[0] == texts[1]
    (deployment,) = serve.status().applications["default"].deployments.values()
    assert deployment.replica_states["RUNNING"] == 2
    serve.shutdown()


if __name__ == "__main__":
    p = parser("tests.package.ray_replicas", __doc__)
    p.add_argument("port", type=int)
    main(p.parse_args().port)
