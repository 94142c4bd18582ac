"""The page of tokens: how a text is cut, how the pieces were learnt, and what a vocabulary holds."""
