"""Masked words: what a model expects in a blank, and how it learnt to."""
