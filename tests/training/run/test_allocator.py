"""What a step frees is kept: asked for again, the same memory comes without the system's help."""

import subprocess
import sys

import pytest

CODE = """
import resource
import torch
from training.run.device import keep_freed_memory

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        torch.ones(2_000_000)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

listened = keep_freed_memory()
faults()
print(int(listened), faults())
"""


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's setting")
def test_freed_memory_is_kept():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    listened, faults = map(int, done.stdout.split())
    if not listened:
        pytest.skip("another C library")
    assert faults < 2000, "20 tensors of 8 MB are 40,000 pages"
