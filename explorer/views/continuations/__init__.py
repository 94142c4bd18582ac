"""Continuations: a model that writes from left to right, and what it might have written."""
