"""One Transformer layer, unfolded into its steps.

operation           an operation with its code, formula, caption, figure and causes
operations          all operations, one entry each
tensors             the symbols and meanings of the tensors
rules               which numbers made a number, for each kind of arithmetic
layer_steps         which operations a layer has, in their order
layer_walk          the steps of one layer on one text, with every number in between
decoder_walk        the same for a translator's decoder, which reads the encoder too
origins             which numbers made a number of a walk
"""

from explorer.analysis.transformer.causes import Cause, Cell, Origin
from explorer.analysis.transformer.decoder_walk import walk_decoder
from explorer.analysis.transformer.layer_walk import Walk, walk
from explorer.analysis.transformer.origins import origin

__all__ = ["Cause", "Cell", "Origin", "Walk", "origin", "walk", "walk_decoder"]
