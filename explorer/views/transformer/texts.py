"""Texts with which views of the page Transformer open."""

MAT = "the cat sat on the mat"
BITES = ("The dog bit the man.", "The man bit the dog.")
MEAN = "mean"  # of all heads, in place of one
