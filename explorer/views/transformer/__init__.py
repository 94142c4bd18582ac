"""The Transformer: one layer step by step, and what else makes it what it is."""
