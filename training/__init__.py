"""Measures the bundled models, and makes what pages store (docs/training.md).

evaluate.py    the figures of a model (metrics/)
card.py        its card, and the figures in the record of its training
heads.py stored.py search.py probes/       figures and probes that pages show
wordnet.py splits.py                       senses, and the halves of the libraries

docs/recipes.md says how each model was trained.
"""
