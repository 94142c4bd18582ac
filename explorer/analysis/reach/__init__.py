"""What a network can read of a long text, and how many steps it takes.

segments    a long text in segments, with and without a memory of earlier ones (Transformer-XL)
waiting     the number of sequential steps, in a recurrent network and in attention
"""
