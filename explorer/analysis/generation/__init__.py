"""Text from left to right, and what a model might have written instead.

steps         Sampling, generate: token by token, with every candidate
beam          the most probable text that a few hypotheses at a time can find
contrastive   a probable token that is unlike the text so far
tree          one prompt, and every branch that was taken from it
repetition    how much a text repeats itself
writing       what all ways of writing on have in common
"""

from explorer.analysis.generation.steps import Choice, Ending, Generation, Sampling, Step, chances, generate

__all__ = ["Choice", "Ending", "Generation", "Sampling", "Step", "chances", "generate"]
