"""One Transformer layer, unfolded into its steps.

operations          each step as a few lines of PyTorch
program             which steps a layer has, in their order, before or after the norm
layer_walk          the steps of one layer on one text, with every number in between
decoder_walk        the same of a translator's decoder, which reads the encoder too
origins             which numbers made a number
"""

from explorer.analysis.transformer.decoder_walk import walk_decoder
from explorer.analysis.transformer.layer_walk import Walk, walk
from explorer.analysis.transformer.origins import Cell, Origin, Part, origin

__all__ = ["Cell", "Origin", "Part", "Walk", "origin", "walk", "walk_decoder"]
