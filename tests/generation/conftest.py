"""The tiny left-to-right model of the analyses' tests."""

from tests.analysis.conftest import gpt

__all__ = ["gpt"]
