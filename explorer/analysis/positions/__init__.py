"""How a Transformer knows where a word stands.

sinusoids     the table of sines and cosines, and what its authors say of it
learnt        tables that a model learnt, and what can be compared between any two tables
rotations     queries and keys that are turned, and what their scores know of positions
shuffling     the same tokens in another order, with positions and without
"""
