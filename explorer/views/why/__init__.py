"""The page “Why it said that”: which states, heads and layers make a model answer as it does."""
