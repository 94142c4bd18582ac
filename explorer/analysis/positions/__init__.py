"""How a Transformer represents the positions of words.

sinusoids     the table of sines and cosines, and the linear map between two of its positions
learnt        learnt tables, and measures that compare any two tables
rotations     rotary positions, and how their scores depend on distance
shuffling     the same tokens in another order, with positions and without
"""
