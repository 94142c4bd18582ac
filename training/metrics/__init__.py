"""Measures of a model, one a file: plain functions from a model to a frozen result.

Loaded checkpoints and networks in training (see `live`) are measured alike.
"""
