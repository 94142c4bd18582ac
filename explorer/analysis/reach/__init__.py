"""How far back a network can read, what it makes of it, and what it has to wait for.

how_far     how far a state moves when a word before it is another
segments    a long text in segments, with and without a memory of those before (Transformer-XL)
waiting     the steps that must wait for each other, in a recurrent network and in attention
speed       the time that both take, on networks of one size
"""
