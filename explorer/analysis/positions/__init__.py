"""How a Transformer knows where a word stands.

sinusoids     the table of sines and cosines, and what its authors say of it
learnt        tables that a model learnt, and what can be compared between any two tables
shuffling     the same tokens in another order, with positions and without
"""
