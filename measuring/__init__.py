"""Measures the bundled models, and makes what pages store (docs/training.md).

heads.py stored.py search.py probes/       figures and probes that pages show
wordnet.py splits.py                       senses, and the halves of the libraries
sets/                                      the lists of sentences that the cards' figures are of

docs/recipes.md says how each model was trained.
"""
