"""How good a model is: one measure a file, each a plain function from a model to a frozen result.

A checkpoint that was loaded and a network in training (see `live`) are measured alike.
"""
