"""The operations of Transformer layers (Vaswani et al. 2017, and what came later), one entry each.

inputs           rows of the learnt tables, and what enters a layer
norms            layer normalisation, RMS normalisation, and the residual connections
attention        one head's attention, and all heads at once
masks            which scores must not be read
cross_attention  what differs where a decoder reads an encoder
feed_forward     the hidden units, with or without a gate

`layer_steps` says which of them a layer has. The body of each function is what a reader sees, and what is
run: its parameters are the tensors that it takes, by name, and what it returns are those that it gives.
`n` is the number of positions.
"""
