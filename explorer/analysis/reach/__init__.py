"""How far back a network reads, how much that changes, and how many steps it takes.

how_far     how far a state moves when an earlier word is replaced
segments    a long text in segments, with and without a memory of earlier ones (Transformer-XL)
waiting     the number of sequential steps, in a recurrent network and in attention
speed       the time that both take, on networks of equal size
"""
