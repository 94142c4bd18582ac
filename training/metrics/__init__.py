"""Measures of a model, one a file: plain functions from a model to figures."""
